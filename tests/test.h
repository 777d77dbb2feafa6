/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TEST_H
#define PITOT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define ARRAY_LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

/* Many CPU seconds; on a busy machine others run in between. */
#define MAX_POLLS 100000000

/* cmocka cannot print a reason: tests/runners/tap.py reads it. */
#define skip_because(REASON)                                                 \
   do {                                                                      \
      printf("# skip: %s\n", REASON);                                        \
      skip();                                                                \
   } while (0)

/* A step of a test: with fault/shim/cmocka.h, a failure that is excused does
 * not end the test.
 */
#ifndef run_step
#define run_step(STEP, DATA) (STEP)(DATA)
#endif

/* Between the name of an empty test and the reason: a skip in TAP. cmocka's
 * own words for it are a failure for Meson.
 */
#define NAME_SKIPPED " # SKIP "

#endif /* PITOT_TEST_H */
