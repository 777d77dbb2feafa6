/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Stores while the samples are in flight: how often they wait, and what
 * stores without a wait write.
 */

#include "store_case.h"

static void
check_wait(struct store_case *c, unsigned unused)
{
   const unsigned flushed = c->cs->flush_count, waited = c->cs->wait_count;

   (void)unused;
   if (!is_deciding(c->f->gpu))
      return;
   store(c->f, c->query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(c->cs->flush_count, flushed);
   assert_int_equal(c->cs->wait_count, waited);
   check_type(c, PITOT_TYPE_U64);
}

HW_TEST_ALONE(the_cpu_does_not_wait)
{
   for_all(check_wait, 0, 100, HELD);
}

/* A store asks the kernel about each batch that the GPU must wait for, once
 * per recorded batch.  Counts at the end of the pipe are written in order: it
 * asks about their last batch only.
 */
HW_TEST(a_store_asks_little, "vega10")
{
   static const struct {
      enum pitot_kind kind;
      unsigned earlier; /* batches that the kernel is asked about */
   } rows[] = { { PITOT_KIND_VS_INVOCATIONS, 0 },
                { PITOT_KIND_SAMPLES_PASSED, 3 } };

   learn_backends(f);
   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
      for (unsigned is_flushed = 0; is_flushed < 2; is_flushed++) {
         struct pitot_hw_query *query = create(f, rows[i].kind, 0);
         const unsigned first = rows[i].earlier + is_flushed;

         begin(f, query);
         for (unsigned n = 0; n < 3; n++) {
            draw(f, rows[i].kind, 1);
            flush(f);
         }
         end(f, query);
         if (is_flushed)
            flush(f);
         prepare_target(f);
         const unsigned asked = f->cs->state_count;
         store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
         assert_int_equal(f->cs->state_count - asked, first);
         store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
         assert_int_equal(f->cs->state_count - asked, first);
         flush(f);
         store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
         assert_int_equal(f->cs->state_count - asked,
                          first + rows[i].earlier + 1);
         assert_int_equal(stored(f), 3);
      }
   }
}

/* A value that the GPU cannot count is 0, known without a wait. */
HW_TEST(uncounted_values_are_not_waited_for, "navi21")
{
   struct pitot_hw_query *query =
      create_pair(f, PITOT_KIND_VS_INVOCATIONS, PITOT_KIND_GS_INVOCATIONS);

   f->cs->is_held = true;
   measure_work(f, query, PITOT_KIND_VS_INVOCATIONS, 1);
   prepare_target(f);
   const struct pitot_hw_store target = to_target(f, PITOT_STORE_RESULT, 1);
   assert_int_equal(pitot_hw_query_store(f->hw, query, &target), 0);
   assert_int_equal(f->cs->flush_count, 0);
   assert_int_equal(f->cs->wait_count, 0);
   assert_int_equal(stored(f), 0);
}

/* Nothing was dispatched, so the compute ring took no samples. */
HW_TEST(values_without_segments_are_0, "skl", .has_compute = true)
{
   struct pitot_hw_query *query =
      create_pair(f, PITOT_KIND_VS_INVOCATIONS, PITOT_KIND_CS_INVOCATIONS);

   f->cs->is_held = true;
   measure_work(f, query, PITOT_KIND_VS_INVOCATIONS, 3);
   prepare_target(f);
   for (unsigned i = 0; i < 2; i++) {
      struct pitot_hw_store what =
         to_target(f, PITOT_STORE_RESULT_NO_WAIT, i);

      what.offset_B += 8 * i;
      assert_int_equal(pitot_hw_query_store(f->hw, query, &what), 0);
   }
   assert_int_equal(stored(f), 3);
   const uint64_t *values = (uint64_t *)(f->target->memory + TARGET_OFFSET_B);
   assert_int_equal(values[1], 0);
}

/* Availability covers all values, even those that the GPU cannot count. */
HW_TEST(availability_is_that_of_all_values, "navi21")
{
   struct pitot_hw_query *query =
      create_pair(f, PITOT_KIND_VS_INVOCATIONS, PITOT_KIND_GS_INVOCATIONS);

   f->cs->is_held = true;
   measure_work(f, query, PITOT_KIND_VS_INVOCATIONS, 1);
   prepare_target(f);
   const struct pitot_hw_store what = to_target(f, PITOT_STORE_AVAILABLE, 1);
   const unsigned computed = f->cs->result_count;
   assert_int_equal(pitot_hw_query_store(f->hw, query, &what), 0);
   assert_int_equal(f->cs->result_count, computed + 1);
   assert_in_range(stored(f), 0, 1);
   assert_int_equal(pitot_hw_query_store(f->hw, query, &what), 0);
   assert_int_equal(stored(f), 1);
}

