/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Instructions of AMD shaders, one by one, and their decoder. */

#include <string.h>

#include "isa.h"
#include "listed.h"

/* An instruction, encoded by LLVM's assembler: its text with GFX9's name, the
 * value of s0 or v0 after it, or of SCC if it only sets that, and the first
 * dword in each encoding, or 0 if there is none or another row has it.  GFX12
 * is GFX11 unless it has its own dword. The second dword, 0 if none, is the
 * same in all encodings.
 */
struct isa_case {
   const char *text;
   uint32_t expected;
   uint32_t first_dw[ISA_CLASS_COUNT];
   uint32_t second_dw;
};

static const struct isa_case cases[] = {
#include "test_isa.inc"
};

static uint32_t
first_of(const uint32_t dw[ISA_CLASS_COUNT], enum isa_class class)
{
   return class == ISA_GFX12 && dw[class] == 0 ? dw[ISA_GFX11] : dw[class];
}

/* Fills the registers: 0 is the target. */
static struct isa_lane make_lane(enum isa_class class)
{
   struct isa_lane lane = {
      .class = class,
      .scalars = { [0] = 0xbbbbbbbb,
                   [4] = 0xfedcba98,
                   [5] = 0x00010203,
                   [6] = 0x0008000c,
                   [ISA_VCC] = 1,
                   [ISA_EXEC] = 1 },
      .vectors = { 0xaaaaaaaa, 0x89abcdef, 0x13579bdf, 0x00000013 },
      .scc = true,
   };

   return lane;
}

static void
check(const struct isa_case *test, enum isa_class class)
{
   const uint32_t dw[] = { first_of(test->first_dw, class), test->second_dw };
   const struct isa_instruction in = isa_decode(class, dw, ARRAY_LENGTH(dw));
   const bool is_scalar = strstr(test->text, " s0,") != NULL ||
                          strstr(test->text, " s[0:1],") != NULL;
   const bool is_test = !is_scalar && test->text[0] == 's';
   struct isa_lane lane = make_lane(class);

   if (in.op == ISA_UNKNOWN)
      fail_msg("%s: unknown in class %d", test->text, class);
   assert_int_equal(in.count_dw, test->second_dw != 0 ? 2 : 1);
   if (is_test)
      lane.scc = !test->expected;
   isa_execute(&lane, &in);

   const uint32_t seen = is_scalar ? lane.scalars[0]
                         : is_test ? lane.scc
                                   : lane.vectors[0];
   if (seen != test->expected)
      fail_msg("%s in class %d: %08x, not %08x", test->text, class, seen,
               test->expected);
}

TEST(instructions_have_their_results)
{
   for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
      for (unsigned class = 0; class < ISA_CLASS_COUNT; class ++) {
         if (first_of(cases[i].first_dw, class) != 0)
            check(&cases[i], class);
      }
   }
}

/* Dual issue: both read before either writes. */
TEST(two_in_one_are_both_executed)
{
   static const struct {
      const char *text;
      uint32_t dw[3];
      unsigned count_dw, second_target;
      uint32_t expected[2];
   } tests[] = {
      { "v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v1, v0",
        { 0xca100101, 0x00000100 },
        2,
        1,
        { 0x89abcdef, 0xaaaaaaaa } },
      { "v_dual_cndmask_b32 v0, v1, v2 :: v_dual_add_nc_u32 v3, v2, v1",
        { 0xca600501, 0x00020302 },
        2,
        3,
        { 0x13579bdf, 0x9d0369ce } },
      { "v_dual_mov_b32 v0, 0x12345678 :: v_dual_lshlrev_b32 v1, 4, v3",
        { 0xca2200ff, 0x00000684, 0x12345678 },
        3,
        1,
        { 0x12345678, 0x00000130 } },
      { "v_dual_mov_b32 v0, v1 :: v_dual_and_b32 v1, s4, v2",
        { 0xca240101, 0x00000404 },
        2,
        1,
        { 0x89abcdef, 0x12549a98 } },
   };

   for (size_t i = 0; i < 2 * ARRAY_LENGTH(tests); i++) {
      const enum isa_class isa = i % 2 == 0 ? ISA_GFX11 : ISA_GFX12;
      struct isa_lane lane = make_lane(isa);
      const struct isa_instruction in =
         isa_decode(isa, tests[i / 2].dw, tests[i / 2].count_dw);

      if (in.op == ISA_UNKNOWN)
         fail_msg("%s: unknown", tests[i / 2].text);
      assert_int_equal(in.count_dw, tests[i / 2].count_dw);
      isa_execute(&lane, &in);
      assert_int_equal(lane.vectors[0], tests[i / 2].expected[0]);
      assert_int_equal(lane.vectors[tests[i / 2].second_target],
                       tests[i / 2].expected[1]);
   }
}

