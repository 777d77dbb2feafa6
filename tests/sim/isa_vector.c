/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Instructions of a shader's vector unit, for one thread.
 */

#include "isa.h"

#define SELECT_WORD_0  4
#define SELECT_DWORD   6
#define REST_KEPT      2
#define REST_SIGN      1
#define HALF_OF_TARGET 8

static bool
is_16_bits(const struct isa_instruction *in)
{
   return in->type == ISA_U16 || in->type == ISA_I16;
}

/* Returns a byte of a value, a half, or all of it. */
static uint32_t
select_part(uint32_t value, unsigned select, bool is_signed)
{
   if (select >= SELECT_DWORD)
      return value;
   if (select >= SELECT_WORD_0) {
      value = value >> ((select - SELECT_WORD_0) * 16) & 0xffff;
      return is_signed ? (uint32_t)(int16_t)value : value;
   }
   value = value >> (select * 8) & 0xff;
   return is_signed ? (uint32_t)(int8_t)value : value;
}

static uint32_t
read_part(const struct isa_lane *lane, const struct isa_instruction *in,
          unsigned i)
{
   uint32_t value = (uint32_t)isa_read(lane, in, in->sources[i], false);

   if (in->is_sdwa && i < 2)
      value = select_part(value, in->selects[i], in->is_signed[i]);
   if ((in->halves >> i & 1) != 0)
      value >>= 16;
   return is_16_bits(in) ? value & 0xffff : value;
}

/* Puts a part into a register.  The rest becomes 0 or the sign, or stays. */
static uint32_t
insert_part(uint32_t before, uint32_t value, unsigned select, unsigned rest)
{
   const unsigned bits = select >= SELECT_WORD_0 ? 16 : 8;
   const unsigned place =
      select >= SELECT_WORD_0 ? select - SELECT_WORD_0 : select;

   if (select >= SELECT_DWORD)
      return value;

   const unsigned shift = place * bits;
   const uint32_t mask = ((UINT32_C(1) << bits) - 1) << shift;
   const uint32_t part = value << shift & mask;

   if (rest == REST_KEPT)
      return (before & ~mask) | part;
   if (rest == REST_SIGN && (value >> (bits - 1) & 1) != 0)
      return part | ~((UINT32_C(1) << shift << (bits - 1)) - 1);
   return part;
}

/* Until GFX9, the bits above 16 become 0. */
static void
write_vector(struct isa_lane *lane, const struct isa_instruction *in,
             uint32_t value)
{
   uint32_t *target = &lane->vectors[in->target];

   if (in->is_sdwa)
      value = insert_part(*target, value, in->target_select, in->target_rest);
   else if ((in->halves & HALF_OF_TARGET) != 0)
      value = (*target & 0xffff) | value << 16;
   else if (is_16_bits(in) && lane->class >= ISA_GFX10)
      value = (*target & 0xffff0000) | (value & 0xffff);
   *target = value;
}

/* Writes one bit of a mask, as if the wave had one thread. */
static void
write_mask(struct isa_lane *lane, uint8_t target, bool bit)
{
   isa_write_scalar(lane, target, bit, !lane->is_wave32);
}

static bool
read_mask(const struct isa_lane *lane, const struct isa_instruction *in,
          uint16_t operand)
{
   return (isa_read(lane, in, operand, false) & 1) != 0;
}

static void
compare(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint32_t a = read_part(lane, in, 0), b = read_part(lane, in, 1);
   int64_t left = a, right = b;

   if (in->type == ISA_I32) {
      left = (int32_t)a;
      right = (int32_t)b;
   } else if (in->type == ISA_I16) {
      left = (int16_t)a;
      right = (int16_t)b;
   }

   const bool result = isa_is_active(lane) &&
                       (((in->relation & ISA_LESS) != 0 && left < right) ||
                        ((in->relation & ISA_EQUAL) != 0 && left == right) ||
                        ((in->relation & ISA_GREATER) != 0 && left > right));
   if (in->sets_scalar)
      write_mask(lane, in->scalar_target, result);
   if (in->sets_exec)
      write_mask(lane, ISA_EXEC, result);
}

/* Makes each byte one of eight, or a constant. */
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

