/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What Pitot's calls report (report_wrap in meson.build).
 */

#ifndef PITOT_TESTS_FAULT_REPORTS_H
#define PITOT_TESTS_FAULT_REPORTS_H

#include <stdbool.h>

struct reports {
   bool last_call; /* failed, or had no record */
   bool draw;      /* of the active queries, or the last ones: not counted */
   bool is_disjoint;
};

extern struct reports reports;

void
reports_forget(void);

/* Asks the open context, too. */
bool
reports_is_disjoint(void);

#endif /* PITOT_TESTS_FAULT_REPORTS_H */
