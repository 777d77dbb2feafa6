/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Registers and constants of shaders, and scalar instructions. */

#include "isa.h"

#define SCC        253
#define NULL_GFX10 125
#define NULL_GFX11 124

static bool
is_null(enum isa_class class, uint16_t operand)
{
   return (class == ISA_GFX10 && operand == NULL_GFX10) ||
          (class >= ISA_GFX11 && operand == NULL_GFX11);
}

/* VCCZ, EXECZ, LDS and reserved numbers have no value here. */
static bool
can_read(uint16_t operand)
{
   return operand <= 208 || (operand >= 240 && operand <= 248) ||
          operand == SCC || operand >= ISA_LITERAL;
}

bool
isa_can_read_all(const struct isa_instruction *in)
{
   for (unsigned i = 0; i < 3; i++) {
      if (!can_read(in->sources[i]))
         return false;
   }
   for (unsigned i = 0; i < 2; i++) {
      if (!can_read(in->second_sources[i]))
         return false;
   }
   return can_read(in->base);
}

/* 0 to 64, -1 to -16, and some floating-point numbers. */
static uint64_t
constant(uint16_t operand)
{
   static const uint32_t floats[] = {
      0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
      0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983,
   };

   if (operand >= 128 && operand <= 192)
      return operand - 128u;
   if (operand >= 193 && operand <= 208)
      return (uint64_t)(192 - (int64_t)operand);
   if (operand >= 240 && operand <= 248)
      return floats[operand - 240];
   return 0;
}

uint64_t
isa_read(const struct isa_lane *lane, const struct isa_instruction *in,
         uint16_t operand, bool is_wide)
{
   const uint32_t *registers = lane->scalars;
   unsigned index = operand;

   if (operand >= ISA_VGPR) {
      registers = lane->vectors;
      index -= ISA_VGPR;
   } else if (operand == ISA_LITERAL) {
      return in->literal;
   } else if (operand == SCC) {
      return lane->scc;
   } else if (operand >= 128) {
      return is_wide ? constant(operand) : (uint32_t)constant(operand);
   } else if (is_null(lane->class, operand)) {
      return 0;
   }

   const unsigned last = operand >= ISA_VGPR ? 255 : 127;
   const uint64_t high = is_wide && index < last ? registers[index + 1] : 0;
   return registers[index] | high << 32;
}

void
isa_write_scalar(struct isa_lane *lane, uint8_t target, uint64_t value,
                 bool is_wide)
{
   if (is_null(lane->class, target) || target > 127)
      return;
   lane->scalars[target] = (uint32_t)value;
   if (is_wide && target < 127)
      lane->scalars[target + 1] = (uint32_t)(value >> 32);
}

uint32_t
isa_extract(uint32_t value, unsigned offset, unsigned count, bool is_signed)
{
   const unsigned width = count > 32 - offset ? 32 - offset : count;

   if (width == 0)
      return 0;
   value = value << (32 - offset - width);
   return is_signed ? (uint32_t)((int32_t)value >> (32 - width))
                    : value >> (32 - width);
}

bool
isa_compare(const struct isa_instruction *in, uint64_t a, uint64_t b)
{
   bool is_less;

   switch (in->type) {
   case ISA_I16:
      is_less = (int16_t)a < (int16_t)b;
      break;
   case ISA_I32:
      is_less = (int32_t)a < (int32_t)b;
      break;
   case ISA_I64:
      is_less = (int64_t)a < (int64_t)b;
      break;
   default:
      is_less = a < b;
   }
   return ((in->relation & ISA_LESS) != 0 && is_less) ||
          ((in->relation & ISA_EQUAL) != 0 && a == b) ||
          ((in->relation & ISA_GREATER) != 0 && !is_less && a != b);
}

