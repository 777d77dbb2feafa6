/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Counts of draws and dispatches by their commands, on each family. */

#include "packets.h"
#include "sim_priv.h"

#define INDIRECT_B 1024

struct counts {
   uint64_t statistics[SIM_CS_INVOCATIONS + 1];
   uint64_t needed, written;
};

static void
set_context_register(struct rig *rig, uint32_t reg, uint32_t value)
{
   EMIT(rig, 0xc0016900, (reg - 0x28000) / 4, value);
}

/* Codes are Intel's and AMD's. */
static void
set_topology(struct rig *rig, uint32_t intel, uint32_t amd)
{
   if (rig->sim->gpu.is_intel)
      EMIT(rig, 0x784b0000, intel);
   else if (rig->sim->gpu.facts.generation < 70)
      EMIT(rig, 0xc0016800, 0x256, amd);
   else
      EMIT(rig, 0xc0017900, 0x242, amd);
}

/* From GFX12 on, the topology register has the vertices of a patch. */
static void
set_patches(struct rig *rig, unsigned vertices)
{
   const unsigned generation = rig->sim->gpu.facts.generation;

   set_topology(rig, 31 + vertices,
                generation < GFX12 ? 9 : 9 | vertices << 6);
   if (!rig->sim->gpu.is_intel && generation < GFX12)
      set_context_register(rig, 0x28b58, vertices << 8);
}

static void
draw(struct rig *rig, uint32_t vertices, uint32_t instances)
{
   if (rig->sim->gpu.is_intel) {
      EMIT(rig, 0x7b000005, 0, vertices, 0, instances, 0, 0);
   } else {
      EMIT(rig, 0xc0002f00, instances);
      EMIT(rig, 0xc0012d00, vertices, 2);
   }
}

static void
draw_triangles(struct rig *rig, unsigned count)
{
   set_topology(rig, 4, 4);
   draw(rig, 3 * count, 1);
}

/* Counts */

/* By enum sim_statistic. */
static const uint32_t registers[] = {
   0x2310, 0x2318, 0x2320, 0x2328, 0x2330, 0x2338,
   0x2340, 0x2348, 0x2300, 0x2308, 0x2290,
};
static const unsigned order[] = { 7, 6, 3, 4, 5, 2, 1, 0, 8, 9, 10 };

static void
store(struct rig *rig, uint32_t reg, unsigned offset_B)
{
   EMIT(rig, 0x12000002, reg, AT(rig, offset_B));
}

static struct counts
count(struct rig *rig)
{
   struct counts counts;

   if (rig->sim->gpu.is_intel) {
      rig_stall(rig, RENDER);
      for (unsigned i = 0; i < ARRAY_LENGTH(registers); i++)
         store(rig, registers[i], 8 * i);
      store(rig, 0x5240, 128);
      store(rig, 0x5200, 136);
   } else {
      EMIT(rig, 0xc0024600, 30, AT(rig, 0));
      if (rig->sim->gpu.facts.generation < 110)
         EMIT(rig, 0xc0024600, 32, AT(rig, 128));
   }
   rig_run(rig, RENDER);
   for (unsigned i = 0; i < ARRAY_LENGTH(registers); i++)
      counts.statistics[i] =
         rig_read(rig, 8 * (rig->sim->gpu.is_intel ? i : order[i]));
   if (rig->sim->gpu.ps_multiple > 1)
      counts.statistics[SIM_PS_INVOCATIONS] /= rig->sim->gpu.ps_multiple;
   counts.needed = rig_read(rig, 128) & ~(UINT64_C(1) << 63);
   counts.written = rig_read(rig, 136) & ~(UINT64_C(1) << 63);
   return counts;
}

static void
count_commands(struct rig *rig)
{
   sim_count_commands(rig->sim);
   rig->sim->may_sample_uncounted = true;
   if (!rig->sim->gpu.is_intel)
      EMIT(rig, 0xc0004600, 25); /* statistics count from here on */
}

