/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "bench.h"

GLuint
find_perf_set(void)
{
   GLchar name[256];
   GLuint first, size_B, capacity, instances, caps;

   glGetFirstPerfQueryIdINTEL(&first);
   for (GLuint set = first; set; glGetNextPerfQueryIdINTEL(set, &set)) {
      glGetPerfQueryInfoINTEL(set, sizeof(name), name, &size_B, &capacity,
                              &instances, &caps);
      if (strcmp(name, "Pipeline Statistics Registers") == 0 || /* stock */
          strcmp(name, "Pipeline Statistics") == 0)
         return set;
   }
   return first;
}

GLuint
find_group(void)
{
   static const char *const names[] = {
      "GRBM",                          /* radeonsi */
      "Pipeline Statistics Registers", /* iris, stock */
      "Pipeline Statistics",           /* iris, Pitot */
      "Zink counters",
   };
   GLuint groups[1024];
   GLchar name[256];
   GLint count;

   glGetPerfMonitorGroupsAMD(&count, ARRAY_LENGTH(groups), groups);
   for (GLint i = 0; i < count; i++) {
      glGetPerfMonitorGroupStringAMD(groups[i], sizeof(name), NULL, name);
      for (unsigned k = 0; k < ARRAY_LENGTH(names); k++) {
         if (strcmp(name, names[k]) == 0)
            return groups[i];
      }
   }
   return groups[0];
}
