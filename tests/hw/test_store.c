/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results stored by the GPU are those that the CPU reads, whatever the kind,
 * the type and the moment; and conditions are decided as the CPU would.
 */

#include <string.h>

#include "../drm/rig.h"
#include "pitot/hw.h"

#define TARGET_B  128 /* in the rig's buffer */
#define UNTOUCHED UINT64_C(0x5555555555555555)

struct store_case {
   struct rig rig;
   struct pitot_hw *hw;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
};

static enum pitot_ring
ring_of(const struct store_case *c)
{
   return c->kind == PITOT_KIND_CS_INVOCATIONS && c->rig.cs->has_compute
             ? PITOT_RING_COMPUTE
             : PITOT_RING_RENDER;
}

static void
set_work(struct sim *sim, uint64_t scale)
{
   sim_count_draws(sim);
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++) {
      sim->draw.statistics[i] = scale + i;
      sim->dispatch.statistics[i] = 2 * scale + i;
   }
   sim->draw.samples = scale;
   for (unsigned s = 0; s < SIM_STREAM_COUNT; s++) {
      sim->draw.streamout[s][SIM_NEEDED] = scale + s;
      sim->draw.streamout[s][SIM_WRITTEN] = scale;
   }
   sim->draw.ticks = scale;
}

static void
work(struct store_case *c)
{
   if (c->kind == PITOT_KIND_CS_INVOCATIONS)
      rig_dispatch(&c->rig, ring_of(c));
   else
      rig_draw(&c->rig);
}

/* Makes a query of something that is counted twice, with a pause between. */
static void
measure(struct store_case *c)
{
   if (!pitot_kind_info(c->kind)->is_instant)
      assert_int_equal(pitot_hw_query_begin(c->hw, c->query), 0);
   work(c);
   pitot_hw_set_active(c->hw, false);
   work(c);
   pitot_hw_set_active(c->hw, true);
   work(c);
   assert_int_equal(pitot_hw_query_end(c->hw, c->query), 0);
}

static uint64_t
target(const struct store_case *c)
{
   return rig_read(&c->rig, TARGET_B);
}

static int
store(struct store_case *c, enum pitot_store what, enum pitot_type type)
{
   const struct pitot_hw_store request = {
      .kind = what,
      .type = type,
      .buffer = c->rig.buffer,
      .offset_B = TARGET_B,
   };
   const uint64_t untouched = UNTOUCHED;

   memcpy(c->rig.buffer->memory + TARGET_B, &untouched, sizeof(untouched));
   return pitot_hw_query_store(c->hw, c->query, &request);
}

/* There is no GPU that counts less. */
#define MIN_KINDS 15

/* Runs a test for each kind that a GPU counts, on each GPU. */
static void
for_all(void (*test)(struct store_case *c), uint64_t scale, bool is_delayed)
{
   for (unsigned g = 0; g < sim_gpu_count; g++) {
      unsigned count = 0;

      for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++) {
         struct store_case c = { .kind = kind };

         rig_open(&c.rig, sim_gpus[g].key);
         set_work(c.rig.sim, scale);
         c.rig.sim->is_delayed = is_delayed;
         assert_int_equal(pitot_hw_create(c.rig.cs, &c.hw), 0);
         if (pitot_hw_counter_bits(c.hw, kind)) {
            assert_int_equal(pitot_hw_query_create(c.hw, kind, 0, &c.query),
                             0);
            measure(&c);
            test(&c);
            pitot_hw_query_free(c.hw, c.query);
            count++;
         }
         pitot_hw_destroy(c.hw);
         rig_close(&c.rig);
      }
      assert_in_range(count, MIN_KINDS, PITOT_KIND_COUNT);
   }
}

static uint64_t
read_by_cpu(struct store_case *c)
{
   uint64_t value;

   assert_int_equal(pitot_hw_query_result(c->hw, c->query, true, &value), 1);
   return value;
}

/* OpenGL 4.6 core, 4.2.3: "the nearest value representable". */
static void
check_type(struct store_case *c, enum pitot_type type)
{
   uint64_t expected = UNTOUCHED;

   assert_int_equal(store(c, PITOT_STORE_RESULT, type), 0);
   rig_run(&c->rig, ring_of(c));
   const uint64_t stored = target(c);
   pitot_type_write(type, read_by_cpu(c), &expected);
   assert_int_equal(stored, expected);
}

static void
check_u64(struct store_case *c)
{
   check_type(c, PITOT_TYPE_U64);
}

