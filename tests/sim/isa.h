/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The instructions of AMD shaders that copy and clear buffers, and compute
 * results of queries (pm4_shader.c).  Threads run one after another, each as
 * a wave: only bit 0 of a mask counts.
 */

#ifndef PITOT_SIM_ISA_H
#define PITOT_SIM_ISA_H

#include "sim_priv.h"

/* There are five encodings. */
enum isa_class {
   ISA_GFX6,
   ISA_GFX8,
   ISA_GFX10,
   ISA_GFX11,
   ISA_GFX12,
   ISA_CLASS_COUNT,
};

enum isa_op {
   ISA_UNKNOWN,

   /* Scalar and vector. */
   ISA_ADD,
   ISA_ADD_CARRY, /* adds a carry */
   ISA_SUB,
   ISA_SUB_BORROW,
   ISA_AND,
   ISA_OR,
   ISA_XOR,
   ISA_NOT,
   ISA_SHL,
   ISA_SHR,
   ISA_SAR,
   ISA_MIN,
   ISA_MAX,
   ISA_MUL,
   ISA_MUL_HIGH,
   ISA_BFE,
   ISA_BFM,
   ISA_MOV,
   ISA_SELECT,
   ISA_COMPARE,
   ISA_PACK_LL,

   /* Scalar. */
   ISA_ANDN2,
   ISA_ORN2,
   ISA_NAND,
   ISA_NOR,
   ISA_XNOR,
   ISA_PACK_LH,
   ISA_PACK_HH,
   ISA_SHL1_ADD,
   ISA_SHL2_ADD,
   ISA_SHL3_ADD,
   ISA_SHL4_ADD,
   ISA_BIT_IS_0, /* SCC, from a bit of the first operand */
   ISA_BIT_IS_1,
   ISA_MOVK,
   ISA_ADDK,
   ISA_MULK,
   ISA_NOTHING,
   ISA_END,
   ISA_BRANCH,
   ISA_BRANCH_SCC0,
   ISA_BRANCH_SCC1,
   ISA_BRANCH_VCCZ,
   ISA_BRANCH_VCCNZ,
   ISA_BRANCH_EXECZ,
   ISA_BRANCH_EXECNZ,

   /* Vector. */
   ISA_MUL_24,
   ISA_MAD_24,
   ISA_BFI,
   ISA_ALIGN_BIT,
   ISA_ALIGN_BYTE,
   ISA_PERM,
   ISA_SHL_ADD,
   ISA_ADD_SHL,
   ISA_SHL_OR,
   ISA_AND_OR,
   ISA_OR3,
   ISA_ADD3,
   ISA_XAD,
   ISA_MAD_64,
   ISA_FIRST_LANE, /* to a scalar register */

   /* Memory. */
   ISA_LOAD,
   ISA_STORE,
};

/* Types of values.  A vector sum of ISA_I32 produces a carry. */
enum isa_type {
   ISA_B32,
   ISA_I32,
   ISA_U32,
   ISA_B64,
   ISA_I64,
   ISA_I16,
   ISA_U16,
   ISA_I8,
   ISA_U8,
   ISA_B96,
   ISA_B128,
   ISA_B256,
   ISA_B512,
};

enum isa_relation {
   ISA_LESS = 1,
   ISA_EQUAL = 2,
   ISA_LESS_EQUAL = 3,
   ISA_GREATER = 4,
   ISA_NOT_EQUAL = 5,
   ISA_GREATER_EQUAL = 6,
};

enum isa_kind {
   ISA_OTHER, /* not decoded, e.g. images and vectors of addresses */
   ISA_SOP1,
   ISA_SOP2,
   ISA_SOPC,
   ISA_SOPK,
   ISA_SOPP,
   ISA_SMEM,
   ISA_VOP,
   ISA_VOPC,
   ISA_MUBUF,
};

/* Operands. */
#define ISA_VCC     106
#define ISA_EXEC    126
#define ISA_ZERO    128
#define ISA_LITERAL 255
#define ISA_VGPR    256

