/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What a failure explains in a script of rules.h.  On the null driver, a
 * statement that reports it runs again, and then all must be as if the call
 * had not failed; on Mesa the case ends there.  What another run does not
 * undo loses the queries of the statement: they explain later failures of
 * statements that name them.
 */

#ifndef PITOT_TESTS_FAULT_STATEMENTS_H
#define PITOT_TESTS_FAULT_STATEMENTS_H

#include "cases.h"

/* Sets of queries have bit 0 for "a", and so on. */

void
statements_forget(const char *script);

/* Before each statement: a struct script of statement.h. */
void
statements_begin(const void *script);

/* The queries that this statement is about. */
unsigned
statements_queries(void);

/* The queries whose results are times. */
unsigned
statements_times(void);

/* Whether this statement reported the failure, or is about lost queries. */
bool
statements_explain(const char *text);

enum rig_next
statements_after(void);

#endif /* PITOT_TESTS_FAULT_STATEMENTS_H */
