/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Random programs of an application while the GPU works: an available result
 * is right and stays available, and every result becomes available, however
 * late the GPU writes.  The schedule's seed chooses the program, too; without
 * a schedule there is one program.
 */

#include <string.h>

#include "fixture.h"

#define QUERY_COUNT 6
#define STORE_COUNT 32
#define STEP_COUNT  80

/* Polls until a result must be available: each lets the GPU work. */
#define MAX_LOOKS 100000

struct entry {
   struct pitot_hw_query *query;
   enum pitot_kind kind;
   bool is_active;
   bool is_ended;
   bool was_available;   /* by a poll or a store */
   uint64_t begin_ticks; /* of a time query */
   uint64_t count;       /* so far; the result, once ended */
   unsigned first_store; /* since the end */
};

struct stored {
   const struct entry *entry; /* NULL: begun again since */
   enum pitot_store kind;
   uint64_t expected;
   bool comes_after; /* after a store that may have stored TRUE */
   unsigned said_by; /* index of that store */
};

struct program {
   struct fixture *f;
   struct sim_schedule lots;
   struct entry entries[QUERY_COUNT];
   struct stored stores[STORE_COUNT];
   unsigned store_count;
   unsigned finished; /* entries at the end */
   bool is_suspended;
};

static unsigned
choose(struct program *p, unsigned count)
{
   return sim_choose(&p->lots, count);
}

/* The model */

static const enum pitot_kind query_kinds[] = {
   PITOT_KIND_SAMPLES_PASSED,      PITOT_KIND_SAMPLES_PASSED,
   PITOT_KIND_ANY_SAMPLES_PASSED,  PITOT_KIND_PRIMITIVES_GENERATED,
   PITOT_KIND_PRIMITIVES_WRITTEN,  PITOT_KIND_STREAM_OVERFLOW,
   PITOT_KIND_ANY_STREAM_OVERFLOW, PITOT_KIND_VS_INVOCATIONS,
   PITOT_KIND_CS_INVOCATIONS,      PITOT_KIND_TIME_ELAPSED,
   PITOT_KIND_TIMESTAMP,
};

/* Draws and their counts: no sum of one is a sum of another one. */
static const struct work {
   enum pitot_kind kind;
   unsigned unit;
} works[] = {
   { PITOT_KIND_SAMPLES_PASSED, 1 },
   { PITOT_KIND_PRIMITIVES_GENERATED, 1000 },
   { PITOT_KIND_PRIMITIVES_WRITTEN, 1 },
   { PITOT_KIND_VS_INVOCATIONS, 1 },
   { PITOT_KIND_CS_INVOCATIONS, 1 },
};

static bool
counts(enum pitot_kind kind, enum pitot_kind drawn)
{
   switch (kind) {
   case PITOT_KIND_ANY_SAMPLES_PASSED:
      return drawn == PITOT_KIND_SAMPLES_PASSED;
   case PITOT_KIND_STREAM_OVERFLOW:
   case PITOT_KIND_ANY_STREAM_OVERFLOW:
      return drawn == PITOT_KIND_PRIMITIVES_GENERATED ||
             drawn == PITOT_KIND_PRIMITIVES_WRITTEN;
   default:
      return kind == drawn;
   }
}

static uint64_t
result_of(const struct program *p, const struct entry *e)
{
   const struct pitot_kind_info *info = pitot_kind_info(e->kind);
   const uint64_t hz = p->f->gpu->timestamp_hz;

   if (info->is_time)
      return pitot_ticks_to_ns(p->f->cs->ticks - e->begin_ticks, hz);
   return info->is_boolean ? e->count != 0 : e->count;
}

/* Steps */

static void
forget_stores(struct program *p, const struct entry *e)
{
   for (unsigned i = 0; i < p->store_count; i++) {
      if (p->stores[i].entry == e)
         p->stores[i].entry = NULL;
   }
}

static void
begin_entry(struct program *p, struct entry *e)
{
   if (pitot_kind_info(e->kind)->is_instant)
      return;
   forget_stores(p, e);
   begin(p->f, e->query);
   e->is_active = true;
   e->is_ended = e->was_available = false;
   e->count = 0;
   e->begin_ticks = p->f->cs->ticks;
}

static void
end_entry(struct program *p, struct entry *e)
{
   const bool is_instant = pitot_kind_info(e->kind)->is_instant;

   if (!is_instant && !e->is_active)
      return;
   if (is_instant)
      forget_stores(p, e);
   end(p->f, e->query);
   e->is_active = e->was_available = false;
   e->is_ended = true;
   e->begin_ticks = is_instant ? 0 : e->begin_ticks;
   e->count = result_of(p, e);
}

static void
do_work(struct program *p)
{
   const struct work *work = &works[choose(p, ARRAY_LENGTH(works))];
   const unsigned amount = (choose(p, 5) + 1) * work->unit;

   if (!is_supported(p->f, work->kind))
      return;
   draw(p->f, work->kind, amount);
   for (unsigned i = 0; i < QUERY_COUNT && !p->is_suspended; i++) {
      struct entry *e = &p->entries[i];

      if (e->is_active && counts(e->kind, work->kind))
         e->count += amount;
   }
}

