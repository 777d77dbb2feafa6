/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A query by which AMD's command processor decides, emitted as radeonsi emits
 * it.
 */

#ifndef PITOT_TESTS_HW_CONDITION_CASE_H
#define PITOT_TESTS_HW_CONDITION_CASE_H

#include "fixture.h"

struct condition_case {
   struct fixture *f;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
   bool is_found, is_inverted, wait;
   unsigned batches; /* that the query is measured in */
};

typedef void (*condition_test)(struct condition_case *c);

bool
is_overflow(const struct condition_case *c);

/* Counts in the last batch that the query is active in. */
void
measure(struct condition_case *c);

struct pitot_hw_condition
decide(struct fixture *f, struct pitot_hw_query *query, bool is_inverted,
       bool wait);

void
emit_condition(struct fixture *f, const struct pitot_hw_condition *condition);

/* Returns whether a draw under a condition is executed. */
bool
draws(struct fixture *f, const struct pitot_hw_condition *condition);

/* Runs a test of a case on a GPU of AMD's that counts its kind. */
void
run_case(const struct sim_gpu *gpu, struct condition_case c,
         condition_test test);

#endif /* PITOT_TESTS_HW_CONDITION_CASE_H */
