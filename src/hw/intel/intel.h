/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of Intel's command streamers, Gen8 to Gen12.5.  Each function
 * writes one packet, and returns where the next one goes.
 */

#ifndef PITOT_HW_INTEL_H
#define PITOT_HW_INTEL_H

#include <stdint.h>

/* PIPE_CONTROL, second dword. */
#define PITOT_INTEL_STALL_AT_SCOREBOARD (1u << 1)
#define PITOT_INTEL_FLUSH_ENABLE        (1u << 7)
#define PITOT_INTEL_DEPTH_STALL         (1u << 13)
#define PITOT_INTEL_WRITE_IMMEDIATE     (1u << 14)
#define PITOT_INTEL_WRITE_DEPTH_COUNT   (2u << 14)
#define PITOT_INTEL_WRITE_TIMESTAMP     (3u << 14)
#define PITOT_INTEL_CS_STALL            (1u << 20)

#define PITOT_INTEL_NOOP               0u
#define PITOT_INTEL_STORE_REGISTER_MEM 0x12000002u

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

/* PIPE_CONTROL with a write to a multiple of 8, of a value that counts only
 * for PITOT_INTEL_WRITE_IMMEDIATE.
 */
uint32_t *
pitot_intel_pipe_control(uint32_t *dw, uint32_t flags, uint64_t address,
                         uint64_t value);

/* MI_STORE_REGISTER_MEM, twice: of the two halves of a 64-bit register. */
uint32_t *
pitot_intel_store_register(uint32_t *dw, unsigned generation, uint32_t reg,
                           uint64_t address);

/* MI_STORE_DATA_IMM of 64 bits, and of 32. */
uint32_t *
pitot_intel_store_data(uint32_t *dw, unsigned generation, uint64_t address,
                       uint64_t value);

uint32_t *
pitot_intel_store_data_32(uint32_t *dw, unsigned generation, uint64_t address,
                          uint32_t value);

/* Returns an address as MI commands want it: the last of its 48 bits repeated
 * to the left.
 */
uint64_t
pitot_intel_canonical(uint64_t address);

#endif /* PITOT_HW_INTEL_H */
