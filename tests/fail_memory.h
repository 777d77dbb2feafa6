/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Allocations that fail, with fail_memory.c and fail_memory_args.
 */

#ifndef PITOT_TESTS_FAIL_MEMORY_H
#define PITOT_TESTS_FAIL_MEMORY_H

/* The nth malloc(), calloc() or arena object from now fails; 0: none. */
extern unsigned fail_memory;

/* realloc(), which simulators use: succeeds, fails, or counts. */
enum fail_memory_growth {
   FAIL_MEMORY_GROWS,
   FAIL_MEMORY_STAYS,
   FAIL_MEMORY_COUNTS,
};

extern enum fail_memory_growth fail_memory_growth;

#endif /* PITOT_TESTS_FAIL_MEMORY_H */
