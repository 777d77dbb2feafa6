/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Instructions of AMD's shaders, one by one.
 */

#include <string.h>

#include "isa.h"
#include "test.h"

/* An instruction as LLVM's assembler encodes it: the text, with GFX9's name,
 * the value of s0 or v0 afterwards, and the first dword in each encoding, or
 * 0 where it stands in another row or there is no such instruction.  The
 * second dword is the same in all; 0 is none.
 */
struct isa_case {
   const char *text;
   uint32_t expected;
   uint32_t first_dw[ISA_CLASS_COUNT];
   uint32_t second_dw;
};

/* clang-format off */
static const struct isa_case cases[] = {
   { "v_mov_b32 v0, s4", 0xfedcba98,
     { 0x7e000204, 0x7e000204, 0x7e000204, 0x7e000204 }, 0 },
   { "v_mov_b32 v0, 0x12345678", 0x12345678,
     { 0x7e0002ff, 0x7e0002ff, 0x7e0002ff, 0x7e0002ff }, 0x12345678 },
   { "v_mov_b32 v0, -16", 0xfffffff0,
     { 0x7e0002d0, 0x7e0002d0, 0x7e0002d0, 0x7e0002d0 }, 0 },
   { "v_mov_b32 v0, 64", 0x00000040,
     { 0x7e0002c0, 0x7e0002c0, 0x7e0002c0, 0x7e0002c0 }, 0 },
   { "v_mov_b32 v0, 1.0", 0x3f800000,
     { 0x7e0002f2, 0x7e0002f2, 0x7e0002f2, 0x7e0002f2 }, 0 },
   { "v_not_b32 v0, v1", 0x76543210,
     { 0x7e006f01, 0x7e005701, 0x7e006f01, 0x7e006f01 }, 0 },
   { "v_and_b32 v0, v1, v2", 0x010389cf,
     { 0x36000501, 0x26000501, 0x36000501, 0x36000501 }, 0 },
   { "v_or_b32 v0, s4, v2", 0xffdfbbdf,
     { 0x38000404, 0x28000404, 0x38000404, 0x38000404 }, 0 },
   { "v_xor_b32 v0, v1, v2", 0x9afc5630,
     { 0x3a000501, 0x2a000501, 0x3a000501, 0x3a000501 }, 0 },
   { "v_lshlrev_b32 v0, 5, v1", 0x3579bde0,
     { 0x34000285, 0x24000285, 0x34000285, 0x30000285 }, 0 },
   { "v_lshl_b32 v0, v1, v3", 0x6f780000, { 0x32000701, 0, 0, 0 }, 0 },
   { "v_lshrrev_b32 v0, v3, v1", 0x00001135,
     { 0x2c000303, 0x20000303, 0x2c000303, 0x32000303 }, 0 },
   { "v_ashrrev_i32 v0, 4, v1", 0xf89abcde,
     { 0x30000284, 0x22000284, 0x30000284, 0x34000284 }, 0 },
   { "v_add_co_u32 v0, vcc, v1, v1", 0x13579bde,
     { 0x4a000301, 0x32000301, 0, 0 }, 0 },
   { "v_add_co_u32 v0, vcc, v1, v1", 0x13579bde,
     { 0, 0, 0xd70f6a00, 0xd7006a00 }, 0x00020301 },
   { "v_add_u32 v0, v1, v2", 0x9d0369ce,
     { 0, 0x68000501, 0x4a000501, 0x4a000501 }, 0 },
   { "v_sub_co_u32 v0, vcc, v2, v1", 0x89abcdf0,
     { 0x4c000302, 0x34000302, 0, 0 }, 0 },
   { "v_sub_co_u32 v0, vcc, v2, v1", 0x89abcdf0,
     { 0, 0, 0xd7106a00, 0xd7016a00 }, 0x00020302 },
   { "v_subrev_co_u32 v0, vcc, v2, v1", 0x76543210,
     { 0x4e000302, 0x36000302, 0, 0 }, 0 },
   { "v_subrev_co_u32 v0, vcc, v2, v1", 0x76543210,
     { 0, 0, 0xd7196a00, 0xd7026a00 }, 0x00020302 },
   { "v_subrev_u32 v0, s5, v1", 0x89aacbec,
     { 0, 0x6c000205, 0x4e000205, 0x4e000205 }, 0 },
   { "v_addc_co_u32 v0, vcc, v1, v2, vcc", 0x9d0369cf,
     { 0x50000501, 0x38000501, 0x50000501, 0x40000501 }, 0 },
   { "v_subb_co_u32 v0, vcc, v1, v2, vcc", 0x7654320f,
     { 0x52000501, 0x3a000501, 0x52000501, 0x42000501 }, 0 },
   { "v_min_i32 v0, v1, v2", 0x89abcdef,
     { 0x22000501, 0x18000501, 0x22000501, 0x22000501 }, 0 },
   { "v_max_u32 v0, v1, v2", 0x89abcdef,
     { 0x28000501, 0x1e000501, 0x28000501, 0x28000501 }, 0 },
   { "v_mul_u32_u24 v0, v1, v2", 0x97911831,
     { 0x16000501, 0x10000501, 0x16000501, 0x16000501 }, 0 },
   { "v_mad_u32_u24 v0, v1, v2, v3", 0x97911844,
     { 0xd2860000, 0xd1c30000, 0xd5430000, 0xd60b0000 }, 0x040e0501 },
   { "v_mul_lo_u32 v0, v1, v2", 0xab911831,
     { 0xd2d20000, 0xd2850000, 0xd5690000, 0xd72c0000 }, 0x00020501 },
   { "v_mul_hi_u32 v0, v1, v2", 0x0a66dd7e,
     { 0xd2d40000, 0xd2860000, 0xd56a0000, 0xd72d0000 }, 0x00020501 },
   { "v_bfe_u32 v0, v1, 8, 12", 0x00000bcd,
     { 0xd2900000, 0xd1c80000, 0xd5480000, 0xd6100000 }, 0x02311101 },
   { "v_bfe_i32 v0, v1, 24, 8", 0xffffff89,
     { 0xd2920000, 0xd1c90000, 0xd5490000, 0xd6110000 }, 0x02213101 },
   { "v_bfe_i32 v0, v1, 24, 16", 0xffffff89,
     { 0xd2920000, 0xd1c90000, 0xd5490000, 0xd6110000 }, 0x02413101 },
   { "v_bfi_b32 v0, v1, v2, s4", 0x7757bbdf,
     { 0xd2940000, 0xd1ca0000, 0xd54a0000, 0xd6120000 }, 0x00120501 },
   { "v_alignbit_b32 v0, v1, v2, 12", 0xdef13579,
     { 0xd29c0000, 0xd1ce0000, 0xd54e0000, 0xd6160000 }, 0x02320501 },
   { "v_alignbyte_b32 v0, v1, v2, 3", 0xabcdef13,
     { 0xd29e0000, 0xd1cf0000, 0xd54f0000, 0xd6170000 }, 0x020e0501 },
   { "v_perm_b32 v0, v1, v2, s5", 0xdf9b5713,
     { 0, 0xd1ed0000, 0xd7440000, 0xd6440000 }, 0x00160501 },
   { "v_lshl_add_u32 v0, v1, 4, v2", 0xae147acf,
     { 0, 0xd1fd0000, 0xd7460000, 0xd6460000 }, 0x04090901 },
   { "v_add_lshl_u32 v0, v1, v2, 3", 0xe81b4e70,
     { 0, 0xd1fe0000, 0xd7470000, 0xd6470000 }, 0x020e0501 },
   { "v_lshl_or_b32 v0, v1, 8, v2", 0xbbdfffdf,
     { 0, 0xd2000000, 0xd76f0000, 0xd6560000 }, 0x04091101 },
   { "v_and_or_b32 v0, v1, v2, v3", 0x010389df,
     { 0, 0xd2010000, 0xd7710000, 0xd6570000 }, 0x040e0501 },
   { "v_or3_b32 v0, v1, v2, v3", 0x9bffdfff,
     { 0, 0xd2020000, 0xd7720000, 0xd6580000 }, 0x040e0501 },
   { "v_add3_u32 v0, v1, v2, v3", 0x9d0369e1,
     { 0, 0xd1ff0000, 0xd76d0000, 0xd6550000 }, 0x040e0501 },
   { "v_xad_u32 v0, v1, v2, v3", 0x9afc5643,
     { 0, 0xd1f30000, 0xd7450000, 0xd6450000 }, 0x040e0501 },
   { "v_cndmask_b32 v0, v1, v2, vcc", 0x13579bdf,
     { 0x00000501, 0x00000501, 0x02000501, 0x02000501 }, 0 },
   { "v_cndmask_b32 v0, v1, v2, s[2:3]", 0x89abcdef,
     { 0xd2000000, 0xd1000000, 0xd5010000, 0xd5010000 }, 0x000a0501 },
   { "v_bfm_b32 v0, 8, 4", 0x00000ff0,
     { 0xd23c0000, 0xd2930000, 0xd7630000, 0xd71d0000 }, 0x00010888 },
   { "v_pack_b32_f16 v0, v1, v2", 0x9bdfcdef,
     { 0, 0xd2a00000, 0xd7110000, 0xd7110000 }, 0x00020501 },
   { "v_pack_b32_f16 v0, v1, v2 op_sel:[1,0,0]", 0x9bdf89ab,
     { 0, 0xd2a00800, 0xd7110800, 0xd7110800 }, 0x00020501 },
   { "v_mov_b32_sdwa v0, v1 dst_sel:BYTE_1 PRESERVE src0_sel:BYTE_3",
     0xaaaa89aa,
     { 0, 0x7e0002f9, 0x7e0002f9, 0 }, 0x00031101 },
   { "v_or_b32_sdwa v0, v1, v2 src0_sel:WORD_1 src1_sel:BYTE_0", 0x000089ff,
     { 0, 0x280004f9, 0x380004f9, 0 }, 0x00050601 },
   { "v_lshrrev_b16 v0, 4, v1", 0x00000cde, { 0, 0x56000284, 0, 0 }, 0 },
   { "v_lshrrev_b16 v0, 4, v1", 0xaaaa0cde,
     { 0, 0, 0xd7070000, 0xd7390000 }, 0x00020284 },
   { "s_mov_b32 s0, s4", 0xfedcba98,
     { 0xbe800304, 0xbe800004, 0xbe800304, 0xbe800004 }, 0 },
   { "s_mov_b32 s0, 0xcafe1234", 0xcafe1234,
     { 0xbe8003ff, 0xbe8000ff, 0xbe8003ff, 0xbe8000ff }, 0xcafe1234 },
   { "s_movk_i32 s0, 0xfff0", 0xfffffff0,
     { 0xb000fff0, 0xb000fff0, 0xb000fff0, 0xb000fff0 }, 0 },
   { "s_addk_i32 s0, 0x100", 0xbbbbbcbb,
     { 0xb7800100, 0xb7000100, 0xb7800100, 0xb7800100 }, 0 },
   { "s_mulk_i32 s0, 0x3", 0x33333331,
     { 0xb8000003, 0xb7800003, 0xb8000003, 0xb8000003 }, 0 },
   { "s_add_u32 s0, s4, s4", 0xfdb97530,
     { 0x80000404, 0x80000404, 0x80000404, 0x80000404 }, 0 },
   { "s_addc_u32 s0, s4, s5", 0xfeddbc9c,
     { 0x82000504, 0x82000504, 0x82000504, 0x82000504 }, 0 },
   { "s_sub_i32 s0, s5, s4", 0x0124476b,
     { 0x81800405, 0x81800405, 0x81800405, 0x81800405 }, 0 },
   { "s_and_b32 s0, s4, s6", 0x00080008,
     { 0x87000604, 0x86000604, 0x87000604, 0x8b000604 }, 0 },
   { "s_or_b64 s[0:1], s[4:5], 1", 0xfedcba99,
     { 0x88808104, 0x87808104, 0x88808104, 0x8c808104 }, 0 },
   { "s_andn2_b64 s[0:1], s[4:5], exec", 0xfedcba98,
     { 0x8a807e04, 0x89807e04, 0x8a807e04, 0x91807e04 }, 0 },
   { "s_xnor_b64 s[0:1], s[4:5], s[4:5]", 0xffffffff,
     { 0x8e800404, 0x8d800404, 0x8e800404, 0x90800404 }, 0 },
   { "s_lshl_b32 s0, s5, 6", 0x004080c0,
     { 0x8f008605, 0x8e008605, 0x8f008605, 0x84008605 }, 0 },
   { "s_lshr_b32 s0, s4, 16", 0x0000fedc,
     { 0x90009004, 0x8f009004, 0x90009004, 0x85009004 }, 0 },
   { "s_ashr_i32 s0, s4, 16", 0xfffffedc,
     { 0x91009004, 0x90009004, 0x91009004, 0x86009004 }, 0 },
   { "s_bfe_u32 s0, s4, s6", 0x000000cb,
     { 0x93800604, 0x92800604, 0x93800604, 0x93000604 }, 0 },
   { "s_mul_i32 s0, s4, s5", 0x70a35fc8,
     { 0x93000504, 0x92000504, 0x93000504, 0x96000504 }, 0 },
   { "s_mul_hi_u32 s0, s4, s5", 0x000100dd,
     { 0, 0x96000504, 0x9a800504, 0x96800504 }, 0 },
   { "s_cselect_b32 s0, s4, s5", 0xfedcba98,
     { 0x85000504, 0x85000504, 0x85000504, 0x98000504 }, 0 },
   { "s_pack_ll_b32_b16 s0, s4, s5", 0x0203ba98,
     { 0, 0x99000504, 0x99000504, 0x99000504 }, 0 },
   { "s_pack_lh_b32_b16 s0, s4, s5", 0x0001ba98,
     { 0, 0x99800504, 0x99800504, 0x99800504 }, 0 },
   { "s_pack_hh_b32_b16 s0, s4, s5", 0x0001fedc,
     { 0, 0x9a000504, 0x9a000504, 0x9a000504 }, 0 },
   { "s_lshl3_add_u32 s0, s5, s6", 0x00101024,
     { 0, 0x98000605, 0x98000605, 0x88000605 }, 0 },
   { "s_min_i32 s0, s4, s5", 0xfedcba98,
     { 0x83000504, 0x83000504, 0x83000504, 0x89000504 }, 0 },
   { "s_not_b64 s[0:1], s[4:5]", 0x01234567,
     { 0xbe800804, 0xbe800504, 0xbe800804, 0xbe801f04 }, 0 },
   { "s_and_saveexec_b64 s[0:1], s[4:5]", 0x00000001,
     { 0xbe802404, 0xbe802004, 0xbe802404, 0xbe802104 }, 0 },
   { "s_andn2_saveexec_b64 s[0:1], s[4:5]", 0x00000001,
     { 0xbe802704, 0xbe802304, 0xbe802704, 0xbe803104 }, 0 },
   { "v_cmp_lt_i32 s[0:1], v1, v2", 0x00000001,
     { 0xd1020000, 0xd0c10000, 0xd4810000, 0xd4410000 }, 0x00020501 },
   { "v_cmp_gt_u32 s[0:1], v1, v2", 0x00000001,
     { 0xd1880000, 0xd0cc0000, 0xd4c40000, 0xd44c0000 }, 0x00020501 },
   { "v_cmp_eq_u32 s[0:1], v1, v2", 0x00000000,
     { 0xd1840000, 0xd0ca0000, 0xd4c20000, 0xd44a0000 }, 0x00020501 },
   { "v_cmp_ne_i32 s[0:1], v1, v2", 0x00000001,
     { 0xd10a0000, 0xd0c50000, 0xd4850000, 0xd4450000 }, 0x00020501 },
   { "v_cmp_le_i32 s[0:1], v2, v1", 0x00000000,
     { 0xd1060000, 0xd0c30000, 0xd4830000, 0xd4430000 }, 0x00020302 },
   { "v_cmp_ge_u16 s[0:1], v1, v2", 0x00000001,
     { 0, 0xd0ae0000, 0xd4ae0000, 0xd43e0000 }, 0x00020501 },
   { "v_cmp_gt_i16 s[0:1], v1, v2", 0x00000001,
     { 0, 0xd0a40000, 0xd48c0000, 0xd4340000 }, 0x00020501 },
};
/* clang-format on */

