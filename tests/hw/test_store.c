/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the GPU stores equals what the CPU reads, for any kind, type and time;
 * and the GPU decides conditions as the CPU would.  Stores while the samples
 * are in flight: how often they wait, and what stores without a wait write.
 */

#include "fixture.h"

/* A query of one kind on one GPU, whose result is to be stored. */
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

/* Sets a different amount for each counter. */
static void
set_work(struct sim *sim, uint64_t scale)
{
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++) {
      sim->draw.statistics[i] = scale + i;
      sim->dispatch.statistics[i] = 2 * scale + i;
   }
   sim->draw.samples = scale;
   for (unsigned s = 0; s < SIM_STREAM_COUNT; s++) {
      sim->draw.streamout[s][SIM_NEEDED] = scale + s;
      sim->draw.streamout[s][SIM_WRITTEN] = scale;
   }
}

static void
work(struct store_case *c, uint64_t ticks)
{
   if (c->kind == PITOT_KIND_CS_INVOCATIONS) {
      pitot_hw_dispatch(c->f->hw, PITOT_RING_COMPUTE);
      sim_cs_dispatch(c->cs);
   } else {
      sim_cs_draw(c->cs);
   }
   pass(c->f, ticks);
}

/* Measures two segments: the query is suspended in between. */
static void
measure(struct store_case *c, uint64_t ticks)
{
   if (!pitot_kind_info(c->kind)->is_instant)
      begin(c->f, c->query);
   work(c, ticks);
   pitot_hw_set_active(c->f->hw, false);
   work(c, ticks);
   pitot_hw_set_active(c->f->hw, true);
   work(c, ticks);
   end(c->f, c->query);
}

/* Every GPU counts at least as many kinds. */
#define MIN_KINDS 15

/* Returns whether the GPU counts the kind. */
static bool
run_case(const char *gpu, enum pitot_kind kind, uint64_t scale, unsigned mode,
         store_test test, unsigned argument)
{
   const bool has_compute = sim_gpu(gpu)->facts.family == &pitot_hw_intel;
   struct store_case c = { open_fixture(gpu, has_compute), .kind = kind };

   c.cs = c.f->cs;
   c.cs->is_held = mode & HELD;
   if (mode & NO_SHADER)
      c.cs->ops.store = NULL;
   set_work(c.cs->sim, scale);
   const bool is_counted = is_supported(c.f, kind);
   if (is_counted) {
      if ((mode & NEW_GPU) == 0)
         learn_backends(c.f);
      c.query = create(c.f, kind, 0);
      measure(&c, scale);
      test(&c, argument);
   }
   close_fixture(c.f);
   return is_counted;
}

/* Measures each kind that a GPU counts, on each GPU, then runs a test. */
static void
for_all(store_test test, unsigned argument, uint64_t scale, unsigned mode)
{
   const char *gpu;
   unsigned i = 0;

   while ((gpu = scheduled_gpu(&i))) {
      unsigned count = 0;

      for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++)
         count += run_case(gpu, kind, scale, mode, test, argument);
      assert_in_range(count, MIN_KINDS, PITOT_KIND_COUNT);
   }
}

/* Stores a result of a type, and compares it with what the CPU reads: "the
 * nearest value representable" (OpenGL 4.6 core, 4.2.3).
 */
static void
check_type(struct store_case *c, unsigned type)
{
   uint64_t expected = UNTOUCHED;

   store(c->f, c->query, PITOT_STORE_RESULT, type);
   const uint64_t value = stored(c->f);
   pitot_type_write(type, wait_for(c->f, c->query), &expected);
   assert_int_equal(value, expected);
}

/* Polled often enough, a result becomes available, also in the buffer. */
static void
check_available(struct store_case *c, unsigned unused)
{
   uint64_t value = 0;

   (void)unused;
   for (unsigned i = 0; i < 3 && !value; i++) {
      store(c->f, c->query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      value = stored(c->f);
      assert_in_range(value, 0, 1);
   }
   assert_int_equal(value, 1);
}

HW_TEST_ALONE(every_type_is_clamped)
{
   static const uint64_t scales[] = {
      0,
      100,
      UINT64_C(0x3fffffff),  /* twice this fits into 31 bits */
      UINT64_C(0x7fffffff),  /* into 32 bits */
      UINT64_C(0x123456789), /* into more */
   };
   static const enum pitot_type types[] = { PITOT_TYPE_I32, PITOT_TYPE_U32,
                                            PITOT_TYPE_I64, PITOT_TYPE_U64 };

   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for (unsigned t = 0; t < ARRAY_LENGTH(types); t++)
         for_all(check_type, types[t], scales[s], 0);
   }
}