/* An inactive thread computes nothing, and is in no mask. */
TEST(the_mask_is_heeded)
{
   const uint32_t move[] = { 0x7e000204 };                /* v0, s4 */
   const uint32_t compare[] = { 0xd0c90000, 0x00020501 }; /* s[0:1], v1, v2 */
   const struct isa_instruction in[] = { isa_decode(ISA_GFX8, move, 1),
                                         isa_decode(ISA_GFX8, compare, 2) };
   struct isa_lane lane = make_lane(ISA_GFX8);

   lane.scalars[ISA_EXEC] = 0;
   isa_execute(&lane, &in[0]);
   assert_int_equal(lane.vectors[0], 0xaaaaaaaa);
   assert_int_equal(in[1].op, ISA_COMPARE);
   lane.scalars[0] = 1;
   isa_execute(&lane, &in[1]);
   assert_int_equal(lane.scalars[0], 0);
}

TEST(branches_are_taken)
{
   static const struct {
      uint32_t dw;
      bool is_taken; /* with VCC and SCC, by an inactive thread */
   } branches[] = {
      { 0xbf820007, true },  { 0xbf840007, false }, { 0xbf850007, true },
      { 0xbf860007, false }, { 0xbf870007, true },  { 0xbf880007, true },
      { 0xbf890007, false }, { 0xbf800007, false },
   };
   struct isa_lane lane = make_lane(ISA_GFX10);

   lane.scalars[ISA_EXEC] = 0;
   for (size_t i = 0; i < ARRAY_LENGTH(branches); i++) {
      const struct isa_instruction in =
         isa_decode(ISA_GFX10, &branches[i].dw, 1);

      assert_int_equal(isa_execute(&lane, &in), branches[i].is_taken ? 7 : 0);
   }
}

/* Index and offset in v[255:256] are in v255 and v0: registers wrap around.
 * This offset is out of bounds.
 */
TEST(registers_go_round)
{
   const uint32_t load[] = { 0xe0303000, 0x800001ff }; /* v1, both, s[0:3] */
   const struct isa_instruction in = isa_decode(ISA_GFX10, load, 2);
   struct isa_lane lane = make_lane(ISA_GFX10);

   assert_int_equal(in.op, ISA_LOAD);
   lane.scalars[2] = 4096;
   isa_execute(&lane, &in);
   assert_int_equal(lane.vectors[1], 0);
}

/* Instructions that are decoded, not executed */

/* GFX6: dwords; GFX7: perhaps a literal; from GFX9 on perhaps two offsets. */
TEST(scalar_loads_have_offsets)
{
   static const struct {
      const char *text;
      enum isa_class class;
      uint32_t dw[2];
      unsigned count_dw;
      int32_t offset_B;
      uint8_t base;
   } loads[] = {
      { "s_load_dword s0, s[2:3], 0x80",
        ISA_GFX6,
        { 0xc0000380, 0 },
        1,
        512,
        ISA_ZERO },
      { "s_load_dword s0, s[2:3], s6", ISA_GFX6, { 0xc0000206, 0 }, 1, 0, 6 },
      { "s_load_dword s0, s[2:3], 0x12345",
        ISA_GFX6,
        { 0xc00002ff, 0x00012345 },
        2,
        0x12345 * 4,
        ISA_ZERO },
      { "s_load_dwordx2 s[0:1], s[2:3], s6",
        ISA_GFX8,
        { 0xc0040001, 0x00000006 },
        2,
        0,
        6 },
      { "s_load_dword s0, s[2:3], -0x8",
        ISA_GFX8,
        { 0xc0020001, 0x001ffff8 },
        2,
        -8,
        ISA_ZERO },
      { "s_load_dwordx2 s[0:1], s[2:3], s6 offset:0x10",
        ISA_GFX8,
        { 0xc0064001, 0x0c000010 },
        2,
        16,
        6 },
      { "s_load_dwordx2 s[0:1], s[2:3], s6 offset:0x10",
        ISA_GFX10,
        { 0xf4040001, 0x0c000010 },
        2,
        16,
        6 },
      { "s_load_dword s0, s[2:3], 0x400",
        ISA_GFX11,
        { 0xf4000001, 0xf8000400 },
        2,
        1024,
        124 },
      { "s_load_b32 s0, s[2:3], -0x8",
        ISA_GFX12,
        { 0xf4000001, 0xf8fffff8 },
        2,
        -8,
        124 },
      { "s_load_b32 s0, s[2:3], s6 offset:0x10",
        ISA_GFX12,
        { 0xf4000001, 0x0c000010 },
        2,
        16,
        6 },
      { "s_load_b96 s[0:2], s[2:3], 0x400",
        ISA_GFX12,
        { 0xf400a001, 0xf8000400 },
        2,
        1024,
        124 },
   };

   for (size_t i = 0; i < ARRAY_LENGTH(loads); i++) {
      const struct isa_instruction in =
         isa_decode(loads[i].class, loads[i].dw, 2);

      if (in.op != ISA_LOAD || in.offset_B != loads[i].offset_B ||
          in.base != loads[i].base)
         fail_msg("%s: %d, register %u", loads[i].text, in.offset_B, in.base);
      assert_int_equal(in.kind, ISA_SMEM);
      assert_int_equal(in.count_dw, loads[i].count_dw);
      assert_int_equal(in.buffer, 2);
      assert_int_equal(in.target, 0);
   }
}

