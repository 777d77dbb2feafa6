/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results stored by the GPU are those that the CPU reads, whatever the kind,
 * the type and the moment; and conditions are decided as the CPU would.
 */

#include "fixture.h"

struct store_case {
   struct fixture *f;
   struct sim_cs *cs;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
};

/* Has every counter count something else. */
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
      pitot_hw_dispatch(c->f->hw);
      sim_cs_dispatch(c->cs);
   } else {
      sim_cs_draw(c->cs);
   }
   pass(c->f, ticks);
}

/* Measures twice in one query, which is suspended in between. */
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

/* There is no GPU that counts less. */
#define MIN_KINDS 15

typedef void (*store_test)(struct store_case *c, unsigned argument);

enum {
   HELD = 1 << 0,      /* the GPU does nothing until the CPU waits */
   NO_SHADER = 1 << 1, /* the driver has none that computes results */
   NEW_GPU = 1 << 2,   /* nobody knows yet where its backends write */
};

/* Has the CPU see a sample of all render backends. */
static void
learn_slots(struct fixture *f)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   begin(f, query);
   end(f, query);
   wait_for(f, query);
}

/* Returns whether the GPU counts that kind at all. */
static bool
run_case(const char *gpu, enum pitot_kind kind, uint64_t scale, unsigned mode,
         store_test test, unsigned argument)
{
   const bool has_compute = sim_gpu(gpu)->facts.vendor == PITOT_VENDOR_INTEL;
   struct store_case c = { open_fixture(gpu, has_compute), .kind = kind };

   c.cs = c.f->cs;
   c.cs->is_held = mode & HELD;
   if (mode & NO_SHADER)
      c.cs->ops.compute = NULL;
   set_work(c.cs->sim, scale);
   const bool is_counted = is_supported(c.f, kind);
   if (is_counted) {
      if ((mode & NEW_GPU) == 0)
         learn_slots(c.f);
      c.query = create(c.f, kind, 0);
      measure(&c, scale);
      test(&c, argument);
   }
   close_fixture(c.f);
   return is_counted;
}

/* Runs a test for each kind that a GPU counts, on each GPU. */
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

/* OpenGL 4.6 core, 4.2.3: "the nearest value representable". */
static void
check_type(struct store_case *c, unsigned type)
{
   uint64_t expected = UNTOUCHED;

   store(c->f, c->query, PITOT_STORE_RESULT, type);
   const uint64_t value = stored(c->f);
   pitot_type_write(type, wait_for(c->f, c->query), &expected);
   assert_int_equal(value, expected);
}

static void
every_type_is_clamped(struct fixture *none)
{
   static const uint64_t scales[] = {
      0,
      100,
      UINT64_C(0x3fffffff),  /* twice that fits into 31 bits */
      UINT64_C(0x7fffffff),  /* into 32 */
      UINT64_C(0x123456789), /* into no 32 */
   };
   static const enum pitot_type types[] = { PITOT_TYPE_I32, PITOT_TYPE_U32,
                                            PITOT_TYPE_I64, PITOT_TYPE_U64 };

   (void)none;
   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for (unsigned t = 0; t < ARRAY_LENGTH(types); t++)
         for_all(check_type, types[t], scales[s], 0);
   }
}

