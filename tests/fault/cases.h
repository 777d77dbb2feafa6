/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The cases of a unit test under faults.  Each case first runs without a
 * fault, which counts its calls of each site.  Then it runs once for each
 * fault in the table and each of those calls.  A run survives if
 *
 *  - assertions fail only after the failure was reported, by an error, a
 *    status or disjoint: no number is wrong without that;
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

/* Whether the failure was reported, or the assertion needs no report. */
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

/* Defines a --wrap function for NAME that passes its status to note(). */
#define TELLING(NAME, PARAMETERS, ...)                                       \
   int __real_##NAME PARAMETERS;                                             \
   int __wrap_##NAME PARAMETERS;                                             \
                                                                             \
   int __wrap_##NAME PARAMETERS                                              \
   {                                                                         \
      return note(__real_##NAME(__VA_ARGS__));                               \
   }

#endif /* PITOT_TESTS_FAULT_CASES_H */
