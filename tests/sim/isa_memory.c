/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Memory of shaders.  A buffer's descriptor, four scalar registers, has
 * address and size.  Out of bounds, loads return 0 and stores do nothing.
 */

#include <string.h>

#include "isa.h"

/* In the second dword of a descriptor. */
#define STRIDE_MASK (0x3fffu << 16)

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
   case ISA_B256:
      return 32;
   case ISA_B512:
      return 64;
   default:
      return 4;
   }
}

static bool
has_stride(struct isa_lane *lane, const uint32_t *buffer)
{
   if ((buffer[1] & STRIDE_MASK) == 0)
      return false;
   sim_violate(lane->engine, "shader", "a buffer of structures");
   return true;
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

/* The first cache of a load in the lane's compute unit. */
static enum sim_cache_id
cache_of(const struct isa_lane *lane, const struct isa_instruction *in,
         enum sim_cache_id first)
{
   if (in->bypasses_l2)
      return SIM_NO_CACHE;
   return in->bypasses_l1 ? SIM_L2
                          : first + lane->engine->sim->kernel->caches.unit;
}

/* Accesses a register's dword, or some of its bytes. */
static void
access_dword(struct isa_lane *lane, const struct isa_instruction *in,
             uint64_t address, uint32_t *value, unsigned size_B)
{
   struct sim_engine *engine = lane->engine;
   uint32_t data = in->is_high ? *value >> 16 : *value;

   if (address % size_B != 0)
      sim_violate(engine, "shader", "access at an odd address");
   if (in->op == ISA_STORE) {
      sim_store(engine, address, &data, size_B);
      return;
   }
   data = 0;
   if (sim_read_by(engine, cache_of(lane, in, SIM_VECTOR_L1), address, &data,
                   size_B))
      *value = extend(data, in->type);
}

/* The offset for the bounds check excludes the scalar one. */
static uint64_t
offset_of(const struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint8_t offset = in->address + in->has_index;

   return (uint64_t)in->offset_B +
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
   if (has_stride(lane, buffer))
      return;
   for (unsigned i = 0; i < size_B; i += step_B) {
      uint32_t *value = &lane->vectors[(in->data + i / 4) & 0xff];

      if (offset_B + i + step_B <= buffer[2])
         access_dword(lane, in, from + base_B + offset_B + i, value, step_B);
      else if (in->op == ISA_LOAD)
         *value = 0;
   }
}

/* Drops an address's lowest two bits.  The target may overwrite it. */
void
isa_execute_scalar_load(struct isa_lane *lane,
                        const struct isa_instruction *in)
{
   const uint32_t *source = &lane->scalars[in->buffer];
   const uint64_t from = sim_address(source);
   const uint64_t end_B = in->is_of_buffer ? source[2] : UINT64_MAX;
   const uint64_t offset_B =
      (uint64_t)in->offset_B + isa_read(lane, in, in->base, false);

   if (in->is_of_buffer && has_stride(lane, source))
      return;
   for (unsigned i = 0; i < size_of(in->type) / 4; i++) {
      const uint64_t at_B = (offset_B & ~UINT64_C(3)) + i * 4;
      uint32_t value = 0;

      if (at_B + 4 <= end_B)
         sim_read_by(lane->engine, cache_of(lane, in, SIM_SCALAR_L1),
                     (from + at_B) & SIM_ADDRESS_MASK & ~UINT64_C(3), &value,
                     sizeof(value));
      isa_write_scalar(lane, (uint8_t)(in->target + i), value, false);
   }
}
