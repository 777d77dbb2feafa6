/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The packets of batches and commands, for contexts of Pitot's own.
 */

#ifndef PITOT_DRM_PACKETS_H
#define PITOT_DRM_PACKETS_H

#include "pitot/amd.h"
#include "pitot/intel.h"

/* The most dwords of the commands of one position. */
#define PITOT_DRM_MAX_PACKETS_DW 320

/* The most render backends, each with two qwords of a sample. */
#define PITOT_DRM_SCRATCH_SIZE_B 1024

/* A cursor for packets, and the facts that they depend on. */
struct pitot_drm_packets {
   const struct pitot_gpu *gpu;
   enum pitot_ring ring;
   uint32_t *next;
   const uint32_t *first;    /* of the batch, for its end */
   uint64_t place_address;   /* of the commands: their offsets begin here */
   uint64_t scratch_address; /* memory to write to for nothing */
};

/* Begin a batch, in which what is in a mask of enum pitot_counting counts. */
void
pitot_drm_intel_begin(struct pitot_drm_packets *packets, unsigned counting);

void
pitot_drm_amd_begin(struct pitot_drm_packets *packets, unsigned counting);

/* End a batch.  A batch of Intel's writes its number last. */
void
pitot_drm_intel_end(struct pitot_drm_packets *packets, uint64_t address,
                    uint64_t number);

void
pitot_drm_amd_end(struct pitot_drm_packets *packets, uint64_t address,
                  uint64_t number);

/* Encode the commands of one position, and before them what they wait for. */
void
pitot_drm_intel_encode(struct pitot_drm_packets *packets,
                       const struct pitot_cs_command *commands,
                       unsigned count);

void
pitot_drm_amd_encode(struct pitot_drm_packets *packets,
                     const struct pitot_cs_command *commands, unsigned count);

/* Counts what is in a mask of enum pitot_counting from here on. */
void
pitot_drm_amd_count(struct pitot_drm_packets *packets, unsigned counting);

/* Has the command streamer wait for all earlier work. */
void
pitot_drm_intel_stall(struct pitot_drm_packets *packets);

#endif /* PITOT_DRM_PACKETS_H */