static const struct shape {
   const char *name;
   uint32_t intel, amd; /* its code */
   unsigned vertices, instances, primitives;
} shapes[] = {
#include "test_draws.inc"
};

/* Counts of draws with vertex and fragment shaders only. */
static struct counts
plain_counts(unsigned vertices, unsigned primitives, unsigned samples)
{
   return (struct counts){ .statistics = {
                              [SIM_IA_VERTICES] = vertices,
                              [SIM_IA_PRIMITIVES] = primitives,
                              [SIM_VS_INVOCATIONS] = vertices,
                              [SIM_C_INVOCATIONS] = primitives,
                              [SIM_C_PRIMITIVES] = primitives,
                              [SIM_PS_INVOCATIONS] = samples,
                           } };
}

/* Runs the emitted commands, and compares all counts. */
static void
check(struct rig *rig, const char *name, struct counts expected)
{
   const struct counts seen = count(rig);

   for (unsigned i = 0; i < ARRAY_LENGTH(seen.statistics); i++) {
      if (seen.statistics[i] != expected.statistics[i])
         fail_msg("%s on %s: %u, not %u of statistic %u", name,
                  rig->sim->gpu.key, (unsigned)seen.statistics[i],
                  (unsigned)expected.statistics[i], i);
   }
   assert_int_equal(seen.needed, expected.needed);
   assert_int_equal(seen.written, expected.written);
}

TEST(every_shape_has_its_primitives)
{
   for (unsigned i = 0; i < sim_gpu_count * ARRAY_LENGTH(shapes); i++) {
      const struct shape *shape = &shapes[i % ARRAY_LENGTH(shapes)];
      const struct sim_gpu *gpu = &sim_gpus[i / ARRAY_LENGTH(shapes)];
      struct rig rig;

      if (gpu->is_adreno) /* see test_adreno.c */
         continue;
      packets_open(&rig, gpu->key);
      count_commands(&rig);
      set_topology(&rig, shape->intel, shape->amd);
      draw(&rig, shape->vertices, shape->instances);
      check(&rig, shape->name,
            plain_counts(shape->vertices * shape->instances,
                         shape->primitives, shape->primitives));
      packets_close(&rig, "");
   }
}

TEST_ON_EACH(ALL_GPUS, count_commands, primitives_cover_what_is_set)
{
   rig->sim->draw.samples = 10;
   draw_triangles(rig, 2);
   set_topology(rig, 1, 1);
   draw(rig, 3, 1);
   check(rig, __func__, plain_counts(9, 5, 50));
}

TEST_ON_EACH(ALL_GPUS, count_commands, discarded_is_not_rasterized)
{
   struct counts expected = plain_counts(6, 2, 0);

   if (rig->sim->gpu.is_intel)
      EMIT(rig, 0x78120002, 1 << 10, 3 << 13, 0);
   else
      set_context_register(rig, 0x28810, 1 << 22);
   draw_triangles(rig, 2);
   expected.statistics[SIM_C_PRIMITIVES] = 0;
   check(rig, __func__, expected);
}

/* As in a driver's internal draws.  AMD's counters stop together. */
TEST_ON_EACH(ALL_GPUS, count_commands, paused_stages_do_not_count)
{
   struct counts expected = { 0 };

   if (rig->sim->gpu.is_intel) {
      EMIT(rig, 0x680b0000);
      EMIT(rig, 0x78120002, 0, 0, 0);
      expected.statistics[SIM_VS_INVOCATIONS] = 6;
      expected.statistics[SIM_PS_INVOCATIONS] = 2;
   } else {
      EMIT(rig, 0xc0004600, 26);
   }
   draw_triangles(rig, 2);
   check(rig, __func__, expected);
}

