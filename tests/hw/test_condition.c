/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions that AMD's command processor decides, emitted as radeonsi emits
 * them: it decides right, and never waits for a sample that is not written.
 * Their records are kept as long as the GPU may read them.
 */

#include <string.h>

#include "fixture.h"

#define SET_PREDICATION      0xc0022000
#define SET_PREDICATION_GFX6 0xc0012000
#define WAIT_REG_MEM         0xc0053c00
#define DRAW_IF_VISIBLE      (1u << 8)
#define HINT_NO_WAIT         (1u << 12)
#define OP_ZPASS             (1u << 16)
#define OP_PRIMCOUNT         (2u << 16)
#define CONTINUE             (1u << 31)
#define PREDICATED           1u

#define WAIT_EQUAL_MEMORY 0x13u
#define WAIT_BY_PFP       0x100u
#define WAIT_INTERVAL     4u

#define GFX9  90
#define GFX11 110

/* A query and the predicate that the command processor gets for it. */
struct condition_case {
   struct fixture *f;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
   bool is_found, is_inverted, wait;
   unsigned batches; /* in which the query measures */
};

static void
emit(struct fixture *f, const uint32_t *dw, unsigned count_dw)
{
   uint32_t *room = sim_cs_reserve(&f->cs->base, PITOT_RING_RENDER, count_dw);

   assert_non_null(room);
   memcpy(room, dw, count_dw * sizeof(dw[0]));
}

#define EMIT(F, ...)                                                         \
   emit(F, (const uint32_t[]){ __VA_ARGS__ },                                \
        ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))

static uint32_t
control_of(const struct pitot_hw_condition *condition)
{
   if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      return OP_PRIMCOUNT | (condition->is_inverted ? DRAW_IF_VISIBLE : 0);
   return OP_ZPASS | (condition->is_inverted ? 0 : DRAW_IF_VISIBLE) |
          (condition->wait ? 0 : HINT_NO_WAIT);
}

static uint64_t
address_of(const struct pitot_hw_record *record)
{
   return record->buffer->address + record->offset_B;
}

static void
emit_wait(struct fixture *f, const struct pitot_hw_condition *condition)
{
   const uint64_t last =
      address_of(&condition->records[condition->record_count - 1]) +
      PITOT_AMD_STREAMOUT_RECORD_LAST_B;

   EMIT(f, WAIT_REG_MEM, WAIT_EQUAL_MEMORY | WAIT_BY_PFP, (uint32_t)last,
        last >> 32, PITOT_AMD_STREAMOUT_RECORD_VALID,
        PITOT_AMD_STREAMOUT_RECORD_VALID, WAIT_INTERVAL);
}

static void
emit_condition(struct fixture *f, const struct pitot_hw_condition *condition)
{
   assert_int_equal(condition->decision, PITOT_HW_DECISION_BY_GPU);
   if (condition->predicate == PITOT_AMD_PREDICATE_STREAMOUT)
      emit_wait(f, condition);
   for (unsigned i = 0; i < condition->record_count; i++) {
      const uint64_t address = address_of(&condition->records[i]);
      const uint32_t control = control_of(condition) | (i ? CONTINUE : 0);
      struct pitot_cs *cs = &f->cs->base;

      cs->ops->use_buffer(cs, PITOT_RING_RENDER,
                          condition->records[i].buffer);
      if (f->gpu->generation >= GFX9)
         EMIT(f, SET_PREDICATION, control, (uint32_t)address, address >> 32);
      else
         EMIT(f, SET_PREDICATION_GFX6, (uint32_t)address,
              control | address >> 32);
   }
}

static void
watch_draws(void *data, const char *text, uint64_t address)
{
   (void)address;
   if (strncmp(text, "work", 4) == 0)
      *(bool *)data = strcmp(text, "work") == 0;
}

/* Draws under a condition, then runs the GPU.  Returns whether it drew. */
static bool
draws(struct fixture *f, const struct pitot_hw_condition *condition)
{
   struct sim *sim = f->cs->sim;
   uint32_t dw[SIM_WORK_DW];
   const unsigned count_dw = sim_draw(sim, dw);
   bool is_drawn = false;

   emit_condition(f, condition);
   dw[0] |= PREDICATED;
   emit(f, dw, count_dw);
   sim->on_packet = watch_draws;
   sim->on_packet_data = &is_drawn;
   flush(f);
   sim_cs_complete(f->cs);
   sim->on_packet = NULL;
   return is_drawn;
}

static bool
is_overflow(const struct condition_case *c)
{
   return c->kind == PITOT_KIND_STREAM_OVERFLOW ||
          c->kind == PITOT_KIND_ANY_STREAM_OVERFLOW;
}

/* The query counts work in its last batch only. */
static void
measure(struct condition_case *c)
{
   c->query = create(c->f, c->kind, 0);
   begin(c->f, c->query);
   for (unsigned i = 1; i < c->batches; i++) {
      move(c->f, PITOT_RING_RENDER);
      flush(c->f);
   }
   draw(c->f, is_overflow(c) ? PITOT_KIND_PRIMITIVES_GENERATED : c->kind,
        c->is_found);
   end(c->f, c->query);
}

