/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of Adreno 6xx and 7xx.
 */

#ifndef PITOT_HW_ADRENO_H
#define PITOT_HW_ADRENO_H

#include "hw_priv.h"
#include "pitot/adreno.h"

/* Arguments of counters: registers of 64 bits, or the block of stream-out. */
#define PITOT_ADRENO_PRIMCTR(INDEX) (0x540u + 2 * (INDEX))
#define PITOT_ADRENO_STREAMOUT      0u

/* A begin and an end of stream-out: a written and a needed qword for each
 * stream.
 */
#define PITOT_ADRENO_STREAMOUT_QW 8

/* Encodes commands of the command stream. */
void
pitot_adreno_encode(struct pitot_hw_packets *packets,
                    const struct pitot_cs_command *commands, unsigned count);

#endif /* PITOT_HW_ADRENO_H */
