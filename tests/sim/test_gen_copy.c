/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator of Intel's GPUs on draws that copy buffers, as Mesa's blorp
 * records them.
 */

#include <string.h>

#include "rig.h"

#define RENDER PITOT_RING_RENDER

/* Offsets into the rig's buffer. */
#define STATE_B   0 /* of the surfaces: the target's, the source's */
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
#define R8_UINT           323

#define NO_PLAIN_COPY                                                        \
   "3DPRIMITIVE: draws from one buffer into another, but no plain copy\n"

/* The parts of a copy, of which a test changes one. */
struct copy {
   uint32_t format, source_format;
   unsigned texel_B;
   unsigned width, height; /* of the target; of the source, too, */
   unsigned source_width;  /* unless this is not 0 */
   uint32_t tiling;
   float right;    /* of the rectangle, or 0: all of it */
   float x_offset; /* to the source, or 0: half a texel */
   float x_factor; /* or 0: 1 */
   bool has_vertex_shader, has_one_surface;
   bool has_pool, has_large_tables;
   uint32_t short_packet; /* in two dwords, before the draw; or 0 */
};

static const struct copy plain = {
   .format = R8G8B8A8_UNORM,
   .texel_B = 4,
   .width = SIZE_B / 4,
   .height = 1,
};

static void
emit_address(struct rig *rig, uint32_t *dw, unsigned offset_B, uint32_t flags)
{
   const uint64_t address = rig->buffer->address + offset_B;

   dw[0] = (uint32_t)address | flags;
   dw[1] = (uint32_t)(address >> 32);
}

static void
put_surface(struct rig *rig, const struct copy *copy, bool is_source)
{
   const unsigned width =
      is_source && copy->source_width ? copy->source_width : copy->width;
   const uint32_t format =
      is_source && copy->source_format ? copy->source_format : copy->format;
   uint32_t *dw =
      (uint32_t *)(rig->buffer->memory + STATE_B + is_source * SURFACE_B);

   dw[0] = 1u << 29 | format << 18 | copy->tiling << 12;
   dw[2] = (width - 1) | (copy->height - 1) << 16;
   dw[3] = width * copy->texel_B - 1;
   emit_address(rig, &dw[8], is_source ? SOURCE_B : TARGET_B, 0);
}

