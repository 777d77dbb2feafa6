/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The cases of a unit test under faults.  Each case first runs without a
 * fault, which counts its calls of each site.  Then it runs once for each
 * fault in the table and each of those calls.  A run survives if
 *
 *  - assertions fail only where the failure was reported, by an error, a
 *    status or disjoint, and explains them: see rig_is_reported() of each
 *    program;
 *  - the objects that it leaves are usable again (rig_finish());
 *  - Pitot leaks nothing.
 *
 * The environment selects:
 *
 *    PITOT_FAULT_RUNS=N    about this many runs, spread by a hash
 *    PITOT_FAULT_ROUND=N   different runs in each round
 *    PITOT_FAULT=TEXT      only this fault, as a failure prints it:
 *                          "no memory, call 3, once"
 *    PITOT_FAULT_CASE=TEXT only cases whose names contain this
 */

#ifndef PITOT_TESTS_FAULT_CASES_H
#define PITOT_TESTS_FAULT_CASES_H

#include "fault.h"

/*
 * Implemented by a program: see contract.c, hw.c and rules.c
 */

/* Whether a report of the failure explains the failed assertion, or it needs
 * no report.
 */
bool
rig_is_reported(const char *text);

/* Forgets reports to earlier cases. */
void
rig_begin(void);

/* Uses the case's objects once more and frees them: Pitot must not leak. */
bool
rig_finish(void);

/* Optional: */

/* The case does not run under faults. */
struct CMUnitTest;

bool
rig_skips(const struct CMUnitTest *test);

unsigned
rig_variants(void);

/* Selects the next run's variant, and writes the suffix of its name. */
void
rig_choose(unsigned variant, char *name, size_t size);

/* The program can judge faults of this kind. */
bool
rig_knows(const struct fault_kind *kind);

/* Before each run of a step (run_step() of test.h). */
void
rig_begin_step(void *data);

/* After a run that passed. */
void
rig_end_step(void);

/* What follows a step that failed and is excused. */
enum rig_next {
   RIG_ENDS_CASE,
   RIG_GOES_ON, /* with the next step */
   RIG_REPEATS_STEP,
};

enum rig_next
rig_after_step(void);

/* Describes the failed call further, or writes nothing. */
void
rig_explain(char *text, size_t size);

/* No later assertion is excused. */
void
cases_end_fault(void);

/* An assertion of the case failed, or the case was skipped. */
bool
cases_is_broken(void);

/* The function returns without a failed assertion. */
bool
cases_survives(void (*run)(void *data), void *data);

#endif /* PITOT_TESTS_FAULT_CASES_H */