static void
check_i64(struct store_case *c)
{
   check_type(c, PITOT_TYPE_I64);
}

static void
check_u32(struct store_case *c)
{
   check_type(c, PITOT_TYPE_U32);
}

static void
check_i32(struct store_case *c)
{
   check_type(c, PITOT_TYPE_I32);
}

static void
every_type_is_clamped(void **unused)
{
   static const uint64_t scales[] = {
      0,
      100,
      UINT64_C(0x3fffffff),  /* twice that fits into 31 bits */
      UINT64_C(0x7fffffff),  /* into 32 */
      UINT64_C(0x123456789), /* into no 32 */
   };
   static void (*const checks[])(struct store_case *) = {
      check_i32,
      check_u32,
      check_i64,
      check_u64,
   };

   (void)unused;
   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for (unsigned i = 0; i < ARRAY_LENGTH(checks); i++)
         for_all(checks[i], scales[s], false);
   }
}

/* Only AMD's has to wait: its command processor cannot compute. */
static void
check_wait(struct store_case *c)
{
   const bool is_intel = c->rig.sim->gpu.facts.vendor == PITOT_VENDOR_INTEL;
   const unsigned before = c->rig.sim->submit_count;

   assert_int_equal(store(c, PITOT_STORE_RESULT, PITOT_TYPE_U64), 0);
   if (is_intel)
      assert_int_equal(c->rig.sim->submit_count, before);
   check_type(c, PITOT_TYPE_U64);
}

static void
the_cpu_does_not_wait(void **unused)
{
   (void)unused;
   for_all(check_wait, 100, true);
}

/* Intel's pipeline writes samples and times when it comes to it, while its
 * command streamer, which writes the others, goes on; on AMD's the CPU looks.
 */
static bool
lands_at_once(const struct store_case *c)
{
   const bool is_intel = c->rig.sim->gpu.facts.vendor == PITOT_VENDOR_INTEL;
   const bool is_of_pipeline =
      pitot_kind_info(c->kind)->is_time ||
      c->kind <= PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE;

   return is_intel ? !is_of_pipeline : !c->rig.sim->is_delayed;
}

/* What is recorded before the result is available sees that it has not. */
static void
check_no_wait(struct store_case *c)
{
   assert_int_equal(store(c, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64), 0);
   rig_run(&c->rig, PITOT_RING_RENDER);
   if (ring_of(c) == PITOT_RING_COMPUTE)
      rig_run(&c->rig, PITOT_RING_COMPUTE);
   const uint64_t stored = target(c);
   const uint64_t value = read_by_cpu(c);
   assert_int_equal(stored, lands_at_once(c) ? value : UNTOUCHED);

   assert_int_equal(store(c, PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U64), 0);
   rig_run(&c->rig, PITOT_RING_RENDER);
   assert_int_equal(target(c), value);
}

static void
no_wait_stores_nothing_else(void **unused)
{
   (void)unused;
   for_all(check_no_wait, 100, false);
   for_all(check_no_wait, 100, true);
}

/* Asked for often enough, a result becomes available. */
static void
check_available(struct store_case *c)
{
   uint64_t stored = 0;

   for (unsigned i = 0; i < 3 && !stored; i++) {
      assert_int_equal(store(c, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64), 0);
      sim_complete(c->rig.sim, 16);
      rig_run(&c->rig, PITOT_RING_RENDER);
      if (ring_of(c) == PITOT_RING_COMPUTE)
         rig_run(&c->rig, PITOT_RING_COMPUTE);
      stored = target(c);
      assert_in_range(stored, 0, 1);
   }
   assert_int_equal(stored, 1);
}

static void
availability_is_stored(void **unused)
{
   (void)unused;
   for_all(check_available, 100, false);
   for_all(check_available, 100, true);
}

#define VALID (UINT64_C(1) << 63)

/* Returns by how much a qword of a record grew, which must be valid. */
static uint64_t
growth(const uint64_t *record, unsigned begin, unsigned end)
{
   assert_true(record[begin] & record[end] & VALID);
   return record[end] - record[begin];
}

/* Decides as AMD's command processor does. */
static bool
says_yes(const struct pitot_hw_condition *condition, const uint64_t *record)
{
   const unsigned count = condition->record_B / sizeof(*record);
   uint64_t sum = 0;

   if (condition->predicate == PITOT_PREDICATE_STREAMOUT)
      return growth(record, 0, 2) != growth(record, 1, 3);
   for (unsigned i = 0; i < count; i += 2)
      sum += growth(record, i, i + 1);
   return sum != 0;
}

