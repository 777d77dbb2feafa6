/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulator of Intel GPUs, on buffer copies that Mesa's blorp draws. */

#include "packets.h"

/* Offsets in the rig's buffer. */
#define STATE_B   0 /* surface states: target, source */
#define TABLE_B   256
#define CORNERS_B 512
#define INPUTS_B  576
#define TARGET_B  1024
#define SOURCE_B  2048
#define SIZE_B    128

#define SURFACE_B 64

#define R32G32B32A32_UINT 2
#define R16G16B16A16_UINT 131
#define R8G8B8A8_UNORM    199
#define R8G8B8A8_SRGB     200
#define R8G8B8A8_UINT     203
#define R8_UINT           323

/* Differences from a plain copy of SIZE_B bytes in one line. */
struct copy {
   uint32_t format, source_format;
   unsigned texel_B;
   unsigned height;
   unsigned source_width;
   uint32_t tiling;
   float right;    /* of the rectangle */
   float x_offset; /* to the source */
   float x_factor;
   bool has_vertex_shader, has_one_surface;
   bool has_pool, has_large_tables;
   uint32_t short_packet; /* two dwords, before the draw */
};

#define OR_DEFAULT(VALUE, DEFAULT) ((VALUE) != 0 ? (VALUE) : (DEFAULT))

static void
put_surface(struct rig *rig, const struct copy *copy, bool is_source)
{
   const unsigned texel_B = OR_DEFAULT(copy->texel_B, 4);
   const unsigned height = OR_DEFAULT(copy->height, 1);
   unsigned width = SIZE_B / texel_B / height;
   uint32_t format = OR_DEFAULT(copy->format, R8G8B8A8_UNORM);

   if (is_source) {
      width = OR_DEFAULT(copy->source_width, width);
      format = OR_DEFAULT(copy->source_format, format);
   }
   const uint32_t surface[SURFACE_B / 4] = {
      [0] = 1u << 29 | format << 18 | copy->tiling << 12,
      [2] = (width - 1) | (height - 1) << 16,
      [3] = width * texel_B - 1,
      [8] = LOW(rig, is_source ? SOURCE_B : TARGET_B),
      [9] = HIGH(rig, is_source ? SOURCE_B : TARGET_B),
   };
   memcpy(rig->buffer->memory + STATE_B + is_source * SURFACE_B, surface,
          SURFACE_B);
}

static void
put_memory(struct rig *rig, const struct copy *copy)
{
   const float bottom = (float)OR_DEFAULT(copy->height, 1);
   const float width =
      (float)SIZE_B / (float)OR_DEFAULT(copy->texel_B, 4) / bottom;
   const float right = OR_DEFAULT(copy->right, width);
   const float corners[] = { right, bottom, 0, 0, bottom, 0, 0, 0, 0 };
   const float inputs[12] = {
      [4] = OR_DEFAULT(copy->x_factor, 1),
      [5] = OR_DEFAULT(copy->x_offset, 0.5f),
      [6] = 1,
      [7] = 0.5f,
   };
   const uint32_t table[] = { STATE_B, STATE_B + SURFACE_B };
   uint8_t *memory = rig->buffer->memory;

   put_surface(rig, copy, false);
   put_surface(rig, copy, true);
   memcpy(memory + TABLE_B, table, sizeof(table));
   memcpy(memory + CORNERS_B, corners, sizeof(corners));
   memcpy(memory + INPUTS_B, inputs, sizeof(inputs));
   for (unsigned i = 0; i < SIZE_B; i++)
      memory[SOURCE_B + i] = (uint8_t)(i + 1);
   memset(memory + TARGET_B, 0xee, 2 * SIZE_B);
}

/* Tables are next to the states or in a pool, in bytes or units of 8. */
static void
emit_table(struct rig *rig, const struct copy *copy)
{
   const bool is_large = copy->has_large_tables;

   EMIT(rig, 0x61010011, [4] = LOW(rig, 0) | 1, HIGH(rig, 0), [18] = 0);
   if (copy->has_pool)
      EMIT(rig, 0x79190002, LOW(rig, 0) | 1u << 11, HIGH(rig, 0), 0);
   EMIT(rig, 0x11000001, 0x7008, 0x04000000 | (is_large ? 0x400 : 0));
   EMIT(rig, 0x782a0000, is_large ? TABLE_B / 8 : TABLE_B);
}

