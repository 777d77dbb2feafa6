/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Loads and stores of a shader in buffers.  A descriptor in four registers
 * has the address and the size of each.  Loads from outside give 0, stores
 * to there do nothing.
 */

#include <string.h>

#include "isa.h"

#define STRIDE_SHIFT 16
#define STRIDE_MASK  0x3fff

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

/* Loads or stores a dword of a register, or a part of one. */
static void
access_part(struct isa_lane *lane, const struct isa_instruction *in,
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

/* Returns the offset, of which the part in scalar registers is not checked.
 */
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
   const uint64_t from =
      (buffer[0] | (uint64_t)buffer[1] << 32) & ((UINT64_C(1) << 48) - 1);
   const uint64_t offset_B = offset_of(lane, in);
   const uint64_t base_B = isa_read(lane, in, in->base, false);
   const unsigned size_B = size_of(in->type);
   const unsigned part_B = size_B < 4 ? size_B : 4;

   if (!isa_is_active(lane))
      return;
   if ((buffer[1] >> STRIDE_SHIFT & STRIDE_MASK) != 0) {
      sim_violate(lane->engine, "shader", "a buffer of structures");
      return;
   }
   for (unsigned i = 0; i < size_B; i += part_B) {
      uint32_t *value = &lane->vectors[(in->data + i / 4) & 0xff];

      if (offset_B + i + part_B <= buffer[2])
         access_part(lane, in, from + base_B + offset_B + i, value, part_B);
      else if (in->op == ISA_LOAD)
         *value = 0;
   }
}