uint64_t
isa_compute(const struct isa_instruction *in, uint64_t a, uint64_t b)
{
   const bool is_less = in->type == ISA_I32 ? (int32_t)a < (int32_t)b : a < b;
   const unsigned max_shift = isa_is_wide(in)   ? 63
                              : isa_is_half(in) ? 15
                                                : 31;

   switch (in->op) {
   case ISA_MOV:
      return a;
   case ISA_NOT:
      return ~a;
   case ISA_AND:
      return a & b;
   case ISA_OR:
      return a | b;
   case ISA_XOR:
      return a ^ b;
   case ISA_ANDN2:
      return a & ~b;
   case ISA_ORN2:
      return a | ~b;
   case ISA_NAND:
      return ~(a & b);
   case ISA_NOR:
      return ~(a | b);
   case ISA_XNOR:
      return ~(a ^ b);
   case ISA_SHL:
      return a << (b & max_shift);
   case ISA_SHR:
      return a >> (b & max_shift);
   case ISA_SAR:
      return in->type == ISA_I64 ? (uint64_t)((int64_t)a >> (b & 63))
                                 : (uint64_t)((int32_t)a >> (b & 31));
   case ISA_MIN:
      return is_less ? a : b;
   case ISA_MAX:
      return is_less ? b : a;
   case ISA_MUL:
      return a * b;
   case ISA_MUL_24:
      return (a & 0xffffff) * (b & 0xffffff);
   case ISA_MUL_HIGH:
      return a * b >> 32;
   case ISA_BFM:
      return ((UINT64_C(1) << (a & 31)) - 1) << (b & 31);
   case ISA_PACK_LL:
      return (a & 0xffff) | (b & 0xffff) << 16;
   case ISA_PACK_LH:
      return (a & 0xffff) | (b & 0xffff0000);
   case ISA_PACK_HH:
      return a >> 16 | (b & 0xffff0000);
   default:
      return 0;
   }
}

/* The scalar unit */

static uint64_t
add(struct isa_lane *lane, const struct isa_instruction *in, uint64_t a,
    uint64_t b, unsigned shift)
{
   const uint64_t sum = (a << shift) + b;
   const uint32_t low = (uint32_t)sum;

   if (isa_is_wide(in)) /* without a carry */
      return sum;
   lane->scc = in->type == ISA_I32
                  ? (~(a ^ b) & (a ^ low) & UINT32_C(0x80000000)) != 0
                  : sum >> 32 != 0;
   return low;
}

static uint64_t
subtract(struct isa_lane *lane, const struct isa_instruction *in, uint64_t a,
         uint64_t b)
{
   const uint32_t low = (uint32_t)(a - b);

   if (isa_is_wide(in))
      return a - b;
   lane->scc = in->type == ISA_I32
                  ? ((a ^ b) & (a ^ low) & UINT32_C(0x80000000)) != 0
                  : b > a;
   return low;
}

/* SCC: for MIN and MAX whether the first operand won; else if not 0. */
static void
set_scc(struct isa_lane *lane, enum isa_op op, uint64_t a, uint64_t b,
        uint64_t value)
{
   switch (op) {
   case ISA_MOV:
   case ISA_MUL:
   case ISA_MUL_HIGH:
   case ISA_BFM:
   case ISA_PACK_LL:
   case ISA_PACK_LH:
   case ISA_PACK_HH:
      break;
   case ISA_MIN:
   case ISA_MAX:
      lane->scc = value == a && a != b;
      break;
   default:
      lane->scc = value != 0;
   }
}

static uint64_t
compute(struct isa_lane *lane, const struct isa_instruction *in, uint64_t a,
        uint64_t b)
{
   uint64_t value;

   switch (in->op) {
   case ISA_ADD:
      return add(lane, in, a, b, 0);
   case ISA_ADD_CARRY:
      return add(lane, in, a, b + lane->scc, 0);
   case ISA_SHL1_ADD:
   case ISA_SHL2_ADD:
   case ISA_SHL3_ADD:
   case ISA_SHL4_ADD:
      return add(lane, in, a, b, in->op - ISA_SHL1_ADD + 1);
   case ISA_SUB:
      return subtract(lane, in, a, b);
   case ISA_SUB_BORROW:
      return subtract(lane, in, a, b + lane->scc);
   case ISA_SELECT:
      return lane->scc ? a : b;
   case ISA_BFE:
      value = isa_extract((uint32_t)a, b & 31, b >> 16 & 0x7f,
                          in->type == ISA_I32);
      break;
   default:
      value = isa_compute(in, a, b);
   }
   if (!isa_is_wide(in))
      value = (uint32_t)value;
   set_scc(lane, in->op, a, b, value);
   return value;
}