static void
emit_copy(struct rig *rig, const struct copy *copy)
{
   emit_table(rig, copy);
   EMIT(rig, 0x78080007, 12, AT(rig, CORNERS_B), 36, 1u << 26,
        AT(rig, INPUTS_B), 48);
   EMIT(rig, 0x78100007, [7] = copy->has_vertex_shader, 0);
   EMIT(rig,
        0x7820000a, [3] = (copy->has_one_surface ? 1u : 2u) << 18, [11] = 0);

   /* A packet of two dwords, then an unknown one, whose body would spoil the
    * copy if it were taken for the rest of the first.
    */
   if (copy->short_packet != 0)
      EMIT(rig, copy->short_packet, 0, 0x78ff0006, ~0u, ~0u, ~0u, ~0u, ~0u,
           ~0u, ~0u);
   EMIT(rig, 0x784b0000, 15);
   EMIT(rig, 0x7b000005, 15, 3, 0, 1, 0, 0);
}

/* Checks that the target has all of the source, or none of it. */
static void
check(const char *gpu, const struct copy *copy, bool is_copied,
      const char *violations)
{
   uint8_t expected[2 * SIZE_B];
   struct rig rig;

   packets_open(&rig, gpu);
   put_memory(&rig, copy);
   emit_copy(&rig, copy);
   rig_run(&rig, RENDER);
   memset(expected, 0xee, sizeof(expected));
   if (is_copied)
      memcpy(expected, rig.buffer->memory + SOURCE_B, SIZE_B);
   assert_memory_equal(rig.buffer->memory + TARGET_B, expected,
                       sizeof(expected));
   packets_close(&rig, violations);
}

TEST(buffers_are_copied)
{
   static const struct copy plain = { 0 };

   for (unsigned i = 0; i < sim_gpu_count; i++) {
      if (sim_gpus[i].is_intel)
         check(sim_gpus[i].key, &plain, true, "");
   }
}

#define NOT_PLAIN                                                            \
   "3DPRIMITIVE: draws from one buffer into another, but no plain copy\n"

TEST(only_plain_draws_copy)
{
   static const struct {
      const char *gpu;
      struct copy copy;
      bool is_copied;
      const char *violations;
   } cases[] = {
      /* Texels of any size. */
      { "skl",
        { .format = R32G32B32A32_UINT, .texel_B = 16, .height = 2 },
        true,
        "" },
      { "skl",
        { .format = R16G16B16A16_UINT, .texel_B = 8, .height = 2 },
        true,
        "" },
      { "skl", { .format = R8_UINT, .texel_B = 1, .height = 2 }, true, "" },

      /* Tables of surfaces. */
      { "dg2", { .has_pool = true }, true, "" },
      { "tgl", { .has_pool = true, .has_large_tables = true }, true, "" },

      /* Packets that are too short for their state: STATE_BASE_ADDRESS,
       * 3DSTATE_VS, _PS, _BINDING_TABLE_POOL_ALLOC.
       */
      { "skl", { .short_packet = 0x61010000 }, true, "" },
      { "skl", { .short_packet = 0x78100000 }, true, "" },
      { "skl", { .short_packet = 0x78200000 }, true, "" },
      { "skl", { .short_packet = 0x79190000 }, true, "" },

      /* Draws of another kind. */
      { "skl", { .has_vertex_shader = true }, false, "" },
      { "skl", { .has_one_surface = true }, false, "" },
      { "skl", { .tiling = 3 }, false, "" },
      { "skl", { .format = R8G8B8A8_SRGB }, false, "" },

      /* Nearly copies. */
      { "skl", { .right = 8 }, false, NOT_PLAIN },
      { "skl", { .x_offset = 1.5f }, false, NOT_PLAIN },
      { "skl", { .x_factor = -1 }, false, NOT_PLAIN },
      { "skl", { .source_width = 16 }, false, NOT_PLAIN },
      { "skl", { .source_format = R8G8B8A8_UINT }, false, NOT_PLAIN },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      print_message("# %u, on %s\n", i, cases[i].gpu);
      check(cases[i].gpu, &cases[i].copy, cases[i].is_copied,
            cases[i].violations);
   }
}

/* Caches */

#define RESULT_B 3072

#define CS_STALL   (1u << 20 | 1u << 1)
#define COLORS     (1u << 12)
#define TILES      (1u << 28)
#define TEXTURES   (1u << 10)
#define SOURCE     1    /* first byte of the source */
#define NEW_SOURCE 0x55 /* written by the command streamer */
#define BEFORE     0xee /* first byte of the target */

enum action {
   NOTHING,
   COPY,        /* by a draw */
   WRITE,       /* to the source, by the command streamer */
   WRITE_OVER,  /* to the target, by the command streamer */
   READ_TARGET, /* by the command streamer, into the result */
   BATCH_END,
   /* Larger numbers are flags of a PIPE_CONTROL. */
};

