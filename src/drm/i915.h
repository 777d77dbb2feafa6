/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Intel's GPUs as the kernel's i915 knows them.
 */

#ifndef PITOT_DRM_I915_H
#define PITOT_DRM_I915_H

#include "context.h"

/* GPUs of one kind: a range of PCI identifiers. */
struct pitot_i915_chip {
   uint16_t first_id, last_id;
   const char *name;
   unsigned generation; /* as in struct pitot_gpu */
   bool is_gt4;
   bool is_discrete; /* with memory of its own */
};

/* Returns the row of a PCI device, or NULL. */
const struct pitot_i915_chip *
pitot_i915_chip(unsigned device_id);

/* Reads a parameter of the driver, which is 0 where the kernel does not know
 * it.
 */
int
pitot_i915_param(const struct pitot_drm_device *device, int param);

int
pitot_i915_context_create(struct pitot_drm_device *device,
                          struct pitot_cs **cs_out);

/* i915_packets.c: some of struct pitot_drm_context_ops. */

void
pitot_i915_begin(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_i915_end(struct pitot_drm_context *context, enum pitot_ring ring);

void
pitot_i915_barrier(struct pitot_drm_context *context, enum pitot_ring ring,
                   enum pitot_barrier kind);

#endif /* PITOT_DRM_I915_H */
