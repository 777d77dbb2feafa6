/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Instructions of AMD shaders, one by one. */

#include <string.h>

#include "isa.h"
#include "test.h"

/* An instruction, encoded by LLVM's assembler: its text with GFX9's name, the
 * value of s0 or v0 after it, and the first dword in each encoding, or 0 if
 * there is none or another row has it.  GFX12 is GFX11 unless it has its own
 * dword. The second dword, 0 if none, is the same in all encodings.
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
         if (first_of(cases[i].first_dw, class) != 0)
            check(&cases[i], class);
      }
   }
}

/* Instructions that only set SCC. */
static void
bits_and_pairs_are_tested(void **unused)
{
   static const struct {
      const char *text;
      bool expected;
      uint32_t dw[ISA_CLASS_COUNT];
   } tests[] = {
      { "s_bitcmp1_b32 s4, 3",
        true,
        { 0xbf0d8304, 0xbf0d8304, 0xbf0d8304, 0xbf0d8304 } },
      { "s_bitcmp0_b32 s4, s6",
        false,
        { 0xbf0c0604, 0xbf0c0604, 0xbf0c0604, 0xbf0c0604 } },
      { "s_bitcmp1_b64 s[4:5], 33",
        true,
        { 0xbf0fa104, 0xbf0fa104, 0xbf0fa104, 0xbf0fa104 } },
      { "s_cmp_lg_u64 s[4:5], s[4:5]",
        false,
        { 0, 0xbf130404, 0xbf130404, 0xbf110404 } },
      { "s_cmp_lg_u64 s[4:5], s[6:7]",
        true,
        { 0, 0xbf130604, 0xbf130604, 0xbf110604 } },
      { "s_cmp_eq_u64 s[4:5], s[4:5]",
        true,
        { 0, 0xbf120404, 0xbf120404, 0xbf100404 } },
   };
   (void)unused;

   for (size_t i = 0; i < ARRAY_LENGTH(tests); i++) {
      for (unsigned class = 0; class < ISA_CLASS_COUNT; class ++) {
         struct isa_lane lane = make_lane(class);
         const uint32_t dw = first_of(tests[i].dw, class);
         const struct isa_instruction in = isa_decode(class, &dw, 1);

         if (dw == 0)
            continue;
         lane.scc = !tests[i].expected;
         isa_execute(&lane, &in);
         if (in.op == ISA_UNKNOWN || lane.scc != tests[i].expected)
            fail_msg("%s in class %d", tests[i].text, class);
      }
   }
}

/* Dual issue: both read before either writes. */
static void
execute_two_in_one(enum isa_class isa)
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

   for (size_t i = 0; i < ARRAY_LENGTH(tests); i++) {
      struct isa_lane lane = make_lane(isa);
      const struct isa_instruction in =
         isa_decode(isa, tests[i].dw, tests[i].count_dw);

      if (in.op == ISA_UNKNOWN)
         fail_msg("%s: unknown", tests[i].text);
      assert_int_equal(in.count_dw, tests[i].count_dw);
      isa_execute(&lane, &in);
      assert_int_equal(lane.vectors[0], tests[i].expected[0]);
      assert_int_equal(lane.vectors[tests[i].second_target],
                       tests[i].expected[1]);
   }
}

static void
two_in_one_are_both_executed(void **state)
{
   (void)state;
   execute_two_in_one(ISA_GFX11);
   execute_two_in_one(ISA_GFX12);
}

/* An inactive thread computes nothing, and is in no mask. */
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

/* Index and offset in v[255:256] are in v255 and v0: registers wrap around.
 * This offset is out of bounds.
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
      cmocka_unit_test(bits_and_pairs_are_tested),
      cmocka_unit_test(two_in_one_are_both_executed),
      cmocka_unit_test(the_mask_is_heeded),
      cmocka_unit_test(branches_are_taken),
      cmocka_unit_test(registers_go_round),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