/* A result that was available stays available and right. */
static void
look(struct program *p, struct entry *e, bool wait)
{
   uint64_t value = 0;

   if (!e->is_ended)
      return;
   const int status = pitot_hw_query_result(p->f->hw, e->query, wait, &value);
   assert_in_range(status, e->was_available || wait, 1);
   if (status)
      assert_int_equal(value, e->count);
   e->was_available |= status;
}

static void
store_entry(struct program *p, struct entry *e)
{
   static const enum pitot_store kinds[] = { PITOT_STORE_RESULT,
                                             PITOT_STORE_RESULT_NO_WAIT,
                                             PITOT_STORE_AVAILABLE };
   struct stored *s = &p->stores[p->store_count];

   if (!e->is_ended || p->store_count == STORE_COUNT)
      return;
   *s = (struct stored){
      .entry = e,
      .kind = kinds[choose(p, ARRAY_LENGTH(kinds))],
      .expected = e->count,
   };
   for (unsigned i = 0; i < p->store_count; i++) {
      if (p->stores[i].entry == e &&
          p->stores[i].kind == PITOT_STORE_AVAILABLE) {
         s->comes_after = true;
         s->said_by = i;
      }
   }
   store_any(p->f, e->query,
             &(struct pitot_hw_store){
                .kind = s->kind,
                .type = PITOT_TYPE_U64,
                .buffer = p->f->target,
                .offset_B = 8 * p->store_count,
             });
   p->store_count++;
}

static void
suspend_or_resume(struct program *p)
{
   p->is_suspended = !p->is_suspended;
   pitot_hw_set_active(p->f->hw, !p->is_suspended);
}

static void
do_step(void *data)
{
   struct program *p = data;
   struct entry *e = &p->entries[choose(p, QUERY_COUNT)];

   switch (choose(p, 16)) {
   case 0:
   case 1:
      begin_entry(p, e);
      break;
   case 2:
   case 3:
      end_entry(p, e);
      break;
   case 4:
      pass(p->f, p->f->gpu->timestamp_hz / 1000);
      break;
   case 5:
      flush(p->f);
      break;
   case 6:
      if (choose(p, 3) == 0)
         suspend_or_resume(p);
      break;
   case 7:
      look(p, e, choose(p, 8) == 0);
      break;
   case 8:
   case 9:
   case 10:
      look(p, e, false);
      break;
   case 11:
      store_entry(p, e);
      break;
   default:
      do_work(p);
   }
}

/* The end */

static uint64_t
target(const struct program *p, unsigned i)
{
   uint64_t value;

   memcpy(&value, p->f->target->memory + 8 * i, sizeof(value));
   return value;
}

static void
check_stores(const struct program *p)
{
   for (unsigned i = 0; i < p->store_count; i++) {
      const struct stored *s = &p->stores[i];
      const uint64_t stored = target(p, i);
      const bool is_there = s->comes_after && target(p, s->said_by) == 1;

      if (s->kind == PITOT_STORE_RESULT)
         assert_int_equal(stored, s->expected);
      else if (s->kind == PITOT_STORE_AVAILABLE)
         assert_in_range(stored, is_there, 1);
      else if (is_there || stored != UNTOUCHED)
         assert_int_equal(stored, s->expected);
   }
}

static void
finish_entry(void *data)
{
   struct program *p = data;
   struct entry *e = &p->entries[p->finished++];

   end_entry(p, e);
   for (unsigned n = 0; e->is_ended && !e->was_available; n++) {
      assert_in_range(n, 0, MAX_LOOKS);
      look(p, e, false);
   }
}

static void
look_again(void *data)
{
   struct program *p = data;

   look(p, &p->entries[--p->finished], false);
}

static void
finish(struct program *p)
{
   while (p->finished < QUERY_COUNT)
      run_step(finish_entry, p);
   run(p->f);
   while (p->finished > 0)
      run_step(look_again, p);
   check_stores(p);
}

static void
start(struct program *p, struct fixture *f)
{
   *p = (struct program){ .f = f };
   sim_schedule_begin(&p->lots, ~schedules_seed());
   f->cs->is_running = schedules_seed() != 0;
   f->cs->batch_dw = SIM_CS_BATCH_DW - choose(p, 8) * 100;
   prepare_target(f);
   for (unsigned i = 0; i < STORE_COUNT; i++) {
      const uint64_t untouched = UNTOUCHED;

      memcpy(f->target->memory + 8 * i, &untouched, sizeof(untouched));
   }
   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      struct entry *e = &p->entries[i];

      do
         e->kind = query_kinds[choose(p, ARRAY_LENGTH(query_kinds))];
      while (!is_supported(f, e->kind));
      e->query = create(f, e->kind, 0);
   }
}

static void
run_program(struct fixture *f)
{
   struct program program;

   start(&program, f);
   for (unsigned i = 0; i < STEP_COUNT; i++)
      run_step(do_step, &program);
   finish(&program);
}

HW_TEST(looks_are_right, EVERY_GPU)
{
   run_program(f);
}

HW_TEST(looks_are_right_on_two_rings, "tgl", .has_compute = true)
{
   run_program(f);
}