/* Returns registers with other values before: 0 is the target. */
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
   const uint32_t dw[] = { test->first_dw[class], test->second_dw };
   const struct isa_instruction in = isa_decode(class, dw, ARRAY_LENGTH(dw));
   const bool is_scalar = strstr(test->text, " s0,") != NULL ||
                          strstr(test->text, " s[0:1],") != NULL;
   struct isa_lane lane = make_lane(class);

   if (in.op == ISA_UNKNOWN)
      fail_msg("%s: unknown in class %d", test->text, class);
   assert_int_equal(in.count_dw, test->second_dw != 0 ? 2 : 1);
   isa_execute(&lane, &in);

   const uint32_t seen = is_scalar ? lane.scalars[0] : lane.vectors[0];
   if (seen != test->expected)
      fail_msg("%s in class %d: %08x, not %08x", test->text, class, seen,
               test->expected);
}

static void
instructions_have_their_results(void **unused)
{
   (void)unused;
   for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
      for (unsigned class = 0; class < ISA_CLASS_COUNT; class ++) {
         if (cases[i].first_dw[class] != 0)
            check(&cases[i], class);
      }
   }
}

/* A thread that is not active computes nothing, and is in no mask. */
static void
the_mask_is_heeded(void **unused)
{
   const uint32_t move[] = { 0x7e000204 };                /* v0, s4 */
   const uint32_t compare[] = { 0xd0c90000, 0x00020501 }; /* s[0:1], v1, v2 */
   const struct isa_instruction in[] = { isa_decode(ISA_GFX8, move, 1),
                                         isa_decode(ISA_GFX8, compare, 2) };
   struct isa_lane lane = make_lane(ISA_GFX8);
   (void)unused;

   lane.scalars[ISA_EXEC] = 0;
   isa_execute(&lane, &in[0]);
   assert_int_equal(lane.vectors[0], 0xaaaaaaaa);
   assert_int_equal(in[1].op, ISA_COMPARE);
   lane.scalars[0] = 1;
   isa_execute(&lane, &in[1]);
   assert_int_equal(lane.scalars[0], 0);
}

