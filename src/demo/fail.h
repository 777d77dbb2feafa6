/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_FAIL_H
#define PITOT_DEMO_FAIL_H

/* Prints one line on stderr. */
void
warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints one line on stderr and ends the program with status 1. */
_Noreturn void
fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
