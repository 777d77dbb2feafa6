/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared between the files of xe.
 */

#ifndef PITOT_DRM_XE_H
#define PITOT_DRM_XE_H

#include "intel.h"
#include "xe_uapi.h"

#define PITOT_XE_RING_COUNT 2

struct pitot_xe_context {
   struct pitot_drm_context base;
   uint32_t vm;
   uint32_t placement;                  /* of buffers: the system's memory */
   struct pitot_drm_buffer *fence_page; /* for MI_MEM_FENCE; from Gen20 on */
   uint32_t queues[PITOT_XE_RING_COUNT];
   uint32_t syncobjs[PITOT_XE_RING_COUNT][PITOT_DRM_BATCH_SLOTS];

   /* A timeline: each bind signals the next point of it. */
   uint32_t binds;
   uint64_t last_bind;
};

static inline struct pitot_xe_context *
pitot_to_xe(struct pitot_drm_context *context)
{
   return (struct pitot_xe_context *)context;
}

/* Returns the syncobj that a batch of a ring signals, and later batches that
 * take its slot.
 */
static inline uint32_t
pitot_xe_syncobj(const struct pitot_xe_context *context, unsigned ring,
                 uint64_t number)
{
   return context->syncobjs[ring][number % PITOT_DRM_BATCH_SLOTS];
}

/* xe.c: asks about the GPU.  Returns memory with the answer, to be freed, or
 * NULL and the error.
 */
void *
pitot_xe_query(const struct pitot_drm_device *device, uint32_t query,
               int *error_out);

/* xe_memory.c: the address space, and functions of struct
 * pitot_drm_context_ops.
 */
int
pitot_xe_create_space(struct pitot_xe_context *context);

void
pitot_xe_destroy_space(struct pitot_xe_context *context);

int
pitot_xe_allocate(struct pitot_drm_context *context,
                  struct pitot_drm_buffer *buffer, uint64_t *offset_out);

void
pitot_xe_release(struct pitot_drm_context *context,
                 struct pitot_drm_buffer *buffer);

/* Creates and destroys a syncobj: 0 is none. */
int
pitot_xe_create_syncobj(struct pitot_xe_context *context, uint32_t flags,
                        uint32_t *handle_out);

void
pitot_xe_destroy_syncobj(struct pitot_xe_context *context, uint32_t handle);

#endif /* PITOT_DRM_XE_H */
