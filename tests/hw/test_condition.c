/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions that AMD's command processor decides, emitted as radeonsi emits
 * them: it decides right, and never waits for a sample that is not written.
 */

#include <string.h>

#include "condition_case.h"

#define GFX9  90
#define GFX11 110

/* The GPU decides in the query's batch and in later ones, without a flush or
 * a wait of the CPU.  In a mode without wait it may draw.
 */
static void
check_decision(struct condition_case *c)
{
   struct fixture *f = c->f;
   const bool is_sure = c->wait || is_overflow(c);
   const bool passes = c->is_found != c->is_inverted;

   learn_backends(f);
   f->cs->is_held = true;
   measure(c);
   const unsigned flushed = f->cs->flush_count, waited = f->cs->wait_count;
   const struct pitot_hw_condition condition =
      decide(f, c->query, c->is_inverted, c->wait);
   assert_int_equal(f->cs->flush_count, flushed);
   assert_int_equal(f->cs->wait_count, waited);
   assert_int_equal(condition.batch, f->cs->rings[PITOT_RING_RENDER].batch);

   const bool is_drawn = draws(f, &condition);
   assert_true(is_drawn == passes || (!is_sure && is_drawn));
   assert_int_equal(draws(f, &condition), passes);
}

/* Runs a test with each kind, number of batches, result and mode. */
static void
for_all(condition_test test)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_ANY_SAMPLES_PASSED,
                                            PITOT_KIND_STREAM_OVERFLOW,
                                            PITOT_KIND_ANY_STREAM_OVERFLOW };
   static const unsigned batches[] = { 1, 2, 40 };
   const unsigned variants = 1 << 3;
   const unsigned count =
      sim_gpu_count * ARRAY_LENGTH(kinds) * ARRAY_LENGTH(batches) * variants;

   for (unsigned i = 0; i < count; i++) {
      const unsigned j = i / variants / ARRAY_LENGTH(batches);

      if (!schedules_take(i, count))
         continue;
      run_case(&sim_gpus[j / ARRAY_LENGTH(kinds)],
               (struct condition_case){
                  .kind = kinds[j % ARRAY_LENGTH(kinds)],
                  .batches = batches[i / variants % ARRAY_LENGTH(batches)],
                  .is_found = i & 1,
                  .is_inverted = i & 2,
                  .wait = i & 4,
               },
               test);
   }
}

HW_TEST_ALONE(the_gpu_decides)
{
   for_all(check_decision);
}

/* Later batches begin before all writes of earlier ones have arrived. */
static void
check_while_working(struct condition_case *c)
{
   struct fixture *f = c->f;
   const bool passes = c->is_found != c->is_inverted;

   f->cs->is_running = schedules_seed() != 0;
   for (unsigned i = 0; i < 3; i++) {
      measure(c);
      if (i != 1)
         flush(f);
      const struct pitot_hw_condition condition =
         decide(f, c->query, c->is_inverted, c->wait);
      const bool is_drawn =
         condition.decision == PITOT_HW_DECISION_BY_GPU
            ? draws(f, &condition)
            : condition.decision == PITOT_HW_DECISION_ALWAYS;

      assert_true(is_drawn == passes || (!c->wait && is_drawn));
   }
}

HW_TEST_ALONE(the_gpu_decides_while_it_works)
{
   for_all(check_while_working);
}

/* A condition takes one packet for each batch, as in the stock driver. */
static void
check_size(struct condition_case *c)
{
   const unsigned packet_dw = c->f->gpu->generation >= GFX9 ? 4 : 3;

   learn_backends(c->f);
   c->f->cs->is_held = true;
   measure(c);
   const struct pitot_hw_condition condition =
      decide(c->f, c->query, false, true);
   const unsigned used_dw = c->f->cs->rings[PITOT_RING_RENDER].used_dw;
   emit_condition(c->f, &condition);
   assert_int_equal(c->f->cs->rings[PITOT_RING_RENDER].used_dw - used_dw,
                    c->batches * packet_dw);
}

HW_TEST_ALONE(conditions_are_short)
{
   for (unsigned i = 0; i < sim_gpu_count; i++)
      run_case(&sim_gpus[i],
               (struct condition_case){ .kind = PITOT_KIND_SAMPLES_PASSED,
                                        .batches = 1 + i % 7 },
               check_size);
}

/* Before the first sample the slots that the backends write are unknown, and
 * the command processor would wait for slots that nothing writes.
 */
