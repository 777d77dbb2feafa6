/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulator of AMD GPUs, on packets that only Mesa's driver emits. */

#include "packets.h"

#define VALID (UINT64_C(1) << 63)
#define CHAIN (1u << 20)

#define DRAW_IF_FOUND (1u << 8)
#define NO_WAIT       (1u << 12)
#define OP_ZPASS      (1u << 16)
#define OP_PRIMCOUNT  (2u << 16)
#define OP_BOOL64     (3u << 16)
#define CONTINUE      (1u << 31)

#define DRAW            0xc0012d00, 3, 2
#define PREDICATED_DRAW 0xc0012d01, 3, 2

static void
put(struct rig *rig, unsigned offset_B, uint64_t value)
{
   memcpy(rig->buffer->memory + offset_B, &value, sizeof(value));
}

/* The clock counts draws. */
static void
count_draws(struct rig *rig)
{
   rig->sim->ticks_per_packet = rig->sim->ticks_per_read = 0;
   rig->sim->draw.ticks = 1;
}

/* Runs the emitted commands.  Checks the number of draws so far. */
static void
run_draws(struct rig *rig, uint64_t expected)
{
   rig_run(rig, RENDER);
   assert_int_equal(rig->sim->now_ticks, expected);
}

TEST_ON("navi21", count_draws, commands_are_called_and_chained)
{
   static const uint32_t draw[] = { DRAW };

   memcpy(rig->buffer->memory + 1024, draw, sizeof(draw));
   EMIT(rig, 0xc0023f00, AT(rig, 1024), 3);
   EMIT(rig, 0xc0023f00, AT(rig, 1024), 3);
   EMIT(rig, 0xc0023f00, AT(rig, 1024), 3 | CHAIN);
   EMIT(rig, DRAW); /* not reached */
   run_draws(rig, 3);
}

TEST_ON("vega10", NULL, memory_is_filled_and_copied)
{
   const uint64_t value = UINT64_C(0x0102030401020304);

   EMIT(rig, 0xc0055000, 2u << 29, 0x01020304, 0, AT(rig, 0), 16);
   EMIT(rig, 0xc0055000, 0, AT(rig, 8), AT(rig, 64), 8);
   EMIT(rig, 0xc0044000, 1u << 16 | 5 << 8 | 1, AT(rig, 64), AT(rig, 128));
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 8), value);
   assert_int_equal(rig_read(rig, 16), 0);
   assert_int_equal(rig_read(rig, 64), value);
   assert_int_equal(rig_read(rig, 72), 0);
   assert_int_equal(rig_read(rig, 128), value);
}

static void
predicate(struct rig *rig, unsigned offset_B, uint32_t operation)
{
   if (rig->device->gpu.generation >= 90)
      EMIT(rig, 0xc0022000, operation, AT(rig, offset_B));
   else
      EMIT(rig, 0xc0012000, LOW(rig, offset_B),
           HIGH(rig, offset_B) | operation);
   EMIT(rig, PREDICATED_DRAW);
}

/* At 0, a sample in the second backend; at 512, none; at 1024, one that the
 * first backend has not written yet.
 */
static void
put_samples(struct rig *rig)
{
   for (unsigned i = 0; i < rig->device->amd.rb_count * 16; i += 8) {
      put(rig, i, VALID | (i == 24 ? 5 : 4));
      put(rig, 512 + i, VALID | 4);
      put(rig, 1024 + i, i == 8 ? 0 : VALID | 4);
   }
}

TEST_ON_EACH(AMD, count_draws, samples_decide)
{
   put_samples(rig);
   predicate(rig, 0, OP_ZPASS);
   predicate(rig, 512, OP_ZPASS | DRAW_IF_FOUND);
   EMIT(rig, DRAW);
   run_draws(rig, 1);

   predicate(rig, 0, OP_ZPASS | DRAW_IF_FOUND);
   predicate(rig, 512, OP_ZPASS);
   predicate(rig, 512, OP_ZPASS | DRAW_IF_FOUND);
   predicate(rig, 0, OP_ZPASS | DRAW_IF_FOUND | CONTINUE);
   predicate(rig, 512, OP_ZPASS | DRAW_IF_FOUND | CONTINUE);
   predicate(rig, 1024, OP_ZPASS | DRAW_IF_FOUND | NO_WAIT);
   run_draws(rig, 6);
   predicate(rig, 1024, OP_ZPASS | DRAW_IF_FOUND);
   rig_run(rig, RENDER);
   packets_take_violations(rig, "SET_PREDICATION: waits for ever\n");
}

/* Predication waits for samples that the pipeline has not written. */
TEST_ON("navi10", count_draws, predicates_wait_for_samples)
{
   rig->sim->draw.samples = 16;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   EMIT(rig, 0xc0024600, 0x115, AT(rig, 0));
   EMIT(rig, DRAW);
   EMIT(rig, 0xc0024600, 0x115, AT(rig, 8));
   predicate(rig, 0, OP_ZPASS | DRAW_IF_FOUND);
   predicate(rig, 0, OP_ZPASS);
   run_draws(rig, 2);
}

TEST_ON("navi10", count_draws, overflow_decides)
{
   put(rig, 0, VALID);
   put(rig, 8, VALID);
   put(rig, 16, VALID | 3);
   put(rig, 24, VALID | 2);
   predicate(rig, 0, OP_PRIMCOUNT | DRAW_IF_FOUND);
   predicate(rig, 0, OP_BOOL64);
   run_draws(rig, 0);
   predicate(rig, 0, OP_PRIMCOUNT);
   predicate(rig, 0, OP_BOOL64 | DRAW_IF_FOUND);
   run_draws(rig, 2);
}

/* GFX11 sets registers in pairs, by several packets. */
TEST_ON("navi31", NULL, counting_is_controlled_in_pairs)
{
   rig->sim->draw.samples = 24;
   EMIT(rig, 0xc003b904, 2, 1u << 16, 0, 0x100);
   EMIT(rig, DRAW);
   EMIT(rig, 0xc001b804, 1, 0);
   EMIT(rig, DRAW);
   EMIT(rig, 0xc001b100, AT(rig, 0));
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), VALID | 1);
}

/* DB_COUNT_CONTROL's old number is GFX12's depth buffer view. */
TEST_ON("navi48", NULL, counting_is_controlled_elsewhere)
{
   rig->sim->draw.samples = 16;
   EMIT(rig, 0xc001b804, 0x18, 0x100);
   EMIT(rig, 0xc001b804, 1, 0);
   EMIT(rig, DRAW);
   EMIT(rig, 0xc001b804, 0x18, 0);
   EMIT(rig, 0xc001b804, 1, 0x100);
   EMIT(rig, DRAW);
   EMIT(rig, 0xc001b100, AT(rig, 0));
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), VALID | 1);
}

/* test_pm4.c tests that they are a violation otherwise. */
TEST_ON("navi21", NULL, uncounted_samples_may_be_allowed)
{
   rig->sim->may_sample_uncounted = true;
   EMIT(rig, 0xc0024600, 0x21e, AT(rig, 0));
   rig_run(rig, RENDER);
}