/* Unknown: double square roots, signs of floats, values of other lanes, a
 * product of floats paired with a move; VCCZ, EXECZ and LDS as operands of
 * each unit; the clock; and on GFX12 the wait for all counters of GFX11, a
 * shift with GFX11's number, and a load with residency status.  Images are
 * ISA_OTHER.
 */
TEST(others_are_unknown)
{
   static const struct {
      enum isa_class class;
      enum isa_kind kind;
      unsigned count_dw;
      uint32_t dw[3];
   } others[] = {
      { ISA_GFX8, ISA_VOP, 1, { 0x7e005101, 0 } },
      { ISA_GFX8, ISA_VOP, 2, { 0xd1340000, 0x20020501 } },
      { ISA_GFX8, ISA_VOP, 2, { 0x7e0002fa, 0xff00e401 } },
      { ISA_GFX10, ISA_VOP, 2, { 0xd7600000, 0x00000901 } },
      { ISA_GFX11, ISA_VOP, 2, { 0xc8d00501, 0x00000103 } },
      { ISA_GFX11, ISA_VOP, 2, { 0xca1000fb, 0x00000103 } },
      { ISA_GFX11, ISA_VOP, 2, { 0xca100101, 0x000000fb } },
      { ISA_GFX8, ISA_VOP, 1, { 0x7e0002fb, 0 } },
      { ISA_GFX10, ISA_VOP, 2, { 0xd5250000, 0x000204fe } },
      { ISA_GFX8, ISA_VOPC, 1, { 0x7d9402fc, 0 } },
      { ISA_GFX10, ISA_SOP1, 1, { 0xbe8003fb, 0 } },
      { ISA_GFX10, ISA_SOP2, 1, { 0x8700fc04, 0 } },
      { ISA_GFX10, ISA_SOPC, 1, { 0xbf0604fe, 0 } },
      { ISA_GFX10, ISA_MUBUF, 2, { 0xe0301000, 0xfb000100 } },
      { ISA_GFX6, ISA_OTHER, 2, { 0xf0201100, 0x00020000 } },
      { ISA_GFX6, ISA_SMEM, 1, { 0xc7800000, 0 } },
      { ISA_GFX10, ISA_SMEM, 2, { 0xf4900000, 0 } },
      { ISA_GFX12, ISA_SOPP, 1, { 0xbf8903f7, 0 } },
      { ISA_GFX12, ISA_VOP, 2, { 0xd73c0000, 0x00020285 } },
      { ISA_GFX12, ISA_MUBUF, 3, { 0xc445007c, 0x40800001, 0 } },
      { ISA_GFX12, ISA_OTHER, 3, { 0xd0418001, 0, 0x302 } },
      { ISA_GFX12, ISA_OTHER, 3, { 0xee0b007c, 0x80000, 0 } },
   };

   for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
      const struct isa_instruction in =
         isa_decode(others[i].class, others[i].dw, 3);

      if (in.op != ISA_UNKNOWN)
         fail_msg("%08x: %d", others[i].dw[0], in.op);
      assert_int_equal(in.kind, others[i].kind);
      assert_int_equal(in.count_dw, others[i].count_dw);
   }
}

/* A load is coherent with the GPU from scope 2 on, with the CPU at 3. */
TEST(loads_have_a_scope)
{
   static const struct {
      uint32_t dw[3];
      bool bypasses_l1, bypasses_l2;
   } loads[] = {
      { { 0xc405007c, 0x40800001, 0 }, false, false },
      { { 0xc405007c, 0x40840001, 0 }, false, false },
      { { 0xc405007c, 0x40880001, 0 }, true, false },
      { { 0xc4050005, 0x408c0001, 0xfffff800 }, true, true },
      { { 0xf4000001, 0xf8000000, 0 }, false, false },
      { { 0xf4400001, 0x0c000010, 0 }, true, false },
      { { 0xf4600001, 0x0c000010, 0 }, true, true },
   };

   for (size_t i = 0; i < ARRAY_LENGTH(loads); i++) {
      const struct isa_instruction in = isa_decode(ISA_GFX12, loads[i].dw, 3);

      assert_int_equal(in.op, ISA_LOAD);
      assert_int_equal(in.bypasses_l1, loads[i].bypasses_l1);
      assert_int_equal(in.bypasses_l2, loads[i].bypasses_l2);
      if (in.kind == ISA_MUBUF)
         assert_int_equal(in.offset_B, i == 3 ? -8 : 0);
   }
}