static void
check_unknown_slots(struct condition_case *c)
{
   struct fixture *f = c->f;
   const uint64_t all = UINT64_MAX >> (64 - f->cs->amd.rb_count);
   const bool is_known =
      f->gpu->generation < GFX9 ||
      (f->gpu->generation < GFX11 && f->cs->amd.rb_mask == all);

   measure(c);
   assert_int_equal(decide(f, c->query, true, false).decision,
                    is_known ? PITOT_HW_DECISION_BY_GPU
                             : PITOT_HW_DECISION_NEVER);
   measure(c);
   f->cs->is_held = true;
   measure(c);
   assert_int_equal(decide(f, c->query, false, true).decision,
                    PITOT_HW_DECISION_BY_GPU);
}

/* The command processor reads slot 0 of a disabled backend as well. */
static void
check_disabled_backend(struct condition_case *c)
{
   struct fixture *f = c->f;

   f->cs->amd.rb_mask &= ~UINT64_C(1);
   pitot_hw_destroy(f->hw);
   assert_int_equal(pitot_hw_create(&f->cs->base, &f->hw), 0);
   learn_backends(f);
   f->cs->is_held = true;
   measure(c);
   const struct pitot_hw_condition condition =
      decide(f, c->query, false, true);
   assert_int_equal(draws(f, &condition), c->is_found);
}

HW_TEST_ALONE(backends_may_be_disabled)
{
   for (unsigned i = 0; i < 2 * sim_gpu_count; i++)
      run_case(&sim_gpus[i / 2],
               (struct condition_case){ .kind = PITOT_KIND_SAMPLES_PASSED,
                                        .is_found = i % 2 },
               check_disabled_backend);
}

/* A batch that still executes has written some slots, and perhaps as many as
 * there are backends: learning them now would miss the rest.
 */
HW_TEST(slots_are_not_learned_too_early, "navi21")
{
   enum { WRONG_SLOT = 4 }; /* of a disabled backend */
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   const uint32_t available = 1;
   uint64_t valid = UINT64_C(1) << 63, value;

   f->cs->is_held = true;
   measure_work(f, query, PITOT_KIND_SAMPLES_PASSED, 100);
   flush(f);

   const struct pitot_cs_buffer *slab =
      (struct pitot_cs_buffer *)f->cs->buffers[f->cs->buffers_made - 1];
   uint8_t *record = slab->memory;
   memcpy(record, &available, sizeof(available));
   for (unsigned i = WRONG_SLOT; i < f->cs->amd.rb_count; i++) {
      memcpy(record + 16 * (i + 1), &valid, sizeof(valid));
      memcpy(record + 16 * (i + 1) + 8, &valid, sizeof(valid));
   }
   assert_int_equal(poll(f, query, &value), 0);
   assert_int_equal(wait_for(f, query), 100);
}

/* Old firmware combines records of stream-out only if inverted. */
static void
check_old_firmware(struct condition_case *c)
{
   const bool has_many =
      c->batches > 1 || c->kind == PITOT_KIND_ANY_STREAM_OVERFLOW;
   struct fixture *f = c->f;

   f->cs->amd.has_streamout_predicate_bug = true;
   learn_backends(f);
   f->cs->is_held = true;
   measure(c);
   const struct pitot_hw_condition condition =
      decide(f, c->query, c->is_inverted, c->wait);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_BY_GPU,
                    !is_overflow(c) || c->is_inverted || !has_many);
}

HW_TEST_ALONE(old_firmware_does_not_sum_up)
{
   for_all(check_old_firmware);
}

/* The command processor has no predicate for other kinds: the CPU decides. */
HW_TEST(other_kinds_are_the_cpus, "vega10")
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_VS_INVOCATIONS,
                                            PITOT_KIND_PRIMITIVES_WRITTEN,
                                            PITOT_KIND_TIME_ELAPSED };

   learn_backends(f);
   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct condition_case c = { .f = f,
                                  .kind = kinds[i],
                                  .is_found = true };

      measure(&c);
      assert_int_equal(decide(f, c.query, true, false).decision,
                       PITOT_HW_DECISION_ALWAYS);
      assert_int_equal(decide(f, c.query, true, true).decision,
                       PITOT_HW_DECISION_NEVER);
   }
}

HW_TEST_ALONE(slots_are_learned)
{
   for (unsigned i = 0; i < sim_gpu_count; i++)
      run_case(&sim_gpus[i],
               (struct condition_case){ .kind = PITOT_KIND_SAMPLES_PASSED,
                                        .is_found = true },
               check_unknown_slots);
}