struct isa_instruction {
   enum isa_kind kind;
   enum isa_op op;
   enum isa_type type;
   unsigned count_dw;
   uint16_t sources[3];
   uint8_t target;        /* scalar register, or vector register */
   uint8_t scalar_target; /* for carries and comparisons */
   uint32_t literal;
   int32_t immediate;
   enum isa_relation relation;
   bool sets_exec, sets_scalar; /* of comparisons */
   bool is_reversed;            /* swaps the first two operands */
   bool saves_exec;             /* and combines it with the operand */

   /* Parts of registers: halves, or SDWA. */
   bool is_sdwa;
   uint8_t selects[2], target_select, target_rest;
   bool is_signed[2];
   uint8_t halves; /* high halves of the sources; bit 3: target */

   /* Memory: scalar registers with an address or a descriptor, and offsets
    * from the instruction, a scalar register and vector registers.
    */
   int32_t offset_B;
   uint8_t address, data, buffer, base;
   bool has_offset, has_index, is_high;
   bool is_of_buffer; /* scalar load by descriptor */
   bool bypasses_l1;  /* coherent within the GPU */
   bool bypasses_l2;  /* coherent with the CPU */

   /* Dual issue, from GFX11 on: the second instruction, of 32 bits. */
   bool is_dual;
   enum isa_op second_op;
   uint16_t second_sources[2];
   uint8_t second_target;
};

struct isa_lane {
   struct sim_engine *engine;
   enum isa_class class;
   bool is_wave32; /* a mask is one register */
   uint32_t scalars[128];
   uint32_t vectors[256];
   bool scc;
};

/* isa_opcodes.c: finds an instruction of the given kind by its number. */
bool
isa_find(enum isa_class class, unsigned number,
         struct isa_instruction *instruction);

/* isa_decode.c: decodes at least the length. */
struct isa_instruction
isa_decode(enum isa_class class, const uint32_t *dw, size_t left_dw);

/* Reads the literal after an instruction, if an operand needs one. */
void
isa_add_literal(struct isa_instruction *in, unsigned count,
                const uint32_t *dw);

/* From GFX12 on, a load's scope says which caches it bypasses. */
void
isa_set_scope(struct isa_instruction *in, uint32_t scope);

/* isa_decode_vector.c: returns false for other instructions. */
bool
isa_decode_vector(enum isa_class class, const uint32_t *dw,
                  struct isa_instruction *in);

/* isa_lane.c: operands and results.  64-bit values take two registers. */

/* Whether all operands are simulated. */
bool
isa_can_read_all(const struct isa_instruction *in);

uint64_t
isa_read(const struct isa_lane *lane, const struct isa_instruction *in,
         uint16_t operand, bool is_wide);

void
isa_write_scalar(struct isa_lane *lane, uint8_t target, uint64_t value,
                 bool is_wide);

/* Extracts count bits from offset on, fewer at the end. */
uint32_t
isa_extract(uint32_t value, unsigned offset, unsigned count, bool is_signed);

/* Computes a result of two operands. */
uint64_t
isa_compute(const struct isa_instruction *in, uint64_t a, uint64_t b);

bool
isa_compare(const struct isa_instruction *in, uint64_t a, uint64_t b);

/* Returns how many dwords a branch jumps. */
int32_t
isa_execute(struct isa_lane *lane, const struct isa_instruction *in);

/* isa_vector.c */
void
isa_execute_vector(struct isa_lane *lane, const struct isa_instruction *in);

/* isa_memory.c: vector loads and stores by descriptor, and scalar loads. */
void
isa_execute_buffer(struct isa_lane *lane, const struct isa_instruction *in);

void
isa_execute_scalar_load(struct isa_lane *lane,
                        const struct isa_instruction *in);

static inline bool
isa_is_half(const struct isa_instruction *in)
{
   return in->type == ISA_U16 || in->type == ISA_I16;
}

static inline bool
isa_is_wide(const struct isa_instruction *in)
{
   return in->type == ISA_B64 || in->type == ISA_I64;
}

static inline bool
isa_is_active(const struct isa_lane *lane)
{
   return (lane->scalars[ISA_EXEC] & 1) != 0;
}

#endif /* PITOT_SIM_ISA_H */
