/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator of Intel's GPUs on packets as they come from Mesa's driver.
 */

#include "rig.h"

#define RENDER  PITOT_RING_RENDER
#define COMPUTE PITOT_RING_COMPUTE

/* Flags of PIPE_CONTROL. */
#define TIMESTAMP   0x0000c000
#define DEPTH_COUNT 0x0000a000
#define STALL       0x00100002
#define CS_STALL    0x00100000
#define DEPTH_STALL 0x00002000
#define AVAILABLE   0x00004080

#define PS_INVOCATIONS 0x2348

static void
pipe_control(struct rig *rig, uint32_t flags, unsigned offset_B,
             uint32_t value)
{
   const uint64_t address = rig->buffer->address + offset_B;
   const uint32_t packet[] = {
      0x7a000004, flags, (uint32_t)address, (uint32_t)(address >> 32),
      value,      0,
   };

   rig_emit(rig, RENDER, packet, 6);
}

/* Stores a register of 64 bits, with the relative form on Gen11 and later. */
static void
store_register(struct rig *rig, enum pitot_ring ring, uint32_t reg,
               unsigned offset_B)
{
   const bool is_relative = rig->device->gpu.generation >= 110;
   const uint64_t address = rig->buffer->address + offset_B;

   for (unsigned i = 0; i < 8; i += 4) {
      const uint32_t packet[] = {
         is_relative ? 0x12080002 : 0x12000002,
         reg + i - (is_relative ? 0x2000 : 0),
         (uint32_t)(address + i),
         (uint32_t)(address >> 32),
      };
      rig_emit(rig, ring, packet, 4);
   }
}

static void
with_every_gpu(void (*test)(struct rig *rig))
{
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct rig rig;

      if (sim_gpus[i].facts.vendor != PITOT_VENDOR_INTEL ||
          sim_gpus[i].facts.is_gt4) /* see gt4_wants_another_stall */
         continue;
      rig_open(&rig, sim_gpus[i].key);
      test(&rig);
      rig_close(&rig);
   }
}

static void
measure_time(struct rig *rig)
{
   rig->sim->now_ticks = UINT64_C(0xfffffff00);
   rig->sim->ticks_per_packet = 0;
   rig->sim->draw.ticks = 0x180;
   pipe_control(rig, TIMESTAMP, 0, 0);
   rig_draw(rig);
   pipe_control(rig, TIMESTAMP, 8, 0);
   pipe_control(rig, AVAILABLE, 16, 1);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), UINT64_C(0xfffffff00));
   assert_int_equal(rig_read(rig, 8), 0x80);
   assert_int_equal(rig_read(rig, 16), 1);
}

static void
timestamps_wrap_at_36_bits(void **unused)
{
   (void)unused;
   with_every_gpu(measure_time);
}

static void
count_samples(struct rig *rig)
{
   rig->sim->draw.samples = 7;
   rig_draw(rig);
   rig->cs->ops->barrier(rig->cs, RENDER, PITOT_BARRIER_DEPTH);
   pipe_control(rig, DEPTH_COUNT, 0, 0);
   rig_draw(rig);
   rig_draw(rig);
   rig->cs->ops->barrier(rig->cs, RENDER, PITOT_BARRIER_DEPTH);
   pipe_control(rig, DEPTH_COUNT, 8, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 8) - rig_read(rig, 0), 14);
}

static void
samples_are_counted(void **unused)
{
   (void)unused;
   with_every_gpu(count_samples);
}

static void
count_invocations(struct rig *rig)
{
   const unsigned multiple = rig->sim->gpu.ps_multiple;

   rig->sim->draw.statistics[SIM_PS_INVOCATIONS] = UINT64_C(0x140000000);
   rig->sim->draw.streamout[2][SIM_WRITTEN] = 3;
   rig->sim->draw.streamout[2][SIM_NEEDED] = 4;
   rig_draw(rig);
   pipe_control(rig, STALL, 0, 0);
   store_register(rig, RENDER, PS_INVOCATIONS, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), UINT64_C(0x140000000) * multiple);
}

static void
registers_are_stored(void **unused)
{
   (void)unused;
   with_every_gpu(count_invocations);
}

