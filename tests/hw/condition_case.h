/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A condition on an AMD GPU: a query and the predicate that the command
 * processor gets for it, emitted as radeonsi emits it.
 */

#ifndef PITOT_TESTS_HW_CONDITION_CASE_H
#define PITOT_TESTS_HW_CONDITION_CASE_H

#include "fixture.h"

struct condition_case {
   struct fixture *f;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
   bool is_found, is_inverted, wait;
   unsigned batches; /* in which the query measures */
};

typedef void (*condition_test)(struct condition_case *c);

bool
is_overflow(const struct condition_case *c);

/* The query counts work in its last batch only. */
void
measure(struct condition_case *c);

struct pitot_hw_condition
decide(struct fixture *f, struct pitot_hw_query *query, bool is_inverted,
       bool wait);

void
emit_condition(struct fixture *f, const struct pitot_hw_condition *condition);

/* Draws under a condition, then runs the GPU.  Returns whether it drew. */
bool
draws(struct fixture *f, const struct pitot_hw_condition *condition);

/* Runs a test of a case on an AMD GPU that counts the case's kind. */
void
run_case(const struct sim_gpu *gpu, struct condition_case c,
         condition_test test);

#endif /* PITOT_TESTS_HW_CONDITION_CASE_H */
