/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Times that Intel's GPUs store into buffers: exact to the nanosecond, with
 * few dwords, and without a wait of the CPU, whatever the clock.
 */

#include <string.h>

#include "fixture.h"
#include "intel/routine.h"

/* Frequencies of Intel's clocks, and some that nobody has built. */
static const uint64_t frequencies_hz[] = {
   12000000, 12500000, 19200000, 24000000,   38400000, 25000000,
   27000000, 1000000,  2400000,  3125000,    6000000,  9600000,
   12288000, 13333333, 99999989, 1000000000,
};

static const enum pitot_kind kinds[] = {
   PITOT_KIND_TIME_ELAPSED,
   PITOT_KIND_TIMESTAMP,
};

/* How many bits the counter has. */
static const unsigned widths[] = { 32, 36, 40, 64 };

static const enum pitot_type types[] = {
   PITOT_TYPE_I32,
   PITOT_TYPE_U32,
   PITOT_TYPE_I64,
   PITOT_TYPE_U64,
};

/* No store of a time records more dwords. */
#define MAX_STORE_DW 120

/* Sets the time, which no sample was taken near to. */
static void
set_ticks(struct fixture *f, uint64_t ticks)
{
   f->clock.is_started = false;
   sim_cs_set_ticks(f->cs, ticks);
   pitot_hw_timestamp_ns(f->hw);
}

/* Opens a fixture of a GPU with another clock. */
static struct fixture *
open_clock(const char *gpu, uint64_t frequency_hz, unsigned bits)
{
   struct fixture *f = open_fixture(gpu, true);
   struct pitot_gpu *facts[] = { &f->cs->gpu, &f->cs->sim->gpu.facts };

   for (unsigned i = 0; i < ARRAY_LENGTH(facts); i++) {
      facts[i]->timestamp_hz = frequency_hz;
      facts[i]->timestamp_bits = bits;
   }
   f->clock.width_bits = bits;
   set_ticks(f, 123456789);
   return f;
}

