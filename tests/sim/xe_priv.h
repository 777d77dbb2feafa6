/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Shared by the files of the simulated xe. */

#ifndef PITOT_SIM_XE_PRIV_H
#define PITOT_SIM_XE_PRIV_H

#include "drm-uapi/xe_drm.h"
#include "sim_priv.h"

/* Page sizes in a card's memory, and elsewhere. */
#define CARD_PAGE_B 65536
#define PAGE_B      4096
#define VA_BITS     48

/* xe_info.c: replies to a query about the GPU. */
sim_handler sim_xe_query;

/* xe_order.c: the syncs that submissions and binds wait for, and signal. */

/* Checks syncs, and returns in *before_out what must be done before. */
int
sim_xe_check_syncs(struct sim *sim, uint64_t address, unsigned count,
                   struct sim_before *before_out);

/* Gives the syncs to signal a submission's fence, or 0 for none. */
void
sim_xe_signal_syncs(struct sim *sim, uint64_t address, unsigned count,
                    uint64_t fence);

/* Queues a bind that signals syncs; without syncs does it immediately. */
void
sim_xe_queue_bind(struct sim *sim, const struct sim_bind *bind,
                  uint64_t syncs, unsigned count);

#endif /* PITOT_SIM_XE_PRIV_H */
