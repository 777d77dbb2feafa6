/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_SCRIPT_H
#define PITOT_TESTS_SCRIPT_H

#include "host.h"

/* Runs a script (see rules.h) on a fresh host; a statement that does not do
 * what it says fails the test.
 */
void
script_run(struct host *host, const char *script);

#endif /* PITOT_TESTS_SCRIPT_H */