static void
set_stages(struct rig *rig)
{
   const unsigned generation = rig->sim->gpu.facts.generation;

   if (rig->sim->gpu.is_intel) {
      EMIT(rig, 0x781b0007, 0, 1u << 31 | 1 << 29, 0, 0, 0, 0, 0, 0);
      EMIT(rig, 0x78110008, 0, 0, 0, 0, 0, 1 << 17, 1 << 10 | 1, 0, 0);
   } else {
      set_context_register(rig, generation < GFX12 ? 0x28b54 : 0x28a98,
                           1 << 2 | 1 << 5);
      if (generation < GFX11)
         set_context_register(rig, 0x28a6c, 0);
      else
         EMIT(rig, 0xc0017900, 0x266, 0);
   }
}

/* Two patches of four vertices; the output is points. */
TEST_ON_EACH(ALL_GPUS, count_commands, stages_count_by_patch_and_primitive)
{
   rig->sim->draw.statistics[SIM_DS_INVOCATIONS] = 6;
   rig->sim->draw.statistics[SIM_GS_PRIMITIVES] = 5;
   rig->sim->draw.samples = 100;
   set_stages(rig);
   set_patches(rig, 4);
   draw(rig, 8, 1);
   check(rig, __func__,
         (struct counts){ .statistics = {
                             [SIM_IA_VERTICES] = 8,
                             [SIM_IA_PRIMITIVES] = 2,
                             [SIM_VS_INVOCATIONS] = 8,
                             [SIM_HS_INVOCATIONS] = 2,
                             [SIM_DS_INVOCATIONS] = 12,
                             [SIM_GS_INVOCATIONS] = 2,
                             [SIM_GS_PRIMITIVES] = 10,
                             [SIM_C_INVOCATIONS] = 10,
                             [SIM_C_PRIMITIVES] = 10,
                             [SIM_PS_INVOCATIONS] = 1000,
                          } });
}

/* A target of size_B, with vertices of 16 bytes. */
static void
stream_out(struct rig *rig, unsigned size_B)
{
   const bool is_new = rig->sim->gpu.facts.generation >= 120;

   if (rig->sim->gpu.is_intel) {
      EMIT(rig, is_new ? 0x78600006 : 0x79180006, 1u << 31 | 1 << 21,
           AT(rig, 2048), size_B / 4 - 1, 0, 0, 0);
      EMIT(rig, 0x79170001, 1, 0);
      EMIT(rig, 0x781e0003, 1u << 31 | 1 << 25, 0, 16, 0);
   } else {
      EMIT(rig, 0xc0026900, 0x2b4, size_B / 4, 4);
      EMIT(rig, 0xc0026900, 0x2e5, 1, 1);
      EMIT(rig, 0xc0043400, 1 << 7, 0, 0, 0, 0);
   }
}

/* Two triangles fit, and two vertices of a third. */
TEST_ON_EACH(ALL_GPUS, count_commands, whole_primitives_are_captured)
{
   struct counts expected = plain_counts(21, 7, 7);

   expected.needed = 6;
   expected.written = 2;
   if (rig->sim->gpu.facts.generation >= 110 && !rig->sim->gpu.is_intel)
      return; /* shaders count them */
   draw_triangles(rig, 1);
   stream_out(rig, 8 * 16);
   draw_triangles(rig, 1);
   draw_triangles(rig, 4);
   draw_triangles(rig, 1);
   check(rig, __func__, expected);
}

TEST_ON_EACH(ALL_GPUS, count_commands, memory_says_what_to_draw)
{
   static const uint32_t command[] = { 6, 2, 0, 0 };

   memcpy(rig->buffer->memory + INDIRECT_B, command, sizeof(command));
   set_topology(rig, 4, 4);
   if (rig->sim->gpu.is_intel) {
      EMIT(rig, 0x14800002, 0x2434, AT(rig, INDIRECT_B));
      EMIT(rig, 0x14800002, 0x2438, AT(rig, INDIRECT_B + 4));
      EMIT(rig, 0x7b000405, 0, 0, 0, 0, 0, 0);
   } else {
      EMIT(rig, 0xc0021100, 1, AT(rig, INDIRECT_B));
      EMIT(rig, 0xc0032400, 0, 0, 0, 2);
   }
   check(rig, __func__, plain_counts(12, 4, 4));
}

