/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Counters for the fake pipe_context: those that a driver lists, and the
 * hooks of a driver for Intel GPUs.
 */

#ifndef PITOT_TESTS_FAKE_COUNTERS_H
#define PITOT_TESTS_FAKE_COUNTERS_H

#include "fake_pipe.h"

/* A driver that lists counters of every type, in groups and not.  Counter i
 * is 100 + i.
 */
void
fake_counters_init(struct fake_pipe *fake);

/* Hooks with the sets "Pipeline Statistics Registers", "Render",
 * "Intel_Raw_Pipeline_Statistics_Query" and "Compute", of which all but the
 * first are hidden without a permission; and a record of their calls.
 */
struct fake_intel {
   bool is_permitted;
   bool is_ready; /* records are available at once, not only after a wait */
   bool fails;    /* begin says no */
   bool is_late;  /* and says so only when the record is read */
   bool writes_nothing; /* into a record, as of a lost device */
   unsigned busy;       /* measurements by the unit that were not read yet; */
   unsigned set;        /* and of which set: the other cannot begin */
   unsigned alive;
   unsigned waits;
   unsigned asked;             /* whether an object is ready */
   unsigned deleted_in_flight; /* which the hooks do not expect */
};

/* Gives a context the hooks. */
struct fake_intel *
fake_intel_init(struct fake_pipe *fake);

#endif /* PITOT_TESTS_FAKE_COUNTERS_H */
