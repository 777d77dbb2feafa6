/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The lengths of Intel's commands. */

#include "gen.h"

#define TYPE_MI         0
#define TYPE_3D         3
#define MI_SHORT_BEFORE 0x10
#define SUBTYPE_SINGLE  1

#define PIPELINE_SELECT_OLD 0x6104 /* without a length */
#define STORE_QWORD         (1u << 21)

unsigned
gen_length(uint32_t header)
{
   const unsigned type = header >> 29;

   if (header >> 16 == PIPELINE_SELECT_OLD)
      return 1;
   if (type == TYPE_MI)
      return (header >> 23) < MI_SHORT_BEFORE ? 1 : (header & 0xff) + 2;
   if (type == TYPE_3D && (header >> 27 & 3) == SUBTYPE_SINGLE)
      return 1;
   return (header & 0xff) + 2;
}

static unsigned
least_mi_length(uint32_t header)
{
   switch (header >> 23) {
   case 0x20: /* MI_STORE_DATA_IMM */
      return (header & STORE_QWORD) != 0 ? 5 : 4;
   case 0x24: /* MI_STORE_REGISTER_MEM */
   case 0x29: /* MI_LOAD_REGISTER_MEM */
      return 4;
   case 0x26: /* MI_FLUSH_DW */
   case 0x2e: /* MI_COPY_MEM_MEM */
      return 5;
   case 0x2a: /* MI_LOAD_REGISTER_REG */
   case 0x31: /* MI_BATCH_BUFFER_START */
      return 3;
   default:
      return 1;
   }
}

/* Dwords that the simulator reads without checking the length. */
static const struct {
   uint32_t packet; /* upper half of the header */
   unsigned least_dw;
} lengths[] = {
   { 0x6109, 3 },  /* STATE_SYSTEM_MEM_FENCE_ADDRESS */
   { 0x7105, 15 }, /* GPGPU_WALKER */
   { 0x7208, 15 }, /* COMPUTE_WALKER */
   { 0x7a00, 6 },  /* PIPE_CONTROL */
   { 0x7b00, 7 },  /* 3DPRIMITIVE */
   { 0x7c00, 6 },  /* EXECUTE_INDIRECT_DRAW */
   { 0x7c01, 45 }, /* EXECUTE_INDIRECT_DISPATCH */
   { 0x7811, 8 },  /* 3DSTATE_GS */
   { 0x7812, 3 },  /* 3DSTATE_CLIP */
   { 0x781b, 3 },  /* 3DSTATE_HS */
   { 0x781e, 5 },  /* 3DSTATE_STREAMOUT */
   { 0x782a, 2 },  /* 3DSTATE_BINDING_TABLE_POINTERS_PS */
   { 0x784b, 2 },  /* 3DSTATE_VF_TOPOLOGY */
   { 0x7917, 2 },  /* 3DSTATE_SO_DECL_LIST */
   { 0x7918, 2 },  /* 3DSTATE_SO_BUFFER */
};

unsigned
gen_least_length(uint32_t header, unsigned generation)
{
   (void)generation;
   if (header >> 29 == TYPE_MI)
      return least_mi_length(header);
   for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
      if (lengths[i].packet == header >> 16)
         return lengths[i].least_dw;
   }
   return 1;
}
