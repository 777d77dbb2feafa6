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

/* The nth allocation from now on fails, by calloc() or of an object of an
 * arena; 0: none.
 */
extern unsigned fail_memory;

#endif /* PITOT_TESTS_FAIL_MEMORY_H */
