/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Packets of contexts that the simulated GPUs do not check. */

#include "context.h"
#include "rig.h"

/* Returns the dwords of the current batch. */
static unsigned
used_dw(struct pitot_cs *cs, enum pitot_ring ring)
{
   return ((struct pitot_drm_context *)cs)->rings[ring].count_dw;
}

#define RENDER  PITOT_RING_RENDER
#define COMPUTE PITOT_RING_COMPUTE

#define SET_CONTEXT_REG 0xc0016900

/* The number of DB_COUNT_CONTROL: GFX12 has another one. */
static uint32_t
count_control_of(const struct pitot_gpu *gpu)
{
   return gpu->generation >= 120 ? 0x18 : 1;
}

/* A batch begins with ACQUIRE_MEM from GFX9 on, of all addresses, with
 * TC_ACTION and TC_WB, or GL2_INV and GL2_WB; on GFX11 follows
 * PIXEL_PIPE_STAT_CONTROL with a stride of 128 bits and the backends that
 * exist; then DB_COUNT_CONTROL.
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

/* As in Mesa's sid.h: SET_CONTEXT_REG of DB_COUNT_CONTROL with ZPASS_ENABLE,
 * PERFECT_ZPASS_COUNTS, and from GFX10 on DISABLE_CONSERVATIVE_ZPASS_COUNTS;
 * EVENT_WRITE of PIPELINESTAT_STOP.  GFX6 gets ZPASS_INCREMENT_DISABLE if no
 * samples are to be counted.
 */
TEST_ON_RIG(amd_packets_are_those_of_mesa, EVERY_CONTEXT)
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
      SET_CONTEXT_REG, count_control_of(gpu), control, 0xc0004600, 26,
      SET_CONTEXT_REG, count_control_of(gpu), off, 0xc0004600, 26,
      /* clang-format on */
   };

   if (gpu->family != &pitot_hw_amd)
      return;
   const uint32_t *room = rig_reserve(rig->cs, RENDER, 0);
   const unsigned offset_dw = used_dw(rig->cs, RENDER);
   ops->set_counting(rig->cs, PITOT_COUNTING_SAMPLES);
   ops->set_counting(rig->cs, 0);
   assert_memory_equal(room, packets, sizeof(packets));
   check_first_packets(&rig->device->amd, room - offset_dw);
}

/* PIXEL_PIPE_STAT_CONTROL: 21 backends in dword 2, the rest in dword 3. */
TEST_ON_SIM(amd_backends_that_exist_are_selected, "navi31")
{
   struct pitot_cs *cs;

   sim->gpu.amd.rb_mask = 0xa0000f;
   struct pitot_drm_device *device = rig_open_device(sim);
   assert_int_equal(pitot_drm_context_create(device, &cs), 0);
   const uint32_t *room = rig_reserve(cs, RENDER, 0);
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
   uint32_t *room = rig_reserve(rig->cs, RENDER, count_dw);

   for (unsigned i = 0; i < count_dw; i++)
      room[i] = nop_of(rig);
}

/* radeonsi pads a batch to 8 dwords with one-dword NOPs, of type 3 from GFX7
 * on (Mesa's gfx_ib_pad_with_type2).
 */
TEST_ON_RIG(amd_batches_are_padded, EVERY_CONTEXT)
{
   const struct pitot_cs_ops *ops = rig->cs->ops;

   if (rig->device->gpu.family != &pitot_hw_amd)
      return;
   do
      record(rig, 1);
   while (used_dw(rig->cs, RENDER) % 8 != 1);
   const uint32_t *end = rig_reserve(rig->cs, RENDER, 0);
   ops->flush(rig->cs, RENDER);
   for (unsigned i = 0; i < 7; i++)
      assert_int_equal(end[i], nop_of(rig));
}

#define MAX_DW 16

#define PLACE_ADDRESS UINT64_C(0x100000000)

static void
encode(struct pitot_drm_packets *packets,
       const struct pitot_cs_command *command)
{
   (packets->gpu->family == &pitot_hw_amd
       ? pitot_drm_amd_encode
       : pitot_drm_intel_encode)(packets, command, 1);
}