/* Decides as the GPU does. */
static bool
decide(const struct pitot_hw_condition *condition)
{
   const uint8_t *memory = condition->buffer->memory + condition->offset_B;
   bool result = false;

   if (condition->predicate == PITOT_PREDICATE_BOOLEAN) {
      assert_in_range(*memory, 0, 1);
      return *memory;
   }
   for (unsigned i = 0; i < condition->record_count; i++)
      result |=
         says_yes(condition,
                  (const uint64_t *)(memory + i * condition->record_B));
   return result != condition->is_inverted;
}

/* Whoever decides, draws follow the condition. */
static void
check_condition_as(struct store_case *c, bool is_inverted)
{
   struct pitot_hw_condition condition;

   if (!pitot_kind_info(c->kind)->is_condition)
      return;
   pitot_hw_query_decide(c->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   rig_run(&c->rig, PITOT_RING_RENDER);
   assert_int_equal(decide(&condition), (read_by_cpu(c) != 0) != is_inverted);

   /* What is known is said. */
   pitot_hw_query_decide(c->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_ALWAYS,
                    (read_by_cpu(c) != 0) != is_inverted);
}

static void
check_condition(struct store_case *c)
{
   check_condition_as(c, false);
}

static void
check_inverted(struct store_case *c)
{
   check_condition_as(c, true);
}

static void
conditions_are_decided(void **unused)
{
   static const uint64_t scales[] = { 0, 1, 100 };

   (void)unused;
   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for_all(check_condition, scales[s], false);
      for_all(check_inverted, scales[s], false);
      for_all(check_condition, scales[s], true);
   }
}

/* More than one record of stream-out is then the CPU's to look at. */
static void
check_condition_without_sum(struct store_case *c)
{
   struct pitot_cs *cs = c->rig.cs;
   const struct pitot_gpu *gpu = cs->gpu;
   struct pitot_gpu old = *gpu;
   struct pitot_hw_condition condition;

   if (c->kind != PITOT_KIND_STREAM_OVERFLOW &&
       c->kind != PITOT_KIND_ANY_STREAM_OVERFLOW)
      return;
   old.has_streamout_predicate_bug = gpu->vendor == PITOT_VENDOR_AMD;
   cs->gpu = &old;
   pitot_hw_query_decide(c->hw, c->query, false, true, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_BY_GPU,
                    !old.has_streamout_predicate_bug);
   cs->gpu = gpu;
}

static void
old_firmware_does_not_decide(void **unused)
{
   (void)unused;
   for_all(check_condition_without_sum, 1, false);
}

/* E.g. 36 bits at 12 MHz: each of them is 83.3 ns. */
static void
times_are_exact_over_a_wrap(void **unused)
{
   static const uint64_t starts[] = {
      1,
      0xffffffff,
      UINT64_C(0x7ffffffff),
      UINT64_C(0xffffffff0),
   };

   (void)unused;
   for (unsigned g = 0; g < sim_gpu_count; g++) {
      for (unsigned s = 0; s < ARRAY_LENGTH(starts); s++) {
         for (unsigned i = 0; i < 2; i++) {
            struct store_case c = {
               .kind = i ? PITOT_KIND_TIMESTAMP : PITOT_KIND_TIME_ELAPSED,
            };

            rig_open(&c.rig, sim_gpus[g].key);
            c.rig.sim->now_ticks = starts[s];
            set_work(c.rig.sim, 12345);
            assert_int_equal(pitot_hw_create(c.rig.cs, &c.hw), 0);
            assert_int_equal(pitot_hw_query_create(c.hw, c.kind, 0, &c.query),
                             0);
            measure(&c);
            check_u64(&c);
            pitot_hw_query_free(c.hw, c.query);
            pitot_hw_destroy(c.hw);
            rig_close(&c.rig);
         }
      }
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_is_clamped),
      cmocka_unit_test(the_cpu_does_not_wait),
      cmocka_unit_test(no_wait_stores_nothing_else),
      cmocka_unit_test(availability_is_stored),
      cmocka_unit_test(conditions_are_decided),
      cmocka_unit_test(old_firmware_does_not_decide),
      cmocka_unit_test(times_are_exact_over_a_wrap),
   };

   return cmocka_run_group_tests_name("hw stores", tests, NULL, NULL);
}
