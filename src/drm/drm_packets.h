/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets of batches and commands, for contexts of src/drm.
 */

#ifndef PITOT_DRM_PACKETS_H
#define PITOT_DRM_PACKETS_H

#include "pitot/amd.h"
#include "pitot/intel.h"

/* The maximum for the commands of one position. */
#define PITOT_DRM_MAX_PACKETS_DW 320

/* An occlusion sample of 64 render backends with two qwords each. */
#define PITOT_DRM_SCRATCH_SIZE_B 1024

/* Where packets are written, and what they depend on. */
struct pitot_drm_packets {
   const struct pitot_gpu *gpu;
   enum pitot_ring ring;
   uint32_t *next;
   const uint32_t *first;    /* the batch's, for the padding at its end */
   uint64_t place_address;   /* base of the commands' offsets */
   uint64_t scratch_address; /* for writes whose value nothing reads */
};

/* Begin a batch.  counting: a mask of enum pitot_counting. */
void
pitot_drm_intel_begin(struct pitot_drm_packets *packets, unsigned counting);

void
pitot_drm_amd_begin(struct pitot_drm_packets *packets, unsigned counting);

/* End a batch.  AMD ignores the number: the kernel's fence writes it. */
void
pitot_drm_intel_end(struct pitot_drm_packets *packets, uint64_t address,
                    uint64_t number);

void
pitot_drm_amd_end(struct pitot_drm_packets *packets, uint64_t address,
                  uint64_t number);

/* Encode the commands of one position, with the waits that they need. */
void
pitot_drm_intel_encode(struct pitot_drm_packets *packets,
                       const struct pitot_cs_command *commands,
                       unsigned count);

void
pitot_drm_amd_encode(struct pitot_drm_packets *packets,
                     const struct pitot_cs_command *commands, unsigned count);

/* Selects what later commands count: a mask of enum pitot_counting. */
void
pitot_drm_amd_count(struct pitot_drm_packets *packets, unsigned counting);

/* Makes the command streamer wait for all earlier work. */
void
pitot_drm_intel_stall(struct pitot_drm_packets *packets);

#endif /* PITOT_DRM_PACKETS_H */