static void
check_wait(struct store_case *c, unsigned unused)
{
   const unsigned flushed = c->cs->flush_count, waited = c->cs->wait_count;

   (void)unused;
   store(c->f, c->query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(c->cs->flush_count, flushed);
   assert_int_equal(c->cs->wait_count, waited);
   check_type(c, PITOT_TYPE_U64);
}

static void
the_cpu_does_not_wait(struct fixture *none)
{
   (void)none;
   for_all(check_wait, 0, 100, HELD);
}

#define WAIT_REG_MEM 0xc0053c00

/* Returns how many packets that wait are among the commands since an offset
 * of the batch being recorded.
 */
static unsigned
count_waits(const struct store_case *c, unsigned from_dw)
{
   const struct sim_cs_ring *ring = &c->cs->rings[PITOT_RING_RENDER];
   unsigned count = 0;

   for (unsigned i = from_dw; i < ring->used_dw; i++)
      count += ring->commands[i] == WAIT_REG_MEM;
   return count;
}

/* From GFX9 on, samples are written through the cache that shaders read: the
 * shader itself waits for late ones.  Before that, the command processor
 * waits for the end of each render backend, and for begin and end of each
 * qword of stream-out, of both segments.  Elsewhere the last fence says all.
 */
static void
check_waits(struct store_case *c, unsigned unused)
{
   const struct pitot_gpu *gpu = c->f->gpu;
   const unsigned from_dw = c->cs->rings[PITOT_RING_RENDER].used_dw;
   unsigned per_segment = 0;

   (void)unused;
   if (!c->cs->ops.compute)
      return;
   if (c->kind <= PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE)
      per_segment = (unsigned)__builtin_popcountll(gpu->rb_mask);
   else if (c->kind == PITOT_KIND_ANY_STREAM_OVERFLOW)
      per_segment = 4 * PITOT_MAX_STREAMS;
   else if (c->kind == PITOT_KIND_STREAM_OVERFLOW)
      per_segment = 4;
   else if (c->kind == PITOT_KIND_PRIMITIVES_GENERATED ||
            c->kind == PITOT_KIND_PRIMITIVES_WRITTEN)
      per_segment = 2;
   store(c->f, c->query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(count_waits(c, from_dw),
                    per_segment && gpu->generation < 90 ? 2 * per_segment
                                                        : 1);
   check_type(c, PITOT_TYPE_U64);
}

static void
a_store_waits_once(struct fixture *none)
{
   (void)none;
   for_all(check_waits, 0, 100, HELD);
}

/* The kernel is asked about a batch that a packet waits for, once, and not
 * about those before it.
 */
static void
a_store_asks_little(struct fixture *f)
{
   const enum pitot_kind kinds[] = { PITOT_KIND_VS_INVOCATIONS,
                                     PITOT_KIND_SAMPLES_PASSED };

   learn_backends(f);
   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      for (unsigned is_flushed = 0; is_flushed < 2; is_flushed++) {
         struct pitot_hw_query *query = create(f, kinds[i], 0);

         begin(f, query);
         for (unsigned n = 0; n < 3; n++) {
            draw(f, kinds[i], 1);
            flush(f);
         }
         end(f, query);
         if (is_flushed)
            flush(f);
         prepare_target(f);
         const unsigned asked = f->cs->state_count;
         store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
         assert_int_equal(f->cs->state_count - asked, is_flushed);
         assert_int_equal(stored(f), 3);
      }
   }
}

/* A value that the GPU cannot count is 0, and nobody waits to know it. */
static void
what_is_not_counted_is_not_waited_for(struct fixture *f)
{
   const struct pitot_hw_count counts[] = {
      { PITOT_KIND_VS_INVOCATIONS, 0 },
      { PITOT_KIND_GS_INVOCATIONS, 0 },
   };
   struct pitot_hw_query *query = create_list(f, counts, 2);
   const struct pitot_hw_store what = {
      .kind = PITOT_STORE_RESULT,
      .type = PITOT_TYPE_U64,
      .index = 1,
      .offset_B = TARGET_OFFSET_B,
   };
   struct pitot_hw_store target = what;

   f->cs->is_held = true;
   begin(f, query);
   draw(f, PITOT_KIND_VS_INVOCATIONS, 1);
   end(f, query);
   prepare_target(f);
   target.buffer = f->target;
   assert_int_equal(pitot_hw_query_store(f->hw, query, &target), 0);
   assert_int_equal(f->cs->flush_count, 0);
   assert_int_equal(f->cs->wait_count, 0);
   assert_int_equal(stored(f), 0);
}

/* AMD's pipeline writes occlusion and stream-out when it comes to it, while
 * the command processor goes on.  Intel's command streamer waits for it at
 * each end.
 */
static bool
is_available_at_once(const struct store_case *c)
{
   return c->f->gpu->vendor == PITOT_VENDOR_INTEL ||
          c->kind > PITOT_KIND_ANY_STREAM_OVERFLOW;
}

/* A store that is recorded before the result is available sees that.  Under
 * a schedule, AMD's may be executed later.
 */
static void
check_no_wait(struct store_case *c, unsigned unused)
{
   const bool may_be_late =
      schedules_seed() && c->f->gpu->vendor == PITOT_VENDOR_AMD;

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

static void
no_wait_stores_nothing_else(struct fixture *none)
{
   (void)none;
   for_all(check_no_wait, 0, 100, 0);
   for_all(check_no_wait, 0, 100, HELD);
}

/* Asked for often enough, a result becomes available. */
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

static void
availability_is_stored(struct fixture *none)
{
   (void)none;
   for_all(check_available, 0, 100, 0);
   for_all(check_available, 0, 100, HELD);
}

/* Stores at an offset, beside the target of store(). */
static void
store_beside(struct fixture *f, struct pitot_hw_query *query,
             enum pitot_store kind, unsigned offset_B)
{
   const struct pitot_hw_store what = {
      .kind = kind,
      .type = PITOT_TYPE_U64,
      .buffer = f->target,
      .offset_B = offset_B,
   };

   assert_int_equal(pitot_hw_query_store(f->hw, query, &what), 0);
}

/* The driver's shader says in the same batch whether a result is available,
 * and that it is means that a result stored after it is there.
 */
static void
check_available_by_shader(struct store_case *c, unsigned unused)
{
   const unsigned flushed = c->cs->flush_count, waited = c->cs->wait_count;
   uint64_t *memory;

   (void)unused;
   if (!c->cs->ops.compute)
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

static void
availability_is_the_shaders_to_say(struct fixture *none)
{
   (void)none;
   for_all(check_available_by_shader, 0, 100, HELD);
}

static void
the_cpu_computes_what_the_gpu_cannot(struct fixture *none)
{
   (void)none;
   for_all(check_type, PITOT_TYPE_U64, 100, HELD | NO_SHADER);
   for_all(check_available, 0, 100, HELD | NO_SHADER);
   for_all(check_type, PITOT_TYPE_U64, 100, HELD | NEW_GPU);
   for_all(check_available, 0, 100, HELD | NEW_GPU);
}

static struct pitot_cs_ops asked_ops;
static enum pitot_batch_state (*ask)(struct pitot_cs *cs,
                                     enum pitot_ring ring, uint64_t batch);
static unsigned asks_left;

/* The GPU completes the batch between a look at the samples and the last
 * question about their batch.
 */
static enum pitot_batch_state
complete_when_asked(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   if (asks_left && --asks_left == 0)
      sim_cs_complete((struct sim_cs *)cs);
   return ask(cs, ring, batch);
}

/* Availability is true once it is stored, whenever the batch gets done; under
 * a schedule, the store may also come before the samples are available.
 */
static void
availability_is_of_the_moment(struct fixture *f)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_VS_INVOCATIONS, 0);
   struct pitot_cs *cs = &f->cs->base;

   asked_ops = *cs->ops;
   ask = cs->ops->batch_state;
   asked_ops.batch_state = complete_when_asked;
   cs->ops = &asked_ops;
   prepare_target(f);
   f->cs->is_held = true;
   for (unsigned asks = 1; asks < 6; asks++) {
      begin(f, query);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 1);
      end(f, query);
      flush(f);
      asks_left = asks;
      store(f, query, PITOT_STORE_AVAILABLE, PITOT_TYPE_U64);
      asks_left = 0;
      assert_true(stored(f) == 1 || schedules_seed());
   }
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
says_yes(const struct store_case *c,
         const struct pitot_hw_condition *condition, const uint64_t *record)
{
   uint64_t sum = 0;

   if (condition->predicate == PITOT_PREDICATE_STREAMOUT)
      return growth(record, 0, 2) != growth(record, 1, 3);
   for (unsigned i = 0; i < c->f->gpu->rb_count; i++)
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
         (const uint64_t *)(record->buffer->memory +
                            (record->address - record->buffer->address));

      if (condition->predicate == PITOT_PREDICATE_BOOLEAN) {
         assert_in_range(*memory, 0, 1);
         return *memory;
      }
      result |= says_yes(c, condition, memory);
   }
   return result != condition->is_inverted;
}