/* Combines EXEC with an operand, and saves the old EXEC. */
static void
save_exec(struct isa_lane *lane, const struct isa_instruction *in, uint64_t a)
{
   const bool is_wide = in->type == ISA_B64;
   const uint64_t before = isa_read(lane, in, ISA_EXEC, is_wide);
   const uint64_t after = isa_compute(in, a, before);

   isa_write_scalar(lane, in->target, before, is_wide);
   isa_write_scalar(lane, ISA_EXEC, after, is_wide);
   lane->scc = (after & 1) != 0;
}

static bool
is_taken(const struct isa_lane *lane, enum isa_op op)
{
   const bool vcc = (lane->scalars[ISA_VCC] & 1) != 0;

   switch (op) {
   case ISA_BRANCH:
      return true;
   case ISA_BRANCH_SCC0:
      return !lane->scc;
   case ISA_BRANCH_SCC1:
      return lane->scc;
   case ISA_BRANCH_VCCZ:
      return !vcc;
   case ISA_BRANCH_VCCNZ:
      return vcc;
   case ISA_BRANCH_EXECZ:
      return !isa_is_active(lane);
   case ISA_BRANCH_EXECNZ:
      return isa_is_active(lane);
   default:
      return false;
   }
}

static void
execute_immediate(struct isa_lane *lane, const struct isa_instruction *in)
{
   const uint32_t before = lane->scalars[in->target];
   const uint32_t immediate = (uint32_t)in->immediate;

   if (in->op == ISA_MOVK)
      isa_write_scalar(lane, in->target, immediate, false);
   else if (in->op == ISA_ADDK)
      isa_write_scalar(lane, in->target, add(lane, in, before, immediate, 0),
                       false);
   else if (in->op == ISA_MULK)
      isa_write_scalar(lane, in->target, before * immediate, false);
   else if (in->op == ISA_COMPARE)
      lane->scc =
         isa_compare(in, before,
                     in->type == ISA_I32 ? immediate : immediate & 0xffff);
}

static void
test(struct isa_lane *lane, const struct isa_instruction *in, uint64_t a,
     uint64_t b)
{
   if (in->op == ISA_COMPARE)
      lane->scc = isa_compare(in, a, b);
   else
      lane->scc = (a >> (b & (isa_is_wide(in) ? 63 : 31)) & 1) ==
                  (in->op == ISA_BIT_IS_1);
}

static int32_t
execute_scalar(struct isa_lane *lane, const struct isa_instruction *in)
{
   const bool is_wide = isa_is_wide(in);
   const uint64_t a = isa_read(lane, in, in->sources[0], is_wide);
   const uint64_t b = isa_read(lane, in, in->sources[1], is_wide);

   if (in->kind == ISA_SOPP)
      return is_taken(lane, in->op) ? in->immediate : 0;
   if (in->kind == ISA_SOPK)
      execute_immediate(lane, in);
   else if (in->kind == ISA_SOPC)
      test(lane, in, a, b);
   else if (in->saves_exec)
      save_exec(lane, in, a);
   else
      isa_write_scalar(lane, in->target, compute(lane, in, a, b), is_wide);
   return 0;
}

int32_t
isa_execute(struct isa_lane *lane, const struct isa_instruction *in)
{
   if (in->kind == ISA_MUBUF)
      isa_execute_buffer(lane, in);
   else if (in->kind == ISA_SMEM)
      isa_execute_scalar_load(lane, in);
   else if (in->kind == ISA_VOP || in->kind == ISA_VOPC)
      isa_execute_vector(lane, in);
   else
      return execute_scalar(lane, in);
   return 0;
}
