/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of contexts, as far as the simulated GPUs do not look at them.
 */

#include "context.h"
#include "rig.h"

/* Returns how many dwords the batch being recorded has. */
static unsigned
used_dw(struct pitot_cs *cs, enum pitot_ring ring)
{
   return ((struct pitot_drm_context *)cs)->rings[ring].count_dw;
}

#define RENDER  PITOT_RING_RENDER
#define COMPUTE PITOT_RING_COMPUTE

#define SET_CONTEXT_REG 0xc0016900

/* Returns the number of DB_COUNT_CONTROL, which GFX12 has elsewhere. */
static uint32_t
count_control_of(const struct pitot_gpu *gpu)
{
   return gpu->generation >= 120 ? 0x18 : 1;
}

/* Checks the first packets of a batch: ACQUIRE_MEM from GFX9 on, with all
 * addresses and TC_ACTION, TC_WB, or GL2_INV and GL2_WB; and on GFX11
 * PIXEL_PIPE_STAT_CONTROL with a stride of 128 bits and the backends that
 * exist.  Then comes DB_COUNT_CONTROL.
 */
static void
check_first_packets(const struct pitot_amd_gpu *amd, const uint32_t *dw)
{
   const struct pitot_gpu *gpu = &amd->base;
   const uint64_t mask = amd->rb_mask;
   const uint32_t acquire_gfx9[] = { 0xc0055800, 0x840000, UINT32_MAX,
                                     0xffffff,   0,        0,
                                     10 };
   const uint32_t acquire[] = { 0xc0065800, 0, UINT32_MAX, 0x1ffffff,
                                0,          0, 10,         0xc000 };
   const uint32_t stat_control[] = {
      0xc0024600,
      0x138,
      (uint32_t)(mask << 11) | 2 << 9,
      (uint32_t)(mask >> 21),
   };

   if (gpu->generation >= 100) {
      assert_memory_equal(dw, acquire, sizeof(acquire));
      dw += ARRAY_LENGTH(acquire);
   } else if (gpu->generation >= 90) {
      assert_memory_equal(dw, acquire_gfx9, sizeof(acquire_gfx9));
      dw += ARRAY_LENGTH(acquire_gfx9);
   }
   if (gpu->generation >= 110) {
      assert_memory_equal(dw, stat_control, sizeof(stat_control));
      dw += ARRAY_LENGTH(stat_control);
   }
   assert_int_equal(dw[0], SET_CONTEXT_REG);
   assert_int_equal(dw[1], count_control_of(gpu));
}

/* The encodings of Mesa's sid.h: EVENT_WRITE of PS_PARTIAL_FLUSH and of
 * CS_PARTIAL_FLUSH; SET_CONTEXT_REG of DB_COUNT_CONTROL with ZPASS_ENABLE,
 * PERFECT_ZPASS_COUNTS, and from GFX10 on DISABLE_CONSERVATIVE_ZPASS_COUNTS;
 * EVENT_WRITE of PIPELINESTAT_STOP.  Without samples to count, GFX6 gets
 * ZPASS_INCREMENT_DISABLE.  The barriers of Intel's are nothing.
 */
static void
amd_packets_are_those_of_mesa(struct rig *rig)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;
   const struct pitot_gpu *gpu = &rig->device->gpu;
   const uint32_t control = gpu->generation < 70    ? 0x2
                            : gpu->generation < 100 ? 0x11000102
                                                    : 0x11000106;
   const uint32_t off = gpu->generation < 70    ? 0x1
                        : gpu->generation < 100 ? 0
                                                : 0x4;
   const uint32_t packets[] = {
      /* clang-format off */
      0xc0004600, 0x410, 0xc0004600, 0x407,
      SET_CONTEXT_REG, count_control_of(gpu), control, 0xc0004600, 26,
      SET_CONTEXT_REG, count_control_of(gpu), off, 0xc0004600, 26,
      /* clang-format on */
   };

   if (gpu->family != &pitot_hw_amd)
      return;
   const uint32_t *room = ops->reserve(rig->cs, RENDER, 0);
   const unsigned offset_dw = used_dw(rig->cs, RENDER);
   ops->barrier(rig->cs, RENDER, PITOT_BARRIER_STALL);
   ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   ops->barrier(rig->cs, RENDER, PITOT_INTEL_BARRIER_DEPTH);
   ops->set_counting(rig->cs, 0);
   assert_memory_equal(room, packets, sizeof(packets));
   check_first_packets(&rig->device->amd, room - offset_dw);
}

/* PIXEL_PIPE_STAT_CONTROL has 21 backends in its second dword, and the others
 * in the third.
 */
static void
amd_backends_that_exist_are_selected(struct sim *sim)
{
   struct pitot_cs *cs;

   sim->gpu.amd.rb_mask = 0xa0000f;
   struct pitot_drm_device *device = rig_open_device(sim);
   assert_int_equal(pitot_drm_context_create(device, &cs), 0);
   const uint32_t *room = cs->ops->reserve(cs, RENDER, 0);
   const uint32_t *dw = room - used_dw(cs, RENDER);
   while (dw < room && dw[0] != 0xc0024600)
      dw++;
   assert_int_equal(dw[1], 0x138);
   assert_int_equal(dw[2], 2 << 9 | 0xfu << 11);
   assert_int_equal(dw[3], 5);
   pitot_drm_context_destroy(cs);
   pitot_drm_close(device);
}

static uint32_t
nop_of(const struct rig *rig)
{
   const struct pitot_gpu *gpu = &rig->device->gpu;

   if (gpu->family == &pitot_hw_intel)
      return 0;
   return gpu->generation < 70 ? 0x80000000 : 0xffff1000;
}