HW_TEST_ALONE(the_cpu_stores_without_a_shader)
{
   for_all(check_type, PITOT_TYPE_U64, 100, HELD | NO_SHADER);
   for_all(check_available, 0, 100, HELD | NO_SHADER);
   for_all(check_type, PITOT_TYPE_U64, 100, HELD | NEW_GPU);
   for_all(check_available, 0, 100, HELD | NEW_GPU);
}

#define VALID (UINT64_C(1) << 63)

/* Returns by how much a qword of a record grew.  Its bit 63 must be set. */
static uint64_t
growth(const uint64_t *record, unsigned begin, unsigned end)
{
   assert_true(record[begin] & record[end] & VALID);
   return record[end] - record[begin];
}

/* Decides as AMD's command processor does. */
static bool
says_yes(const struct store_case *c,
         const struct pitot_hw_condition *condition, const uint64_t *record)
{
   uint64_t sum = 0;

   if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      return growth(record, 0, 2) != growth(record, 1, 3);
   for (unsigned i = 0; i < c->f->cs->amd.rb_count; i++)
      sum += growth(record, 2 * i, 2 * i + 1);
   return sum != 0;
}

/* Decides as the GPU does. */
static bool
decide(const struct store_case *c, const struct pitot_hw_condition *condition)
{
   bool result = false;

   for (unsigned i = 0; i < condition->record_count; i++) {
      const struct pitot_hw_record *record = &condition->records[i];
      const uint64_t *memory =
         (const uint64_t *)(record->buffer->memory + record->offset_B);

      if (condition->predicate == PITOT_PREDICATE_BOOLEAN) {
         assert_in_range(*memory, 0, 1);
         return *memory;
      }
      result |= says_yes(c, condition, memory);
   }
   return result != condition->is_inverted;
}

/* Draws follow the condition, whether the GPU or the CPU decides. */
static void
check_condition(struct store_case *c, unsigned is_inverted)
{
   struct pitot_hw_condition condition;

   if (!pitot_kind_info(c->kind)->is_condition || !is_deciding(c->f->gpu))
      return;
   learn_backends(c->f);
   measure(c, c->cs->sim->draw.samples);
   pitot_hw_query_decide(c->f->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   run(c->f);
   const bool passes = (wait_for(c->f, c->query) != 0) != (bool)is_inverted;
   assert_int_equal(decide(c, &condition), passes);

   /* A known result decides immediately. */
   pitot_hw_query_decide(c->f->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_ALWAYS, passes);
}

HW_TEST_ALONE(conditions_are_decided)
{
   static const uint64_t scales[] = { 0, 1, 100 };

   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for_all(check_condition, false, scales[s], 0);
      for_all(check_condition, true, scales[s], 0);
      for_all(check_condition, false, scales[s], HELD);
   }
}

/* E.g. 36 bits at 12 MHz, where a tick is 83.3 ns. */
HW_TEST(times_are_exact_over_a_wrap, EVERY_GPU)
{
   static const uint64_t starts[] = {
      1,
      0xffffffff,
      UINT64_C(0x7ffffffff),
      UINT64_C(0xffffffff0),
   };

   for (unsigned s = 0; s < ARRAY_LENGTH(starts); s++) {
      for (unsigned i = 0; i < 2; i++) {
         struct store_case c = {
            .f = f,
            .cs = f->cs,
            .kind = i ? PITOT_KIND_TIMESTAMP : PITOT_KIND_TIME_ELAPSED,
         };

         sim_cs_set_ticks(f->cs, starts[s]);
         f->cs->clock.is_started = false;
         pitot_hw_timestamp_ns(f->hw);
         c.query = create(f, c.kind, 0);
         measure(&c, 12345);
         check_type(&c, PITOT_TYPE_U64);
      }
   }
}

/*
 * Stores in flight
 */

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
