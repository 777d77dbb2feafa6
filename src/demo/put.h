/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_PUT_H
#define PITOT_DEMO_PUT_H

#include <jansson.h>

/* Gives a JSON object a value, which it takes over. Fails rather than leave
 * a part of the object missing.
 */
void
put(json_t *object, const char *key, json_t *value);

#endif
