/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Decodes scalar instructions, and tells encodings apart: see "Microcode
 * Formats" of the ISA documents of GCN 1 to 5 and RDNA 1 to 4.
 */

#include "isa.h"

void
isa_add_literal(struct isa_instruction *in, unsigned count,
                const uint32_t *dw)
{
   for (unsigned i = 0; i < count; i++) {
      if (in->sources[i] != ISA_LITERAL)
         continue;
      in->literal = dw[in->count_dw++];
      return;
   }
}

static const struct scalar_format {
   unsigned shift; /* of the bits that select the format */
   uint32_t bits;
   enum isa_kind kind;
   unsigned number_shift;
   uint32_t number_mask;
   unsigned source_count;
} scalar_formats[] = {
   { 23, 0x17d, ISA_SOP1, 8, 0xff, 1 },  { 23, 0x17e, ISA_SOPC, 16, 0x7f, 2 },
   { 23, 0x17f, ISA_SOPP, 16, 0x7f, 0 }, { 28, 0xb, ISA_SOPK, 23, 0x1f, 0 },
   { 30, 2, ISA_SOP2, 23, 0x7f, 2 },
};

/* Comparisons are numbered in order, signed first; two more are 64-bit. */
static void
find_scalar_compare(enum isa_class class, unsigned number,
                    struct isa_instruction *in)
{
   static const enum isa_relation relations[] = {
      ISA_EQUAL,         ISA_NOT_EQUAL, ISA_GREATER,
      ISA_GREATER_EQUAL, ISA_LESS,      ISA_LESS_EQUAL,
   };
   static const unsigned wide[] = {
      [ISA_GFX8] = 0x12,
      [ISA_GFX10] = 0x12,
      [ISA_GFX11] = 0x10,
      [ISA_GFX12] = 0x10,
   };
   const unsigned first = in->kind == ISA_SOPC ? 0
                          : class == ISA_GFX8  ? 2
                                               : 3;

   if (in->kind == ISA_SOPC && class != ISA_GFX6 &&
       (number & ~1u) == wide[class]) {
      in->op = ISA_COMPARE;
      in->type = ISA_B64;
      in->relation = relations[number & 1];
      return;
   }
   if (number < first || number - first >= 12)
      return;
   in->op = ISA_COMPARE;
   in->type = number - first < 6 ? ISA_I32 : ISA_U32;
   in->relation = relations[(number - first) % 6];
}

static bool
decode_scalar(enum isa_class class, const uint32_t *dw,
              struct isa_instruction *in)
{
   const struct scalar_format *format = scalar_formats;

   while (dw[0] >> format->shift != format->bits) {
      if (format->kind == ISA_SOP2)
         return false;
      format++;
   }

   const unsigned number =
      dw[0] >> format->number_shift & format->number_mask;
   in->kind = format->kind;
   in->target = dw[0] >> 16 & 0x7f;
   in->immediate = (int16_t)dw[0];
   for (unsigned i = 0; i < format->source_count; i++)
      in->sources[i] = dw[0] >> (8 * i) & 0xff;
   if (!isa_find(class, number, in) &&
       (in->kind == ISA_SOPC || in->kind == ISA_SOPK))
      find_scalar_compare(class, number, in);
   isa_add_literal(in, format->source_count, dw);
   return true;
}

/* GFX6 counts dwords in the instruction, but bytes in a register. */
static void
decode_smem_gfx6(const uint32_t *dw, struct isa_instruction *in)
{
   const uint32_t offset = dw[0] & 0xff;

   isa_find(ISA_GFX6, dw[0] >> 22 & 0x1f, in);
   in->target = dw[0] >> 15 & 0x7f;
   in->buffer = (dw[0] >> 9 & 0x3f) * 2;
   in->base = ISA_ZERO;
   if ((dw[0] >> 8 & 1) != 0) {
      in->offset_B = (int32_t)offset * 4;
   } else if (offset == ISA_LITERAL) {
      in->offset_B = (int32_t)(dw[1] * 4);
      in->count_dw = 2;
   } else {
      in->base = (uint8_t)offset;
   }
}

