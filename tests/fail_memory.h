/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory that runs out, in a program that is linked with fail_memory.c and
 * -Wl,--wrap=calloc.
 */

#ifndef PITOT_TESTS_FAIL_MEMORY_H
#define PITOT_TESTS_FAIL_MEMORY_H

/* The nth calloc() from now on fails; 0: none. */
extern unsigned fail_memory;

#endif /* PITOT_TESTS_FAIL_MEMORY_H */
