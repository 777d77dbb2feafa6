/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdbool.h>
#include <stddef.h>

#include "fail_memory.h"
#include "pitot_arena.h"
#include "wrapped.h"

unsigned fail_memory;
enum fail_memory_growth fail_memory_growth;

/* The linker redirects calls to these functions (--wrap). */

static bool
fails(void)
{
   return fail_memory && --fail_memory == 0;
}

WRAPPED(void *, malloc, (size_t size_B))
{
   return fails() ? NULL : __real_malloc(size_B);
}

WRAPPED(void *, calloc, (size_t count, size_t size_B))
{
   return fails() ? NULL : __real_calloc(count, size_B);
}

WRAPPED(void *, realloc, (void *memory, size_t size_B))
{
   if (fail_memory_growth == FAIL_MEMORY_STAYS ||
       (fail_memory_growth == FAIL_MEMORY_COUNTS && fails()))
      return NULL;
   return __real_realloc(memory, size_B);
}

/* An arena's object counts as one allocation, even if it needs no memory. */
WRAPPED(void *, pitot_arena_alloc, (struct pitot_arena * arena))
{
   if (fails())
      return NULL;

   const unsigned failing = fail_memory;
   fail_memory = 0;
   void *object = __real_pitot_arena_alloc(arena);
   fail_memory = failing;
   return object;
}
