/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Prints the heap memory of a query, as malloc counts it. */

#include <malloc.h>

#include "bench.h"

static size_t
heap_B(void)
{
   const struct mallinfo2 info = mallinfo2();

   return info.uordblks + info.hblkhd;
}

static void
print_bytes(size_t before_B, const char *state)
{
   const double bytes = ((double)heap_B() - before_B) / CALLS;

   printf("bytes\t%.1f\t%.1f\t1\ta query, %s\n", bytes, bytes, state);
}

void
memory_print(void)
{
   GLuint result;

   /* Allocates the name tables and what a driver keeps. */
   glGenQueries(CALLS, ids);
   glDeleteQueries(CALLS, ids);
   glFinish();

   const size_t before_B = heap_B();
   glGenQueries(CALLS, ids);
   print_bytes(before_B, "idle");
   for (unsigned i = 0; i < CALLS; i++)
      measure(GL_ANY_SAMPLES_PASSED, ids[i]);
   print_bytes(before_B, "in flight");
   for (unsigned i = 0; i < CALLS; i++)
      glGetQueryObjectuiv(ids[i], GL_QUERY_RESULT, &result);
   print_bytes(before_B, "known");
   glDeleteQueries(CALLS, ids);
}
