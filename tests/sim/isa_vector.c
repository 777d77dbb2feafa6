/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Instructions of a shader's vector unit, for one thread, and its loads and
 * stores in buffers.
 */

#include <string.h>

#include "isa.h"

#define SELECT_WORD_0  4
#define SELECT_DWORD   6
#define REST_KEPT      2
#define REST_SIGN      1
#define HALF_OF_TARGET 8

/* In the second dword of a descriptor. */
#define STRIDE_MASK (0x3fffu << 16)

/* SDWA selects a byte of a register, a half, or all of it. */
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

/* Inserts selected bits.  The other bits become 0 or the sign, or stay. */
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

/* Until GFX9, the bits above 16 become 0. */
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

/* Writes one bit of a mask, as if the wave had one thread. */
static void
write_mask(struct isa_lane *lane, uint8_t target, bool bit)
{
   isa_write_scalar(lane, target, bit, !lane->is_wave32);
}

static void
compare(struct isa_lane *lane, const struct isa_instruction *in, uint32_t a,
        uint32_t b)
{
   const bool result = isa_is_active(lane) && isa_compare(in, a, b);

   if (in->sets_scalar)
      write_mask(lane, in->scalar_target, result);
   if (in->sets_exec)
      write_mask(lane, ISA_EXEC, result);
}

/* Sets each byte to one of eight, or to a constant. */
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

/* Executes instructions of 64 bits: shifts, and a product that is added. */
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

void
isa_execute_vector(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint32_t a = read_bits(lane, in, in->is_reversed);
   const uint32_t b = read_bits(lane, in, !in->is_reversed);

   if (in->kind == ISA_VOPC)
      compare(lane, in, a, b);
   else if (!isa_is_active(lane))
      return;
   else if (in->type == ISA_B64 || in->op == ISA_MAD_64)
      execute_wide(lane, in);
   else
      write_vector(lane, in, compute(lane, in, a, b));
}

/*
 * Buffers: a descriptor in four registers has the address and the size.
 * Loads from outside give 0, stores to there do nothing.
 */

static unsigned
size_of(enum isa_type type)
{
   switch (type) {
   case ISA_I8:
   case ISA_U8:
      return 1;
   case ISA_I16:
   case ISA_U16:
      return 2;
   case ISA_B64:
      return 8;
   case ISA_B96:
      return 12;
   case ISA_B128:
      return 16;
   default:
      return 4;
   }
}

static uint32_t
extend(uint32_t value, enum isa_type type)
{
   if (type == ISA_I8)
      return (uint32_t)(int8_t)value;
   if (type == ISA_I16)
      return (uint32_t)(int16_t)value;
   return value;
}

/* Loads or stores a dword of a register, or some bytes of it. */
static void
access_dword(struct isa_lane *lane, const struct isa_instruction *in,
             uint64_t address, uint32_t *value, unsigned size_B)
{
   uint64_t left_B;
   uint8_t *memory = sim_memory(lane->engine, address, &left_B);

   if (memory == NULL || left_B < size_B)
      return;
   if (address % size_B != 0)
      sim_violate(lane->engine, "shader", "access at an odd address");
   if (in->op == ISA_STORE) {
      const uint32_t stored = in->is_high ? *value >> 16 : *value;

      memcpy(memory, &stored, size_B);
   } else {
      *value = 0;
      memcpy(value, memory, size_B);
      *value = extend(*value, in->type);
   }
}

/* Returns the offset that is checked: without the one in scalar registers. */
static uint64_t
offset_of(const struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint8_t offset = in->address + in->has_index;

   return in->offset_B +
          (in->has_offset ? UINT64_C(0) + lane->vectors[offset] : 0);
}

void
isa_execute_buffer(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint32_t *buffer = &lane->scalars[in->buffer];
   const uint64_t from = sim_address(buffer);
   const uint64_t offset_B = offset_of(lane, in);
   const uint64_t base_B = isa_read(lane, in, in->base, false);
   const unsigned size_B = size_of(in->type);
   const unsigned step_B = size_B < 4 ? size_B : 4;

   if (!isa_is_active(lane))
      return;
   if ((buffer[1] & STRIDE_MASK) != 0) {
      sim_violate(lane->engine, "shader", "a buffer of structures");
      return;
   }
   for (unsigned i = 0; i < size_B; i += step_B) {
      uint32_t *value = &lane->vectors[(in->data + i / 4) & 0xff];

      if (offset_B + i + step_B <= buffer[2])
         access_dword(lane, in, from + base_B + offset_B + i, value, step_B);
      else if (in->op == ISA_LOAD)
         *value = 0;
   }
}
