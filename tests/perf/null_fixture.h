/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_PERF_NULL_FIXTURE_H
#define PITOT_TESTS_PERF_NULL_FIXTURE_H

#include "perf/create.h"
#include "perf/null_sets.h"
#include "listed.h"

static uint64_t cpu_now_ns;

static int64_t
cpu_time_ns(void)
{
   return cpu_now_ns;
}

struct fixture {
   struct pitot_null null;
   struct null_sets sets;
   struct pitot_context *context;
   struct pitot_perf *perf;
};

static inline void
open_fixture(struct fixture *f, unsigned time_bits)
{
   cpu_now_ns = UINT64_C(1) << 40; /* much more than a clock's period */
   pitot_null_init(&f->null);
   f->null.time_bits = time_bits;
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){
                          .driver = &f->null.base,
                          .cpu_time_ns = cpu_time_ns,
                       },
                       &f->context),
                    0);
   assert_int_equal(pitot_perf_create(f->context,
                                      null_sets_init(&f->sets, &f->null),
                                      &f->perf),
                    0);
}

static inline void
close_fixture(struct fixture *f)
{
   pitot_perf_destroy(f->perf);
   pitot_context_destroy(f->context);
   assert_int_equal(f->null.alive, 0);
}

static inline int
set_up(void **state)
{
   static struct fixture f;

   open_fixture(&f, 64);
   *state = &f;
   return 0;
}

static inline int
tear_down(void **state)
{
   close_fixture(*state);
   return 0;
}

#define NULL_TEST(NAME) TEST_WITH(set_up, tear_down, struct fixture *f, NAME)

#define NULL_TEST_EACH(NAME, INDEX, COUNT)                                   \
   TEST_EACH_WITH(set_up, tear_down, struct fixture *f, NAME, INDEX, COUNT)

#endif /* PITOT_TESTS_PERF_NULL_FIXTURE_H */
