/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of Intel's command streamers, Gen8 to Gen20 (Xe2).
 */

#ifndef PITOT_HW_INTEL_H
#define PITOT_HW_INTEL_H

#include "hw_priv.h"
#include "pitot/intel.h"

/* PIPE_CONTROL, second dword. */
#define PITOT_INTEL_STALL_AT_SCOREBOARD (1u << 1)
#define PITOT_INTEL_FLUSH_ENABLE        (1u << 7)
#define PITOT_INTEL_DEPTH_STALL         (1u << 13)
#define PITOT_INTEL_WRITE_IMMEDIATE     (1u << 14)
#define PITOT_INTEL_WRITE_DEPTH_COUNT   (2u << 14)
#define PITOT_INTEL_WRITE_TIMESTAMP     (3u << 14)
#define PITOT_INTEL_CS_STALL            (1u << 20)

/* Registers, of 64 bits each. */
#define PITOT_INTEL_CS_INVOCATION_COUNT       0x2290
#define PITOT_INTEL_HS_INVOCATION_COUNT       0x2300
#define PITOT_INTEL_DS_INVOCATION_COUNT       0x2308
#define PITOT_INTEL_IA_VERTICES_COUNT         0x2310
#define PITOT_INTEL_IA_PRIMITIVES_COUNT       0x2318
#define PITOT_INTEL_VS_INVOCATION_COUNT       0x2320
#define PITOT_INTEL_GS_INVOCATION_COUNT       0x2328
#define PITOT_INTEL_GS_PRIMITIVES_COUNT       0x2330
#define PITOT_INTEL_CL_INVOCATION_COUNT       0x2338
#define PITOT_INTEL_CL_PRIMITIVES_COUNT       0x2340
#define PITOT_INTEL_PS_INVOCATION_COUNT       0x2348
#define PITOT_INTEL_SO_NUM_PRIMS_WRITTEN(N)   (0x5200 + 8 * (N))
#define PITOT_INTEL_SO_PRIM_STORAGE_NEEDED(N) (0x5240 + 8 * (N))

/* Returns the bits of an address that commands have room for. */
uint64_t
pitot_intel_cut(uint64_t address);

/* PIPE_CONTROL with a write of 8 bytes, if flags say so: an immediate value
 * is 1.
 */
void
pitot_intel_pipe_control(struct pitot_hw_packets *packets, uint32_t flags,
                         uint64_t address);

/* MI_STORE_REGISTER_MEM, twice: the two halves of a 64-bit register. */
void
pitot_intel_store_register(struct pitot_hw_packets *packets, uint32_t reg,
                           uint64_t address);

/* MI_STORE_REGISTER_MEM and MI_LOAD_REGISTER_MEM of 32 bits, by their first
 * dword.
 */
#define PITOT_INTEL_STORE_REGISTER_MEM 0x12000002u
#define PITOT_INTEL_LOAD_REGISTER_MEM  0x14800002u

void
pitot_intel_register_mem(struct pitot_hw_packets *packets, uint32_t header,
                         uint32_t reg, uint64_t address);

/* Copies memory, 4 bytes with each packet. */
void
pitot_intel_copy(struct pitot_hw_packets *packets, uint64_t to, uint64_t from,
                 unsigned size_B);

/* MI_MEM_FENCE from Gen20 on: the command streamer may read memory ahead of
 * its own writes.  Earlier GPUs need nothing.
 */
void
pitot_intel_fence(struct pitot_hw_packets *packets);

/* MI_STORE_DATA_IMM of 4 or 8 bytes */
void
pitot_intel_store_data(struct pitot_hw_packets *packets, uint64_t address,
                       uint64_t value, unsigned size_B);

/* Tells a register as packets do from Gen11 on, which mean the same to each
 * engine: the command streamer's own by the offset from its first one.
 * Returns whether it is told so.
 */
bool
pitot_intel_is_relative(const struct pitot_gpu *gpu, uint32_t *reg_inout);

/* Encodes commands of the command stream, on the ring of the packets. */
void
pitot_intel_encode(struct pitot_hw_packets *packets,
                   const struct pitot_cs_command *commands, unsigned count);

/* store.c: the family's describe_condition and emit_store. */
bool
pitot_intel_describe_condition(struct pitot_hw *hw,
                               const struct pitot_hw_query *query,
                               const struct pitot_hw_value *value,
                               struct pitot_hw_condition *condition_out);

bool
pitot_intel_emit_store(struct pitot_hw_packets *packets,
                       const struct pitot_hw *hw,
                       const struct pitot_hw_query *query,
                       const struct pitot_hw_value *value,
                       const struct pitot_hw_target *target);

#endif /* PITOT_HW_INTEL_H */
