/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What a failed call explains in a script of rules.h on the null driver:
 *
 *  - OUT_OF_MEMORY of its statement, which runs again.  Then all must be as
 *    if the call had not failed.
 *  - A lost result: of an end that fails ("Empties the slot even after an
 *    error", pitot_query_end()), which cannot run again, or of a read.  It is
 *    0, or an error says that it is lost, until the query measures again.
 *  - A flush or a wait, if no error is due: without a driver's fence or store
 *    core flushes and waits (pitot/driver.h).
 */

#ifndef PITOT_TESTS_FAULT_STATEMENTS_H
#define PITOT_TESTS_FAULT_STATEMENTS_H

#include <stdbool.h>

struct host;

void
statements_forget(struct host *host);

/* Whether a failed call explains the failure of the statement. */
bool
statements_explain(const char *text);

#endif /* PITOT_TESTS_FAULT_STATEMENTS_H */
