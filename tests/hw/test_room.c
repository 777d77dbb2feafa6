/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each call of the command stream that may fail does so in turn, alone or
 * because the device is lost: a query has the right result or none, and works
 * again afterwards.
 */

#include <errno.h>

#include "fixture.h"

static struct {
   unsigned calls;
   unsigned failing; /* index of the call; 0: none */
} refusal;

static bool
is_refused(void)
{
   return ++refusal.calls == refusal.failing;
}

/* Reserving space fails only on a lost device, and so do later calls. */
static void
may_be_lost(struct pitot_cs *cs)
{
   if (is_refused())
      ((struct sim_cs *)cs)->is_lost = true;
}

static int
refuse_buffer(struct pitot_cs *cs, unsigned size_B,
              struct pitot_cs_buffer **buffer_out)
{
   return is_refused()
             ? -ENOMEM
             : sim_cs_stock(cs)->buffer_create(cs, size_B, buffer_out);
}

static bool
refuse_require(struct pitot_cs *cs, enum pitot_ring ring,
               unsigned command_count)
{
   may_be_lost(cs);
   return sim_cs_stock(cs)->require(cs, ring, command_count);
}

static bool
refuse_store(struct pitot_cs *cs, const struct pitot_cs_result *result)
{
   may_be_lost(cs);
   return !((struct sim_cs *)cs)->is_lost &&
          sim_cs_stock(cs)->store(cs, result);
}

#define AMOUNT 5

/* Measures two segments.  Returns the first error. */
static int
measure(struct fixture *f, struct pitot_hw_query *query, enum pitot_kind kind)
{
   int error = pitot_kind_info(kind)->is_instant
                  ? 0
                  : pitot_hw_query_begin(f->hw, query);

   draw(f, kind, AMOUNT);
   pitot_hw_set_active(f->hw, false);
   pitot_hw_set_active(f->hw, true);
   move(f, PITOT_RING_RENDER);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   draw(f, kind, AMOUNT);
   const int status = pitot_hw_query_end(f->hw, query);
   return error ? error : status;
}

/* Uses a result on the GPU in every way. */
static void
use_result(struct fixture *f, struct pitot_hw_query *query)
{
   struct pitot_hw_condition condition;

   for (unsigned kind = 0; kind < PITOT_STORE_COUNT; kind++)
      (void)pitot_hw_query_store(f->hw, query,
                                 &(struct pitot_hw_store){
                                    .kind = kind,
                                    .type = PITOT_TYPE_U64,
                                    .buffer = f->target,
                                    .offset_B = TARGET_OFFSET_B,
                                 });
   for (unsigned i = 0; i < 4; i++)
      pitot_hw_query_decide(f->hw, query, i & 1, i & 2, &condition);
}

/* Measures and uses a kind.  Returns whether the failing call was reached. */
static bool
try_kind(struct fixture *f, enum pitot_kind kind, unsigned failing)
{
   struct pitot_hw_query *query = create(f, kind, 0);
   const struct pitot_kind_info *info = pitot_kind_info(kind);
   const uint64_t expected = info->is_boolean ? 1 : 2 * AMOUNT;
   uint64_t value = 0;

   prepare_target(f);
   refusal.calls = 0;
   refusal.failing = failing;
   const int error = measure(f, query, kind);
   use_result(f, query);
   const int status = pitot_hw_query_result(f->hw, query, true, &value);
   const bool has_failed = failing && refusal.calls >= failing;
   refusal.failing = 0;
   f->cs->is_lost = false;

   assert_true(status > 0 || has_failed);
   assert_true(status > 0 ? !error || info->is_instant : value == 0);
   if (status > 0 && !info->is_time)
      assert_int_equal(value, expected);
   drop(f, query);
   run(f);
   return has_failed;
}

static void
wrap(struct fixture *f)
{
   f->cs->ops.buffer_create = refuse_buffer;
   f->cs->ops.require = refuse_require;
   f->cs->ops.store = refuse_store;
}

HW_TEST(room_may_be_refused, EVERY_GPU, .is_long = true)
{
   unsigned count = 0;

   f->cs->is_held = true;
   wrap(f);
   for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      for (unsigned n = 1; is_supported(f, kind) && try_kind(f, kind, n);
           n++) {
         assert_false(try_kind(f, kind, 0));
         count++;
      }
   }
   assert_true(count > 60);
   f->cs->ops = f->cs->stock;
}
HW_TEST_AGAIN(room_may_be_refused_on_two_rings, room_may_be_refused, "tgl",
              .has_compute = true, .is_long = true)

/* The next call that reserves space loses the device. */
static void
lose_device(struct fixture *f)
{
   wrap(f);
   refusal.calls = 0;
   refusal.failing = 1;
}

static void
restore_device(struct fixture *f)
{
   assert_true(f->cs->is_lost);
   f->cs->is_lost = false;
   f->cs->ops = f->cs->stock;
   refusal.failing = 0;
}

/* If the GPU cannot store a result, the CPU finds the device lost. */
HW_TEST(lost_devices_store_nothing, "vega10")
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   prepare_target(f);
   const struct pitot_hw_store target = to_target(f, PITOT_STORE_RESULT, 0);
   learn_backends(f);
   f->cs->is_held = true;
   begin(f, query);
   end(f, query);
   lose_device(f);
   assert_int_equal(pitot_hw_query_store(f->hw, query, &target), -EIO);
   restore_device(f);
   run(f);

   /* The same for a result that the CPU knows. */
   begin(f, query);
   assert_int_equal(end_and_wait(f, query), 0);
   lose_device(f);
   assert_int_equal(pitot_hw_query_store(f->hw, query, &target), -EIO);
   restore_device(f);
}

/* A begin that shares its sample must still reserve space for its end. */
HW_TEST(lost_devices_begin_nothing, "vega10")
{
   struct pitot_hw_query *first = create(f, PITOT_KIND_VS_INVOCATIONS, 0);
   struct pitot_hw_query *second = create(f, PITOT_KIND_VS_INVOCATIONS, 0);

   begin(f, first);
   lose_device(f);
   assert_int_equal(pitot_hw_query_begin(f->hw, second), -EIO);
   restore_device(f);
}

/* A begin must not end batch after batch, nor lose other queries. */
HW_TEST(too_small_batches_begin_nothing, "vega10")
{
   struct pitot_hw_query *first = create(f, PITOT_KIND_VS_INVOCATIONS, 0);
   struct pitot_hw_query *second = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_hw_query *time = create(f, PITOT_KIND_TIME_ELAPSED, 0);
   const unsigned batch_dw = f->cs->batch_dw;

   learn_backends(f);
   begin(f, first);
   begin(f, time);
   f->cs->batch_dw = 1;
   assert_int_equal(pitot_hw_query_begin(f->hw, second), -EIO);
   f->cs->batch_dw = batch_dw;
   f->cs->overflowed = false;
   end(f, first);
   expect_lost(f, first, true);

   begin(f, second);
   draw(f, PITOT_KIND_SAMPLES_PASSED, AMOUNT);
   pass(f, 27);
   end(f, second);
   end(f, time);
   assert_int_equal(wait_for(f, second), AMOUNT);
   assert_in_range(wait_for(f, time), 1, UINT64_MAX);
}
