/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Vector instructions, for one thread. */

#include "isa.h"

#define SELECT_WORD_0  4
#define SELECT_DWORD   6
#define REST_KEPT      2
#define REST_SIGN      1
#define HALF_OF_TARGET 8

/* SDWA selects a byte, a half or all of a register. */
static unsigned
width_of(unsigned select)
{
   return select >= SELECT_DWORD ? 32 : select >= SELECT_WORD_0 ? 16 : 8;
}

static unsigned
shift_of(unsigned select)
{
   return select >= SELECT_DWORD ? 0 : select % 4 * width_of(select);
}

static uint32_t
read_bits(const struct isa_lane *lane, const struct isa_instruction *in,
          unsigned i)
{
   uint32_t value = (uint32_t)isa_read(lane, in, in->sources[i], false);

   if (in->is_sdwa && i < 2)
      value = isa_extract(value, shift_of(in->selects[i]),
                          width_of(in->selects[i]), in->is_signed[i]);
   if ((in->halves >> i & 1) != 0)
      value >>= 16;
   return isa_is_half(in) ? value & 0xffff : value;
}

/* Inserts selected bits; the others become 0 or the sign, or stay. */
static uint32_t
insert_bits(uint32_t before, uint32_t value, unsigned select, unsigned rest)
{
   const unsigned width = width_of(select), shift = shift_of(select);
   const uint32_t mask = UINT32_MAX >> (32 - width) << shift;
   const uint32_t inserted = value << shift & mask;

   if (rest == REST_KEPT)
      return (before & ~mask) | inserted;
   if (rest == REST_SIGN && (value >> (width - 1) & 1) != 0)
      return inserted | ~((UINT32_C(1) << shift << (width - 1)) - 1);
   return inserted;
}

/* Until GFX9 the bits above 16 become 0. */
static void
write_vector(struct isa_lane *lane, const struct isa_instruction *in,
             uint32_t value)
{
   uint32_t *target = &lane->vectors[in->target];

   if (in->is_sdwa)
      value = insert_bits(*target, value, in->target_select, in->target_rest);
   else if ((in->halves & HALF_OF_TARGET) != 0)
      value = (*target & 0xffff) | value << 16;
   else if (isa_is_half(in) && lane->class >= ISA_GFX10)
      value = (*target & 0xffff0000) | (value & 0xffff);
   *target = value;
}

/* Writes a mask as if the wave had one thread. */
static void
write_mask(struct isa_lane *lane, uint8_t target, bool bit)
{
   isa_write_scalar(lane, target, bit, !lane->is_wave32);
}

static void
compare(struct isa_lane *lane, const struct isa_instruction *in)
{
   const bool is_wide = isa_is_wide(in);
   const uint64_t a = is_wide ? isa_read(lane, in, in->sources[0], true)
                              : read_bits(lane, in, 0);
   const uint64_t b = is_wide ? isa_read(lane, in, in->sources[1], true)
                              : read_bits(lane, in, 1);
   const bool result = isa_is_active(lane) && isa_compare(in, a, b);

   if (in->sets_scalar)
      write_mask(lane, in->scalar_target, result);
   if (in->sets_exec)
      write_mask(lane, ISA_EXEC, result);
}

/* Each byte of the result is one of eight, or a constant. */
static uint32_t
permute(uint64_t bytes, uint32_t selects)
{
   uint32_t value = 0;

   for (unsigned i = 0; i < 4; i++) {
      const unsigned select = selects >> (i * 8) & 0xff;
      uint32_t byte = 0;

      if (select < 8)
         byte = bytes >> (select * 8) & 0xff;
      else if (select < 12)
         byte = (bytes >> ((select - 8) * 16 + 15) & 1) != 0 ? 0xff : 0;
      else if (select > 12)
         byte = 0xff;
      value |= byte << (i * 8);
   }
   return value;
}

