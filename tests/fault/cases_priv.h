/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The functions that cases.c and plan.c share.
 */

#ifndef PITOT_TESTS_FAULT_CASES_PRIV_H
#define PITOT_TESTS_FAULT_CASES_PRIV_H

#include "cases.h"
#include "test.h"

/* Of all runs so far. */
struct cases_figures {
   uint64_t injected, survived, told; /* runs with a fault */
   unsigned failures;
};

extern struct cases_figures cases_figures;

/* Runs a case once, with a fault or with NULL.  Returns whether all is well.
 */
bool
cases_run(const struct CMUnitTest *test, const struct fault *fault);

/* Has a run that crashes, or has no end, say which it was. */
void
cases_watch(void);

#endif /* PITOT_TESTS_FAULT_CASES_PRIV_H */
