/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator of AMD's GPUs on packets that only Mesa's driver emits.
 */

#include <string.h>

#include "rig.h"

#define RENDER PITOT_RING_RENDER
#define VALID  (UINT64_C(1) << 63)
#define CHAIN  (1u << 20)

#define DRAW_IF_FOUND (1u << 8)
#define NO_WAIT       (1u << 12)
#define OP_ZPASS      (1u << 16)
#define OP_PRIMCOUNT  (2u << 16)
#define OP_BOOL64     (3u << 16)
#define CONTINUE      (1u << 31)

static const uint32_t draw[] = { 0xc0012d00, 3, 2 };
static const uint32_t predicated_draw[] = { 0xc0012d01, 3, 2 };

static uint32_t
low(const struct rig *rig, unsigned offset_B)
{
   return (uint32_t)(rig->buffer->address + offset_B);
}

static uint32_t
high(const struct rig *rig, unsigned offset_B)
{
   return (uint32_t)((rig->buffer->address + offset_B) >> 32);
}

static void
put(struct rig *rig, unsigned offset_B, uint64_t value)
{
   memcpy(rig->buffer->memory + offset_B, &value, sizeof(value));
}

/* Returns how many draws have counted so far: each takes a tick. */
static uint64_t
draws(const struct rig *rig)
{
   return rig->sim->now_ticks;
}

static void
open_counting(struct rig *rig, const char *gpu)
{
   rig_open(rig, gpu);
   rig->sim->ticks_per_packet = rig->sim->ticks_per_read = 0;
   rig->sim->draw.ticks = 1;
}

static void
commands_are_called_and_chained(void **unused)
{
   struct rig rig;
   (void)unused;

   open_counting(&rig, "navi21");
   memcpy(rig.buffer->memory + 1024, draw, sizeof(draw));
   const uint32_t call[] = { 0xc0023f00, low(&rig, 1024), high(&rig, 1024),
                             3 };
   const uint32_t chain[] = { 0xc0023f00, low(&rig, 1024), high(&rig, 1024),
                              3 | CHAIN };
   rig_emit(&rig, RENDER, call, 4);
   rig_emit(&rig, RENDER, call, 4);
   rig_emit(&rig, RENDER, chain, 4);
   rig_emit(&rig, RENDER, draw, 3); /* not reached */
   rig_run(&rig, RENDER);
   assert_int_equal(draws(&rig), 3);
   rig_close(&rig);
}

static void
memory_is_filled_and_copied(void **unused)
{
   struct rig rig;
   (void)unused;

   open_counting(&rig, "vega10");
   const uint32_t fill[] = {
      0xc0055000, 2u << 29, 0x01020304, 0, low(&rig, 0), high(&rig, 0), 16,
   };
   const uint32_t copy[] = {
      0xc0055000,     0, low(&rig, 8), high(&rig, 8), low(&rig, 64),
      high(&rig, 64), 8,
   };
   const uint32_t copy_data[] = {
      0xc0044000,     1u << 16 | 5 << 8 | 1, low(&rig, 64),
      high(&rig, 64), low(&rig, 128),        high(&rig, 128),
   };
   rig_emit(&rig, RENDER, fill, 7);
   rig_emit(&rig, RENDER, copy, 7);
   rig_emit(&rig, RENDER, copy_data, 6);
   rig_run(&rig, RENDER);
   assert_int_equal(rig_read(&rig, 8), UINT64_C(0x0102030401020304));
   assert_int_equal(rig_read(&rig, 16), 0);
   assert_int_equal(rig_read(&rig, 64), UINT64_C(0x0102030401020304));
   assert_int_equal(rig_read(&rig, 72), 0);
   assert_int_equal(rig_read(&rig, 128), UINT64_C(0x0102030401020304));
   rig_close(&rig);
}

static void
predicate(struct rig *rig, unsigned offset_B, uint32_t operation)
{
   const bool is_new = rig->device->gpu.generation >= 90;
   const uint32_t at = low(rig, offset_B), above = high(rig, offset_B);
   const uint32_t older[] = { 0xc0012000, at, above | operation };
   const uint32_t newer[] = { 0xc0022000, operation, at, above };

   rig_emit(rig, RENDER, is_new ? newer : older, is_new ? 4 : 3);
   rig_emit(rig, RENDER, predicated_draw, 3);
}

/* At 0, a sample in the second backend; at 512, none; at 1024, one that the
 * first backend has not written yet.
 */
