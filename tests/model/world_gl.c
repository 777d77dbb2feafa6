/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "world.h"

static const char *
open_gl(enum kind kind, bool has_no_errors)
{
   (void)kind;
   (void)has_no_errors;
   return "not yet";
}

const struct world gl_world = {
   .name = "gl",
   .open = open_gl,
};
