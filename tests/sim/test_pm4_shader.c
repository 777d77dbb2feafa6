/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The simulator of AMD's GPUs on dispatches of shaders that copy.
 */

#include <stdio.h>
#include <string.h>

#include "rig.h"

#define RENDER PITOT_RING_RENDER

/* Offsets into the rig's buffer; code is aligned to 256 bytes. */
#define CODE_B   256
#define SOURCE_B 1024
#define TARGET_B 2048
#define SIZE_B   1024

#define MAX_CODE_DW 12
#define GROUP       64

/* COMPUTE_PGM_RSRC2: scalar registers have two buffers and the group. */
#define USER_COUNT 8
#define RESOURCES  (USER_COUNT << 1 | 1u << 7)

#define PARTIAL_GROUPS (1u << 1)

#define COPY_DW      9
#define ACCESS_COUNT 6

/* A load and a store of a width. */
struct access {
   unsigned size_B, offset_B;
   uint32_t dw[4];
};

/* Shaders of which each thread copies a dword:
 *
 *    s_lshl_b32 s8, s8, 6
 *    v_or_b32 v0, s8, v0
 *    v_lshlrev_b32 v0, 2, v0
 *    buffer_load_dword v1, v0, s[0:3], 0 offen
 *    s_waitcnt vmcnt(0)
 *    buffer_store_dword v1, v0, s[4:7], 0 offen
 *    s_endpgm
 */
struct code {
   unsigned generation; /* and later */
   uint32_t copy[MAX_CODE_DW];
   uint32_t end;
   uint32_t unknown;  /* v_exp_f32 */
   uint32_t image[2]; /* image_store */
   uint32_t loop;     /* s_branch to itself */
   const struct access *accesses;
};

#include "test_pm4_shader_cases.inc"

static const struct code *
code_of(const struct rig *rig)
{
   const struct code *code = codes;

   while (code->generation > rig->device->gpu.generation)
      code++;
   return code;
}

static void
with_every_gpu(void (*test)(struct rig *rig, const struct code *code))
{
   for (unsigned i = 0; i < sim_gpu_count; i++) {
      struct rig rig;

      if (sim_gpus[i].facts.vendor != PITOT_VENDOR_AMD)
         continue;
      rig_open(&rig, sim_gpus[i].key);
      for (unsigned j = 0; j < SIZE_B; j++)
         rig.buffer->memory[SOURCE_B + j] = (uint8_t)(j * 7 + j / 256);
      memset(rig.buffer->memory + TARGET_B, 0xee, SIZE_B);
      test(&rig, code_of(&rig));
      rig_close(&rig);
   }
}

/* Compares the violations, and forgets them. */
static void
take_violations(struct rig *rig, const char *expected)
{
   assert_string_equal(rig->sim->violations, expected);
   rig->sim->violations[0] = '\0';
}

static void
put_code(struct rig *rig, unsigned place, const uint32_t *dw,
         unsigned count_dw)
{
   memcpy(rig->buffer->memory + CODE_B + place * sizeof(*dw), dw,
          count_dw * sizeof(*dw));
}

static void
set_registers(struct rig *rig, uint32_t first, const uint32_t *values,
              unsigned count)
{
   const uint32_t header[] = { 0xc0007600 | count << 16,
                               (first - 0xb000) / 4 };

   rig_emit(rig, RENDER, header, 2);
   rig_emit(rig, RENDER, values, count);
}

/* Dispatches groups, on buffers of such sizes.  The last groups in x may be
 * partial, with so many threads, or 0: they are full.
 */
static void
dispatch_groups(struct rig *rig, unsigned group, unsigned partial,
                const uint32_t groups[3], uint32_t source_B,
                uint32_t target_B)
{
   const uint64_t base = rig->buffer->address;
   const uint64_t code = base + CODE_B;
   const uint32_t program[] = { (uint32_t)(code >> 8),
                                (uint32_t)(code >> 40) };
   const uint32_t resources = RESOURCES;
   const uint32_t one = 1u << 16 | 1;
   const uint32_t sizes[] = { group | partial << 16, one, one };
   const uint32_t user[USER_COUNT] = {
      (uint32_t)(base + SOURCE_B),
      (uint32_t)((base + SOURCE_B) >> 32),
      source_B,
      0,
      (uint32_t)(base + TARGET_B),
      (uint32_t)((base + TARGET_B) >> 32),
      target_B,
      0,
   };
   const uint32_t packet[] = {
      0xc0031500,
      groups[0],
      groups[1],
      groups[2],
      1 | (partial != 0 ? PARTIAL_GROUPS : 0),
   };

   set_registers(rig, 0xb830, program, 2);
   set_registers(rig, 0xb84c, &resources, 1);
   set_registers(rig, 0xb81c, sizes, 3);
   set_registers(rig, 0xb900, user, USER_COUNT);
   rig_emit(rig, RENDER, packet, 5);
   rig_run(rig, RENDER);
}

/* Dispatches so many threads, in groups that are full but for the last. */
static void
dispatch(struct rig *rig, unsigned group, unsigned threads, uint32_t source_B,
         uint32_t target_B)
{
   const uint32_t groups[] = { (threads + group - 1) / group, 1, 1 };

   dispatch_groups(rig, group, threads % group, groups, source_B, target_B);
}

/* Checks that so much from the beginning was copied, and nothing behind. */
static void
assert_copied(const struct rig *rig, unsigned size_B)
{
   const uint8_t *memory = rig->buffer->memory;

   assert_memory_equal(memory + TARGET_B, memory + SOURCE_B, size_B);
   for (unsigned i = size_B; i < SIZE_B; i++)
      assert_int_equal(memory[TARGET_B + i], 0xee);
}

