/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * cmocka, with the headers that it needs.
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

/* Polls for something that must come: many CPU seconds.  On a busy machine
 * other processes run in between.
 */
#define MAX_POLLS 100000000

/* Skips the current test with a reason, which cmocka cannot print:
 * tests/runners/tap.py reads it.
 */
#define skip_because(REASON)                                                 \
   do {                                                                      \
      printf("# skip: %s\n", REASON);                                        \
      skip();                                                                \
   } while (0)

/* Between the name of an empty test and the reason: TAP then reports a skip.
 * cmocka's own words for a skip are a failure for Meson.
 */
#define NAME_SKIPPED " # SKIP "

#endif /* PITOT_TEST_H */
