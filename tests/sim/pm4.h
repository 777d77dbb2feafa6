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

#endif /* PITOT_SIM_PM4_H */
