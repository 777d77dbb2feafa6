/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Decodes vector instructions, loads and stores: see isa_decode.c. */

#include "isa.h"

#define SDWA 249
#define DPP  250
#define DPP8 233 /* and 234 */

#define VOP_FORM_OF_VOP2 0x100

#define ABS_SHIFT     8
#define OPSEL_SHIFT   11
#define NEG_AND_OMOD  0xf8000000
#define CLAMP_GFX6    (1u << 11)
#define CLAMP         (1u << 15)
#define SDWA_NO_PARTS 0x00302000 /* also for the second source */

/* Comparisons that set EXEC have a number this much higher. */
static const uint8_t exec_distance[ISA_CLASS_COUNT] = { 16, 16, 16, 128,
                                                        128 };

static const struct {
   enum isa_type type;
   uint8_t first[ISA_CLASS_COUNT];
} compares[] = {
   { ISA_I32, { 0x80, 0xc0, 0x80, 0x40, 0x40 } },
   { ISA_U32, { 0xc0, 0xc8, 0xc0, 0x48, 0x48 } },
   { ISA_I64, { 0xa0, 0xe0, 0xa0, 0x50, 0x50 } },
   { ISA_B64, { 0xe0, 0xe8, 0xe0, 0x58, 0x58 } },
   { ISA_I16, { 0, 0xa0, 0x88, 0x30, 0x30 } },
   { ISA_U16, { 0, 0xa8, 0xa8, 0x38, 0x38 } },
};

static void
find_compare(enum isa_class class, unsigned number,
             struct isa_instruction *in)
{
   const unsigned group = number & ~7u, relation = number & 7;

   if (relation < ISA_LESS || relation > ISA_GREATER_EQUAL)
      return;
   for (unsigned i = 0; i < sizeof(compares) / sizeof(compares[0]); i++) {
      const unsigned first = compares[i].first[class];
      const bool sets_exec = group == first + exec_distance[class];

      if (first == 0 || (group != first && !sets_exec))
         continue;
      in->op = ISA_COMPARE;
      in->type = compares[i].type;
      in->relation = relation;
      in->sets_exec = sets_exec;
      in->sets_scalar = !sets_exec || class <= ISA_GFX8;
      return;
   }
}

static void
add_sdwa(const uint32_t sdwa, struct isa_instruction *in)
{
   in->is_sdwa = true;
   in->count_dw++;
   in->sources[0] = (sdwa & 0xff) + ((sdwa >> 23 & 1) ? 0 : ISA_VGPR);
   if ((sdwa >> 31) != 0)
      in->sources[1] -= ISA_VGPR;
   in->selects[0] = sdwa >> 16 & 7;
   in->selects[1] = sdwa >> 24 & 7;
   in->is_signed[0] = (sdwa >> 19 & 1) != 0;
   in->is_signed[1] = (sdwa >> 27 & 1) != 0;
   if (in->kind == ISA_VOPC) {
      in->target_select = 6;
      if ((sdwa >> 15 & 1) != 0)
         in->scalar_target = sdwa >> 8 & 0x7f;
   } else {
      in->target_select = sdwa >> 8 & 7;
      in->target_rest = sdwa >> 11 & 3;
      if ((sdwa & (SDWA_NO_PARTS | 0xc000)) != 0)
         in->op = ISA_UNKNOWN;
   }
   if ((sdwa & 0x30300000) != 0)
      in->op = ISA_UNKNOWN;
}

/* In short forms from GFX11 on, 128 selects the high half. */
static void
take_halves(struct isa_instruction *in)
{
   const unsigned high = 128;

   if (in->type != ISA_U16 && in->type != ISA_I16)
      return;
   for (unsigned i = 0; i < 2; i++) {
      if (in->sources[i] < ISA_VGPR + high)
         continue;
      in->sources[i] -= high;
      in->halves |= 1u << i;
   }
   if (in->kind == ISA_VOP && in->target >= high) {
      in->target -= high;
      in->halves |= 8;
   }
}

/* Decodes the short forms. */
static void
decode_vop(enum isa_class class, const uint32_t *dw,
           struct isa_instruction *in)
{
   const unsigned form_of_vop1 = class == ISA_GFX8 ? 0x140 : 0x180;
   const unsigned number = dw[0] >> 25 & 0x3f;

