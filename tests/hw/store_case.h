/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* A query of one kind on one GPU, whose result is to be stored. */

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
   HELD = 1 << 0,      /* the GPU executes nothing until the CPU waits */
   NO_SHADER = 1 << 1, /* the driver has no shader that computes results */
   NEW_GPU = 1 << 2,   /* the slots of the backends are not known yet */
};

/* Measures two segments: the query is suspended in between. */
void
measure(struct store_case *c, uint64_t ticks);

/* Measures each kind that a GPU counts, on each GPU, then runs a test. */
void
for_all(store_test test, unsigned argument, uint64_t scale, unsigned mode);

/* Stores a result of a type, and compares it with what the CPU reads. */
void
check_type(struct store_case *c, unsigned type);

/* Stores the availability until it is true. */
void
check_available(struct store_case *c, unsigned unused);

#endif /* PITOT_TESTS_HW_STORE_CASE_H */
