/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator of AMD's GPUs on packets as they come from Mesa's driver.
 */

#include "rig.h"

#define RENDER PITOT_RING_RENDER
#define GFX9   90
#define GFX11  110

#define CLOCK 0x60000000
#define IMM32 0x20000000
#define VALID (UINT64_C(1) << 63)

static void
event(struct rig *rig, uint32_t type, unsigned offset_B)
{
   const uint64_t address = rig->buffer->address + offset_B;
   const uint32_t packet[] = {
      0xc0024600,
      type,
      (uint32_t)address,
      (uint32_t)(address >> 32),
   };

   rig_emit(rig, RENDER, packet, 4);
}

static void
event_write_eop(struct rig *rig, uint32_t select, unsigned offset_B,
                uint32_t value)
{
   const uint64_t address = rig->buffer->address + offset_B;
   const uint32_t packet[] = {
      0xc0044700,
      0x528,
      (uint32_t)address,
      (uint32_t)(address >> 32) | select,
      value,
      0,
   };

   rig_emit(rig, RENDER, packet, 6);
}

static void
release_mem(struct rig *rig, uint32_t select, unsigned offset_B,
            uint32_t value)
{
   const uint64_t address = rig->buffer->address + offset_B;
   const uint32_t packet[] = {
      0xc0064900, 0x528, select, (uint32_t)address, (uint32_t)(address >> 32),
      value,      0,     0,
   };

   rig_emit(rig, RENDER, packet, 8);
}

/* The end of the pipe as each generation wants it. */
static void
end_of_pipe(struct rig *rig, uint32_t select, unsigned offset_B,
            uint32_t value)
{
   const unsigned generation = rig->device->gpu.generation;

   if (generation < GFX9) {
      if (generation > 60)
         event_write_eop(rig, select, 2048, 0);
      event_write_eop(rig, select, offset_B, value);
      return;
   }
   if (generation == GFX9)
      event(rig, 0x115, 3072);
   release_mem(rig, select, offset_B, value);
}

static void
with_every_gpu(void (*test)(struct rig *rig))
{
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct rig rig;

      if (sim_gpus[i].facts.vendor != PITOT_VENDOR_AMD)
         continue;
      rig_open(&rig, sim_gpus[i].key);
      test(&rig);
      rig_close(&rig);
   }
}

static void
measure_time(struct rig *rig)
{
   rig->sim->now_ticks = UINT64_C(0x123456789abc);
   rig->sim->ticks_per_packet = 0;
   rig->sim->draw.ticks = 1000;
   end_of_pipe(rig, CLOCK, 0, 0);
   rig_draw(rig);
   end_of_pipe(rig, CLOCK, 8, 0);
   end_of_pipe(rig, IMM32, 16, 0x80000000);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), UINT64_C(0x123456789abc));
   assert_int_equal(rig_read(rig, 8) - rig_read(rig, 0), 1000);
   assert_int_equal(rig_read(rig, 16), 0x80000000);
}

static void
timestamps_are_written(void **unused)
{
   (void)unused;
   with_every_gpu(measure_time);
}

static void
sample_occlusion(struct rig *rig, unsigned offset_B)
{
   const uint64_t address = rig->buffer->address + offset_B;
   const uint32_t zpass[] = {
      0xc001b100,
      (uint32_t)address,
      (uint32_t)(address >> 32),
   };

   if (rig->device->gpu.generation >= GFX11)
      rig_emit(rig, RENDER, zpass, 3);
   else
      event(rig, 0x115, offset_B);
}

static void
count_samples(struct rig *rig)
{
   uint64_t samples = 0;

   rig->sim->draw.samples = 1001;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   sample_occlusion(rig, 0);
   rig_draw(rig);
   sample_occlusion(rig, 8);
   rig->cs->ops->set_counting(rig->cs, 0);
   rig_draw(rig);
   sample_occlusion(rig, 1024);
   rig_run(rig, RENDER);
   for (unsigned i = 0; i < rig->device->gpu.rb_count; i++) {
      const bool is_there = rig->device->gpu.rb_mask >> i & 1;

      assert_int_equal(rig_read(rig, 16 * i) & VALID, is_there ? VALID : 0);
      samples += rig_read(rig, 16 * i + 8) - rig_read(rig, 16 * i);
      assert_int_equal(rig_read(rig, 1024 + 16 * i),
                       rig_read(rig, 16 * i + 8));
   }
   assert_int_equal(samples, 1001);
}

static void
backends_count_samples(void **unused)
{
   (void)unused;
   with_every_gpu(count_samples);
}

