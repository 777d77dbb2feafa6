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

/* In a record of a sample that is added up: the sum. */
#define PITOT_ADRENO_SUM_B 8

/* Waits until all that came before is written, by a dword for this alone. */
void
pitot_adreno_drain(struct pitot_hw_packets *packets, uint64_t address);

/* Writes a qword, as the command processor sees it after a wait. */
void
pitot_adreno_set(struct pitot_hw_packets *packets, uint64_t address,
                 uint64_t value);

/* Adds a qword to a sum, and subtracts another one, unless that is 0. */
void
pitot_adreno_add(struct pitot_hw_packets *packets, uint64_t sum,
                 uint64_t plus, uint64_t minus);

/* Writes a dword if another one has a bit of a mask, or is 0. */
#define PITOT_ADRENO_IF_ZERO 0

void
pitot_adreno_replace(struct pitot_hw_packets *packets, uint64_t address,
                     uint32_t value, uint64_t condition, uint32_t mask);

/* Copies a dword or a qword. */
void
pitot_adreno_copy(struct pitot_hw_packets *packets, uint64_t to,
                  uint64_t from, unsigned size_B);

/* store.c: the family's emit_store. */
bool
pitot_adreno_emit_store(struct pitot_hw_packets *packets,
                        const struct pitot_hw *hw,
                        const struct pitot_hw_query *query,
                        const struct pitot_hw_value *value,
                        const struct pitot_hw_target *target);

#endif /* PITOT_HW_ADRENO_H */