/* Gen20's EXECUTE_INDIRECT_DRAW and EXECUTE_INDIRECT_DISPATCH: two draws of
 * two instances of 6 vertices, of which the count in memory allows one, and a
 * dispatch of 2 by 3 groups of 20.
 */
TEST_ON("lnl", count_commands, memory_lists_work)
{
   static const uint32_t listed[] = { 6, 2, 0, 0, 60, 2, 0, 0, 1, 2, 3, 1 };
   struct counts expected = plain_counts(12, 4, 4);

   memcpy(rig->buffer->memory + INDIRECT_B, listed, sizeof(listed));
   set_topology(rig, 4, 4);
   EMIT(rig, 0x7c000004, 2, LOW(rig, INDIRECT_B + 32) | 1,
        HIGH(rig, INDIRECT_B + 32), AT(rig, INDIRECT_B));
   EMIT(rig, 0x7c01002b, 1, 0, 0, AT(rig, INDIRECT_B + 36), [9] = 1u << 30,
        0xf, [29] = 2, [44] = 0);
   expected.statistics[SIM_CS_INVOCATIONS] = 120;
   check(rig, __func__, expected);
}

/* Groups of 20; a thread of Intel's has 16 lanes. */
TEST_ON_EACH(ALL_GPUS, count_commands, every_invocation_of_a_group_counts)
{
   if (!rig->sim->gpu.is_intel) {
      EMIT(rig, 0xc0037600, 0x207, 5, 4, 1);
      EMIT(rig, 0xc0031500, 2, 3, 1, 1);
   } else if (rig->sim->gpu.facts.generation >= 200) {
      EMIT(rig, 0x72080026, [4] = 1u << 30, 0xf, [7] = 2, 3,
           1, [24] = 2, [39] = 0);
   } else if (rig->sim->gpu.facts.generation >= 125) {
      EMIT(rig, 0x72080025, [4] = 1u << 30, 0xf, [7] = 2, 3,
           1, [23] = 2, [38] = 0);
   } else {
      EMIT(rig, 0x7105000d, 0, 0, 0, 1u << 30 | 1, 0, 0, 2, 0, 0, 3, 0, 1,
           0xf, 0xffffffff);
   }
   check(rig, __func__,
         (struct counts){ .statistics[SIM_CS_INVOCATIONS] = 120 });
}

/* On GFX12 tiles of threads and groups have the same number of both. */
TEST_ON("navi48", count_commands, tiles_of_threads_count_as_many)
{
   const uint32_t interleaved = 1u << 13, partial = 1u << 16;

   EMIT(rig, 0xc003ba00, 0x207, 4 | interleaved, 0x208, 5 | interleaved);
   EMIT(rig, 0xc001ba00, 0x209, 1 | partial);
   EMIT(rig, 0xc003a700, 2, 3, 1, 1 | 1u << 18);
   memcpy(rig->buffer->memory + INDIRECT_B, (const uint32_t[]){ 1, 2, 3 },
          3 * sizeof(uint32_t));
   EMIT(rig, 0xc0021100, 1, AT(rig, INDIRECT_B));
   EMIT(rig, 0xc001a800, 0, 1 | 1u << 18);
   check(rig, __func__,
         (struct counts){ .statistics[SIM_CS_INVOCATIONS] = 240 });
}

/* GFX12 has HiZ registers in place of some for stream-out. */
TEST_ON("navi48", count_commands, other_registers_capture_nothing)
{
   EMIT(rig, 0xc0026900, 0x2e5, 1, 1);
   EMIT(rig, 0xc001be00, 0x242, 4);
   draw(rig, 3, 1);
   rig_run(rig, RENDER);
   assert_false(rig->sim->kernel->registers.pipeline.streams);
   check(rig, __func__, plain_counts(3, 1, 1));
}