/* Writes the carry to a mask. */
static uint32_t
add(struct isa_lane *lane, const struct isa_instruction *in, uint32_t a,
    uint32_t b)
{
   const bool takes_carry =
      in->op == ISA_ADD_CARRY || in->op == ISA_SUB_BORROW;
   const bool carry =
      takes_carry && (isa_read(lane, in, in->sources[2], false) & 1) != 0;
   uint64_t value;

   if (in->op == ISA_ADD || in->op == ISA_ADD_CARRY)
      value = (uint64_t)a + b + carry;
   else
      value = (uint64_t)a - b - carry;
   if (in->type == ISA_I32)
      write_mask(lane, in->scalar_target, value >> 32 != 0);
   return (uint32_t)value;
}

static uint32_t
compute(struct isa_lane *lane, const struct isa_instruction *in, uint32_t a,
        uint32_t b)
{
   const uint32_t c = (uint32_t)isa_read(lane, in, in->sources[2], false);
   const uint64_t both = (uint64_t)a << 32 | b;

   switch (in->op) {
   case ISA_ADD:
   case ISA_ADD_CARRY:
   case ISA_SUB:
   case ISA_SUB_BORROW:
      return add(lane, in, a, b);
   case ISA_SELECT:
      return (c & 1) != 0 ? b : a;
   case ISA_BFE:
      return isa_extract(a, b & 31, c & 31, in->type == ISA_I32);
   case ISA_BFI:
      return (a & b) | (~a & c);
   case ISA_ALIGN_BIT:
      return (uint32_t)(both >> (c & 31));
   case ISA_ALIGN_BYTE:
      return (uint32_t)(both >> (c & 3) * 8);
   case ISA_PERM:
      return permute(both, c);
   case ISA_SHL_ADD:
      return (a << (b & 31)) + c;
   case ISA_ADD_SHL:
      return (a + b) << (c & 31);
   case ISA_SHL_OR:
      return a << (b & 31) | c;
   case ISA_AND_OR:
      return (a & b) | c;
   case ISA_OR3:
      return a | b | c;
   case ISA_ADD3:
      return a + b + c;
   case ISA_XAD:
      return (a ^ b) + c;
   case ISA_MAD_24:
      return (a & 0xffffff) * (b & 0xffffff) + c;
   default:
      return (uint32_t)isa_compute(in, a, b);
   }
}

/* 64-bit shifts, and a product that is added. */
static void
execute_wide(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint16_t *sources = in->sources;
   uint64_t value;

   if (in->op == ISA_MAD_64)
      value = isa_read(lane, in, sources[0], false) *
                 isa_read(lane, in, sources[1], false) +
              isa_read(lane, in, sources[2], true);
   else
      value =
         isa_compute(in, isa_read(lane, in, sources[in->is_reversed], true),
                     isa_read(lane, in, sources[!in->is_reversed], false));
   lane->vectors[in->target] = (uint32_t)value;
   if (in->target < 255)
      lane->vectors[in->target + 1] = (uint32_t)(value >> 32);
}

/* Dual issue: both read before either writes. */
static void
execute_both(struct isa_lane *lane, const struct isa_instruction *in)
{
   struct isa_instruction second = *in;

   second.op = in->second_op;
   second.target = in->second_target;
   second.is_reversed = second.op == ISA_SHL;
   for (unsigned i = 0; i < 2; i++)
      second.sources[i] = in->second_sources[i];

   const uint32_t value =
      compute(lane, &second, read_bits(lane, &second, second.is_reversed),
              read_bits(lane, &second, !second.is_reversed));
   write_vector(lane, in,
                compute(lane, in, read_bits(lane, in, 0),
                        read_bits(lane, in, 1)));
   write_vector(lane, &second, value);
}

void
isa_execute_vector(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint32_t a = read_bits(lane, in, in->is_reversed);
   const uint32_t b = read_bits(lane, in, !in->is_reversed);

   if (in->kind == ISA_VOPC)
      compare(lane, in);
   else if (in->op == ISA_FIRST_LANE)
      isa_write_scalar(lane, in->target, a, false);
   else if (!isa_is_active(lane))
      return;
   else if (in->is_dual)
      execute_both(lane, in);
   else if (isa_is_wide(in) || in->op == ISA_MAD_64)
      execute_wide(lane, in);
   else
      write_vector(lane, in, compute(lane, in, a, b));
}
