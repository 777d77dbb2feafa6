/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory that runs out, in a program that is linked with fail_memory.c and
 * fail_memory_args of tests/meson.build.
 */

#ifndef PITOT_TESTS_FAIL_MEMORY_H
#define PITOT_TESTS_FAIL_MEMORY_H

/* The nth allocation from now on fails, by malloc(), calloc(), or of an
 * object of an arena; 0: none.
 */
extern unsigned fail_memory;

/* How many allocations there were. */
extern unsigned fail_memory_count;

/* The outcome of realloc(), by which simulators allocate: success, failure,
 * or that of any other allocation.
 */
enum fail_memory_growth {
   FAIL_MEMORY_GROWS,
   FAIL_MEMORY_STAYS,
   FAIL_MEMORY_COUNTS,
};

extern enum fail_memory_growth fail_memory_growth;

#endif /* PITOT_TESTS_FAIL_MEMORY_H */