/* The first byte of the result, or without one of the target.  Without a
 * schedule copies are late, and caches keep the oldest content; with one,
 * sometimes the newest is there.
 */
static const struct program {
   const char *gpu;
   uint32_t actions[5]; /* ends with NOTHING */
   uint8_t oldest, newest;
} programs[] = {
   /* The command streamer reads a draw's output. */
   { "skl", { COPY, READ_TARGET }, BEFORE, SOURCE },
   { "skl", { COPY, CS_STALL, READ_TARGET }, BEFORE, SOURCE },
   { "skl", { COPY, COLORS, READ_TARGET }, BEFORE, SOURCE },
   { "skl", { COPY, COLORS | CS_STALL, READ_TARGET }, SOURCE, SOURCE },
   { "skl", { COPY, COLORS, CS_STALL, READ_TARGET }, SOURCE, SOURCE },
   { "skl", { COPY, BATCH_END, READ_TARGET }, SOURCE, SOURCE },
   { "tgl", { COPY, COLORS | CS_STALL, READ_TARGET }, BEFORE, SOURCE },
   { "tgl",
     { COPY, COLORS | TILES | CS_STALL, READ_TARGET },
     SOURCE,
     SOURCE },

   /* The command streamer overwrites a draw's output. */
   { "skl", { COPY, WRITE_OVER }, SOURCE, NEW_SOURCE },
   { "skl", { COPY, COLORS | CS_STALL, WRITE_OVER }, NEW_SOURCE, NEW_SOURCE },

   /* A draw reads the command streamer's write. */
   { "skl", { COPY, CS_STALL, WRITE, COPY }, SOURCE, NEW_SOURCE },
   { "skl",
     { COPY, CS_STALL, WRITE, TEXTURES, COPY },
     NEW_SOURCE,
     NEW_SOURCE },
   { "skl", { COPY, WRITE, BATCH_END, COPY }, NEW_SOURCE, NEW_SOURCE },

   /* The command streamer overwrites a later draw's input. */
   { "skl", { COPY, WRITE }, NEW_SOURCE, SOURCE },
   { "skl", { COPY, TEXTURES, WRITE }, NEW_SOURCE, SOURCE },
   { "skl", { COPY, CS_STALL, WRITE }, SOURCE, SOURCE },
   { "skl", { COPY, BATCH_END, WRITE }, SOURCE, SOURCE },
};

static void
act(struct rig *rig, uint32_t action)
{
   static const struct copy plain = { 0 };

   switch (action) {
   case NOTHING:
      break;
   case COPY:
      emit_copy(rig, &plain);
      break;
   case WRITE:
      EMIT(rig, 0x10000002, AT(rig, SOURCE_B), NEW_SOURCE);
      break;
   case WRITE_OVER:
      EMIT(rig, 0x10000002, AT(rig, TARGET_B), NEW_SOURCE);
      break;
   case READ_TARGET:
      EMIT(rig, 0x17000003, AT(rig, RESULT_B), AT(rig, TARGET_B));
      break;
   case BATCH_END:
      rig_run(rig, RENDER);
      break;
   default:
      EMIT(rig, 0x7a000004, action, 0, 0, 0, 0);
   }
}

static uint8_t
run_program(const struct program *program, uint64_t seed)
{
   static const struct copy plain = { 0 };
   unsigned result_B = TARGET_B;
   struct rig rig;

   sim_next_seed = seed;
   rig_open(&rig, program->gpu);
   sim_next_seed = 0;
   put_memory(&rig, &plain);
   for (unsigned i = 0; i < ARRAY_LENGTH(program->actions); i++) {
      act(&rig, program->actions[i]);
      if (program->actions[i] == READ_TARGET)
         result_B = RESULT_B;
   }
   rig_run(&rig, RENDER);
   const uint8_t value = rig.buffer->memory[result_B];
   rig_close(&rig);
   return value;
}

#define SEED_COUNT 200

TEST(caches_keep_what_they_may)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(programs); i++) {
      const struct program *program = &programs[i];
      unsigned newest_count = 0;

      print_message("# %u, on %s\n", i, program->gpu);
      assert_int_equal(run_program(program, 0), program->oldest);
      for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
         const uint8_t value = run_program(program, seed);

         if (value != program->newest)
            assert_int_equal(value, program->oldest);
         newest_count += value == program->newest;
      }
      if (program->oldest == program->newest)
         assert_int_equal(newest_count, SEED_COUNT);
      else
         assert_in_range(newest_count, 1, SEED_COUNT - 1);
   }
}
