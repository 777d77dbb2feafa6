/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The decoder of AMD commands: pm4.c reads packets, other files execute. */

#ifndef PITOT_SIM_PM4_H
#define PITOT_SIM_PM4_H

#include "sim_priv.h"

enum pm4_op {
   OP_DISPATCH_DIRECT = 0x15,
   OP_SET_PREDICATION = 0x20,
   OP_DRAW_INDIRECT = 0x24,
   OP_DRAW_INDEX_INDIRECT = 0x25,
   OP_DRAW_INDEX_2 = 0x27,
   OP_DRAW_INDIRECT_MULTI = 0x2c,
   OP_DRAW_INDEX_AUTO = 0x2d,
   OP_DRAW_INDEX_IMMD = 0x2e,
   OP_INDIRECT_BUFFER_GFX6 = 0x32,
   OP_DRAW_INDEX_OFFSET_2 = 0x35,
   OP_WRITE_DATA = 0x37,
   OP_DRAW_INDEX_INDIRECT_MULTI = 0x38,
   OP_WAIT_REG_MEM = 0x3c,
   OP_INDIRECT_BUFFER = 0x3f,
   OP_PFP_SYNC_ME = 0x42,
   OP_SURFACE_SYNC = 0x43,
   OP_EVENT_WRITE_EOP = 0x47,
   OP_ACQUIRE_MEM = 0x58,
   OP_LOAD_UCONFIG_REG = 0x5e,
   OP_LOAD_SH_REG = 0x5f,
   OP_SET_CONFIG_REG = 0x68,
   OP_SET_CONTEXT_REG = 0x69,
   OP_SET_SH_REG = 0x76,
   OP_SET_UCONFIG_REG = 0x79,
   OP_SET_UCONFIG_REG_INDEX = 0x7a,
   OP_SET_SH_REG_INDEX = 0x9b,
   OP_DISPATCH_DIRECT_INTERLEAVED = 0xa7,
   OP_SET_CONTEXT_REG_PAIRS = 0xb8,
   OP_SET_CONTEXT_REG_PAIRS_PACKED = 0xb9,
   OP_SET_SH_REG_PAIRS = 0xba,
   OP_SET_SH_REG_PAIRS_PACKED = 0xbb,
   OP_SET_SH_REG_PAIRS_PACKED_N = 0xbd,
   OP_SET_UCONFIG_REG_PAIRS = 0xbe,
   OP_COUNT = 0x100,
};

/* Set in a count that was written. */
#define VALID          (UINT64_C(1) << 63)
#define BACKEND_STRIDE 16

struct pm4_packet {
   enum pm4_op op;
   bool is_predicated;
   bool is_skipped;      /* by the predicate */
   const uint32_t *body; /* after the header */
   unsigned body_dw;
};

#define PM4_MAX_AHEAD 32

/* Registers that a driver also keeps in memory. */
#define PM4_SHADOW_COUNT 4

struct pm4_shadow {
   uint32_t first;         /* register */
   const uint32_t *ranges; /* pairs: offset from there, number of registers */
   unsigned range_dw;
   uint64_t address; /* of the first register */
};

/* The PFP reads packets, follows calls and evaluates predicates.  The ME does
 * the rest, some packets later.
 */
struct decoder {
   struct sim_engine *engine;
   unsigned generation;
   struct pm4_packet ahead[PM4_MAX_AHEAD];
   unsigned ahead_count;
   bool is_zpass, after_zpass; /* this packet; the previous one */
   unsigned eop_count;         /* consecutive end-of-pipe packets */

   /* State of SET_PREDICATION. */
   bool is_found;   /* samples, or overflow, so far */
   bool is_unknown; /* no samples yet, without a wait */
   bool skips;      /* skips predicated draws */

   bool has_shadows;
   struct pm4_shadow shadows[PM4_SHADOW_COUNT];
   unsigned shadow_count;
};

/* The IB of the packets that the ME executes. */
static inline const struct sim_ib *
pm4_ib(const struct decoder *decoder)
{
   const struct sim_engine *engine = decoder->engine;

   return &engine->submission->ibs[engine->reader.ib_count - 1];
}

/* reg: offset in bytes */
void
pm4_set_register(struct decoder *decoder, uint32_t reg, uint32_t value);

/* Runs a shader whose instructions are all simulated: see pm4_shader.c. */
void
pm4_run_shader(struct decoder *decoder, const uint64_t threads[3],
               uint32_t initiator);

typedef void
pm4_handler(struct decoder *decoder, const struct pm4_packet *packet);

pm4_handler pm4_draw, pm4_dispatch;

/* Returns the threads of a full group in a dimension. */
uint32_t
pm4_group_size(const struct decoder *decoder, unsigned dimension);

/* pm4_event.c */
pm4_handler pm4_event_write, pm4_event_write_zpass;
pm4_handler pm4_event_write_eop, pm4_release_mem;
pm4_handler pm4_acquire_mem; /* and SURFACE_SYNC */

/* pm4_memory.c */
pm4_handler pm4_write_data, pm4_copy_data, pm4_wait_reg_mem;
pm4_handler pm4_cp_dma, pm4_dma_data;

/* Whether WAIT_REG_MEM's condition is true. */
bool
pm4_has_waited(struct decoder *decoder, const struct pm4_packet *packet);

/* The PFP evaluates SET_PREDICATION for the draws that follow. */
pm4_handler pm4_set_predication;

/* Whether SET_PREDICATION need not wait for memory. */
bool
pm4_is_decided(struct decoder *decoder, const struct pm4_packet *packet);

/* pm4_shadow.c */
pm4_handler pm4_context_control, pm4_load_registers;

/* Writes a register's shadow, if it has one. */
void
pm4_shadow(struct decoder *decoder, uint32_t first, uint32_t number,
           uint32_t value);

/* The schedule may let other contexts work, if commands can be preempted. */
void
pm4_preempt(struct decoder *decoder);

/* pm4_state.c */
pm4_handler pm4_clear_state, pm4_set_base, pm4_num_instances;
pm4_handler pm4_strmout_buffer_update, pm4_load_context_reg;
pm4_handler pm4_set_registers;

#endif /* PITOT_SIM_PM4_H */
