/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The decoder of AMD shaders, for instructions that are not executed. */

#include "isa.h"
#include "test.h"

/* GFX6: dwords; GFX7: perhaps a literal; from GFX9 on perhaps two offsets. */
static void
scalar_loads_have_offsets(void **unused)
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
   (void)unused;

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
static void
others_are_unknown(void **unused)
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
   (void)unused;

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
static void
loads_have_a_scope(void **unused)
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
   (void)unused;

   for (size_t i = 0; i < ARRAY_LENGTH(loads); i++) {
      const struct isa_instruction in = isa_decode(ISA_GFX12, loads[i].dw, 3);

      assert_int_equal(in.op, ISA_LOAD);
      assert_int_equal(in.bypasses_l1, loads[i].bypasses_l1);
      assert_int_equal(in.bypasses_l2, loads[i].bypasses_l2);
      if (in.kind == ISA_MUBUF)
         assert_int_equal(in.offset_B, i == 3 ? -8 : 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(scalar_loads_have_offsets),
      cmocka_unit_test(others_are_unknown),
      cmocka_unit_test(loads_have_a_scope),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