#define COMMAND(GPU, RING, KIND, SIZE_B, ...)                                \
   {                                                                         \
      GPU, PITOT_RING_##RING, PITOT_COMMAND_##KIND, SIZE_B, { __VA_ARGS__ }, \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)        \
   }

#define CS_STALL 0x7a000004, 0x00100000, 0, 0, 0, 0

/* Commands that no begin or end emits, and commands of Intel's compute ring,
 * with the value 0x300000001 at 0x100001000.
 */
TEST(commands_are_golden)
{
   static const struct {
      const char *gpu;
      enum pitot_ring ring;
      enum pitot_command_kind kind;
      unsigned size_B;
      uint32_t dw[MAX_DW];
      unsigned count;
   } commands[] = {
      COMMAND("bdw", COMPUTE, TIMESTAMP, 0, /* has the stall in it */
              0x7a000004, 0x10c000, 0x1000, 1, 0, 0),
      COMMAND("skl", COMPUTE, TIMESTAMP, 0, CS_STALL, 0x7a000004, 0x10c000,
              0x1000, 1, 0, 0),
      COMMAND("skl", COMPUTE, FENCE, 0, CS_STALL, 0x7a000004, 0x104080,
              0x1000, 1, 1, 0),
      COMMAND("skl", RENDER, FENCE, 0, 0x7a000004, 0x4080, 0x1000, 1, 1, 0),
      COMMAND("skl", RENDER, VALUE, 4, 0x10000002, 0x1000, 1, 1),
      COMMAND("skl", RENDER, VALUE, 8, 0x10200003, 0x1000, 1, 1, 3),
      COMMAND("pitcairn", RENDER, VALUE, 4, 0xc0033700, 0x100100, 0x1000, 1,
              1),
      COMMAND("navi21", RENDER, VALUE, 8, 0xc0043700, 0x100500, 0x1000, 1, 1,
              3),
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(commands); i++) {
      const struct pitot_gpu *gpu = &sim_gpu(commands[i].gpu)->facts;
      uint32_t dw[MAX_DW];
      struct pitot_drm_packets packets = {
         .gpu = gpu,
         .ring = commands[i].ring,
         .next = dw,
         .place_address = PLACE_ADDRESS,
      };

      encode(&packets, &(struct pitot_cs_command){
                          .kind = commands[i].kind,
                          .offset_B = 0x1000,
                          .value = 0x300000001,
                          .size_B = commands[i].size_B,
                       });
      assert_int_equal(packets.next - dw, commands[i].count);
      assert_memory_equal(dw, commands[i].dw,
                          commands[i].count * sizeof(*dw));
   }
}

/* From Gen11 on, the command streamer's own registers are relative to the
 * first one.  All have two halves, and one stall precedes them, as in iris.
 */