static void
put_memory(struct rig *rig, const struct copy *copy)
{
   const float right = copy->right != 0 ? copy->right : (float)copy->width;
   const float bottom = (float)copy->height;
   const float corners[] = { right, bottom, 0, 0, bottom, 0, 0, 0, 0 };
   const float inputs[12] = {
      [4] = copy->x_factor != 0 ? copy->x_factor : 1,
      [5] = copy->x_offset != 0 ? copy->x_offset : 0.5f,
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

/* Tables are beside the states, or in a pool of their own.  Their offsets are
 * in bytes, or in units of eight bytes.
 */
static void
emit_table(struct rig *rig, const struct copy *copy)
{
   const uint32_t gt_mode[] = { 0x11000001, 0x7008,
                                copy->has_large_tables ? 0x04000400
                                                       : 0x04000000 };
   uint32_t bases[19] = { 0x61010011 };
   uint32_t pool[] = { 0x79190002, 0, 0, 0 };
   const uint32_t table[] = { 0x782a0000, copy->has_large_tables ? TABLE_B / 8
                                                                 : TABLE_B };

   emit_address(rig, &bases[4], 0, 1);
   rig_emit(rig, RENDER, bases, 19);
   if (copy->has_pool) {
      emit_address(rig, &pool[1], 0, 1u << 11);
      rig_emit(rig, RENDER, pool, 4);
   }
   rig_emit(rig, RENDER, gt_mode, 3);
   rig_emit(rig, RENDER, table, 2);
}

/* A packet of two dwords, and one that nobody knows behind it: the body of
 * that, taken for the rest of the first, would spoil the copy.
 */
static void
emit_short_packet(struct rig *rig, uint32_t header)
{
   const uint32_t dw[] = { header, 0,   0x78ff0006, ~0u, ~0u,
                           ~0u,    ~0u, ~0u,        ~0u, ~0u };

   if (header != 0)
      rig_emit(rig, RENDER, dw, ARRAY_LENGTH(dw));
}

static void
emit_copy(struct rig *rig, const struct copy *copy)
{
   static const uint32_t topology[] = { 0x784b0000, 15 };
   static const uint32_t primitive[] = { 0x7b000005, 15, 3, 0, 1, 0, 0 };
   uint32_t buffers[] = { 0x78080007, 12, 0, 0, 36, 1u << 26, 0, 0, 48 };
   uint32_t vertex_shader[9] = { 0x78100007 };
   uint32_t pixel_shader[12] = { 0x7820000a };

   put_memory(rig, copy);
   emit_table(rig, copy);
   emit_address(rig, &buffers[2], CORNERS_B, 0);
   emit_address(rig, &buffers[6], INPUTS_B, 0);
   vertex_shader[7] = copy->has_vertex_shader;
   pixel_shader[3] = (copy->has_one_surface ? 1u : 2u) << 18;
   rig_emit(rig, RENDER, buffers, 9);
   rig_emit(rig, RENDER, vertex_shader, 9);
   rig_emit(rig, RENDER, pixel_shader, 12);
   emit_short_packet(rig, copy->short_packet);
   rig_emit(rig, RENDER, topology, 2);
   rig_emit(rig, RENDER, primitive, 7);
   rig_run(rig, RENDER);
}

static bool
is_copied(const struct rig *rig)
{
   const uint8_t *memory = rig->buffer->memory;

   return memcmp(memory + TARGET_B, memory + SOURCE_B, SIZE_B) == 0;
}

static bool
is_untouched(const struct rig *rig, unsigned from_B)
{
   for (unsigned i = from_B; i < 2 * SIZE_B; i++) {
      if (rig->buffer->memory[TARGET_B + i] != 0xee)
         return false;
   }
   return true;
}

static void
assert_copied(const char *gpu, const struct copy *copy)
{
   struct rig rig;

   rig_open(&rig, gpu);
   emit_copy(&rig, copy);
   assert_true(is_copied(&rig));
   assert_true(is_untouched(&rig, SIZE_B));
   rig_close(&rig);
}

static void
assert_left_alone(const struct copy *copy, const char *violations)
{
   struct rig rig;

   rig_open(&rig, "skl");
   emit_copy(&rig, copy);
   assert_true(is_untouched(&rig, 0));
   rig_close_violated(&rig, violations);
}

static void
buffers_are_copied(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      if (sim_gpus[i].facts.vendor == PITOT_VENDOR_INTEL)
         assert_copied(sim_gpus[i].key, &plain);
   }
}

static void
texels_are_of_any_size(void **unused)
{
   static const struct copy copies[] = {
      { .format = R32G32B32A32_UINT, .texel_B = 16 },
      { .format = R16G16B16A16_UINT, .texel_B = 8 },
      { .format = R8_UINT, .texel_B = 1 },
   };
   (void)unused;

   for (unsigned i = 0; i < ARRAY_LENGTH(copies); i++) {
      struct copy copy = copies[i];

      copy.height = 2;
      copy.width = SIZE_B / copy.texel_B / copy.height;
      assert_copied("skl", &copy);
   }
}

static void
tables_are_found(void **unused)
{
   struct copy copy = plain;
   (void)unused;

   copy.has_pool = true;
   assert_copied("dg2", &copy);
   copy.has_large_tables = true;
   assert_copied("tgl", &copy);
}

static void
other_draws_copy_nothing(void **unused)
{
   struct copy with_shader = plain, with_target = plain, with_tiles = plain;
   struct copy with_colors = plain;
   (void)unused;

   with_shader.has_vertex_shader = true;
   assert_left_alone(&with_shader, "");
   with_target.has_one_surface = true;
   assert_left_alone(&with_target, "");
   with_tiles.tiling = 3;
   assert_left_alone(&with_tiles, "");
   with_colors.format = R8G8B8A8_SRGB;
   assert_left_alone(&with_colors, "");
}

static void
copies_that_are_not_plain_are_told(void **unused)
{
   struct copy part = plain, moved = plain, mirrored = plain, smaller = plain;
   struct copy converted = plain;
   (void)unused;

   part.right = 8;
   assert_left_alone(&part, NO_PLAIN_COPY);
   moved.x_offset = 1.5f;
   assert_left_alone(&moved, NO_PLAIN_COPY);
   mirrored.x_factor = -1;
   assert_left_alone(&mirrored, NO_PLAIN_COPY);
   smaller.source_width = 16;
   assert_left_alone(&smaller, NO_PLAIN_COPY);
   converted.source_format = 203;
   assert_left_alone(&converted, NO_PLAIN_COPY);
}

static void
short_packets_are_ignored(void **unused)
{
   static const uint32_t headers[] = {
      0x61010000, /* STATE_BASE_ADDRESS */
      0x78100000, /* 3DSTATE_VS */
      0x78200000, /* 3DSTATE_PS */
      0x79190000, /* 3DSTATE_BINDING_TABLE_POOL_ALLOC */
   };
   struct copy copy = plain;
   (void)unused;

   for (unsigned i = 0; i < ARRAY_LENGTH(headers); i++) {
      copy.short_packet = headers[i];
      assert_copied("skl", &copy);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_are_copied),
      cmocka_unit_test(texels_are_of_any_size),
      cmocka_unit_test(tables_are_found),
      cmocka_unit_test(other_draws_copy_nothing),
      cmocka_unit_test(copies_that_are_not_plain_are_told),
      cmocka_unit_test(short_packets_are_ignored),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
