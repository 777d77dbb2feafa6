/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_FAULT_CASES_PRIV_H
#define PITOT_TESTS_FAULT_CASES_PRIV_H

#include "cases.h"
#include "test.h"

struct cases_figures {
   uint64_t injected, survived, told; /* runs with a fault */
   unsigned failures;
};

extern struct cases_figures cases_figures;

/* Runs a case once.  Returns whether all is well. */
bool
cases_run(const struct CMUnitTest *test, const struct fault *fault);

/* Prints which run crashes or hangs. */
void
cases_watch(void);

#endif /* PITOT_TESTS_FAULT_CASES_PRIV_H */
