/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Handles: numbers from 1 on by which an application knows objects.  For
 * perf's entry points, not for drivers.
 */

#ifndef PITOT_PERF_HANDLES_H
#define PITOT_PERF_HANDLES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All 0 at first; objects is free()d at last. */
struct pitot_perf_handles {
   void **objects; /* by their handles less 1; NULL where none is */
   unsigned capacity;
   unsigned lowest_maybe_free; /* index */
};

/* Adds an object.  Returns its handle, the lowest that is free; 0 without
 * memory.
 */
uint32_t
pitot_perf_handles_add(struct pitot_perf_handles *handles, void *object);

/* Returns the object of a handle, or NULL. */
void *
pitot_perf_handles_find(const struct pitot_perf_handles *handles,
                        uint32_t handle);

/* Removes a handle, which must be there. */
void
pitot_perf_handles_remove(struct pitot_perf_handles *handles,
                          uint32_t handle);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_HANDLES_H */
