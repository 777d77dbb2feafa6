/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The simulator of AMD GPUs, on shaders that copy or compute one result. */

#include "shaders.h"

/* Offsets in the rig's buffer; code is aligned to 256 bytes. */
#define CODE_B   256
#define SOURCE_B 1024
#define TARGET_B 2048
#define TABLE_B  3072
#define SIZE_B   1024

#define GROUP 64

/* COMPUTE_PGM_RSRC2: scalar registers have two buffers and the group. */
#define USER_COUNT 8
#define RESOURCES  (USER_COUNT << 1 | 1u << 7)

#define PARTIAL_GROUPS (1u << 1)

/* Loads and stores: GFX6 and GFX10, GFX8, GFX11, GFX12 (its own offset). */
/* clang-format off */
static const struct access {
   unsigned size_B, offset_B;
   uint32_t loads[4], stores[4];
} accesses[] = {
   { 1, 3, { 0xe0201003, 0xe0401003, 0xe0400003, 0xc404007c },
     { 0xe0601003, 0xe0601003, 0xe0600003, 0xc406007c } },
   { 2, 6, { 0xe0281006, 0xe0481006, 0xe0480006, 0xc404807c },
     { 0xe0681006, 0xe0681006, 0xe0640006, 0xc406407c } },
   { 4, 4, { 0xe0301004, 0xe0501004, 0xe0500004, 0xc405007c },
     { 0xe0701004, 0xe0701004, 0xe0680004, 0xc406807c } },
   { 8, 4, { 0xe0341004, 0xe0541004, 0xe0540004, 0xc405407c },
     { 0xe0741004, 0xe0741004, 0xe06c0004, 0xc406c07c } },
   { 12, 4, { 0xe03c1004, 0xe0581004, 0xe0580004, 0xc405807c },
     { 0xe07c1004, 0xe0781004, 0xe0700004, 0xc407007c } },
   { 16, 4, { 0xe0381004, 0xe05c1004, 0xe05c0004, 0xc405c07c },
     { 0xe0781004, 0xe07c1004, 0xe0740004, 0xc407407c } },
};
/* clang-format on */

static void
put_memory(struct rig *rig)
{
   for (unsigned i = 0; i < SIZE_B; i++)
      rig->buffer->memory[SOURCE_B + i] = (uint8_t)(i * 7 + i / 256);
   memset(rig->buffer->memory + TARGET_B, 0xee, SIZE_B);
}

static void
put_code(struct rig *rig, unsigned offset_dw, const uint32_t *dw,
         unsigned count_dw)
{
   memcpy(rig->buffer->memory + CODE_B + offset_dw * sizeof(*dw), dw,
          count_dw * sizeof(*dw));
}

static void
set_code(struct rig *rig, unsigned group, unsigned partial)
{
   const uint64_t code = rig->buffer->address + CODE_B;
   const uint32_t one = 1u << 16 | 1;

   EMIT(rig, SET_SH(2, 0xb830), (uint32_t)(code >> 8),
        (uint32_t)(code >> 40));
   EMIT(rig, SET_SH(1, 0xb84c), RESOURCES);
   EMIT(rig, SET_SH(3, 0xb81c), group | partial << 16, one, one);
}

/* Dispatches groups.  partial: threads of the last groups in x; 0: full. */
static void
dispatch_groups(struct rig *rig, unsigned group, unsigned partial,
                const uint32_t groups[3], uint32_t source_B,
                uint32_t target_B)
{
   set_code(rig, group, partial);
   EMIT(rig, SET_SH(8, 0xb900), AT(rig, SOURCE_B), source_B, 0,
        AT(rig, TARGET_B), target_B, 0);
   EMIT(rig, 0xc0031500, groups[0], groups[1], groups[2],
        1 | (partial != 0 ? PARTIAL_GROUPS : 0));
   rig_run(rig, RENDER);
}

/* Dispatches threads; only the last group may be partial. */
static void
dispatch(struct rig *rig, unsigned group, unsigned threads, uint32_t source_B,
         uint32_t target_B)
{
   const uint32_t groups[] = { (threads + group - 1) / group, 1, 1 };

   dispatch_groups(rig, group, threads % group, groups, source_B, target_B);
}