static void
copy_groups(struct rig *rig, const struct code *code)
{
   put_code(rig, 0, code->copy, COPY_DW);
   dispatch(rig, GROUP, 2 * GROUP, SIZE_B, SIZE_B);
   assert_copied(rig, 2 * GROUP * 4);
   dispatch(rig, GROUP, 2 * GROUP + 3, SIZE_B, SIZE_B);
   assert_copied(rig, (2 * GROUP + 3) * 4);
}

static void
threads_of_all_groups_copy(void **unused)
{
   (void)unused;
   with_every_gpu(copy_groups);
}

/* Stores behind the end of a buffer do nothing, loads from there give 0. */
static void
copy_within_bounds(struct rig *rig, const struct code *code)
{
   static const uint8_t zeroes[8];

   put_code(rig, 0, code->copy, COPY_DW);
   dispatch(rig, GROUP, GROUP, SIZE_B, 40);
   assert_copied(rig, 40);
   dispatch(rig, GROUP, GROUP, 32, 40);
   assert_memory_equal(rig->buffer->memory + TARGET_B + 32, zeroes, 8);
}

static void
bounds_are_kept(void **unused)
{
   (void)unused;
   with_every_gpu(copy_within_bounds);
}

/* One thread copies a part: nothing beside it changes. */
static void
copy_widths(struct rig *rig, const struct code *code)
{
   uint8_t *memory = rig->buffer->memory;

   for (unsigned i = 0; i < ACCESS_COUNT; i++) {
      const struct access *access = &code->accesses[i];
      uint8_t expected[SIZE_B];

      memset(memory + TARGET_B, 0xee, SIZE_B);
      memset(expected, 0xee, SIZE_B);
      memcpy(&expected[access->offset_B],
             &memory[SOURCE_B + access->offset_B], access->size_B);
      put_code(rig, 0, access->dw, 4);
      put_code(rig, 4, &code->end, 1);
      dispatch(rig, GROUP, 1, SIZE_B, SIZE_B);
      assert_memory_equal(memory + TARGET_B, expected, SIZE_B);
   }
}

static void
parts_are_copied(void **unused)
{
   (void)unused;
   with_every_gpu(copy_widths);
}

/* A shader with an unknown instruction is told if it may be a copy, with two
 * dwords in each thread; others are left alone.
 */
static void
copy_unknown(struct rig *rig, const struct code *code)
{
   char expected[80];

   put_code(rig, 0, &code->unknown, 1);
   put_code(rig, 1, code->copy, COPY_DW);
   dispatch(rig, GROUP, GROUP, SIZE_B, GROUP * 8);
   snprintf(expected, sizeof(expected),
            "shader: may copy, and has an unknown instruction: %08x\n",
            code->unknown);
   take_violations(rig, expected);
   assert_copied(rig, 0);
   dispatch(rig, GROUP, GROUP, SIZE_B, GROUP * 4);
   dispatch(rig, GROUP / 2, GROUP, SIZE_B, GROUP * 8);
   assert_copied(rig, 0);
}

static void
copy_without_end(struct rig *rig, const struct code *code)
{
   memset(rig->buffer->memory + CODE_B, 0, RIG_BUFFER_B - CODE_B);
   put_code(rig, 0, code->copy, COPY_DW - 1);
   dispatch(rig, GROUP, GROUP, SIZE_B, SIZE_B);
   take_violations(rig, "shader: may copy, and has no end\n");
}

static void
unknown_instructions_are_told(void **unused)
{
   (void)unused;
   with_every_gpu(copy_unknown);
   with_every_gpu(copy_without_end);
}

static void
store_image(struct rig *rig, const struct code *code)
{
   put_code(rig, 0, code->image, 2);
   put_code(rig, 2, code->copy, COPY_DW);
   dispatch(rig, GROUP, GROUP, SIZE_B, SIZE_B);
   assert_copied(rig, 0);
}

static void
images_are_left_alone(void **unused)
{
   (void)unused;
   with_every_gpu(store_image);
}

static void
go_round(struct rig *rig, const struct code *code)
{
   put_code(rig, 0, code->copy, COPY_DW - 1);
   put_code(rig, COPY_DW - 1, &code->loop, 1);
   put_code(rig, COPY_DW, &code->end, 1);
   dispatch(rig, GROUP, GROUP, SIZE_B, SIZE_B);
   take_violations(rig, "shader: has no end\n");
}

static void
loops_come_to_an_end(void **unused)
{
   (void)unused;
   with_every_gpu(go_round);
}

/* Dispatches one group too many, then more threads than 64 bits count. */
static void
dispatch_too_many(struct rig *rig, const struct code *code)
{
   static const uint32_t too_many[][3] = {
      { (1u << 24) / GROUP + 1, 1, 1 },
      { 1u << 16, 1u << 21, 1u << 21 },
   };

   put_code(rig, 0, code->copy, COPY_DW);
   for (unsigned i = 0; i < ARRAY_LENGTH(too_many); i++) {
      dispatch_groups(rig, GROUP, 0, too_many[i], SIZE_B, SIZE_B);
      take_violations(rig, "shader: has too many threads to run\n");
      assert_copied(rig, 0);
   }
}

static void
threads_are_limited(void **unused)
{
   (void)unused;
   with_every_gpu(dispatch_too_many);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_of_all_groups_copy),
      cmocka_unit_test(bounds_are_kept),
      cmocka_unit_test(parts_are_copied),
      cmocka_unit_test(unknown_instructions_are_told),
      cmocka_unit_test(images_are_left_alone),
      cmocka_unit_test(loops_come_to_an_end),
      cmocka_unit_test(threads_are_limited),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