   in->kind = number == 0x3e ? ISA_VOPC : ISA_VOP;
   in->sources[0] = dw[0] & 0x1ff;
   in->sources[1] = (dw[0] >> 9 & 0xff) + ISA_VGPR;
   in->sources[2] = ISA_VCC;
   in->target = dw[0] >> 17 & 0xff;
   in->scalar_target = ISA_VCC;
   if (number == 0x3e)
      find_compare(class, dw[0] >> 17 & 0xff, in);
   else if (number == 0x3f)
      isa_find(class, form_of_vop1 + (dw[0] >> 9 & 0xff), in);
   else
      isa_find(class, VOP_FORM_OF_VOP2 + number, in);

   if (class >= ISA_GFX11)
      take_halves(in);
   if (in->sources[0] == SDWA) {
      add_sdwa(dw[1], in);
   } else if (in->sources[0] == DPP || in->sources[0] == DPP8 ||
              in->sources[0] == DPP8 + 1) {
      in->op = ISA_UNKNOWN;
      in->count_dw++;
   } else {
      isa_add_literal(in, 1, dw);
   }
}

/* Whether there is a carry, which needs a register. */
static bool
is_vop3b(const struct isa_instruction *in)
{
   switch (in->op) {
   case ISA_ADD:
   case ISA_SUB:
   case ISA_ADD_CARRY:
   case ISA_SUB_BORROW:
   case ISA_MAD_64:
      return in->type == ISA_I32;
   default:
      return false;
   }
}

/* Integers with sign or clamp modifiers are unknown. */
static void
check_modifiers(enum isa_class class, const uint32_t *dw,
                struct isa_instruction *in)
{
   const bool is_half = in->type == ISA_U16 || in->op == ISA_PACK_LL;
   const uint32_t clamp = class == ISA_GFX6 ? CLAMP_GFX6 : CLAMP;

   if (is_vop3b(in)) {
      in->scalar_target = dw[0] >> 8 & 0x7f;
   } else {
      if (class != ISA_GFX6)
         in->halves = dw[0] >> OPSEL_SHIFT & 0xf;
      if ((dw[0] >> ABS_SHIFT & 7) != 0 || (dw[0] & clamp) != 0 ||
          (in->halves != 0 && !is_half))
         in->op = ISA_UNKNOWN;
   }
   if ((dw[1] & NEG_AND_OMOD) != 0)
      in->op = ISA_UNKNOWN;
}

static void
decode_vop3(enum isa_class class, const uint32_t *dw,
            struct isa_instruction *in)
{
   const unsigned number =
      class == ISA_GFX6 ? dw[0] >> 17 & 0x1ff : dw[0] >> 16 & 0x3ff;

   in->count_dw = 2;
   in->kind = number < VOP_FORM_OF_VOP2 ? ISA_VOPC : ISA_VOP;
   in->target = dw[0] & 0xff;
   in->scalar_target = in->target;
   for (unsigned i = 0; i < 3; i++)
      in->sources[i] = dw[1] >> (9 * i) & 0x1ff;
   if (in->kind == ISA_VOPC)
      find_compare(class, number, in);
   else
      isa_find(class, number, in);
   check_modifiers(class, dw, in);
   isa_add_literal(in, 3, dw);
}

static void
decode_mubuf(enum isa_class class, const uint32_t *dw,
             struct isa_instruction *in)
{
   const bool is_gfx11 = class >= ISA_GFX11;
   const uint32_t strange = is_gfx11 ? 0 : 1u << 16;

   in->kind = ISA_MUBUF;
   in->count_dw = 2;
   isa_find(class, dw[0] >> 18 & (is_gfx11 ? 0xff : 0x7f), in);
   in->offset_B = dw[0] & 0xfff;
   in->has_offset = (is_gfx11 ? dw[1] >> 22 & 1 : dw[0] >> 12 & 1) != 0;
   in->has_index = (is_gfx11 ? dw[1] >> 23 & 1 : dw[0] >> 13 & 1) != 0;
   in->address = dw[1] & 0xff;
   in->data = dw[1] >> 8 & 0xff;
   in->buffer = (dw[1] >> 16 & 0x1f) * 4;
   in->base = dw[1] >> 24;
   in->bypasses_l1 = (dw[0] >> 14 & 1) != 0 &&
                     (class != ISA_GFX10 || (dw[0] >> 15 & 1) != 0);

