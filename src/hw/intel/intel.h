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

/* MI_STORE_DATA_IMM of 4 or 8 bytes */
void
pitot_intel_store_data(struct pitot_hw_packets *packets, uint64_t address,
                       uint64_t value, unsigned size_B);

/* Encodes commands of the command stream, on the ring of the packets. */
void
pitot_intel_encode(struct pitot_hw_packets *packets,
                   const struct pitot_cs_command *commands, unsigned count);

#endif /* PITOT_HW_INTEL_H */
