/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Arenas: objects of one size, in runs of RUN_COUNT objects, which are freed
 * when the arena is finished.  The first word of an object that was given
 * back links it to the next one.  A write to such an object corrupts the
 * list; only AddressSanitizer finds it.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "pitot/driver.h"
#include "pitot_arena.h"

/* Lets AddressSanitizer find accesses to objects that are not in use. */
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(MEMORY, SIZE)
#define ASAN_UNPOISON_MEMORY_REGION(MEMORY, SIZE)
#endif

#define RUN_COUNT 64 /* objects */

/* Objects follow, then an unused cache line: see PITOT_CACHE_LINE_B. */
struct pitot_arena_run {
   struct pitot_arena_run *next;
   uint8_t apart[PITOT_CACHE_LINE_B - sizeof(void *)];
};

void
pitot_arena_init(struct pitot_arena *arena, size_t object_B)
{
   *arena = (struct pitot_arena){ .object_B = object_B };
}

void
pitot_arena_finish(struct pitot_arena *arena)
{
   struct pitot_arena_run *run = arena->runs;

   assert(arena->used_count == 0);
   while (run) {
      struct pitot_arena_run *next = run->next;

      ASAN_UNPOISON_MEMORY_REGION(run + 1, RUN_COUNT * arena->object_B);
      free(run);
      run = next;
   }
   pitot_arena_init(arena, arena->object_B);
}

static struct pitot_arena_run *
add_run(struct pitot_arena *arena)
{
   struct pitot_arena_run *run =
      calloc(1,
             sizeof(*run) + RUN_COUNT * arena->object_B + PITOT_CACHE_LINE_B);

   if (!run)
      return NULL;
   run->next = arena->runs;
   arena->runs = run;
   arena->taken_count = 0;
   ASAN_POISON_MEMORY_REGION(run + 1, RUN_COUNT * arena->object_B);
   return run;
}

/* Returns an object that was never in use, or NULL if allocation fails. */
static void *
take_new(struct pitot_arena *arena)
{
   struct pitot_arena_run *run = arena->runs;

   if (!run || arena->taken_count == RUN_COUNT)
      run = add_run(arena);
   return run ? (char *)(run + 1) + arena->taken_count++ * arena->object_B
              : NULL;
}

void *
pitot_arena_alloc(struct pitot_arena *arena)
{
   const bool is_given = arena->given;
   void *object = is_given ? arena->given : take_new(arena);

   if (!object)
      return NULL;
   arena->used_count++;
   ASAN_UNPOISON_MEMORY_REGION(object, arena->object_B);
   if (is_given)
      arena->given = *(void **)object;
   return object;
}

void
pitot_arena_free(struct pitot_arena *arena, void *object)
{
   assert(arena->used_count > 0);
   arena->used_count--;
   *(void **)object = arena->given;
   arena->given = object;
   ASAN_POISON_MEMORY_REGION(object, arena->object_B);
}
