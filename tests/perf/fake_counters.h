/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Counters of the fake pipe_context: lists, and the hooks for Intel GPUs.
 */

#ifndef PITOT_TESTS_FAKE_COUNTERS_H
#define PITOT_TESTS_FAKE_COUNTERS_H

#include "fake_pipe.h"

/* Counters of every type, with and without groups; counter i is 100 + i. */
void
fake_counters_init(struct fake_pipe *fake);

/* Hooks with the sets "Pipeline Statistics Registers", "Render",
 * "Intel_Raw_Pipeline_Statistics_Query" and "Compute"; all but the first are
 * hidden without a permission.  Counts calls.
 */
struct fake_intel {
   bool is_permitted;
   bool is_ready;       /* records are available without a wait */
   bool fails;          /* begin fails */
   bool is_late;        /* but only the read of the record reports it */
   bool writes_nothing; /* to records, as a lost device */
   unsigned busy;       /* measurements of the unit without a read; */
   unsigned set;        /* their set: others cannot begin */
   unsigned alive;
   unsigned waits;
   unsigned asked;             /* calls of is_ready */
   unsigned deleted_in_flight; /* the hooks do not expect that */
};

/* Installs the hooks. */
struct fake_intel *
fake_intel_init(struct fake_pipe *fake);

#endif /* PITOT_TESTS_FAKE_COUNTERS_H */