/* Up to GFX9 a bit for each kind of offset; only GFX9 may have both. */
static void
decode_smem(enum isa_class class, const uint32_t *dw,
            struct isa_instruction *in)
{
   const bool has_immediate = class != ISA_GFX8 || (dw[0] >> 17 & 1) != 0;
   const bool has_register = class != ISA_GFX8 || (dw[0] >> 14 & 1) != 0;

   isa_find(class, dw[0] >> 18 & 0xff, in);
   in->count_dw = 2;
   in->target = dw[0] >> 6 & 0x7f;
   in->buffer = (dw[0] & 0x3f) * 2;
   in->base = has_register    ? dw[1] >> 25
              : has_immediate ? ISA_ZERO
                              : dw[1] & 0x7f;
   if (has_immediate)
      in->offset_B = (int32_t)(dw[1] << 11) >> 11;
   in->bypasses_l1 = (dw[0] >> (class == ISA_GFX11 ? 14 : 16) & 1) != 0 &&
                     (class != ISA_GFX10 || (dw[0] >> 14 & 1) != 0);
}

void
isa_set_scope(struct isa_instruction *in, uint32_t scope)
{
   enum { DEVICE = 2, SYSTEM = 3 };

   in->bypasses_l1 = (scope & 3) >= DEVICE;
   in->bypasses_l2 = (scope & 3) == SYSTEM;
}

static void
decode_smem_gfx12(const uint32_t *dw, struct isa_instruction *in)
{
   isa_find(ISA_GFX12, dw[0] >> 13 & 0x3f, in);
   in->count_dw = 2;
   in->target = dw[0] >> 6 & 0x7f;
   in->buffer = (dw[0] & 0x3f) * 2;
   in->base = dw[1] >> 25;
   in->offset_B = (int32_t)(dw[1] << 8) >> 8;
   isa_set_scope(in, dw[0] >> 21);
}

static bool
decode_scalar_load(enum isa_class class, const uint32_t *dw,
                   struct isa_instruction *in)
{
   const uint32_t format = class == ISA_GFX6   ? dw[0] >> 27 ^ 0x18
                           : class == ISA_GFX8 ? dw[0] >> 26 ^ 0x30
                                               : dw[0] >> 26 ^ 0x3d;

   if (format != 0)
      return false;
   in->kind = ISA_SMEM;
   if (class == ISA_GFX6)
      decode_smem_gfx6(dw, in);
   else if (class == ISA_GFX12)
      decode_smem_gfx12(dw, in);
   else
      decode_smem(class, dw, in);
   return true;
}

/* On GFX12 images, samplers and vectors of addresses take three dwords. */
static unsigned
length_of_other(enum isa_class class, uint32_t dw)
{
   const uint32_t format = dw >> 26;

   return class == ISA_GFX12 &&
                (format == 0x34 || format == 0x39 || format == 0x3b)
             ? 3
             : 2;
}

static void
decode(enum isa_class class, const uint32_t *dw, struct isa_instruction *in)
{
   if (!decode_scalar(class, dw, in) && !decode_scalar_load(class, dw, in) &&
       !isa_decode_vector(class, dw, in))
      in->count_dw = length_of_other(class, dw[0]);
}

struct isa_instruction
isa_decode(enum isa_class class, const uint32_t *dw, size_t left_dw)
{
   enum { MAX_DW = 3 };
   struct isa_instruction in = { .count_dw = 1 };
   uint32_t copy[MAX_DW] = { 0 };

   for (unsigned i = 0; i < MAX_DW && i < left_dw; i++)
      copy[i] = dw[i];
   decode(class, copy, &in);
   if (!isa_can_read_all(&in))
      in.op = ISA_UNKNOWN;
   if (in.count_dw > left_dw)
      in = (struct isa_instruction){ .count_dw = (unsigned)left_dw };
   return in;
}
