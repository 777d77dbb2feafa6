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

/* Between the name of an empty test and the reason: a skip in TAP. cmocka's
 * own words for it are a failure for Meson.
 */
#define NAME_SKIPPED " # SKIP "

#endif /* PITOT_TEST_H */
