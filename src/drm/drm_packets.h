/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The packets of commands, for contexts of Pitot's own.
 */

#ifndef PITOT_DRM_PACKETS_H
#define PITOT_DRM_PACKETS_H

#include "pitot/amd.h"
#include "pitot/intel.h"

/* The most dwords of the commands of one position. */
#define PITOT_DRM_MAX_PACKETS_DW 320

/* The most dwords of a command. */
#define PITOT_DRM_COMMAND_DW 26

/* The most render backends, each with two qwords of a sample. */
#define PITOT_DRM_SCRATCH_SIZE_B 1024

/* A cursor for packets, and the facts that they depend on. */
struct pitot_drm_packets {
   const struct pitot_gpu *gpu;
   enum pitot_ring ring;
   uint32_t *next;
   uint64_t place_address;   /* of the commands: their offsets begin here */
   uint64_t scratch_address; /* memory to write to for nothing */
};

/* Encode the commands of one position, and before them what they wait for. */
void
pitot_drm_intel_encode(struct pitot_drm_packets *packets,
                       const struct pitot_cs_command *commands,
                       unsigned count);

void
pitot_drm_amd_encode(struct pitot_drm_packets *packets,
                     const struct pitot_cs_command *commands, unsigned count);

/* Has the command streamer wait for all earlier work. */
void
pitot_drm_intel_stall(struct pitot_drm_packets *packets);

/* Writes a number of 64 bits when all earlier work is done and flushed. */
void
pitot_drm_intel_write_number(struct pitot_drm_packets *packets,
                             uint64_t address, uint64_t number);

#endif /* PITOT_DRM_PACKETS_H */
