/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The records that conditions read: kept as long as the GPU may read them,
 * and never waited for if nothing writes them.
 */

#include "condition_case.h"

/* Ends the current batch without submitting it. */
static void
lose_batch(struct fixture *f)
{
   f->cs->writes_nothing = true;
   f->cs->is_held = false;
   flush(f);
   f->cs->writes_nothing = false;
   f->cs->is_held = true;
}

static void
drop_batch(struct fixture *f)
{
   f->cs->base.dropped_batch = f->cs->rings[PITOT_RING_RENDER].batch;
   lose_batch(f);
}

/* A sample that was dropped, or lost with its batch, is never written: its
 * query is lost and counts 0.  Other queries are not.
 */
static void
check_missing(struct condition_case *c, void (*lose)(struct fixture *f))
{
   struct fixture *f = c->f;

   /* Without this, the first batch is the lost one. */
   if (c->kind == PITOT_KIND_SAMPLES_PASSED)
      learn_backends(f);
   measure(c);
   lose(f);
   assert_int_equal(decide(f, c->query, false, true).decision,
                    PITOT_HW_DECISION_NEVER);
   assert_int_equal(decide(f, c->query, true, true).decision,
                    PITOT_HW_DECISION_ALWAYS);
   expect_lost(f, c->query, true);

   measure(c);
   flush(f);
   const struct pitot_hw_condition condition =
      decide(f, c->query, false, true);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   assert_int_equal(condition.batch, 0);
   assert_true(draws(f, &condition));
}

static void
check_dropped(struct condition_case *c)
{
   check_missing(c, drop_batch);
}

static void
check_lost(struct condition_case *c)
{
   check_missing(c, lose_batch);
}

static void
run_missing(void (*check)(struct condition_case *c))
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_STREAM_OVERFLOW };

   for (unsigned i = 0; i < sim_gpu_count; i++) {
      for (unsigned k = 0; k < ARRAY_LENGTH(kinds); k++)
         run_case(&sim_gpus[i],
                  (struct condition_case){ .kind = kinds[k],
                                           .is_found = true },
                  check);
   }
}

HW_TEST_ALONE(dropped_samples_are_not_waited_for)
{
   run_missing(check_dropped);
}

HW_TEST_ALONE(lost_samples_are_not_waited_for)
{
   run_missing(check_lost);
}

/* Fills memory with records of destroyed queries. */
static void
fill_memory(struct condition_case c, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      measure(&c);
      drop(c.f, c.query);
   }
}

/* A condition outlives its query, whose records no other query gets. */
HW_TEST(records_are_kept, "vega10", .is_long = true)
{
   struct condition_case c = { .f = f,
                               .kind = PITOT_KIND_SAMPLES_PASSED,
                               .batches = 3 };

   measure(&c);
   const struct pitot_hw_condition condition =
      decide(f, c.query, false, true);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   drop(f, c.query);
   c.is_found = true;
   fill_memory(c, 500);
   assert_false(draws(f, &condition));
}

/* The records of an ended condition are not reused while a batch reads them:
 * the batch of the samples is done, the batch of the condition is not.
 */
HW_TEST(records_outlast_conditions, "vega10", .is_long = true)
{
   const enum pitot_ring ring = PITOT_RING_RENDER;
   struct condition_case c = { .f = f,
                               .kind = PITOT_KIND_SAMPLES_PASSED,
                               .batches = 1 };

   f->cs->is_held = true;
   measure(&c);
   fill_memory(c, 100);
   const uint64_t measured = f->cs->rings[ring].batch;
   flush(f);
   const struct pitot_hw_condition condition =
      decide(f, c.query, false, true);
   emit_condition(f, &condition);
   drop(f, c.query);
   measure(&c);
   (void)decide(f, c.query, false, true);
   flush(f);
   f->cs->base.ops->wait(&f->cs->base, ring, measured);
   fill_memory(c, 500);
   run(f); /* fails on a violation */
}

/* No other query shares the record of a list that a condition needs. */
HW_TEST(records_are_for_one, "vega10")
{
   struct pitot_hw_query *both =
      create_pair(f, PITOT_KIND_SAMPLES_PASSED, PITOT_KIND_VS_INVOCATIONS);
   struct pitot_hw_query *other = create(f, PITOT_KIND_VS_INVOCATIONS, 0);

   f->cs->is_held = true;
   begin(f, both);
   begin(f, other);
   end(f, other);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
   end(f, both);
   const struct pitot_hw_condition condition = decide(f, both, false, true);
   assert_true(draws(f, &condition));
}

static const struct pitot_hw_condition *listed;
static uint32_t listed_records; /* mask */

static void
note_buffer(struct pitot_cs *cs, enum pitot_ring ring,
            struct pitot_cs_buffer *buffer)
{
   assert_int_equal(ring, PITOT_RING_RENDER);
   for (unsigned i = 0; i < listed->record_count; i++)
      listed_records |= (uint32_t)(listed->records[i].buffer == buffer) << i;
   sim_cs_stock(cs)->use_buffer(cs, ring, buffer);
}

/* The batch of each draw lists all records of the current condition. */
HW_TEST(conditions_are_listed, DECIDING_GPUS, .is_long = true)
{
   struct condition_case c = { .f = f, .kind = PITOT_KIND_SAMPLES_PASSED };
   struct pitot_hw_query *query = create(f, c.kind, 0);

   learn_backends(f);
   f->cs->is_held = true;
   begin(f, query);
   for (unsigned i = 0; i < 2; i++) {
      draw(f, c.kind, 1);
      flush(f);
      fill_memory(c, 500);
   }
   end(f, query);
   const struct pitot_hw_condition condition = decide(f, query, false, true);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   flush(f);
   listed = &condition;
   listed_records = 0;
   f->cs->ops.use_buffer = note_buffer;
   pitot_hw_condition_use(f->hw, PITOT_RING_RENDER);
   f->cs->ops = f->cs->stock;
   assert_int_equal(listed_records, (1 << condition.record_count) - 1);
}

/* The same after a condition that the CPU decided, in no-op batches. */
HW_TEST(memory_of_conditions_is_reused, EVERY_GPU, .is_long = true)
{
   struct condition_case c = { .f = f, .kind = PITOT_KIND_SAMPLES_PASSED };
   unsigned made = 0;

   learn_backends(f);
   for (unsigned i = 0; i < 1200; i++) {
      f->cs->is_held = true;
      measure(&c);
      (void)decide(f, c.query, false, true);
      if (i == 100) {
         pitot_hw_set_noop(f->hw, true);
         assert_int_equal(decide(f, c.query, true, false).decision,
                          PITOT_HW_DECISION_ALWAYS);
         pitot_hw_set_noop(f->hw, false);
      }
      drop(f, c.query);
      run(f);
      if (i == 600)
         made = f->cs->buffers_made;
   }
   assert_int_equal(f->cs->buffers_made, made);
}
