/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Each order of a GPU's work occurs under some seed, and no other. */

#include "packets.h"
#include "sim_priv.h"

#define SEED_COUNT 300
#define MAX_WRITES 64

#define END_OF_PIPE       0x528
#define ZPASS_DONE        0x115
#define SAMPLE_STATISTICS 0x21e
#define IMM32             0x20000000u
#define CONFIRMED_MEMORY  0x100500
#define BOOL64_IF_SET     (3u << 16 | 1u << 8)
#define PREDICATED        1u

#define CS_STALL     (1u << 20)
#define FLUSH_ENABLE (1u << 7)
#define IMMEDIATE    (1u << 14)
#define TIMESTAMP    (3u << 14)

/* Offsets of the packets' writes in the rig's buffer. */
#define SAMPLE_B    0
#define STATISTIC_B 1024
#define FENCE_B     2048
#define BOOLEAN_B   3072

/* A run's writes in the order of arrival, by offset. */
static struct {
   const struct rig *rig;
   unsigned offsets_B[MAX_WRITES];
   unsigned count;
   bool is_drawn;
} seen;

static void
note_write(void *data, uint64_t address, uint64_t value)
{
   const uint64_t offset_B = address - seen.rig->buffer->address;

   (void)data, (void)value;
   if (offset_B < RIG_BUFFER_B && seen.count < MAX_WRITES)
      seen.offsets_B[seen.count++] = (unsigned)offset_B;
}

static void
note_packet(void *data, const char *text, uint64_t address)
{
   (void)data, (void)address;
   seen.is_drawn |= strcmp(text, "work") == 0;
}

/* Runs packets under a seed; seen has the result. */
static void
run_seed(const char *gpu, void (*emit)(struct rig *rig), uint64_t seed)
{
   struct rig rig;

   sim_next_seed = seed;
   rig_open(&rig, gpu);
   sim_next_seed = 0;
   memset(&seen, 0, sizeof(seen));
   seen.rig = &rig;
   rig.sim->on_write = note_write;
   rig.sim->on_packet = note_packet;
   rig.sim->may_sample_uncounted = true;
   emit(&rig);
   rig_run(&rig, RENDER);
   rig_close(&rig);
}

/* Returns a write's position in the order. */
static unsigned
index_of(unsigned offset_B)
{
   unsigned i = 0;

   while (i < seen.count && seen.offsets_B[i] != offset_B)
      i++;
   assert_in_range(i, 0, seen.count - 1);
   return i;
}

static bool
is_before(unsigned offset_B, unsigned other_B)
{
   return index_of(offset_B) < index_of(other_B);
}

/* Under how many seeds one write arrives before another. */
static unsigned
count_before(const char *gpu, void (*emit)(struct rig *rig),
             unsigned offset_B, unsigned other_B)
{
   unsigned count = 0;

   for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
      run_seed(gpu, emit, seed);
      count += is_before(offset_B, other_B);
   }
   return count;
}

#define NEVER(COUNT)     assert_int_equal(COUNT, 0)
#define SOMETIMES(COUNT) assert_in_range(COUNT, 1, SEED_COUNT - 1)

/* AMD */

static void
emit_sample(struct rig *rig)
{
   EMIT(rig, 0xc0024600, ZPASS_DONE, AT(rig, SAMPLE_B));
   EMIT(rig, 0xc0024600, SAMPLE_STATISTICS, AT(rig, STATISTIC_B));
   EMIT(rig, 0xc0064900, END_OF_PIPE, IMM32, AT(rig, FENCE_B), 1, 0, 0);
}

/* The end of the pipe waits for samples, but not for backends. */
TEST(backends_are_late)
{
   const unsigned second_B = SAMPLE_B + 16;

   SOMETIMES(count_before("navi21", emit_sample, FENCE_B, SAMPLE_B));
   SOMETIMES(count_before("navi21", emit_sample, SAMPLE_B, second_B));
   NEVER(count_before("navi21", emit_sample, FENCE_B, STATISTIC_B));
}

static void
emit_predicate(struct rig *rig, bool syncs)
{
   uint32_t draw[SIM_WORK_DW];
   const unsigned count_dw = sim_draw(rig->sim, draw);

   draw[0] |= PREDICATED;
   EMIT(rig, 0xc0033700, CONFIRMED_MEMORY, AT(rig, BOOLEAN_B), 1);
   if (syncs)
      EMIT(rig, 0xc0004200, 0);
   EMIT(rig, 0xc0022000, BOOL64_IF_SET, AT(rig, BOOLEAN_B));
   rig_emit(rig, RENDER, draw, count_dw);
}

static void
emit_early_predicate(struct rig *rig)
{
   emit_predicate(rig, false);
}

static void
emit_synced_predicate(struct rig *rig)
{
   emit_predicate(rig, true);
}

static unsigned
count_drawn(void (*emit)(struct rig *rig))
{
   unsigned count = 0;

   for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
      run_seed("navi21", emit, seed);
      count += seen.is_drawn;
   }
   return count;
}

/* The PFP reads a predicate before the ME has written it. */
TEST(predicates_are_read_ahead)
{
   SOMETIMES(count_drawn(emit_early_predicate));
   assert_int_equal(count_drawn(emit_synced_predicate), SEED_COUNT);
}

/* Preemption */