static void
count_statistics(struct rig *rig)
{
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++)
      rig->sim->draw.statistics[i] = 100 + i;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_STATISTICS);
   rig_draw(rig);
   event(rig, 0x21e, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), 100 + SIM_PS_INVOCATIONS);
   assert_int_equal(rig_read(rig, 8), 100 + SIM_CL_PRIMITIVES);
   assert_int_equal(rig_read(rig, 7 * 8), 100 + SIM_IA_VERTICES);
   assert_int_equal(rig_read(rig, 10 * 8), 100 + SIM_CS_INVOCATIONS);
   assert_int_equal(rig_read(rig, 13 * 8) != 0,
                    rig->device->gpu.generation >= GFX11);
}

static void
statistics_are_sampled(void **unused)
{
   (void)unused;
   with_every_gpu(count_statistics);
}

static void
count_streamout(struct rig *rig)
{
   if (rig->device->gpu.generation >= GFX11)
      return;
   rig->sim->draw.streamout[3][SIM_NEEDED] = 9;
   rig->sim->draw.streamout[3][SIM_WRITTEN] = 5;
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_STREAMOUT);
   rig_draw(rig);
   event(rig, 0x303, 0);
   rig_run(rig, RENDER);
   assert_int_equal(rig_read(rig, 0), VALID | 9);
   assert_int_equal(rig_read(rig, 8), VALID | 5);
}

static void
streamout_is_sampled(void **unused)
{
   (void)unused;
   with_every_gpu(count_streamout);
}

static void
record_eop(struct rig *rig)
{
   event_write_eop(rig, CLOCK, 0, 0);
}

static void
record_release_mem(struct rig *rig)
{
   release_mem(rig, CLOCK, 0, 0);
}

static void
record_statistics(struct rig *rig)
{
   event(rig, 0x21e, 0);
}

static void
record_streamout(struct rig *rig)
{
   rig->cs->ops->set_counting(rig->cs, PITOT_COUNTING_STREAMOUT);
   event(rig, 0x320, 0);
}

static void
record_zpass(struct rig *rig)
{
   event(rig, 0x115, 0);
}

static void
expect(const char *gpu, void (*record)(struct rig *rig),
       const char *violations)
{
   struct rig rig;

   rig_open(&rig, gpu);
   record(&rig);
   rig_run(&rig, RENDER);
   rig_close_violated(&rig, violations);
}

static void
errata_are_found(void **unused)
{
   (void)unused;
   expect("pitcairn", record_eop, "");
   expect("bonaire", record_eop,
          "EVENT_WRITE_EOP: a single one, on GFX7 or GFX8\n");
   expect("polaris10", record_eop,
          "EVENT_WRITE_EOP: a single one, on GFX7 or GFX8\n");
   expect("polaris10", record_release_mem,
          "RELEASE_MEM: not on this ring before GFX9\n");
   expect("vega10", record_release_mem,
          "RELEASE_MEM: without ZPASS_DONE before, on GFX9\n");
   expect("navi10", record_release_mem, "");
   expect("navi10", record_eop, "EVENT_WRITE_EOP: there is none on GFX9\n");
   expect("navi21", record_statistics,
          "SAMPLE_PIPELINESTAT: while nothing is counted\n");
   expect("navi31", record_streamout,
          "SAMPLE_STREAMOUTSTATS: there is none on GFX11\n");
   expect("navi31", record_zpass,
          "EVENT_WRITE: an event of other generations\n");
}

struct order {
   uint64_t data, available; /* addresses */
   unsigned early_count;
   bool is_there;
};

static void
watch(void *data, uint64_t address, uint64_t value)
{
   struct order *order = data;

   (void)value;
   order->is_there |= address == order->data;
   order->early_count += address == order->available && !order->is_there;
}

/* What the front of the pipe writes comes before what its end does. */
static void
order_shows(void **unused)
{
   struct rig rig;
   struct order order = { 0 };
   (void)unused;

   rig_open(&rig, "navi10");
   order.data = rig.buffer->address;
   order.available = rig.buffer->address + 1024;
   rig.sim->on_write = watch;
   rig.sim->on_write_data = &order;
   sample_occlusion(&rig, 0);
   rig_write(&rig, 1024, 1);
   rig_run(&rig, RENDER);
   assert_int_equal(order.early_count, 1);
   assert_true(order.is_there);
   rig_close(&rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(timestamps_are_written),
      cmocka_unit_test(backends_count_samples),
      cmocka_unit_test(statistics_are_sampled),
      cmocka_unit_test(streamout_is_sampled),
      cmocka_unit_test(errata_are_found),
      cmocka_unit_test(order_shows),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