/* Adds or subtracts, and writes the carry to a mask. */
static uint32_t
add(struct isa_lane *lane, const struct isa_instruction *in, uint32_t a,
    uint32_t b)
{
   const bool takes_carry =
      in->op == ISA_ADD_CARRY || in->op == ISA_SUB_BORROW;
   const bool carry = takes_carry && read_mask(lane, in, in->sources[2]);
   uint64_t value;

   if (in->op == ISA_ADD || in->op == ISA_ADD_CARRY)
      value = (uint64_t)a + b + carry;
   else if (in->op == ISA_SUBREV)
      value = (uint64_t)b - a;
   else
      value = (uint64_t)a - b - carry;
   if (in->type == ISA_I32)
      write_mask(lane, in->scalar_target, value >> 32 != 0);
   return (uint32_t)value;
}

static uint32_t
compute_three(const struct isa_instruction *in, uint32_t a, uint32_t b,
              uint32_t c)
{
   const uint64_t both = (uint64_t)a << 32 | b;

   switch (in->op) {
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
      return 0;
   }
}

static uint32_t
compute_two(struct isa_lane *lane, const struct isa_instruction *in,
            uint32_t a, uint32_t b)
{
   const unsigned bits = is_16_bits(in) ? 15 : 31;
   const bool is_less = in->type == ISA_I32 ? (int32_t)a < (int32_t)b : a < b;

   switch (in->op) {
   case ISA_MOV:
      return a;
   case ISA_NOT:
      return ~a;
   case ISA_ADD:
   case ISA_ADD_CARRY:
   case ISA_SUB:
   case ISA_SUB_BORROW:
   case ISA_SUBREV:
      return add(lane, in, a, b);
   case ISA_AND:
      return a & b;
   case ISA_OR:
      return a | b;
   case ISA_XOR:
      return a ^ b;
   case ISA_SHL:
      return a << (b & bits);
   case ISA_SHLREV:
      return b << (a & bits);
   case ISA_SHR:
      return a >> (b & bits);
   case ISA_SHRREV:
      return b >> (a & bits);
   case ISA_SAR:
      return (uint32_t)((int32_t)a >> (b & 31));
   case ISA_SARREV:
      return (uint32_t)((int32_t)b >> (a & 31));
   case ISA_MIN:
      return is_less ? a : b;
   case ISA_MAX:
      return is_less ? b : a;
   case ISA_MUL:
      return a * b;
   case ISA_MUL_24:
      return (a & 0xffffff) * (b & 0xffffff);
   case ISA_MUL_HIGH:
      return (uint32_t)((uint64_t)a * b >> 32);
   case ISA_BFM:
      return ((UINT32_C(1) << (a & 31)) - 1) << (b & 31);
   case ISA_PACK_16:
      return (a & 0xffff) | b << 16;
   default:
      return compute_three(in, a, b,
                           (uint32_t)isa_read(lane, in, in->sources[2],
                                              false));
   }
}

/* Executes instructions of 64 bits: shifts, and a product that is added. */
static void
execute_wide(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint16_t *sources = in->sources;
   const bool is_reversed = in->op == ISA_SHLREV || in->op == ISA_SHRREV;
   uint64_t value = isa_read(lane, in, sources[is_reversed], true);
   const unsigned shift =
      isa_read(lane, in, sources[!is_reversed], false) & 63;

   if (in->op == ISA_SHL || in->op == ISA_SHLREV)
      value <<= shift;
   else if (in->op == ISA_SHR || in->op == ISA_SHRREV)
      value >>= shift;
   else
      value = isa_read(lane, in, sources[0], false) *
                 isa_read(lane, in, sources[1], false) +
              isa_read(lane, in, sources[2], true);
   lane->vectors[in->target] = (uint32_t)value;
   if (in->target < 255)
      lane->vectors[in->target + 1] = (uint32_t)(value >> 32);
}

void
isa_execute_vector(struct isa_lane *lane, const struct isa_instruction *in)
{
   if (in->kind == ISA_VOPC) {
      compare(lane, in);
      return;
   }

   const uint32_t a = read_part(lane, in, 0), b = read_part(lane, in, 1);
   if (!isa_is_active(lane))
      return;
   else if (in->type == ISA_B64 || in->op == ISA_MAD_64)
      execute_wide(lane, in);
   else if (in->op == ISA_SELECT)
      write_vector(lane, in, read_mask(lane, in, in->sources[2]) ? b : a);
   else
      write_vector(lane, in, compute_two(lane, in, a, b));
}
