/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * GPU_DISJOINT: what sets it, and that reading it clears it.
 */

#include "pitot_null.h"
#include "pitot_query.h"
#include "listed.h"

#define SUSPENDED_NS 5000000

static uint64_t suspended_now_ns;

static uint64_t
suspended_ns(void)
{
   return suspended_now_ns;
}

/* The CPU's time, and how often it was read. */
static uint64_t cpu_now_ns;
static unsigned cpu_looks;

static int64_t
cpu_time_ns(void)
{
   cpu_looks++;
   return cpu_now_ns;
}

struct fixture {
   struct pitot_null null;
   struct pitot_context *context;
   struct pitot_query *query;
};

static void
open_fixture(struct fixture *f, unsigned time_bits)
{
   suspended_now_ns = SUSPENDED_NS;
   cpu_now_ns = 1000;
   cpu_looks = 0;
   pitot_null_init(&f->null);
   f->null.time_bits = time_bits;
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){
                          .driver = &f->null.base,
                          .suspended_ns = suspended_ns,
                          .cpu_time_ns = cpu_time_ns,
                       },
                       &f->context),
                    0);
   assert_int_equal(pitot_query_obtain(f->context, 1, &f->query), 0);
   assert_false(pitot_disjoint_take(f->context));
}

/* What the test did has set disjoint. */
static void
close_fixture(struct fixture *f)
{
   assert_true(pitot_disjoint_take(f->context));
   assert_false(pitot_disjoint_take(f->context));
   pitot_context_destroy(f->context);
}

/* BITS: of the clock */
#define DISJOINT_TEST(NAME, BITS)                                            \
   static void NAME(struct fixture *f);                                      \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      struct fixture f;                                                      \
                                                                             \
      (void)state;                                                           \
      open_fixture(&f, BITS);                                                \
      NAME(&f);                                                              \
      close_fixture(&f);                                                     \
   }                                                                         \
   LIST_TEST(NAME, .test_func = run_##NAME)                                  \
   static void NAME(struct fixture *f)

/* Advances the clocks of CPU and GPU. */
static void
pass(struct fixture *f, uint64_t ns)
{
   cpu_now_ns += ns;
   f->null.time_ns += ns;
}

static void
take_timestamp(struct fixture *f, uint64_t time_ns)
{
   f->null.time_ns = time_ns;
   assert_int_equal(pitot_query_begin(f->context, f->query,
                                      PITOT_KIND_TIMESTAMP, 0),
                    0);
   assert_true(pitot_query_resolve(f->context, f->query, true));
}

/* The jitter of reading two clocks is not a suspend. */
DISJOINT_TEST(suspend_raises_it, 64)
{
   for (unsigned i = 0; i < 10; i++) {
      suspended_now_ns = SUSPENDED_NS + i % 3 * 1000;
      assert_false(pitot_disjoint_take(f->context));
   }
   suspended_now_ns += 2000000000;
}

DISJOINT_TEST(step_back_of_now_raises_it, 64)
{
   f->null.time_ns = 900;
   pitot_timestamp_ns(f->context);
   f->null.time_ns = 800;
   assert_int_equal(pitot_timestamp_ns(f->context), 900);
}

#define WRAP_36_NS (UINT64_C(1) << 36)

/* One wrap and a bit more between two recorded times: the later one looks
 * plausible, but is invalid.  Reading "now" in between does not help.
 */
DISJOINT_TEST(unseen_wrap_raises_it, 36)
{
   take_timestamp(f, 5);
   pass(f, WRAP_36_NS - 10);
   take_timestamp(f, f->null.time_ns);
   assert_false(pitot_disjoint_take(f->context));
   pass(f, WRAP_36_NS - 1);
   assert_int_equal(pitot_timestamp_ns(f->context), WRAP_36_NS - 6);
   assert_false(pitot_disjoint_take(f->context));
   pass(f, 2);
   take_timestamp(f, f->null.time_ns);
   assert_int_equal(f->query->result, WRAP_36_NS - 4);
}

DISJOINT_TEST(unseen_wrap_of_now_raises_it, 36)
{
   pitot_timestamp_ns(f->context);
   pass(f, WRAP_36_NS);
   pitot_timestamp_ns(f->context);
}

TEST(late_first_reading_does_not_raise_it)
{
   struct fixture f;

   open_fixture(&f, 36);
   pass(&f, 3 * WRAP_36_NS);
   take_timestamp(&f, f.null.time_ns);
   assert_false(pitot_disjoint_take(f.context));
   pitot_context_destroy(f.context);
}

static void
elapse(struct fixture *f, uint64_t ns)
{
   assert_int_equal(pitot_query_begin(f->context, f->query,
                                      PITOT_KIND_TIME_ELAPSED, 0),
                    0);
   pass(f, ns);
   assert_int_equal(pitot_query_end(f->context, PITOT_KIND_TIME_ELAPSED, 0),
                    0);
}

/* An interval of a whole period sets it, a pause of that length does not. */
DISJOINT_TEST(too_long_elapsed_time_raises_it, 36)
{
   elapse(f, WRAP_36_NS - 1);
   pass(f, 5 * WRAP_36_NS + 1);
   elapse(f, 10);
   assert_false(pitot_disjoint_take(f->context));
   elapse(f, WRAP_36_NS);
}

/* With 64 bits or no clock, the CPU's clock is not read. */
TEST(wide_clocks_cost_no_look)
{
   static const unsigned bits[] = { 64, 0 };

   for (unsigned i = 0; i < ARRAY_LENGTH(bits); i++) {
      struct fixture f;

      open_fixture(&f, bits[i]);
      take_timestamp(&f, 5);
      pitot_timestamp_ns(f.context);
      pitot_query_delete(f.context, 1);
      assert_int_equal(pitot_query_obtain(f.context, 1, &f.query), 0);
      elapse(&f, UINT64_MAX / 2);
      assert_false(pitot_disjoint_take(f.context));
      assert_int_equal(cpu_looks, 0);
      pitot_context_destroy(f.context);
   }
}

/* Disjoint stays set until it is read, whatever is measured in between. */
DISJOINT_TEST(it_sticks, 64)
{
   f->null.base.disjoint = true;
   for (unsigned i = 1; i < 100; i++)
      take_timestamp(f, i);
}

TEST(no_clock_tells_0)
{
   struct fixture f;

   open_fixture(&f, 0);
   f.null.time_ns = 5;
   assert_int_equal(pitot_timestamp_ns(f.context), 0);
   assert_false(pitot_disjoint_take(f.context));
   pitot_context_destroy(f.context);
}