TEST(intel_counters_are_those_of_mesa)
{
   static const struct {
      const char *gpu;
      uint32_t header, first;
   } cases[] = { { "skl", 0x12000002, 0x2310 },
                 { "icl", 0x12080002, 0x310 } };
   const struct pitot_cs_command commands[] = {
      { PITOT_COMMAND_COUNTER, 0x2310, .offset_B = 8 },
      { PITOT_COMMAND_COUNTER, 0x5200, .offset_B = 24 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      const uint32_t header = cases[i].header, first = cases[i].first;
      const uint32_t expected[] = {
         0x7a000004, 1 << 20 | 1 << 1, 0, 0, 0, 0, /* stall */
         header, first, 8, 1, header, first + 4, 12, 1,
         0x12000002, 0x5200, 24, 1, 0x12000002, 0x5204, 28, 1,
      };
      uint32_t dw[2 * ARRAY_LENGTH(expected)];
      struct pitot_drm_packets packets = {
         .gpu = &sim_gpu(cases[i].gpu)->facts,
         .next = dw,
         .place_address = PLACE_ADDRESS,
      };

      pitot_drm_intel_encode(&packets, commands, 2);
      assert_int_equal(packets.next - dw, ARRAY_LENGTH(expected));
      assert_memory_equal(dw, expected, sizeof(expected));
   }
}

/* A count of samples contains a depth stall, and from Gen10 on follows one.
 * The largest Gen9 has a CS stall in it as well.
 */
TEST(intel_occlusion_is_that_of_mesa)
{
   static const struct {
      unsigned generation;
      bool is_gt4;
      uint32_t first, last;
   } cases[] = {
      { 80, true, 0x0a000, 0x0a000 },
      { 90, false, 0x0a000, 0x0a000 },
      { 90, true, 0x10a000, 0x10a000 },
      { 110, true, 0x02000, 0x0a000 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      const struct pitot_intel_gpu gpu = {
         .base.generation = cases[i].generation,
         .is_gt4 = cases[i].is_gt4,
      };
      uint32_t dw[MAX_DW];
      struct pitot_drm_packets packets = { .gpu = &gpu.base, .next = dw };

      encode(&packets, &(struct pitot_cs_command){
                          .kind = PITOT_COMMAND_OCCLUSION,
                       });
      assert_int_equal(dw[1], cases[i].first);
      assert_int_equal(packets.next[-5], cases[i].last);
   }
}

/* A stall at the pixel scoreboard, then the write, with stall and flush. */
TEST_ON_RIG(intel_numbers_are_written_last, EVERY_CONTEXT)
{
   static const uint32_t packets[] = {
      0x7a000004, 1 << 20 | 1 << 1,           0, 0, 0, 0,
      0x7a000004, 1 << 20 | 1 << 14 | 1 << 7,
   };

   if (rig->device->gpu.family != &pitot_hw_intel)
      return;
   const uint32_t *end = rig_reserve(rig->cs, RENDER, 0);
   rig->cs->ops->flush(rig->cs, RENDER);
   assert_memory_equal(end, packets, sizeof(packets));
}

/* A compute batch selects GPGPU.  A stall there is a write with a CS stall,
 * and a wait for it; only Gen8 stalls at the pixel scoreboard.  The simulator
 * knows on which GPUs a CS stall must precede the write.
 */
TEST_ON_RIG(intel_compute_is_that_of_mesa, EVERY_CONTEXT)
{
   const struct pitot_gpu *gpu = &rig->device->gpu;
   const bool is_gen8 = gpu->generation < 90;
   const uint32_t first = is_gen8 ? 0x69040002 : 0x69040302;
   const uint32_t cs_stall = 1 << 20;

   if (gpu->family != &pitot_hw_intel)
      return;
   const uint32_t *room = rig_reserve(rig->cs, COMPUTE, 0);
   assert_int_equal(*(room - used_dw(rig->cs, COMPUTE)), first);
   rig_stall(rig, COMPUTE);
   if (room[1] == cs_stall)
      room += 6;
   assert_int_equal(room[1], cs_stall | 1 << 14);
   assert_int_equal(room[7], cs_stall | 1 << 7 | (is_gen8 ? 1 << 1 : 0));
}

/* The listener records this much at a time. */
#define RECORD_DW 100

static void
record_end(struct rig_listener *listener)
{
   const struct pitot_cs_ops *ops = listener->rig->cs->ops;
   const uint64_t batch = ops->current_batch(listener->rig->cs, RENDER);

   record(listener->rig, RECORD_DW);
   assert_int_equal(ops->current_batch(listener->rig->cs, RENDER), batch);
}

/* However full a batch is, the listener's end fits. */
TEST_ON_RIG(room_for_the_end_is_kept, EVERY_CONTEXT)
{
   struct rig_listener listener = { .end = record_end, .end_commands = 1 };

   rig_listen(rig, &listener);
   while (listener.end_count == 0)
      record(rig, 1);
   rig_listen(rig, NULL);
   rig->cs->ops->flush(rig->cs, RENDER);
}

static void
record_begin(struct rig_listener *listener)
{
   for (unsigned i = 0; i <= PITOT_DRM_FULL_DW / RECORD_DW; i++)
      record_end(listener);
}

/* A batch that its listener overfills at the beginning must not end there. */
TEST_ON_RIG(long_begins_end_no_batch, EVERY_CONTEXT)
{
   struct rig_listener listener = { .begin = record_begin,
                                    .end_commands = 1 };

   rig_listen(rig, &listener);
   rig_flush(rig, RENDER);
   assert_int_equal(listener.begin_count, 1);
   record(rig, 1);
   assert_int_equal(listener.begin_count, 2);
   rig_listen(rig, NULL);
   rig->cs->ops->flush(rig->cs, RENDER);
}
