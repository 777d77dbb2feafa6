/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A query of a kind on a GPU, whose result is to be stored.
 */

#ifndef PITOT_TESTS_HW_STORE_CASE_H
#define PITOT_TESTS_HW_STORE_CASE_H

#include "fixture.h"

struct store_case {
   struct fixture *f;
   struct sim_cs *cs;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
};

typedef void (*store_test)(struct store_case *c, unsigned argument);

enum {
   HELD = 1 << 0,      /* the GPU does nothing until the CPU waits */
   NO_SHADER = 1 << 1, /* the driver has none that computes results */
   NEW_GPU = 1 << 2,   /* nobody knows yet where its backends write */
};

/* Measures twice in one query, which is suspended in between. */
void
measure(struct store_case *c, uint64_t ticks);

/* Runs a test for each kind that a GPU counts, on each GPU, when the query
 * was measured.
 */
void
for_all(store_test test, unsigned argument, uint64_t scale, unsigned mode);

/* Stores a result of a type, and compares it with that of the CPU. */
void
check_type(struct store_case *c, unsigned type);

/* Runs the test of availability, which becomes true in the end. */
void
check_available(struct store_case *c, unsigned unused);

#endif /* PITOT_TESTS_HW_STORE_CASE_H */