/* Checks that the copy has this size, and nothing after it changed. */
static void
assert_copied(const struct rig *rig, unsigned size_B)
{
   const uint8_t *memory = rig->buffer->memory;

   assert_memory_equal(memory + TARGET_B, memory + SOURCE_B, size_B);
   for (unsigned i = size_B; i < SIZE_B; i++)
      assert_int_equal(memory[TARGET_B + i], 0xee);
}

TEST_ON_EACH(AMD, put_memory, threads_of_all_groups_copy)
{
   const struct shader_code *code = shader_code_of(rig);
   put_code(rig, 0, code->copy, COPY_DW);
   dispatch(rig, GROUP, 2 * GROUP, SIZE_B, SIZE_B);
   assert_copied(rig, 2 * GROUP * 4);
   dispatch(rig, GROUP, 2 * GROUP + 3, SIZE_B, SIZE_B);
   assert_copied(rig, (2 * GROUP + 3) * 4);
}

/* Out of bounds, stores do nothing and loads return 0. */
TEST_ON_EACH(AMD, put_memory, bounds_are_kept)
{
   const struct shader_code *code = shader_code_of(rig);
   static const uint8_t zeroes[8];

   put_code(rig, 0, code->copy, COPY_DW);
   dispatch(rig, GROUP, GROUP, SIZE_B, 40);
   assert_copied(rig, 40);
   dispatch(rig, GROUP, GROUP, 32, 40);
   assert_memory_equal(rig->buffer->memory + TARGET_B + 32, zeroes, 8);
}

/* Writes a load or store with another one's operands.  Returns its length. */
static unsigned
put_access(const struct shader_code *code, uint32_t *dw, uint32_t first_dw,
           const uint32_t *operands, unsigned offset_B)
{
   dw[0] = first_dw;
   dw[1] = operands[1];
   dw[2] = offset_B << 8; /* if the encoding is that long */
   return code->access_dw;
}

/* One thread copies a part: nothing around it changes. */
TEST_ON_EACH(AMD, put_memory, parts_are_copied)
{
   const struct shader_code *code = shader_code_of(rig);
   uint8_t *memory = rig->buffer->memory;

   for (unsigned i = 0; i < ARRAY_LENGTH(accesses); i++) {
      const struct access *access = &accesses[i];
      const uint32_t *load = &code->copy[COPY_LOAD_DW];
      const uint32_t *store = load + code->access_dw + 1;
      uint32_t dw[COPY_DW];
      uint8_t expected[SIZE_B];
      unsigned count_dw = put_access(code, dw, access->loads[code->access],
                                     load, access->offset_B);

      count_dw +=
         put_access(code, &dw[count_dw], access->stores[code->access], store,
                    access->offset_B);
      dw[count_dw++] = code->copy[COPY_DW - 1];
      memset(memory + TARGET_B, 0xee, SIZE_B);
      memset(expected, 0xee, SIZE_B);
      memcpy(&expected[access->offset_B],
             &memory[SOURCE_B + access->offset_B], access->size_B);
      put_code(rig, 0, dw, count_dw);
      dispatch(rig, GROUP, 1, SIZE_B, SIZE_B);
      assert_memory_equal(memory + TARGET_B, expected, SIZE_B);
   }
}

/* An unknown instruction is a violation if the shader may be a copy. */
static void
copy_unknown(struct rig *rig, const struct shader_code *code)
{
   char expected[80];

   put_code(rig, 0, &code->unknown, 1);
   put_code(rig, 1, code->copy, COPY_DW);
   dispatch(rig, GROUP, GROUP, SIZE_B, GROUP * 8);
   snprintf(expected, sizeof(expected),
            "shader: may copy, and has an unknown instruction: %08x\n",
            code->unknown);
   packets_take_violations(rig, expected);
   assert_copied(rig, 0);
   dispatch(rig, GROUP, GROUP, SIZE_B, GROUP * 4);
   dispatch(rig, GROUP / 2, GROUP, SIZE_B, GROUP * 8);
   assert_copied(rig, 0);
}