/* Whether the GPU decides or the CPU, draws follow the condition. */
static void
check_condition(struct store_case *c, unsigned is_inverted)
{
   struct pitot_hw_condition condition;

   if (!pitot_kind_info(c->kind)->is_condition)
      return;
   learn_backends(c->f);
   measure(c, c->cs->sim->draw.samples);
   pitot_hw_query_decide(c->f->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
   run(c->f);
   const bool passes = (wait_for(c->f, c->query) != 0) != (bool)is_inverted;
   assert_int_equal(decide(c, &condition), passes);

   /* A known result decides at once. */
   pitot_hw_query_decide(c->f->hw, c->query, is_inverted, true, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_ALWAYS, passes);
}

static void
conditions_are_decided(struct fixture *none)
{
   static const uint64_t scales[] = { 0, 1, 100 };

   (void)none;
   for (unsigned s = 0; s < ARRAY_LENGTH(scales); s++) {
      for_all(check_condition, false, scales[s], 0);
      for_all(check_condition, true, scales[s], 0);
      for_all(check_condition, false, scales[s], HELD);
   }
}

/* More than one record of stream-out is then the CPU's to look at. */
static void
check_condition_without_sum(struct store_case *c, unsigned unused)
{
   const bool is_amd = c->f->gpu->vendor == PITOT_VENDOR_AMD;
   struct pitot_hw_condition condition;

   (void)unused;
   if (c->kind != PITOT_KIND_STREAM_OVERFLOW &&
       c->kind != PITOT_KIND_ANY_STREAM_OVERFLOW)
      return;
   c->cs->gpu.has_streamout_predicate_bug = is_amd;
   pitot_hw_query_decide(c->f->hw, c->query, false, true, &condition);
   assert_int_equal(condition.decision == PITOT_HW_DECISION_BY_GPU, !is_amd);
}

static void
old_firmware_does_not_decide(struct fixture *none)
{
   (void)none;
   for_all(check_condition_without_sum, 0, 1, 0);
}

/* One record needs no sum. */
static void
old_firmware_decides_alone(struct fixture *f)
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_STREAM_OVERFLOW, 0);
   struct pitot_hw_condition condition;

   f->cs->gpu.has_streamout_predicate_bug = true;
   f->cs->is_held = true;
   begin(f, query);
   end(f, query);
   pitot_hw_query_decide(f->hw, query, false, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
}

