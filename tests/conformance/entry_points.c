/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>

#include <epoxy/egl.h>

#include "entry_points.h"

static void *
look_up(const char *name, const char *suffix)
{
   char full_name[64];

   snprintf(full_name, sizeof(full_name), "gl%s%s", name, suffix);
   return (void *)eglGetProcAddress(full_name);
}

void
entry_points_load(struct entry_points *points, const char *suffix)
{
#define LOAD(RETURN, NAME, PARAMETERS) points->NAME = look_up(#NAME, suffix);
   TIMER_ENTRY_POINTS(LOAD)
#undef LOAD
#define LOAD(RETURN, NAME, PARAMETERS) points->NAME = look_up(#NAME, "");
   DESKTOP_ENTRY_POINTS(LOAD)
#undef LOAD
   points->GetInteger64v = look_up("GetInteger64v", suffix[0] ? "EXT" : "");
}