static void
copy_without_end(struct rig *rig, const struct shader_code *code)
{
   memset(rig->buffer->memory + CODE_B, 0, RIG_BUFFER_B - CODE_B);
   put_code(rig, 0, code->copy, COPY_DW - 1);
   dispatch(rig, GROUP, GROUP, SIZE_B, SIZE_B);
   packets_take_violations(rig, "shader: may copy, and has no end\n");
}

TEST_ON_EACH(AMD, put_memory, unknown_instructions_are_reported)
{
   const struct shader_code *code = shader_code_of(rig);

   copy_unknown(rig, code);
   put_memory(rig);
   copy_without_end(rig, code);
}

/* Dispatches one thread, with both descriptors in memory. */
static void
dispatch_single(struct rig *rig)
{
   const uint32_t source[] = { AT(rig, SOURCE_B), 12, 0 };
   const uint32_t target[] = { AT(rig, TARGET_B), SIZE_B, 0 };

   memcpy(rig->buffer->memory + TABLE_B + 32, source, sizeof(source));
   memcpy(rig->buffer->memory + TABLE_B + 48, target, sizeof(target));
   set_code(rig, 1, 0);
   EMIT(rig, SET_SH(4, 0xb900), AT(rig, TABLE_B), 48, 8);
   EMIT(rig, 0xc0031500, 1, 1, 1, 1);
   rig_run(rig, RENDER);
}

/* The last dword is beyond the end of the source. */
TEST_ON_EACH(AMD, put_memory, one_thread_loads_from_memory)
{
   uint8_t *memory = rig->buffer->memory;
   uint8_t expected[16] = { 0 };

   memcpy(expected, memory + SOURCE_B + 4, 8);
   memcpy(expected + 8, memory + SOURCE_B + 8, 4);
   put_code(rig, 0, shader_code_of(rig)->single, SINGLE_DW);
   dispatch_single(rig);
   assert_memory_equal(memory + TARGET_B, expected, sizeof(expected));
   assert_int_equal(memory[TARGET_B + sizeof(expected)], 0xee);
}

TEST_ON_EACH(AMD, put_memory, one_unknown_instruction_is_reported)
{
   const struct shader_code *code = shader_code_of(rig);
   char expected[80];

   put_code(rig, 0, &code->unknown, 1);
   put_code(rig, 1, code->single, SINGLE_DW);
   dispatch_single(rig);
   snprintf(expected, sizeof(expected),
            "shader: may compute a result, and has an unknown instruction: "
            "%08x\n",
            code->unknown);
   packets_take_violations(rig, expected);
   assert_copied(rig, 0);
}

TEST_ON_EACH(AMD, put_memory, images_are_left_alone)
{
   const struct shader_code *code = shader_code_of(rig);
   put_code(rig, 0, code->image, ARRAY_LENGTH(code->image));
   put_code(rig, ARRAY_LENGTH(code->image), code->copy, COPY_DW);
   dispatch(rig, GROUP, GROUP, SIZE_B, SIZE_B);
   assert_copied(rig, 0);
}

TEST_ON_EACH(AMD, put_memory, loops_come_to_an_end)
{
   const struct shader_code *code = shader_code_of(rig);
   put_code(rig, 0, code->copy, COPY_DW - 1);
   put_code(rig, COPY_DW - 1, &code->loop, 1);
   put_code(rig, COPY_DW, &code->copy[COPY_DW - 1], 1);
   dispatch(rig, GROUP, GROUP, SIZE_B, SIZE_B);
   packets_take_violations(rig, "shader: has no end\n");
}

/* One group too many, then more threads than 64 bits count. */
TEST_ON_EACH(AMD, put_memory, threads_are_limited)
{
   const struct shader_code *code = shader_code_of(rig);
   static const uint32_t too_many[][3] = {
      { (1u << 24) / GROUP + 1, 1, 1 },
      { 1u << 16, 1u << 21, 1u << 21 },
   };

   put_code(rig, 0, code->copy, COPY_DW);
   for (unsigned i = 0; i < ARRAY_LENGTH(too_many); i++) {
      dispatch_groups(rig, GROUP, 0, too_many[i], SIZE_B, SIZE_B);
      packets_take_violations(rig, "shader: has too many threads to run\n");
      assert_copied(rig, 0);
   }
}
