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

struct isa_case {
   const char *text;
   uint32_t expected;
   uint32_t first_dw[ISA_CLASS_COUNT];
   uint32_t second_dw;
};

static const struct isa_case cases[] = {
#include "test_isa_cases.inc"
};

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
execute(struct isa_lane *lane, const struct isa_instruction *in)
{
   if (in->kind == ISA_VOP || in->kind == ISA_VOPC)
      isa_execute_vector(lane, in);
   else
      isa_execute_scalar(lane, in);
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
   execute(&lane, &in);

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
   execute(&lane, &in[0]);
   assert_int_equal(lane.vectors[0], 0xaaaaaaaa);
   assert_int_equal(in[1].op, ISA_COMPARE);
   lane.scalars[0] = 1;
   execute(&lane, &in[1]);
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

      assert_int_equal(isa_execute_scalar(&lane, &in),
                       branches[i].is_taken ? 7 : 0);
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
   isa_execute_buffer(&lane, &in);
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
