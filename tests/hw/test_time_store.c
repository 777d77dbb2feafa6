/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Times that Intel's GPUs store into buffers without a wait of the CPU: of
 * one ring or both, at any width and position of the counter.
 */

#include <string.h>

#include "fixture.h"

#define CLOCK_HZ 19200000

static const enum pitot_kind kinds[] = {
   PITOT_KIND_TIME_ELAPSED,
   PITOT_KIND_TIMESTAMP,
};

/* Bits of the counter. */
static const unsigned widths[] = { 32, 36, 40, 64 };

static const enum pitot_type types[] = {
   PITOT_TYPE_I32,
   PITOT_TYPE_U32,
   PITOT_TYPE_I64,
   PITOT_TYPE_U64,
};

/* Sets a time that no recent sample is near. */
static void
set_ticks(struct fixture *f, uint64_t ticks)
{
   f->cs->clock.is_started = false;
   sim_cs_set_ticks(f->cs, ticks);
   pitot_hw_timestamp_ns(f->hw);
}

static struct fixture *
open_clock(unsigned bits)
{
   struct fixture *f = open_fixture("skl", true);

   sim_cs_set_clock(f->cs, CLOCK_HZ, bits);
   set_ticks(f, 123456789);
   return f;
}

/* Checks all clocks, or under a schedule only the seed's. */
static void
for_all_clocks(void (*check)(struct fixture *f))
{
   const uint64_t seed = schedules_seed();

   for (unsigned i = 0; i < ARRAY_LENGTH(widths); i++) {
      if (seed && seed % ARRAY_LENGTH(widths) != i)
         continue;
      struct fixture *f = open_clock(widths[i]);

      check(f);
      close_fixture(f);
   }
}

static struct pitot_hw_query *
measure(struct fixture *f, enum pitot_kind kind, uint64_t ticks)
{
   struct pitot_hw_query *query = create(f, kind, 0);

   if (!pitot_kind_info(kind)->is_instant)
      begin(f, query);
   pass(f, ticks);
   end(f, query);
   return query;
}

static uint64_t
clamped(uint64_t value, enum pitot_type type)
{
   uint64_t result = UNTOUCHED;

   pitot_type_write(type, value, &result);
   return result;
}

/* Stores a time that the CPU does not know yet, and compares. */
static void
check_store(struct fixture *f, enum pitot_kind kind, uint64_t ticks,
            enum pitot_type type)
{
   struct pitot_hw_query *query = measure(f, kind, ticks);
   const unsigned waited = f->cs->wait_count;

   store(f, query, PITOT_STORE_RESULT, type);
   assert_int_equal(f->cs->wait_count, waited);
   const uint64_t value = stored(f);
   assert_int_equal(value, clamped(wait_for(f, query), type));
   drop(f, query);
}

/* Small numbers are as likely as large ones. */
static uint64_t
random_bits(unsigned bits)
{
   static uint64_t state = 1;

   state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
   const uint64_t value = state ^ state >> 29;
   return value >> (64 - bits) >> (state >> 56) % bits;
}

/* Short and long times, at any position of the counter. */
static void
check_times(struct fixture *f)
{
   const unsigned bits =
      f->gpu->timestamp_bits < 50 ? f->gpu->timestamp_bits : 50;

   f->cs->is_held = true;
   for (unsigned i = 0; i < 64; i++) {
      set_ticks(f, random_bits(bits));
      check_store(f, kinds[i % ARRAY_LENGTH(kinds)], random_bits(bits - 3),
                  types[i / 2 % ARRAY_LENGTH(types)]);
   }
}

HW_TEST_ALONE(times_are_exact, .is_long = true)
{
   for_all_clocks(check_times);
}

/* Both rings measure at random times, in any order. */
static struct pitot_hw_query *
measure_on_two_rings(struct fixture *f, enum pitot_kind kind, uint64_t ticks)
{
   struct pitot_hw_query *query = create(f, kind, 0);
   const bool is_instant = pitot_kind_info(kind)->is_instant;
   const unsigned bits = f->gpu->timestamp_bits < 50 ? 24 : 40;
   uint64_t begin_ticks[SIM_RING_COUNT];

   for (unsigned r = 0; r < SIM_RING_COUNT; r++) {
      begin_ticks[r] = ticks + random_bits(bits);
      sim_cue_time(&f->cs->cues, r, begin_ticks[r]);
      if (r == PITOT_RING_RENDER && !is_instant)
         begin(f, query);
      else if (r == PITOT_RING_COMPUTE)
         pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   }
   for (unsigned r = 0; r < SIM_RING_COUNT; r++)
      sim_cue_time(&f->cs->cues, r, begin_ticks[r] + random_bits(bits));
   end(f, query);
   pass_on_cpu(f, UINT64_C(2) << bits);
   return query;
}

/* Afterwards the CPU knows the render ring's time, and no other. */
static void
merge_render_time(struct fixture *f, struct pitot_hw_query *query)
{
   struct pitot_cs *cs = &f->cs->base;
   uint64_t unused;

   flush(f);
   cs->ops->wait(cs, PITOT_RING_RENDER,
                 f->cs->rings[PITOT_RING_RENDER].batch - 1);
   assert_int_equal(poll(f, query, &unused), 0);
}

/* Whether the compute ring's batch of a row is not submitted: neither by the
 * row's bit, nor by the poll of merge_render_time().
 */
static bool
is_computing(unsigned row)
{
   return !(row >> PITOT_RING_COMPUTE & 1) && !(row & 32);
}

/* The render ring waits for the compute ring's samples; the CPU waits for
 * neither, whatever is submitted.  Only the compute ring's batch is submitted
 * for that.
 */
static void
check_two_rings(struct fixture *f)
{
   const unsigned bits =
      f->gpu->timestamp_bits < 50 ? f->gpu->timestamp_bits : 50;

   f->cs->is_held = true;
   for (unsigned i = 0; i < 64; i++) {
      const enum pitot_kind kind = kinds[i / 4 % ARRAY_LENGTH(kinds)];
      const uint64_t ticks = random_bits(bits);
      set_ticks(f, ticks);
      struct pitot_hw_query *query = measure_on_two_rings(f, kind, ticks);

      for (unsigned r = 0; r < SIM_RING_COUNT; r++) {
         if (i >> r & 1)
            sim_cs_flush(f->cs, r);
      }
      if (i & 32)
         merge_render_time(f, query);
      const unsigned waited = f->cs->wait_count;
      const unsigned flushed = f->cs->flush_count;
      const uint64_t computed = f->cs->rings[PITOT_RING_COMPUTE].batch;
      prepare_target(f);
      store(f, query, PITOT_STORE_RESULT, types[i / 8 % 4]);
      assert_int_equal(f->cs->wait_count, waited);
      assert_int_equal(f->cs->flush_count - flushed, is_computing(i));
      assert_int_equal(f->cs->rings[PITOT_RING_COMPUTE].batch - computed,
                       is_computing(i));
      const uint64_t value = stored(f);
      assert_int_equal(value, clamped(wait_for(f, query), types[i / 8 % 4]));
      drop(f, query);
   }
}

HW_TEST_ALONE(rings_wait_and_not_the_cpu, .is_long = true)
{
   for_all_clocks(check_two_rings);
}
