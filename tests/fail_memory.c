/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stddef.h>

#include "fail_memory.h"
#include "pitot/arena.h"

unsigned fail_memory;

/* The linker sends the calls of these functions here (--wrap). */
void *
__wrap_calloc(size_t count, size_t size);
void *
__real_calloc(size_t count, size_t size);
void *
__wrap_pitot_arena_take(struct pitot_arena *arena);
void *
__real_pitot_arena_take(struct pitot_arena *arena);

void *
__wrap_calloc(size_t count, size_t size)
{
   if (fail_memory && --fail_memory == 0)
      return NULL;
   return __real_calloc(count, size);
}

/* An object counts as one allocation, whether an arena has memory or not. */
void *
__wrap_pitot_arena_take(struct pitot_arena *arena)
{
   if (fail_memory && --fail_memory == 0)
      return NULL;

   const unsigned failing = fail_memory;
   fail_memory = 0;
   void *object = __real_pitot_arena_take(arena);
   fail_memory = failing;
   return object;
}
