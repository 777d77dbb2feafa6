/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Conditions that AMD's command processor decides, emitted as radeonsi emits
 * them: it decides right, and never waits for a sample that does not come.
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

#define GFX9 90

static void
emit(struct fixture *f, const uint32_t *dw, unsigned count_dw)
{
   uint32_t *room = f->cs->base.ops->reserve(&f->cs->base, PITOT_RING_RENDER,
                                             count_dw, NULL);

   assert_non_null(room);
   memcpy(room, dw, count_dw * sizeof(dw[0]));
}

#define EMIT(F, ...)                                                         \
   emit(F, (const uint32_t[]){ __VA_ARGS__ },                                \
        ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))

static uint32_t
control_of(const struct pitot_hw_condition *condition)
{
   if (condition->predicate == PITOT_PREDICATE_STREAMOUT)
      return OP_PRIMCOUNT | (condition->is_inverted ? DRAW_IF_VISIBLE : 0);
   return OP_ZPASS | (condition->is_inverted ? 0 : DRAW_IF_VISIBLE) |
          (condition->wait ? 0 : HINT_NO_WAIT);
}

static void
emit_wait(struct fixture *f, const struct pitot_hw_condition *condition)
{
   const uint64_t last =
      condition->records[condition->record_count - 1].address +
      PITOT_STREAMOUT_RECORD_LAST_B;

   EMIT(f, WAIT_REG_MEM, WAIT_EQUAL_MEMORY | WAIT_BY_PFP, (uint32_t)last,
        last >> 32, PITOT_STREAMOUT_RECORD_VALID,
        PITOT_STREAMOUT_RECORD_VALID, WAIT_INTERVAL);
}