static void
record(struct rig *rig, unsigned count_dw)
{
   uint32_t *room = rig->cs->ops->reserve(rig->cs, RENDER, count_dw);

   for (unsigned i = 0; i < count_dw; i++)
      room[i] = nop_of(rig);
}

/* radeonsi fills up the last 8 dwords of a batch with NOPs of one dword,
 * which are of type 3 from GFX7 on (Mesa's gfx_ib_pad_with_type2).
 */
static void
amd_batches_are_padded(struct rig *rig)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   if (rig->device->gpu.family != &pitot_hw_amd)
      return;
   do
      record(rig, 1);
   while (used_dw(rig->cs, RENDER) % 8 != 1);
   const uint32_t *end = ops->reserve(rig->cs, RENDER, 0);
   ops->flush(rig->cs, RENDER);
   for (unsigned i = 0; i < 7; i++)
      assert_int_equal(end[i], nop_of(rig));
}

/* The encodings of iris: PIPE_CONTROL with a depth stall, and with a stall of
 * the command streamer and at the pixel scoreboard.
 */
static void
intel_barriers_are_those_of_mesa(struct rig *rig)
{
   static const struct {
      unsigned kind;
      uint32_t flags;
   } barriers[] = {
      { PITOT_INTEL_BARRIER_DEPTH, 1 << 13 },
      { PITOT_BARRIER_STALL, 1 << 20 | 1 << 1 },
   };
   const struct pitot_cs_ops *ops = rig->cs->ops;

   if (rig->device->gpu.family != &pitot_hw_intel)
      return;
   for (unsigned i = 0; i < ARRAY_LENGTH(barriers); i++) {
      const uint32_t *room = ops->reserve(rig->cs, RENDER, 0);
      const uint32_t packet[] = { 0x7a000004, barriers[i].flags, 0, 0, 0, 0 };

      ops->barrier(rig->cs, RENDER, barriers[i].kind);
      assert_memory_equal(room, packet, sizeof(packet));
   }
}

/* The number of a batch is written behind a stall at the pixel scoreboard,
 * with another stall and a flush of its own.
 */
static void
intel_numbers_are_written_last(struct rig *rig)
{
   static const uint32_t packets[] = {
      0x7a000004, 1 << 20 | 1 << 1,           0, 0, 0, 0,
      0x7a000004, 1 << 20 | 1 << 14 | 1 << 7,
   };

   if (rig->device->gpu.family != &pitot_hw_intel)
      return;
   const uint32_t *end = rig->cs->ops->reserve(rig->cs, RENDER, 0);
   rig->cs->ops->flush(rig->cs, RENDER);
   assert_memory_equal(end, packets, sizeof(packets));
}

/* A batch of the compute ring selects GPGPU.  A stall there is a write with a
 * CS stall, and a wait for it, which is no stall at the pixel scoreboard but
 * on Gen8.  The simulator knows the GPUs on which a CS
 * stall has to be before the write.
 */
static void
intel_compute_is_that_of_mesa(struct rig *rig)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;
   const struct pitot_gpu *gpu = &rig->device->gpu;
   const bool is_gen8 = gpu->generation < 90;
   const uint32_t first = is_gen8 ? 0x69040002 : 0x69040302;
   const uint32_t cs_stall = 1 << 20;

   if (gpu->family != &pitot_hw_intel)
      return;
   const uint32_t *room = ops->reserve(rig->cs, COMPUTE, 0);
   assert_int_equal(*(room - used_dw(rig->cs, COMPUTE)), first);
   ops->barrier(rig->cs, COMPUTE, PITOT_BARRIER_STALL);
   if (room[1] == cs_stall)
      room += 6;
   assert_int_equal(room[1], cs_stall | 1 << 14);
   assert_int_equal(room[7], cs_stall | 1 << 7 | (is_gen8 ? 1 << 1 : 0));
}

/* A listener that records so much at the end of a batch. */
#define END_DW 100

struct recorder {
   struct pitot_cs_listener base;
   struct rig *rig;
   unsigned end_count;
};

static void
begin_nothing(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   (void)listener;
   (void)ring;
}

static void
record_end(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct recorder *recorder = (struct recorder *)listener;
   struct rig *rig = recorder->rig;
   const uint64_t batch = rig->cs->ops->current_batch(rig->cs, ring);

   recorder->end_count++;
   record(rig, END_DW);
   assert_int_equal(rig->cs->ops->current_batch(rig->cs, ring), batch);
}

static unsigned
end_size_dw(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   (void)listener;
   return ring == RENDER ? END_DW : 0;
}

/* However full a batch is, the listener's end is in the same one. */
static void
room_for_the_end_is_kept(struct rig *rig)
{
   struct recorder recorder = {
      .base = { .batch_begin = begin_nothing,
                .batch_end = record_end,
                .end_size_dw = end_size_dw },
      .rig = rig,
   };

   rig->cs->listener = &recorder.base;
   while (recorder.end_count == 0)
      record(rig, 1);
   rig->cs->listener = NULL;
   rig->cs->ops->flush(rig->cs, RENDER);
}

int
main(void)
{
   static const struct rig_test tests[] = {
      RIG_TEST(amd_packets_are_those_of_mesa),
      SIM_TEST("navi31", amd_backends_that_exist_are_selected),
      RIG_TEST(amd_batches_are_padded),
      RIG_TEST(intel_barriers_are_those_of_mesa),
      RIG_TEST(intel_numbers_are_written_last),
      RIG_TEST(intel_compute_is_that_of_mesa),
      RIG_TEST(room_for_the_end_is_kept),
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
