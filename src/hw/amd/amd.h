/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of AMD's graphics rings, GFX6 to GFX11.5.  Each function writes one
 * packet, and returns where the next one goes.
 */

#ifndef PITOT_HW_AMD_H
#define PITOT_HW_AMD_H

#include <stdint.h>

/* EVENT_WRITE: an event and what group it is of. */
#define PITOT_AMD_EVENT(TYPE, INDEX) ((uint32_t)(TYPE) | (INDEX) << 8)

#define PITOT_AMD_ZPASS_DONE          PITOT_AMD_EVENT(21, 1)
#define PITOT_AMD_PIXEL_PIPE_DUMP     PITOT_AMD_EVENT(57, 1)
#define PITOT_AMD_SAMPLE_PIPELINESTAT PITOT_AMD_EVENT(30, 2)
#define PITOT_AMD_SAMPLE_STREAMOUT    PITOT_AMD_EVENT(32, 3)
#define PITOT_AMD_SAMPLE_STREAMOUT_N  PITOT_AMD_EVENT(0, 3) /* + 1, 2, 3 */

/* What is written at the end of the pipe. */
enum pitot_amd_write {
   PITOT_AMD_WRITE_VALUE = 1, /* 32 bits */
   PITOT_AMD_WRITE_TIMESTAMP = 3,
};

/* A packet of one dword that does nothing. */
uint32_t
pitot_amd_nop(unsigned generation);

uint32_t *
pitot_amd_event_write(uint32_t *dw, uint32_t event, uint64_t address);

/* EVENT_WRITE_ZPASS, of firmware that knows it. */
uint32_t *
pitot_amd_event_write_zpass(uint32_t *dw, uint64_t address);

/* EVENT_WRITE_EOP, up to GFX8: writes once all earlier work is done. */
uint32_t *
pitot_amd_event_write_eop(uint32_t *dw, enum pitot_amd_write what,
                          uint64_t address, uint32_t value);

/* RELEASE_MEM, the same from GFX9 on. */
uint32_t *
pitot_amd_release_mem(uint32_t *dw, enum pitot_amd_write what,
                      uint64_t address, uint32_t value);

/* WRITE_DATA of 4 or 8 bytes. */
uint32_t *
pitot_amd_write_data(uint32_t *dw, unsigned generation, uint64_t address,
                     uint64_t value, unsigned size_B);

/* COPY_DATA of 8 bytes. */
uint32_t *
pitot_amd_copy_data(uint32_t *dw, unsigned generation, uint64_t to,
                    uint64_t from);

/* WAIT_REG_MEM, until 4 bytes are not 0. */
uint32_t *
pitot_amd_wait_mem(uint32_t *dw, uint64_t address);

/* PFP_SYNC_ME: what reads commands ahead waits for what was written. */
uint32_t *
pitot_amd_pfp_sync_me(uint32_t *dw);

#endif /* PITOT_HW_AMD_H */
