/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory for objects of one size, allocated for many of them at a time: an
 * object of its own costs malloc's header, and as many instructions as all
 * else that it takes to begin a query.
 */

#ifndef PITOT_ARENA_H
#define PITOT_ARENA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_arena {
   size_t object_B;
   void *given;                  /* back, each linked to the next one */
   struct pitot_arena_run *runs; /* the newest first */
   size_t taken_count;           /* of the newest run */
   size_t used_count;            /* taken and not given back */
};

/* object_B is at least that of a pointer, and a multiple of it. */
void
pitot_arena_init(struct pitot_arena *arena, size_t object_B);

/* Frees the memory.  All objects must have been given back: one that was not
 * is a leak, which a leak checker would not see.
 */
void
pitot_arena_finish(struct pitot_arena *arena);

/* Returns the memory of an object, of any content, or NULL. */
void *
pitot_arena_take(struct pitot_arena *arena);

/* Gives the memory of an object back, to be taken again.  The arena keeps it
 * until it is finished: an application that deletes a million queries has
 * their memory until its context is destroyed.
 */
void
pitot_arena_give(struct pitot_arena *arena, void *object);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_ARENA_H */
