/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "put.h"

#include "fail.h"

void
put(json_t *object, const char *key, json_t *value)
{
   if (json_object_set_new(object, key, value) != 0)
      fail("cannot express \"%s\" in JSON", key);
}