#define DRAW_COUNT   8
#define DRAW_SAMPLES 100
#define COUNT_ZPASS  (1u << 8) /* DB_COUNT_CONTROL */
#define UPDATE       (1u << 31)
#define OF_CONTEXT   (1u << 1)

/* Counts samples, with or without a shadow of DB_COUNT_CONTROL. */
static void
emit_count(struct rig *rig, bool has_shadow)
{
   if (has_shadow) {
      EMIT(rig, 0xc0012800, UPDATE | OF_CONTEXT, UPDATE | OF_CONTEXT);
      EMIT(rig, 0xc0036100, AT(rig, FENCE_B), 1, 1);
   }
   EMIT(rig, 0xc0016900, 1, COUNT_ZPASS);
   EMIT(rig, 0xc0024600, ZPASS_DONE, AT(rig, SAMPLE_B));
   for (unsigned i = 0; i < DRAW_COUNT; i++)
      rig_draw(rig);
   EMIT(rig, 0xc0024600, ZPASS_DONE, AT(rig, SAMPLE_B + 8));
}

static uint64_t
count_preempted(bool has_shadow, bool is_preemptible, bool others_draw,
                uint64_t seed)
{
   struct rig rig;
   uint64_t sum = 0;

   sim_next_seed = seed;
   rig_open(&rig, "vega10");
   sim_next_seed = 0;
   rig.sim->others_draw = others_draw;
   rig.sim->is_delayed = true;
   rig.sim->draw.samples = DRAW_SAMPLES;
   emit_count(&rig, has_shadow);
   rig_flush(&rig, RENDER);
   rig.sim->kernel->queue[0].ibs[0].is_preemptible = is_preemptible;
   sim_complete(rig.sim, 1);
   for (unsigned i = 0; i < rig.device->amd.rb_count; i++)
      sum += rig_read(&rig, SAMPLE_B + i * 16 + 8) -
             rig_read(&rig, SAMPLE_B + i * 16);
   rig_close(&rig);
   return sum;
}

/* Registers with a shadow are reloaded: other contexts only change shared
 * counters.  Commands without shadows are not preempted.
 */
TEST(registers_outlast_preemption)
{
   const uint64_t expected = DRAW_COUNT * DRAW_SAMPLES;
   unsigned more_count = 0;

   for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
      assert_int_equal(count_preempted(true, true, false, seed), expected);
      assert_int_equal(count_preempted(true, false, true, seed), expected);
      assert_int_equal(count_preempted(false, true, true, seed), expected);
      more_count += count_preempted(true, true, true, seed) > expected;
   }
   SOMETIMES(more_count);
}

/* Intel */

static void
pipe_control(struct rig *rig, uint32_t flags, unsigned offset_B)
{
   EMIT(rig, 0x7a000004, flags, AT(rig, offset_B), 1, 0);
}

static void
emit_post_syncs(struct rig *rig)
{
   pipe_control(rig, TIMESTAMP, SAMPLE_B);
   pipe_control(rig, TIMESTAMP, STATISTIC_B);
   EMIT(rig, 0x10200003, AT(rig, BOOLEAN_B), 1, 0);
   pipe_control(rig, IMMEDIATE | FLUSH_ENABLE, FENCE_B);
}

/* The pipeline writes in any order, and late unless waited for. */
TEST(post_syncs_are_late)
{
   SOMETIMES(count_before("skl", emit_post_syncs, STATISTIC_B, SAMPLE_B));
   SOMETIMES(count_before("skl", emit_post_syncs, BOOLEAN_B, SAMPLE_B));
   NEVER(count_before("skl", emit_post_syncs, FENCE_B, SAMPLE_B));
}

static void
emit_stalled(struct rig *rig)
{
   pipe_control(rig, TIMESTAMP, SAMPLE_B);
   pipe_control(rig, CS_STALL, 0);
   EMIT(rig, 0x10200003, AT(rig, BOOLEAN_B), 1, 0);
}

TEST(stalls_wait_for_post_syncs)
{
   NEVER(count_before("skl", emit_stalled, BOOLEAN_B, SAMPLE_B));
}

/* All */

TEST(seeds_can_be_repeated)
{
   unsigned different = 0;

   for (uint64_t seed = 1; seed <= 20; seed++) {
      unsigned first[MAX_WRITES];

      run_seed("navi21", emit_sample, seed + 1);
      memcpy(first, seen.offsets_B, sizeof(first));
      run_seed("navi21", emit_sample, seed);
      different += memcmp(first, seen.offsets_B, sizeof(first)) != 0;
      memcpy(first, seen.offsets_B, sizeof(first));
      run_seed("navi21", emit_sample, seed);
      assert_memory_equal(first, seen.offsets_B, sizeof(first));
   }
   assert_int_not_equal(different, 0);
}

/* Nothing writes what the ME and the PFP wait for. */
TEST(endless_waits_are_found)
{
   for (uint64_t seed = 0; seed <= 20; seed++) {
      struct rig rig;

      sim_next_seed = seed;
      rig_open(&rig, "navi21");
      sim_next_seed = 0;
      EMIT(&rig, 0xc0053c00, 0x13, AT(&rig, FENCE_B), 1, 1, 4);
      EMIT(&rig, 0xc0022000, 1u << 16, AT(&rig, SAMPLE_B));
      rig_run(&rig, RENDER);
      rig_close_violated(&rig, "WAIT_REG_MEM: waits for ever\n"
                               "SET_PREDICATION: waits for ever\n");
   }
}
