/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * cmocka, with what it wants included before it.
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

/* How often to ask for what has to come in the end: that takes many seconds
 * of a CPU, and others get theirs in between, however busy the machine is.
 */
#define MAX_POLLS 100000000

/* Skips the test that runs and says why, for which cmocka has no words:
 * tests/runners/tap.py reads it.
 */
#define skip_because(REASON)                                                 \
   do {                                                                      \
      printf("# skip: %s\n", REASON);                                        \
      skip();                                                                \
   } while (0)

/* Between the name of a test that does nothing and the reason: that makes it
 * one that TAP calls skipped, for Meson as well, to which cmocka's own words
 * are a failure.
 */
#define NAME_SKIPPED " # SKIP "

#endif /* PITOT_TEST_H */