/* AMD's pipeline writes occlusion and stream-out later, while the command
 * processor goes on.  Intel's command streamer waits at each end.
 */
static bool
is_available_at_once(const struct store_case *c)
{
   return c->f->gpu->family == &pitot_hw_intel ||
          c->kind > PITOT_KIND_ANY_STREAM_OVERFLOW;
}

/* A store without wait leaves the buffer alone if the result is not ready
 * when the store executes: on AMD that may be late under a schedule.  A CPU's
 * store polls immediately.
 */
static void
check_no_wait(struct store_case *c, unsigned unused)
{
   const bool may_be_late =
      (schedules_seed() && c->f->gpu->family == &pitot_hw_amd) ||
      !is_deciding(c->f->gpu);

   (void)unused;
   store(c->f, c->query, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64);
   const uint64_t first = stored(c->f);
   const uint64_t value = wait_for(c->f, c->query);
   if (may_be_late)
      assert_true(first == value || first == UNTOUCHED);
   else
      assert_int_equal(first, is_available_at_once(c) ? value : UNTOUCHED);

   store(c->f, c->query, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64);
   assert_int_equal(stored(c->f), value);
}

HW_TEST_ALONE(no_wait_stores_nothing_else)
{
   for_all(check_no_wait, 0, 100, 0);
   for_all(check_no_wait, 0, 100, HELD);
}

HW_TEST_ALONE(availability_is_stored)
{
   for_all(check_available, 0, 100, 0);
   for_all(check_available, 0, 100, HELD);
}

/* Stores next to the target of store(). */
static void
store_beside(struct fixture *f, struct pitot_hw_query *query,
             enum pitot_store kind, unsigned offset_B)
{
   struct pitot_hw_store what = to_target(f, kind, 0);

   what.offset_B = offset_B;
   store_any(f, query, &what);
}

/* If a shader stores TRUE, a store after it writes the result. */
static void
check_available_by_shader(struct store_case *c, unsigned unused)
{
   const unsigned flushed = c->cs->flush_count, waited = c->cs->wait_count;
   uint64_t *memory;

   (void)unused;
   if (c->f->gpu->family != &pitot_hw_amd)
      return;
   prepare_target(c->f);
   memory = (uint64_t *)c->f->target->memory;
   memory[1] = UNTOUCHED;
   store_beside(c->f, c->query, PITOT_STORE_AVAILABLE, 0);
   store_beside(c->f, c->query, PITOT_STORE_RESULT_NO_WAIT, 8);
   assert_int_equal(c->cs->flush_count, flushed);
   assert_int_equal(c->cs->wait_count, waited);
   run(c->f);
   assert_in_range(memory[0], 0, 1);
   const uint64_t value = wait_for(c->f, c->query);
   assert_true(memory[1] == value || (!memory[0] && memory[1] == UNTOUCHED));
}

HW_TEST_ALONE(availability_is_the_shaders_to_say)
{
   for_all(check_available_by_shader, 0, 100, HELD);
}

static unsigned asks_left;

/* Completes the batch between the reads of its samples and its state. */
static enum pitot_batch_state
complete_when_asked(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   if (asks_left && --asks_left == 0)
      sim_cs_complete((struct sim_cs *)cs);
   return sim_cs_stock(cs)->batch_state(cs, ring, batch);
}

/* The stored availability is TRUE even if the batch completes during the
 * call; under a schedule, the store may execute before the samples.
 */
HW_TEST(availability_is_of_the_moment, DECIDING_GPUS)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_VS_INVOCATIONS, 0);

   f->cs->ops.batch_state = complete_when_asked;
   prepare_target(f);
   f->cs->is_held = true;
   for (unsigned asks = 1; asks < 6; asks++) {
      measure_work(f, query, PITOT_KIND_VS_INVOCATIONS, 1);
      flush(f);
      asks_left = asks;
      store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      asks_left = 0;
      assert_true(stored(f) == 1 || schedules_seed());
   }
}

/* If a later batch is lost, the earlier batches' count is not stored. */
HW_TEST(lost_samples_store_0, "vega10")
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_VS_INVOCATIONS,
                                            PITOT_KIND_SAMPLES_PASSED };

   learn_backends(f);
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_hw_query *query = begin_new(f, kinds[i]);

      draw(f, kinds[i], 5);
      flush(f);
      f->cs->writes_nothing = true;
      draw(f, kinds[i], 7);
      end(f, query);
      flush(f);
      f->cs->writes_nothing = false;
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), 0);
      expect_lost(f, query, false);
   }
}