/* Checks all clocks, or under a schedule that of the seed. */
static void
for_all_clocks(const char *gpu, void (*check)(struct fixture *f))
{
   const unsigned count = ARRAY_LENGTH(frequencies_hz) * ARRAY_LENGTH(widths);
   const uint64_t seed = schedules_seed();
   const unsigned first = seed ? seed % count : 0;

   for (unsigned i = first; i < (seed ? first + 1 : count); i++) {
      struct fixture *f =
         open_clock(gpu, frequencies_hz[i / ARRAY_LENGTH(widths)],
                    widths[i % ARRAY_LENGTH(widths)]);

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

/* A pseudorandom number of up to so many bits, of which few are as likely as
 * many.
 */
static uint64_t
random_bits(unsigned bits)
{
   static uint64_t state = 1;

   state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
   const uint64_t value = state ^ state >> 29;
   return value >> (64 - bits) >> (state >> 56) % bits;
}

static void
check_size(struct fixture *f, enum pitot_kind kind, enum pitot_store what,
           enum pitot_type type)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
   struct pitot_hw_query *query = measure(f, kind, 1000);

   prepare_target(f);
   const unsigned used_dw = ring->used_dw;
   store(f, query, what, type);
   const unsigned count_dw = ring->used_dw - used_dw;
   assert_in_range(count_dw, 1, MAX_STORE_DW);
   run(f);
   drop(f, query);
}

static void
check_sizes(struct fixture *f)
{
   f->cs->is_held = true;
   for (unsigned t = 0; t < ARRAY_LENGTH(types); t++) {
      for (unsigned k = 0; k < ARRAY_LENGTH(kinds); k++) {
         check_size(f, kinds[k], PITOT_STORE_RESULT, types[t]);
         check_size(f, kinds[k], PITOT_STORE_RESULT_NO_WAIT, types[t]);
      }
   }
}

static void
stores_are_short(struct fixture *none)
{
   (void)none;
   for_all_clocks("skl", check_sizes);
   for_all_clocks("dg2", check_sizes);
}

/* Calls the routine for as many values as a batch takes, at the addresses of
 * a buffer.
 */
#define VALUE_COUNT 128

static void
record_routine(struct fixture *f, struct pitot_cs_buffer *routines,
               struct pitot_cs_buffer *values)
{
   struct pitot_cs *cs = &f->cs->base;

   cs->ops->use_buffer(cs, PITOT_RING_RENDER, routines);
   cs->ops->use_buffer(cs, PITOT_RING_RENDER, values);
   for (unsigned i = 0; i < VALUE_COUNT; i++) {
      const uint64_t address = values->address + i * sizeof(uint64_t);
      uint32_t dw[64];
      struct pitot_hw_packets packets = { .gpu = f->gpu, .next = dw };
      struct pitot_intel_program program = { .packets = &packets };

      pitot_intel_load(&program, PITOT_INTEL_SUM, address);
      pitot_intel_call(&program,
                       pitot_intel_routine_address(routines->address,
                                                   PITOT_INTEL_FINISH_TIME));
      pitot_intel_store(&program, PITOT_INTEL_SUM, address, 8);
      const unsigned count_dw = (unsigned)(packets.next - dw);
      memcpy(cs->ops->reserve(cs, PITOT_RING_RENDER, count_dw, NULL), dw,
             count_dw * sizeof(dw[0]));
   }
}

/* Values around those whose nanoseconds are whole, around powers of 2, and
 * any others.
 */
static uint64_t
value_of(unsigned i, uint64_t frequency_hz)
{
   const unsigned bits = PITOT_INTEL_TICKS_BITS;
   uint64_t value = random_bits(bits);

   if (i % 4 == 1)
      value = value / frequency_hz * frequency_hz + i % 7 - 3;
   else if (i % 4 == 2)
      value = (UINT64_C(1) << random_bits(6) % bits) + i % 7 - 3;
   else if (i % 4 == 3 && i < 40)
      value = i / 4;
   else if (i % 4 == 3)
      value = UINT64_MAX - i;
   return value & (UINT64_MAX >> (64 - bits));
}

static void
check_routine(uint64_t frequency_hz, unsigned batch_count)
{
   struct fixture *f = open_clock("tgl", frequency_hz, 64);
   struct pitot_cs *cs = &f->cs->base;
   struct pitot_cs_buffer *routines, *buffer;
   uint64_t ticks[VALUE_COUNT];

   assert_int_equal(cs->ops->buffer_create(cs, PITOT_INTEL_ROUTINES_SIZE_B,
                                           &routines),
                    0);
   assert_int_equal(cs->ops->buffer_create(cs, sizeof(ticks), &buffer), 0);
   assert_true(
      pitot_intel_write_routines(f->gpu, (uint32_t *)routines->memory));

   uint64_t *const values = (uint64_t *)buffer->memory;
   for (unsigned i = 0; i < batch_count; i++) {
      for (unsigned v = 0; v < VALUE_COUNT; v++)
         values[v] = ticks[v] = value_of(i * VALUE_COUNT + v, frequency_hz);
      record_routine(f, routines, buffer);
      run(f);
      for (unsigned v = 0; v < VALUE_COUNT; v++) {
         const uint64_t ns = pitot_ticks_to_ns(ticks[v], frequency_hz);

         if (ns != UINT64_MAX)
            assert_int_equal(values[v], ns);
      }
   }
   cs->ops->buffer_destroy(cs, routines);
   cs->ops->buffer_destroy(cs, buffer);
   close_fixture(f);
}

/* PITOT_TEST_BATCHES is for more than there is time for each day. */
static void
ticks_are_scaled_exactly(struct fixture *none)
{
   const char *count = getenv("PITOT_TEST_BATCHES");
   const uint64_t seed = schedules_seed();

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(frequencies_hz); i++) {
      if (seed == 0 || seed % ARRAY_LENGTH(frequencies_hz) == i)
         check_routine(frequencies_hz[i], count ? (unsigned)atoi(count) : 8);
   }
}

/* Short times and long ones, wherever the counter is. */
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

static void
times_are_exact(struct fixture *none)
{
   (void)none;
   for_all_clocks("skl", check_times);
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

/* Has the CPU know what the render ring measured, and no more. */
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

/* Returns whether the compute ring's batch of a row was not submitted yet: by
 * its bit, or by a look for the result.
 */
static bool
is_computing(unsigned row)
{
   return !(row >> PITOT_RING_COMPUTE & 1) && !(row & 32);
}

/* The render ring waits for the compute ring's samples, and the CPU for
 * neither, whichever batches were submitted.  The compute ring's batch is
 * submitted for that, if it was not, and no other batch.
 */
static void
check_two_rings(struct fixture *f)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
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
      const unsigned used_dw = ring->used_dw;
      store(f, query, PITOT_STORE_RESULT, types[i / 8 % 4]);
      assert_int_equal(f->cs->wait_count, waited);
      assert_int_equal(f->cs->flush_count - flushed, is_computing(i));
      assert_int_equal(f->cs->rings[PITOT_RING_COMPUTE].batch - computed,
                       is_computing(i));
      assert_in_range(ring->used_dw - used_dw, 1, MAX_STORE_DW);
      const uint64_t value = stored(f);
      assert_int_equal(value, clamped(wait_for(f, query), types[i / 8 % 4]));
      drop(f, query);
   }
}

static void
rings_wait_and_not_the_cpu(struct fixture *none)
{
   (void)none;
   for_all_clocks("skl", check_two_rings);
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_LONG_ON(NO_GPU, stores_are_short),
      TEST_LONG_ON(NO_GPU, ticks_are_scaled_exactly),
      TEST_LONG_ON(NO_GPU, times_are_exact),
      TEST_LONG_ON(NO_GPU, rings_wait_and_not_the_cpu),
   };

   return RUN_SCHEDULED_ROWS("hw times in buffers", tests, run_hw_test);
}