static void
emit_condition(struct fixture *f, const struct pitot_hw_condition *condition)
{
   assert_int_equal(condition->decision, PITOT_HW_DECISION_BY_GPU);
   if (condition->predicate == PITOT_PREDICATE_STREAMOUT)
      emit_wait(f, condition);
   for (unsigned i = 0; i < condition->record_count; i++) {
      const uint64_t address = condition->records[i].address;
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

/* Notes whether the latest draw was skipped. */
static void
watch_draws(void *data, const char *text, uint64_t address)
{
   (void)address;
   if (strncmp(text, "work", 4) == 0)
      *(bool *)data = strcmp(text, "work") == 0;
}

/* Draws under a condition, in the batch being recorded.  Returns whether
 * anything was drawn.
 */
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

struct condition_case {
   struct fixture *f;
   struct pitot_hw_query *query;
   enum pitot_kind kind;
   bool is_found, is_inverted, wait;
   unsigned batches; /* that the query is measured in */
};

static bool
is_overflow(const struct condition_case *c)
{
   return c->kind == PITOT_KIND_STREAM_OVERFLOW ||
          c->kind == PITOT_KIND_ANY_STREAM_OVERFLOW;
}

/* Counts in the last batch that the query is active in. */
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

/* The GPU decides by itself: without a flush, and without the CPU waiting, in
 * the batch of the query and in later ones.  Without a wait, it may not know.
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

typedef void (*condition_test)(struct condition_case *c);

static void
run_case(const struct sim_gpu *gpu, struct condition_case c,
         condition_test test)
{
   if (gpu->facts.vendor != PITOT_VENDOR_AMD ||
       !pitot_hw_gpu_counter_bits(&gpu->facts, c.kind))
      return;
   c.f = open_fixture(gpu->key, false);
   test(&c);
   close_fixture(c.f);
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

static void
the_gpu_decides(struct fixture *none)
{
   (void)none;
   for_all(check_decision);
}

/* Earlier batches are being executed, and later ones begin before all writes
 * of those have arrived.
 */
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

static void
the_gpu_decides_while_it_works(struct fixture *none)
{
   (void)none;
   for_all(check_while_working);
}

/* A condition takes as many dwords as that of the stock driver: one packet
 * for each batch of the query.
 */
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

static void
conditions_are_short(struct fixture *none)
{
   (void)none;
   for (unsigned i = 0; i < sim_gpu_count; i++)
      run_case(&sim_gpus[i],
               (struct condition_case){ .kind = PITOT_KIND_SAMPLES_PASSED,
                                        .batches = 1 + i % 7 },
               check_size);
}

/* Before the first sample, nobody knows which slots the backends of a GPU
 * write: the command processor would wait for others.
 */
static void
check_unknown_slots(struct condition_case *c)
{
   struct fixture *f = c->f;
   const uint64_t all = UINT64_MAX >> (64 - f->gpu->rb_count);
   const bool is_known = f->gpu->generation < GFX9 || f->gpu->rb_mask == all;

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

/* A batch that is being executed has written some of the slots, and perhaps
 * as many as there are backends; the others come later.
 */
static void
slots_are_not_learned_too_early(struct fixture *f)
{
   enum { WRONG_SLOT = 4 }; /* of a backend that is disabled */
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   const uint32_t available = 1;
   uint64_t valid = UINT64_C(1) << 63, value;

   f->cs->is_held = true;
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 100);
   end(f, query);
   flush(f);

   const struct pitot_cs_buffer *slab =
      (struct pitot_cs_buffer *)f->cs->buffers[f->cs->buffers_made - 1];
   uint8_t *record = slab->memory;
   memcpy(record, &available, sizeof(available));
   for (unsigned i = WRONG_SLOT; i < f->gpu->rb_count; i++) {
      memcpy(record + 16 * (i + 1), &valid, sizeof(valid));
      memcpy(record + 16 * (i + 1) + 8, &valid, sizeof(valid));
   }
   assert_int_equal(poll(f, query, &value), 0);
   assert_int_equal(wait_for(f, query), 100);
}

static void
slots_are_learned(struct fixture *none)
{
   (void)none;
   for (unsigned i = 0; i < sim_gpu_count; i++)
      run_case(&sim_gpus[i],
               (struct condition_case){ .kind = PITOT_KIND_SAMPLES_PASSED,
                                        .is_found = true },
               check_unknown_slots);
}

/* Ends the batch being recorded without submitting it. */
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

/* A sample that was dropped, or that the kernel gave up with its batch, never
 * comes: its query is lost, and counts 0.  Others are not.
 */
static void
check_missing(struct condition_case *c, void (*lose)(struct fixture *f))
{
   struct fixture *f = c->f;

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

static void
dropped_samples_are_not_waited_for(struct fixture *none)
{
   (void)none;
   run_missing(check_dropped);
}

static void
lost_samples_are_not_waited_for(struct fixture *none)
{
   (void)none;
   run_missing(check_lost);
}

/* Fills memory with records of queries that are gone. */
static void
fill_memory(struct condition_case c, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      measure(&c);
      drop(c.f, c.query);
   }
}

/* A condition outlives its query, and no other query writes to its records.
 */
static void
records_are_kept(struct fixture *f)
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

/* The memory of a condition that is over is not used again while a batch
 * looks at it: the batch of the samples is done, that of the condition is
 * not.
 */
static void
records_outlast_conditions(struct fixture *f)
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
   run(f); /* without a violation */
}

/* A query of several values, one of which a condition needs: nobody else ends
 * in its record.
 */
static void
records_are_for_one(struct fixture *f)
{
   static const struct pitot_hw_count counts[] = {
      { PITOT_KIND_SAMPLES_PASSED, 0 },
      { PITOT_KIND_VS_INVOCATIONS, 0 },
   };
   struct pitot_hw_query *both = create_list(f, counts, 2);
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

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(NO_GPU, the_gpu_decides),
      TEST_ON(NO_GPU, the_gpu_decides_while_it_works),
      TEST_ON(NO_GPU, conditions_are_short),
      TEST_ON(NO_GPU, slots_are_learned),
      TEST_ON("navi21", slots_are_not_learned_too_early),
      TEST_ON(NO_GPU, dropped_samples_are_not_waited_for),
      TEST_ON(NO_GPU, lost_samples_are_not_waited_for),
      TEST_LONG_ON("vega10", records_are_kept),
      TEST_LONG_ON("vega10", records_outlast_conditions),
      TEST_ON("vega10", records_are_for_one),
   };

   return RUN_SCHEDULED_ROWS("hw conditions", tests, run_hw_test);
}
