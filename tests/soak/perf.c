/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf queries: one of each set, read or deleted in flight.
 */

#include <stdlib.h>

#include "soak.h"

/* radeonsi has a thousand sets. */
#define MAX_SETS 16

static GLuint
record_size_B(GLuint set)
{
   GLchar name[64];
   GLuint size_B = 0, counters, instances, caps;

   glGetPerfQueryInfoINTEL(set, sizeof(name), name, &size_B, &counters,
                           &instances, &caps);
   return size_B;
}

static void
read_record(GLuint handle, GLuint size_B)
{
   void *record = malloc(size_B);
   GLuint written_B = 0;

   glGetPerfQueryDataINTEL(handle, GL_PERFQUERY_WAIT_INTEL, size_B, record,
                           &written_B);
   free(record);
   if (written_B != size_B)
      soak_fail("a record of %u bytes has %u", size_B, written_B);
   soak_totals.results++;
}

static void
measure(GLuint set, bool is_read)
{
   GLuint handle = 0;

   glCreatePerfQueryINTEL(set, &handle);
   glBeginPerfQueryINTEL(handle);
   soak_draw(4);
   glEndPerfQueryINTEL(handle);
   if (is_read)
      read_record(handle, record_size_B(set));
   glDeletePerfQueryINTEL(handle);
   soak_totals.perf_queries++;
}

void
soak_perf(void)
{
   GLuint set = 0;

   if (!epoxy_has_gl_extension("GL_INTEL_performance_query"))
      return;
   glGetFirstPerfQueryIdINTEL(&set);
   for (unsigned count = 0; set && count < MAX_SETS; count++) {
      for (unsigned i = 0; i < 16; i++)
         measure(set, i % 2);
      glGetNextPerfQueryIdINTEL(set, &set);
   }
}