static void
put_samples(struct rig *rig)
{
   for (unsigned i = 0; i < rig->device->gpu.rb_count * 16; i += 8) {
      put(rig, i, VALID | (i == 24 ? 5 : 4));
      put(rig, 512 + i, VALID | 4);
      put(rig, 1024 + i, i == 8 ? 0 : VALID | 4);
   }
}

static void
check_samples(const char *gpu)
{
   struct rig rig;

   open_counting(&rig, gpu);
   put_samples(&rig);
   predicate(&rig, 0, OP_ZPASS);
   predicate(&rig, 512, OP_ZPASS | DRAW_IF_FOUND);
   rig_emit(&rig, RENDER, draw, 3);
   rig_run(&rig, RENDER);
   assert_int_equal(draws(&rig), 1);

   predicate(&rig, 0, OP_ZPASS | DRAW_IF_FOUND);
   predicate(&rig, 512, OP_ZPASS);
   predicate(&rig, 512, OP_ZPASS | DRAW_IF_FOUND);
   predicate(&rig, 0, OP_ZPASS | DRAW_IF_FOUND | CONTINUE);
   predicate(&rig, 512, OP_ZPASS | DRAW_IF_FOUND | CONTINUE);
   predicate(&rig, 1024, OP_ZPASS | DRAW_IF_FOUND | NO_WAIT);
   rig_run(&rig, RENDER);
   assert_int_equal(draws(&rig), 6);
   predicate(&rig, 1024, OP_ZPASS | DRAW_IF_FOUND);
   rig_run(&rig, RENDER);
   rig_close_violated(&rig, "SET_PREDICATION: waits for ever\n");
}

static void
samples_decide(void **unused)
{
   (void)unused;
   check_samples("pitcairn");
   check_samples("polaris10");
   check_samples("navi31");
}

static void
overflow_decides(void **unused)
{
   struct rig rig;
   (void)unused;

   open_counting(&rig, "navi10");
   put(&rig, 0, VALID);
   put(&rig, 8, VALID);
   put(&rig, 16, VALID | 3);
   put(&rig, 24, VALID | 2);
   predicate(&rig, 0, OP_PRIMCOUNT | DRAW_IF_FOUND);
   predicate(&rig, 0, OP_BOOL64);
   rig_run(&rig, RENDER);
   assert_int_equal(draws(&rig), 0);
   predicate(&rig, 0, OP_PRIMCOUNT);
   predicate(&rig, 0, OP_BOOL64 | DRAW_IF_FOUND);
   rig_run(&rig, RENDER);
   assert_int_equal(draws(&rig), 2);
   rig_close(&rig);
}

/* GFX11 sets registers in pairs, and by several packets. */
static void
counting_is_controlled_in_pairs(void **unused)
{
   const uint32_t on[] = { 0xc003b904, 2, 1u << 16, 0, 0x100 };
   const uint32_t off[] = { 0xc001b804, 1, 0 };
   struct rig rig;
   (void)unused;

   open_counting(&rig, "navi31");
   rig.sim->draw.samples = 24;
   const uint32_t zpass[] = { 0xc001b100, low(&rig, 0), high(&rig, 0) };
   rig_emit(&rig, RENDER, on, 5);
   rig_emit(&rig, RENDER, draw, 3);
   rig_emit(&rig, RENDER, off, 3);
   rig_emit(&rig, RENDER, draw, 3);
   rig_emit(&rig, RENDER, zpass, 3);
   rig_run(&rig, RENDER);
   assert_int_equal(rig_read(&rig, 0), VALID | 1);
   rig_close(&rig);
}

/* The other way round, errata_are_found() of test_pm4.c sees it. */
static void
uncounted_samples_may_be_allowed(void **unused)
{
   struct rig rig;
   (void)unused;

   rig_open(&rig, "navi21");
   rig.sim->may_sample_uncounted = true;
   const uint32_t sample[] = { 0xc0024600, 0x21e, low(&rig, 0),
                               high(&rig, 0) };
   rig_emit(&rig, RENDER, sample, 4);
   rig_run(&rig, RENDER);
   rig_close(&rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_are_called_and_chained),
      cmocka_unit_test(memory_is_filled_and_copied),
      cmocka_unit_test(samples_decide),
      cmocka_unit_test(overflow_decides),
      cmocka_unit_test(counting_is_controlled_in_pairs),
      cmocka_unit_test(uncounted_samples_may_be_allowed),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