/* E.g. 36 bits at 12 MHz: each of them is 83.3 ns. */
static void
times_are_exact_over_a_wrap(struct fixture *f)
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
         f->clock.is_started = false;
         pitot_hw_timestamp_ns(f->hw);
         c.query = create(f, c.kind, 0);
         measure(&c, 12345);
         check_type(&c, PITOT_TYPE_U64);
      }
   }
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(NO_GPU, every_type_is_clamped),
      TEST_ON(NO_GPU, the_cpu_does_not_wait),
      TEST_ON(NO_GPU, a_store_waits_once),
      TEST_ON("vega10", a_store_asks_little),
      TEST_ON("navi21", what_is_not_counted_is_not_waited_for),
      TEST_ON(NO_GPU, no_wait_stores_nothing_else),
      TEST_ON(NO_GPU, availability_is_stored),
      TEST_ON(NO_GPU, availability_is_the_shaders_to_say),
      TEST_ON(EVERY_GPU, availability_is_of_the_moment),
      TEST_ON(NO_GPU, the_cpu_computes_what_the_gpu_cannot),
      TEST_ON(NO_GPU, conditions_are_decided),
      TEST_ON(NO_GPU, old_firmware_does_not_decide),
      TEST_ON("vega10", old_firmware_decides_alone),
      TEST_ON(EVERY_GPU, times_are_exact_over_a_wrap),
   };

   return RUN_SCHEDULED_ROWS("hw stores", tests, run_hw_test);
}
