/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The cases of a unit test under faults.  Each case runs without a fault
 * first, which tells how many calls of each site it makes.  Then it runs once
 * for each fault of the table and each of those calls.  A run goes well if
 *
 *  - no assertion fails, or one does after the failure was told, by an error,
 *    a status or disjoint: no number is wrong without that;
 *  - the objects that it leaves behind are usable again (rig_finish());
 *  - nothing of Pitot's leaks.
 *
 * The environment chooses:
 *
 *    PITOT_FAULT_RUNS=N    about so many runs of all, spread by a hash
 *    PITOT_FAULT_ROUND=N   others than in other rounds
 *    PITOT_FAULT=TEXT      only this one, as a failure prints it:
 *                          "no memory, call 3, once"
 *    PITOT_FAULT_CASE=TEXT and only cases with that text in their name
 */

#ifndef PITOT_TESTS_FAULT_CASES_H
#define PITOT_TESTS_FAULT_CASES_H

#include "fault.h"

/*
 * The part of a program: see contract.c, hw.c and rules.c
 */

/* Returns whether the case was told of the failure since it began, or whether
 * the assertion of that text is of what need not be told.
 */
bool
rig_is_told(const char *text);

/* Forgets what earlier cases were told. */
void
rig_begin(void);

/* Uses what a case left open once more, and closes it.  Returns whether it
 * did: then nothing of Pitot's may be left.
 */
bool
rig_finish(void);

/* The rest need not be there. */

/* Returns whether a case does not run under faults. */
struct CMUnitTest;

bool
rig_leaves_out(const struct CMUnitTest *test);

/* Returns in how many variants a case runs. */
unsigned
rig_variants(void);

/* Has the next run be of a variant, and writes a suffix of its name. */
void
rig_choose(unsigned variant, char *name, size_t size);

/* Returns whether the program can judge such faults. */
bool
rig_knows(const struct fault_kind *kind);

/* Writes more about the call that failed, or nothing. */
void
rig_explain(char *text, size_t size);

/*
 * For it
 */

/* Ends the fault of a run: no assertion after this is excused. */
void
cases_end_fault(void);

/* Returns whether an assertion of the case failed, or it was skipped. */
bool
cases_is_broken(void);

/* Returns whether a function comes to its end, without a failed assertion. */
bool
cases_survives(void (*run)(void *data), void *data);

/* Defines a function that the linker puts in the place of NAME (--wrap): it
 * calls NAME, and passes the status through note() of the program.
 */
#define TELLING(NAME, PARAMETERS, ...)                                       \
   int __real_##NAME PARAMETERS;                                             \
   int __wrap_##NAME PARAMETERS;                                             \
                                                                             \
   int __wrap_##NAME PARAMETERS                                              \
   {                                                                         \
      return note(__real_##NAME(__VA_ARGS__));                               \
   }

#endif /* PITOT_TESTS_FAULT_CASES_H */
