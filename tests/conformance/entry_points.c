/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdbool.h>
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
   const bool is_es = suffix[0] != '\0';
   const char *used = suffix;

#define LOAD(RETURN, NAME, PARAMETERS) points->NAME = look_up(#NAME, used);
   TIMER_ENTRY_POINTS(LOAD)
   used = is_es ? "EXT" : "";
   INTEGER64_ENTRY_POINTS(LOAD)
   used = is_es ? "NV" : "";
   CONDITION_ENTRY_POINTS(LOAD)
   used = "INTEL";
   PERF_ENTRY_POINTS(LOAD)
   used = "AMD";
   MONITOR_ENTRY_POINTS(LOAD)
   used = "";
   DESKTOP_ENTRY_POINTS(LOAD)
   COMMON_ENTRY_POINTS(LOAD)
#undef LOAD
}
