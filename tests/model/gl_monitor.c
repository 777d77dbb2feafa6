/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "gl_context.h"

#define MOST_GROUPS   1024
#define MOST_COUNTERS 64

static void
find_counters(struct features *features, unsigned set)
{
   static const char *const names[][SELECTED_COUNT] = {
      [SET_STATISTICS] = { "Vertices Submitted", "Primitives Submitted" },
      [SET_TIME] = { "GPU Time Begin", "GPU Time End" },
   };
   const char *const *wanted = names[features->sets[set]];
   GLuint counters[MOST_COUNTERS];
   GLint count;

   gl.GetPerfMonitorCounters(features->groups[set], &count, NULL,
                             MOST_COUNTERS, counters);
   for (GLint i = 0; i < count; i++) {
      char name[80];

      gl.GetPerfMonitorCounterString(features->groups[set], counters[i],
                                     sizeof(name), NULL, name);
      for (unsigned k = 0; k < SELECTED_COUNT; k++)
         if (strcmp(name, wanted[k]) == 0)
            features->counters[set][k] = counters[i];
   }
}

void
gl_find_group(struct features *features, unsigned set, const char *name)
{
   GLuint groups[MOST_GROUPS];
   GLint count;

   gl.GetPerfMonitorGroups(&count, MOST_GROUPS, groups);
   for (GLint i = 0; i < count && i < MOST_GROUPS; i++) {
      char found[80];

      gl.GetPerfMonitorGroupString(groups[i], sizeof(found), NULL, found);
      if (strcmp(found, name) == 0)
         features->groups[set] = groups[i];
   }
   find_counters(features, set);
}