   /* LDS, 64-bit addresses, and residency status. */
   if ((dw[0] & strange) != 0 ||
       (class == ISA_GFX6 && (dw[0] >> 15 & 1) != 0) ||
       (dw[1] >> (is_gfx11 ? 21 : 23) & 1) != 0)
      in->op = ISA_UNKNOWN;
}

/* GFX12 has a signed offset in its own dword. */
static void
decode_vbuffer(const uint32_t *dw, struct isa_instruction *in)
{
   in->kind = ISA_MUBUF;
   in->count_dw = 3;
   isa_find(ISA_GFX12, dw[0] >> 14 & 0xff, in);
   in->base = dw[0] & 0x7f;
   in->data = dw[1] & 0xff;
   in->buffer = dw[1] >> 9 & 0x7f;
   in->has_offset = (dw[1] >> 30 & 1) != 0;
   in->has_index = (dw[1] >> 31) != 0;
   in->address = dw[2] & 0xff;
   in->offset_B = (int32_t)dw[2] >> 8;
   isa_set_scope(in, dw[1] >> 18);
   if ((dw[0] >> 22 & 1) != 0) /* residency status */
      in->op = ISA_UNKNOWN;
}

/* Dual issue of integers.  Floating-point instructions have a literal. */
static void
decode_dual(const uint32_t *dw, struct isa_instruction *in)
{
   static const enum isa_op ops[32] = {
      [8] = ISA_MOV,  [9] = ISA_SELECT, [16] = ISA_ADD,
      [17] = ISA_SHL, [18] = ISA_AND,
   };
   enum { FMA_WITH_LITERAL = 1 };
   const unsigned first = dw[0] >> 22 & 0xf, second = dw[0] >> 17 & 0x1f;
   const uint16_t sources[] = { dw[0] & 0x1ff, dw[1] & 0x1ff };

   in->kind = ISA_VOP;
   in->is_dual = true;
   in->op = ops[second] != ISA_UNKNOWN ? ops[first] : ISA_UNKNOWN;
   in->second_op = ops[second];
   in->sources[0] = sources[0];
   in->sources[1] = (dw[0] >> 9 & 0xff) + ISA_VGPR;
   in->sources[2] = ISA_VCC;
   in->second_sources[0] = sources[1];
   in->second_sources[1] = (dw[1] >> 9 & 0xff) + ISA_VGPR;
   in->target = dw[1] >> 24;
   in->second_target = (dw[1] >> 16 & 0xfe) | (~in->target & 1);
   in->count_dw = 2;
   if (sources[0] == ISA_LITERAL || sources[1] == ISA_LITERAL ||
       (first + 1) / 2 == FMA_WITH_LITERAL ||
       (second + 1) / 2 == FMA_WITH_LITERAL)
      in->literal = dw[in->count_dw++];
}

/* Whether it is one instruction on halves, or on pairs. */
static bool
is_packed(enum isa_class class, uint32_t dw)
{
   return dw >> 23 == (class <= ISA_GFX8 ? 0x1a7 : 0x198);
}

bool
isa_decode_vector(enum isa_class class, const uint32_t *dw,
                  struct isa_instruction *in)
{
   const uint32_t vop3 = class <= ISA_GFX8 ? 0x34 : 0x35;

   if (is_packed(class, dw[0])) {
      in->kind = ISA_VOP;
      in->count_dw = 2;
   } else if (class >= ISA_GFX11 && dw[0] >> 26 == 0x32) {
      decode_dual(dw, in);
   } else if (dw[0] >> 31 == 0) {
      decode_vop(class, dw, in);
   } else if (dw[0] >> 26 == vop3) {
      decode_vop3(class, dw, in);
   } else if (class == ISA_GFX12 && dw[0] >> 26 == 0x31) {
      decode_vbuffer(dw, in);
   } else if (class != ISA_GFX12 && dw[0] >> 26 == 0x38) {
      decode_mubuf(class, dw, in);
   } else {
      return false;
   }
   return true;
}