static void
branches_are_taken(void **unused)
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
   (void)unused;

   lane.scalars[ISA_EXEC] = 0;
   for (size_t i = 0; i < ARRAY_LENGTH(branches); i++) {
      const struct isa_instruction in =
         isa_decode(ISA_GFX10, &branches[i].dw, 1);

      assert_int_equal(isa_execute(&lane, &in), branches[i].is_taken ? 7 : 0);
   }
}

/* These are unknown: a square root of doubles, signs of floats, values of
 * other lanes, the first lane, two instructions in one; VCCZ, EXECZ and LDS
 * as operands of each unit.  Images are of another kind.
 */
static void
others_are_unknown(void **unused)
{
   static const struct {
      enum isa_class class;
      enum isa_kind kind;
      unsigned count_dw;
      uint32_t dw[2];
   } others[] = {
      { ISA_GFX8, ISA_VOP, 1, { 0x7e005101, 0 } },
      { ISA_GFX8, ISA_VOP, 2, { 0xd1340000, 0x20020501 } },
      { ISA_GFX8, ISA_VOP, 2, { 0x7e0002fa, 0xff00e401 } },
      { ISA_GFX10, ISA_VOP, 1, { 0x7e000501, 0 } },
      { ISA_GFX11, ISA_VOP, 2, { 0xca100004, 0x00000000 } },
      { ISA_GFX8, ISA_VOP, 1, { 0x7e0002fb, 0 } },
      { ISA_GFX10, ISA_VOP, 2, { 0xd5250000, 0x000204fe } },
      { ISA_GFX8, ISA_VOPC, 1, { 0x7d9402fc, 0 } },
      { ISA_GFX10, ISA_SOP1, 1, { 0xbe8003fb, 0 } },
      { ISA_GFX10, ISA_SOP2, 1, { 0x8700fc04, 0 } },
      { ISA_GFX10, ISA_SOPC, 1, { 0xbf0604fe, 0 } },
      { ISA_GFX10, ISA_MUBUF, 2, { 0xe0301000, 0xfb000100 } },
      { ISA_GFX6, ISA_OTHER, 2, { 0xf0201100, 0x00020000 } },
      { ISA_GFX6, ISA_OTHER, 1, { 0xc0000100, 0 } },
   };
   (void)unused;

   for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
      const struct isa_instruction in =
         isa_decode(others[i].class, others[i].dw, 2);

      if (in.op != ISA_UNKNOWN)
         fail_msg("%08x: %d", others[i].dw[0], in.op);
      assert_int_equal(in.kind, others[i].kind);
      assert_int_equal(in.count_dw, others[i].count_dw);
   }
}

/* An index and an offset in v[255:256] are in v255 and v0: behind the last
 * register comes the first one.  This offset is behind the end of the buffer.
 */
static void
registers_go_round(void **unused)
{
   const uint32_t load[] = { 0xe0303000, 0x800001ff }; /* v1, both, s[0:3] */
   const struct isa_instruction in = isa_decode(ISA_GFX10, load, 2);
   struct isa_lane lane = make_lane(ISA_GFX10);
   (void)unused;

   assert_int_equal(in.op, ISA_LOAD);
   lane.scalars[2] = 4096;
   isa_execute(&lane, &in);
   assert_int_equal(lane.vectors[1], 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(instructions_have_their_results),
      cmocka_unit_test(the_mask_is_heeded),
      cmocka_unit_test(branches_are_taken),
      cmocka_unit_test(others_are_unknown),
      cmocka_unit_test(registers_go_round),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
