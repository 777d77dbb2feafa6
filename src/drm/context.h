/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Contexts through i915 and amdgpu: batches in a ring of buffers, the list of
 * all buffers, and the state of each batch.
 */

#ifndef PITOT_DRM_CONTEXT_H
#define PITOT_DRM_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "drm_priv.h"
#include "drm_packets.h"

/* The current batch, batches in flight, and one that is done although the GPU
 * may still read its last commands.
 */
#define PITOT_DRM_BATCH_SLOTS 5

/* The initial size of a batch's buffer, and the length at which a batch is
 * full: the rest is for its end.  The buffer grows if thousands of queries
 * are suspended there.
 */
#define PITOT_DRM_BATCH_B 65536
#define PITOT_DRM_FULL_DW (PITOT_DRM_BATCH_B / sizeof(uint32_t) / 2)

#define PITOT_DRM_PAGE_B 4096

struct pitot_drm_buffer {
   struct pitot_cs_buffer base;
   uint32_t handle;
   uint64_t mapped_B;                    /* rounded up to whole pages */
   uint64_t last_batch[PITOT_MAX_RINGS]; /* of each ring; 0: none uses it */
   bool is_retired;                      /* only the GPU still uses it */
   struct pitot_drm_buffer *next;        /* in the context's list */
};

struct pitot_drm_batch {
   struct pitot_drm_buffer *memory;
   uint32_t handle; /* of memory, when the batch is submitted */
   uint64_t number;
   uint64_t seqno; /* the GPU writes it at the end of the batch */
};

struct pitot_drm_ring {
   uint32_t id; /* of the kernel's context; 0: not created */

   /* Of the recording thread; others read a slot with the lock. */
   struct pitot_drm_batch slots[PITOT_DRM_BATCH_SLOTS];
   unsigned count_dw; /* recorded in the batch */
   bool is_between;   /* between two batches, in drm_flush() */

   atomic_uint_least64_t recording; /* the number of the current batch */
   atomic_uint_least64_t done;      /* all batches up to this one are done */
};

struct pitot_drm_context {
   struct pitot_cs base;
   struct pitot_drm_device *device;
   const struct pitot_drm_context_ops *ops;

   struct pitot_drm_ring rings[PITOT_MAX_RINGS];

   /* The GPU writes the seqno of each ring's last batch here, a qword a ring.
    * The rest of the page is never read.
    */
   struct pitot_drm_buffer *status;

   struct pitot_drm_buffer *buffers;
   unsigned buffer_count;
   void *entries; /* of a submission's list, with space for all buffers */
   uint64_t next_address;

   unsigned counting; /* a mask of enum pitot_counting */

   pthread_mutex_t lock; /* of the slots, done, and the loss */
   atomic_bool is_lost;
   atomic_bool is_loss_unreported;
};

/* The functions of a family.  They return 0 or -errno. */
struct pitot_drm_context_ops {
   unsigned entry_size_B; /* of a buffer in a submission's list */
   unsigned ring_count;

   /* Creates the kernel's context of a ring, with the id for destroy(). */
   int (*create)(struct pitot_drm_context *context, uint32_t *id_out);
   void (*destroy)(struct pitot_drm_context *context, uint32_t id);

   /* Creates a BO, which closing its handle frees.  *offset_out is its offset
    * for mmap().
    */
   int (*allocate)(struct pitot_drm_context *context,
                   struct pitot_drm_buffer *buffer, uint64_t *offset_out);

   /* Encode the first and last packets of a batch, and of one position. */
   void (*begin)(struct pitot_drm_packets *packets, unsigned counting);
   void (*end)(struct pitot_drm_packets *packets, uint64_t status_address,
               uint64_t number);
   void (*encode)(struct pitot_drm_packets *packets,
                  const struct pitot_cs_command *commands, unsigned count);

   /* Selects what later commands count; NULL: the GPU counts everything. */
   void (*count)(struct pitot_drm_packets *packets, unsigned counting);

   /* Writes an entry of a submission's list; 0 is the batch's own memory. */
   void (*list)(struct pitot_drm_context *context, unsigned index,
                const struct pitot_drm_buffer *buffer);

   /* Submits a batch and sets its seqno. */
   int (*submit)(struct pitot_drm_context *context, enum pitot_ring ring,
                 struct pitot_drm_batch *batch, unsigned buffer_count);

   /* Waits for a batch, or polls.  Returns 0 if the kernel has finished it,
    * -ETIME if not yet.
    */
   int (*wait)(struct pitot_drm_context *context,
               const struct pitot_drm_batch *batch, bool is_poll);

   /* Returns an error if the GPU was reset after the kernel's context was
    * created.
    */
   int (*check_health)(struct pitot_drm_context *context, uint32_t id);
};

/* buffer.c */

int
pitot_drm_buffer_create(struct pitot_drm_context *context, unsigned size_B,
                        struct pitot_drm_buffer **buffer_out);

/* Frees retired buffers whose batches are done or lost. */
void
pitot_drm_buffer_collect(struct pitot_drm_context *context);

void
pitot_drm_buffer_destroy_all(struct pitot_drm_context *context);

/* Reserves space in the current batch; NULL if the context is lost. */
uint32_t *
pitot_drm_reserve(struct pitot_drm_context *context, enum pitot_ring ring,
                  unsigned count_dw);

#endif /* PITOT_DRM_CONTEXT_H */