static struct pitot_hw_condition
decide(struct fixture *f, struct pitot_hw_query *query, bool is_inverted,
       bool wait)
{
   struct pitot_hw_condition condition;

   pitot_hw_query_decide(f->hw, query, is_inverted, wait, &condition);
   return condition;
}

/* Occlusion first. */
static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                         PITOT_KIND_ANY_SAMPLES_PASSED,
                                         PITOT_KIND_STREAM_OVERFLOW,
                                         PITOT_KIND_ANY_STREAM_OVERFLOW };
static const unsigned batches[] = { 1, 2, 40 };

enum { FOUND = 1, INVERTED = 2, WAIT = 4, MODE_COUNT = 8 };

/* Its cases: the first kinds and numbers of batches, each in some modes. */
struct condition_test {
   unsigned kind_count, batches_count, first_mode, end_mode;
   void (*run)(struct condition_case *c);
};

#define EVERY_CASE ARRAY_LENGTH(kinds), ARRAY_LENGTH(batches), 0, MODE_COUNT

/* With many cases, a schedule takes a few. */
static bool
is_taken(const struct condition_test *test, unsigned number)
{
   return test->batches_count == 1 ||
          schedules_take(number, sim_gpu_count * ARRAY_LENGTH(kinds) *
                                    ARRAY_LENGTH(batches) * MODE_COUNT);
}

/* Runs the cases of a kind.  Returns whether the GPU counts it. */
static bool
run_kind(const struct condition_test *test, unsigned gpu, unsigned kind)
{
   if (!pitot_hw_gpu_counter_bits(&sim_gpus[gpu].facts, kinds[kind]))
      return false;
   for (unsigned b = 0; b < test->batches_count; b++) {
      for (unsigned m = test->first_mode; m < test->end_mode; m++) {
         struct condition_case c = {
            .kind = kinds[kind],
            .batches = batches[b],
            .is_found = m & FOUND,
            .is_inverted = m & INVERTED,
            .wait = m & WAIT,
         };
         const unsigned first =
            (gpu * ARRAY_LENGTH(kinds) + kind) * ARRAY_LENGTH(batches);

         if (!is_taken(test, (first + b) * MODE_COUNT + m))
            continue;
         c.f = open_fixture(sim_gpus[gpu].key, false);
         test->run(&c);
         close_fixture(c.f);
      }
   }
   return true;
}

/* Each AMD GPU counts some of the kinds. */
static void
run_condition_test(const struct condition_test *test)
{
   for (unsigned gpu = 0; gpu < sim_gpu_count; gpu++) {
      unsigned counted = 0;

      if (sim_gpus[gpu].facts.family != &pitot_hw_amd)
         continue;
      for (unsigned kind = 0; kind < test->kind_count; kind++)
         counted += run_kind(test, gpu, kind);
      assert_int_not_equal(counted, 0);
   }
}

/* After the name, the cases. */
#define CONDITION_TEST(NAME, ...)                                            \
   static void check_##NAME(struct condition_case *c);                       \
   HW_TEST_ALONE(NAME)                                                       \
   {                                                                         \
      static const struct condition_test test = { __VA_ARGS__,               \
                                                  check_##NAME };            \
                                                                             \
      run_condition_test(&test);                                             \
   }                                                                         \
   static void check_##NAME(struct condition_case *c)

/* The GPU decides in the query's batch and in later ones, without a flush or
 * a wait of the CPU.  In a mode without wait it may draw.
 */
CONDITION_TEST(the_gpu_decides, EVERY_CASE)
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

/* Later batches begin before all writes of earlier ones have arrived. */
CONDITION_TEST(the_gpu_decides_while_it_works, EVERY_CASE)
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

/* A condition on samples takes one packet for each batch, as in the stock
 * driver.
 */
CONDITION_TEST(conditions_are_short, 2, ARRAY_LENGTH(batches), 0, MODE_COUNT)
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

/* Before the first sample the slots that the backends write are unknown, and
 * the command processor would wait for slots that nothing writes.
 */
CONDITION_TEST(slots_are_learned, 1, 1, FOUND, FOUND + 1)
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
CONDITION_TEST(backends_may_be_disabled, 1, 1, 0, FOUND + 1)
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

/* A batch that still executes has written some slots, and perhaps as many as
 * there are backends: learning them now would miss the rest.
 */
HW_TEST(slots_are_not_learned_too_early, "navi21")
{
   enum { WRONG_SLOT = 4 }; /* of a disabled backend */
   const uint32_t available = 1;
   uint64_t valid = UINT64_C(1) << 63, value;

   f->cs->is_held = true;
   struct pitot_hw_query *query = measure_samples(f, 100);
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
CONDITION_TEST(old_firmware_does_not_sum_up, EVERY_CASE)
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
   if (!is_overflow(c))
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

CONDITION_TEST(dropped_samples_are_not_waited_for, ARRAY_LENGTH(kinds), 1,
               FOUND, FOUND + 1)
{
   check_missing(c, drop_batch);
}

CONDITION_TEST(lost_samples_are_not_waited_for, ARRAY_LENGTH(kinds), 1, FOUND,
               FOUND + 1)
{
   check_missing(c, lose_batch);
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