static void
count_dispatches(struct rig *rig)
{
   rig->sim->dispatch.statistics[SIM_CS_INVOCATIONS] = 64;
   rig_dispatch(rig, COMPUTE);
   rig->cs->ops->barrier(rig->cs, COMPUTE, PITOT_BARRIER_STALL);
   store_register(rig, COMPUTE, 0x2290, 0);
   rig_run(rig, COMPUTE);
   store_register(rig, RENDER, 0x2290, 8);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), 64);
   assert_int_equal(rig_read(rig, 8), 0);
}

/* Flags of a dispatch are beside its length. */
static void
predicate_dispatch(struct rig *rig)
{
   static const uint32_t clear_predicate[] = { 0x11000001, 0x2418, 0 };
   uint32_t commands[SIM_WORK_DW];
   const unsigned count_dw = sim_dispatch(rig->sim, commands);

   rig->sim->dispatch.statistics[SIM_CS_INVOCATIONS] = 64;
   commands[0] |= 1 << 8;
   rig_emit(rig, COMPUTE, clear_predicate, 3);
   rig_emit(rig, COMPUTE, commands, count_dw);
   rig_dispatch(rig, COMPUTE);
   rig->cs->ops->barrier(rig->cs, COMPUTE, PITOT_BARRIER_STALL);
   store_register(rig, COMPUTE, 0x2290, 0);
   rig_run(rig, COMPUTE);
   assert_int_equal(rig_read(rig, 0), 64);
}

static void
dispatches_are_predicated(void **unused)
{
   (void)unused;
   with_every_gpu(predicate_dispatch);
}

static void
contexts_count_for_themselves(void **unused)
{
   (void)unused;
   with_every_gpu(count_dispatches);
}

/* Opens a GPU, runs what a function records, and expects a violation. */
static void
expect(const char *gpu, void (*record)(struct rig *rig),
       const char *violations)
{
   struct rig rig;

   rig_open(&rig, gpu);
   rig.sim->draw.samples = 1;
   record(&rig);
   rig_run(&rig, RENDER);
   rig_close_violated(&rig, violations);
}

static void
record_unstalled(struct rig *rig)
{
   rig->sim->draw.statistics[SIM_PS_INVOCATIONS] = UINT64_C(0x100000002);
   rig_draw(rig);
   store_register(rig, RENDER, PS_INVOCATIONS, 0);
   rig_run(rig, RENDER);
   /* Torn: the low half from before the draw, the high half from after. */
   assert_int_equal(rig_read(rig, 0), UINT64_C(0x100000000));
}

static void
record_depth_count(struct rig *rig)
{
   pipe_control(rig, DEPTH_COUNT, 0, 0);
}

static void
record_timestamp(struct rig *rig)
{
   pipe_control(rig, TIMESTAMP, 0, 0);
}

static void
record_single_stall(struct rig *rig)
{
   pipe_control(rig, CS_STALL, 0, 0);
}

static void
record_early_available(struct rig *rig)
{
   pipe_control(rig, TIMESTAMP, 0, 0);
   pipe_control(rig, AVAILABLE & ~0x80, 8, 1);
}

static void
errata_are_found(void **unused)
{
   (void)unused;
   expect("skl", record_unstalled,
          "MI_STORE_REGISTER_MEM: without a CS stall after work\n");
   expect("icl", record_depth_count,
          "PIPE_CONTROL: a depth count without a depth stall before, on "
          "Gen10\n");
   expect("skl", record_depth_count, "");
   expect("bdw", record_single_stall,
          "PIPE_CONTROL: a CS stall by itself, before Gen9\n");
   expect("skl", record_single_stall, "");
   expect("tgl", record_early_available,
          "PIPE_CONTROL: an immediate that may come before earlier writes\n");
   expect("skl", record_timestamp, "");
}

static void
gt4_wants_another_stall(void **unused)
{
   struct rig rig;
   (void)unused;

   rig_open(&rig, "skl gt4");
   record_timestamp(&rig);
   rig_run(&rig, RENDER);
   rig_close_violated(&rig,
                      "PIPE_CONTROL: a sample without CS stall, on GT4\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(timestamps_wrap_at_36_bits),
      cmocka_unit_test(samples_are_counted),
      cmocka_unit_test(registers_are_stored),
      cmocka_unit_test(dispatches_are_predicated),
      cmocka_unit_test(contexts_count_for_themselves),
      cmocka_unit_test(errata_are_found),
      cmocka_unit_test(gt4_wants_another_stall),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
