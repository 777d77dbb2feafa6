/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the files of the decoder of AMD's commands know of each other.
 * Bodies of packets are without their header.
 */

#ifndef PITOT_SIM_PM4_H
#define PITOT_SIM_PM4_H

#include "sim_priv.h"

#define OP_NOP                          0x10
#define OP_SET_BASE                     0x11
#define OP_CLEAR_STATE                  0x12
#define OP_DISPATCH_DIRECT              0x15
#define OP_DISPATCH_INDIRECT            0x16
#define OP_SET_PREDICATION              0x20
#define OP_DRAW_INDIRECT                0x24
#define OP_DRAW_INDEX_INDIRECT          0x25
#define OP_DRAW_INDEX_2                 0x27
#define OP_DRAW_INDIRECT_MULTI          0x2c
#define OP_DRAW_INDEX_AUTO              0x2d
#define OP_DRAW_INDEX_IMMD              0x2e
#define OP_NUM_INSTANCES                0x2f
#define OP_DRAW_INDEX_MULTI_AUTO        0x30
#define OP_INDIRECT_BUFFER_GFX6         0x32
#define OP_STRMOUT_BUFFER_UPDATE        0x34
#define OP_DRAW_INDEX_OFFSET_2          0x35
#define OP_WRITE_DATA                   0x37
#define OP_DRAW_INDEX_INDIRECT_MULTI    0x38
#define OP_INDIRECT_BUFFER              0x3f
#define OP_WAIT_REG_MEM                 0x3c
#define OP_COPY_DATA                    0x40
#define OP_CP_DMA                       0x41
#define OP_EVENT_WRITE                  0x46
#define OP_EVENT_WRITE_EOP              0x47
#define OP_RELEASE_MEM                  0x49
#define OP_DISPATCH_MESH_INDIRECT_MULTI 0x4c
#define OP_DISPATCH_TASKMESH            0x4d
#define OP_DISPATCH_MESH_DIRECT         0x4e
#define OP_DMA_DATA                     0x50
#define OP_SET_CONFIG_REG               0x68
#define OP_SET_CONTEXT_REG              0x69
#define OP_SET_SH_REG                   0x76
#define OP_SET_UCONFIG_REG              0x79
#define OP_SET_UCONFIG_REG_INDEX        0x7a
#define OP_SET_SH_REG_INDEX             0x9b
#define OP_LOAD_CONTEXT_REG_INDEX       0x9f
#define OP_EVENT_WRITE_ZPASS            0xb1
#define OP_SET_CONTEXT_REG_PAIRS        0xb8
#define OP_SET_CONTEXT_REG_PAIRS_PACKED 0xb9
#define OP_SET_SH_REG_PAIRS             0xba
#define OP_SET_SH_REG_PAIRS_PACKED      0xbb
#define OP_SET_SH_REG_PAIRS_PACKED_N    0xbd

#define GFX7  70
#define GFX9  90
#define GFX11 110

/* Set by what writes a count, to tell that it has. */
#define VALID          (UINT64_C(1) << 63)
#define BACKEND_STRIDE 16

struct decoder {
   struct sim_engine *engine;
   unsigned generation;
   bool is_compute;    /* the ring */
   bool was_zpass;     /* the packet before */
   unsigned eop_count; /* of end-of-pipe packets in a row */

   /* What draws are told of by SET_PREDICATION. */
   bool is_found;   /* samples, or too little room; so far */
   bool is_unknown; /* whether there are any, and nobody waits */
   bool skips;      /* draws that heed it */
};

/* Returns the address in two dwords. */
uint64_t
sim_pm4_address(const uint32_t *dw);

void
sim_pm4_violate(struct decoder *decoder, const char *packet,
                const char *rule);

/* pm4_draw.c */

void
sim_pm4_draw(struct decoder *decoder, unsigned op, const uint32_t *body);

void
sim_pm4_dispatch(struct decoder *decoder, unsigned op, const uint32_t *body);

/* pm4_event.c */

void
sim_pm4_event_write(struct decoder *decoder, const uint32_t *body,
                    unsigned body_dw);

void
sim_pm4_event_write_zpass(struct decoder *decoder, const uint32_t *body);

void
sim_pm4_event_write_eop(struct decoder *decoder, const uint32_t *body);

/* was_zpass: the packet before sampled the backends. */
void
sim_pm4_release_mem(struct decoder *decoder, const uint32_t *body,
                    bool was_zpass);

/* pm4_memory.c */

void
sim_pm4_write_data(struct decoder *decoder, const uint32_t *body,
                   unsigned body_dw);

void
sim_pm4_copy_data(struct decoder *decoder, const uint32_t *body);

void
sim_pm4_wait_reg_mem(struct decoder *decoder, const uint32_t *body);

void
sim_pm4_cp_dma(struct decoder *decoder, const uint32_t *body);

void
sim_pm4_dma_data(struct decoder *decoder, const uint32_t *body);

/* pm4_predicate.c */

void
sim_pm4_set_predication(struct decoder *decoder, const uint32_t *body);

/* pm4_shader.c */

/* Runs the shader of a dispatch of so many threads, if it is one of those
 * that are known.
 */
void
sim_pm4_run_shader(struct decoder *decoder, const uint64_t threads[3],
                   uint32_t initiator);

/* pm4_state.c */

/* Sets a register, by its offset in bytes from the first one. */
void
sim_pm4_set_register(struct decoder *decoder, uint32_t reg, uint32_t value);

/* Executes a packet if it sets what counting or later work depends on. */
void
sim_pm4_set_state(struct decoder *decoder, unsigned op, const uint32_t *body,
                  unsigned body_dw);

#endif /* PITOT_SIM_PM4_H */
