/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by contexts, which i915 and amdgpu have: batches in a few buffers
 * that take turns, the list of all buffers, and the state of each batch.
 */

#ifndef PITOT_DRM_CONTEXT_H
#define PITOT_DRM_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "drm_priv.h"
#include "drm_packets.h"

/* Batches of a ring that are recorded or in flight at once, and one more that
 * the GPU may just be leaving.
 */
#define PITOT_DRM_BATCH_SLOTS 5

/* A batch's buffer at first, and how much of it a batch has that is full: the
 * rest is for its end.  The buffer grows if some thousand queries are
 * suspended there.
 */
#define PITOT_DRM_BATCH_B 65536
#define PITOT_DRM_FULL_DW (PITOT_DRM_BATCH_B / sizeof(uint32_t) / 2)

#define PITOT_DRM_PAGE_B 4096

struct pitot_drm_buffer {
   struct pitot_cs_buffer base;
   uint32_t handle;
   uint64_t mapped_B;                    /* rounded up to whole pages */
   uint64_t last_batch[PITOT_MAX_RINGS]; /* that uses it; 0: none */
   bool is_retired;                      /* only the GPU still has it */
   struct pitot_drm_buffer *next;        /* in the context's list */
};

struct pitot_drm_batch {
   struct pitot_drm_buffer *memory;
   uint32_t handle; /* of that, once it is submitted */
   uint64_t number;
   uint64_t seqno; /* the ring's status after it ran to its end */
};

struct pitot_drm_ring {
   uint32_t id; /* of the kernel's context; 0: there is none */

   /* The recording thread's. */
   struct pitot_drm_batch slots[PITOT_DRM_BATCH_SLOTS];
   unsigned count_dw; /* recorded in the batch */
   bool is_between;   /* one batch ends and the next one begins */

   atomic_uint_least64_t recording; /* the batch's number */
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
   void *entries; /* of a submission's list: room for all buffers */
   uint64_t next_address;

   unsigned counting; /* a mask of enum pitot_counting */

   pthread_mutex_t lock; /* of the slots, done, and the loss */
   atomic_bool is_lost;
   atomic_bool is_loss_untold;
};

/* The functions of a family.  They return 0 or -errno. */
struct pitot_drm_context_ops {
   unsigned entry_size_B; /* of a buffer in a submission's list */
   unsigned ring_count;

   /* Creates the kernel's context of a ring. */
   int (*create)(struct pitot_drm_context *context, uint32_t *id_out);
   void (*destroy)(struct pitot_drm_context *context, uint32_t id);

   /* Allocates memory for the GPU, which is freed by closing its handle.
    * Returns also its offset in the kernel's file, for mmap().
    */
   int (*allocate)(struct pitot_drm_context *context,
                   struct pitot_drm_buffer *buffer, uint64_t *offset_out);

   /* Encode the first and the last commands of a batch, and those of one
    * position.
    */
   void (*begin)(struct pitot_drm_packets *packets, unsigned counting);
   void (*end)(struct pitot_drm_packets *packets, uint64_t status_address,
               uint64_t number);
   void (*encode)(struct pitot_drm_packets *packets,
                  const struct pitot_cs_command *commands, unsigned count);

   /* Counts what is in a mask from here on; NULL: all is counted. */
   void (*count)(struct pitot_drm_packets *packets, unsigned counting);

   /* Puts a buffer on a submission's list, the batch's own memory first. */
   void (*list)(struct pitot_drm_context *context, unsigned index,
                const struct pitot_drm_buffer *buffer);

   /* Submits a batch, with so many buffers on its list, and sets its seqno.
    */
   int (*submit)(struct pitot_drm_context *context, enum pitot_ring ring,
                 struct pitot_drm_batch *batch, unsigned buffer_count);

   /* Waits for a batch, or only polls.  Returns 0 if the kernel has finished
    * it, -ETIME if not yet.
    */
   int (*wait)(struct pitot_drm_context *context,
               const struct pitot_drm_batch *batch, bool is_poll);

   /* Returns an error if the GPU was reset since a context of the kernel's
    * was created.
    */
   int (*check_health)(struct pitot_drm_context *context, uint32_t id);
};

/* Creates a buffer (buffer.c). */
int
pitot_drm_buffer_create(struct pitot_drm_context *context, unsigned size_B,
                        struct pitot_drm_buffer **buffer_out);

/* Frees the retired buffers that the GPU has finished with. */
void
pitot_drm_buffer_collect(struct pitot_drm_context *context);

void
pitot_drm_buffer_destroy_all(struct pitot_drm_context *context);

/* Returns room in the batch, or NULL if the context is lost. */
uint32_t *
pitot_drm_reserve(struct pitot_drm_context *context, enum pitot_ring ring,
                  unsigned count_dw);

#endif /* PITOT_DRM_CONTEXT_H */
