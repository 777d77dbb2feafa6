/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory for objects of one size, allocated many at a time.  A malloc() for
 * each object costs a header, and as many instructions as the rest of the
 * begin of a query.
 */

#ifndef PITOT_ARENA_H
#define PITOT_ARENA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_arena {
   size_t object_B;
   void *given; /* free objects, each linked to the next one */
   struct pitot_arena_run *runs; /* the newest first */
   size_t taken_count;           /* in the newest run */
   size_t used_count;            /* in use */
};

/* object_B must be a multiple of the size of a pointer, and not 0. */
void
pitot_arena_init(struct pitot_arena *arena, size_t object_B);

/* Frees the memory.  No object may be in use: a leak checker would not find
 * one that was never given back.
 */
void
pitot_arena_finish(struct pitot_arena *arena);

/* Returns an object, uninitialized, or NULL if allocation fails. */
void *
pitot_arena_alloc(struct pitot_arena *arena);

/* Returns an object to the arena, for pitot_arena_alloc().  The arena keeps
 * the memory until it is finished: an application that deletes a million
 * queries has their memory until its context is destroyed.
 */
void
pitot_arena_free(struct pitot_arena *arena, void *object);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_ARENA_H */
