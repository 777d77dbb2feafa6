/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The part that contexts of every family have in common: batches in a few
 * buffers that take turns, a list of the buffers that a batch uses, and the
 * state of each batch.
 */

#ifndef PITOT_DRM_CONTEXT_H
#define PITOT_DRM_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "drm_priv.h"

/* Batches of a ring that are recorded or in flight at once. */
#define PITOT_DRM_BATCH_SLOTS 4

/* A batch's buffer, large enough for some thousand samples. */
#define PITOT_DRM_BATCH_DW 16384
#define PITOT_DRM_BATCH_B  (PITOT_DRM_BATCH_DW * sizeof(uint32_t))

/* Kept free in each batch for its family's end(). */
#define PITOT_DRM_END_DW 40

#define PITOT_DRM_PAGE_B 4096

struct pitot_drm_buffer {
   struct pitot_cs_buffer base;
   uint32_t handle;
   uint64_t mapped_B;                     /* rounded up to whole pages */
   uint64_t last_batch[PITOT_RING_COUNT]; /* that uses it; 0: none */
   struct pitot_drm_buffer *next;         /* in a list of the context's */
};

struct pitot_drm_batch {
   struct pitot_drm_buffer *memory;
   uint64_t number;
   uint64_t fence; /* the family's */
};

struct pitot_drm_ring {
   /* The recording thread's. */
   struct pitot_drm_batch slots[PITOT_DRM_BATCH_SLOTS];
   struct pitot_drm_buffer **used; /* by the batch being recorded */
   unsigned used_count;
   unsigned count_dw; /* recorded in it */
   bool is_ending; /* room that was kept free may be used */

   atomic_uint_least64_t recording; /* the batch's number */
   atomic_uint_least64_t done;      /* all up to this one are */
};

struct pitot_drm_context_ops;

struct pitot_drm_context {
   struct pitot_cs base;
   struct pitot_drm_device *device;
   const struct pitot_drm_context_ops *ops;

   unsigned ring_count;
   struct pitot_drm_ring rings[PITOT_RING_COUNT];

   /* The GPU writes the seqno of each ring's last batch here, a qword a ring.
    * Behind them is a qword that nobody reads.
    */
   struct pitot_drm_buffer *status;

   struct pitot_drm_buffer *buffers; /* that somebody has */
   struct pitot_drm_buffer *retired; /* that only the GPU has */
   unsigned buffer_count;            /* of both */
   unsigned buffer_capacity;         /* of each ring's list, and of entries */
   void *entries;                    /* the list of a submission */
   uint64_t next_address;

   unsigned counting; /* a mask of enum pitot_counting */

   pthread_mutex_t lock; /* for looking at fences, and loss */
   atomic_bool is_lost;
   atomic_bool is_loss_untold;
};

/* The part that a family does.  Functions return 0 or -errno.  Functions that
 * emit use room that was kept for them, or lose it with the device.
 */
struct pitot_drm_context_ops {
   unsigned size_B;       /* of its struct, which has the context first */
   unsigned entry_size_B; /* of a buffer in the list of a submission */

   /* Makes what the kernel calls contexts; destroy() frees what there is of
    * them.
    */
   int (*create)(struct pitot_drm_context *context);
   void (*destroy)(struct pitot_drm_context *context);

   /* Makes memory for the GPU; closing its handle gives it back. */
   int (*allocate)(struct pitot_drm_context *context,
                   struct pitot_drm_buffer *buffer);

   /* Returns where in the kernel's file a buffer is to be mapped. */
   int (*map_offset)(struct pitot_drm_context *context, uint32_t handle,
                     uint64_t *offset_out);

   /* Records what begins and ends a batch. */
   void (*begin)(struct pitot_drm_context *context, enum pitot_ring ring);
   void (*end)(struct pitot_drm_context *context, enum pitot_ring ring);

   int (*submit)(struct pitot_drm_context *context, enum pitot_ring ring,
                 struct pitot_drm_batch *batch);

   /* Waits for a batch, or only looks.  Returns 0 if the kernel is through
    * with it, -ETIME if not yet.
    */
   int (*wait)(struct pitot_drm_context *context, enum pitot_ring ring,
               const struct pitot_drm_batch *batch, bool is_look);

   /* Returns the value of the ring's status once a batch ran to its end. */
   uint64_t (*seqno)(const struct pitot_drm_batch *batch);

   void (*barrier)(struct pitot_drm_context *context, enum pitot_ring ring,
                   enum pitot_barrier barrier);

   /* Counts what context->counting says from now on; NULL: nothing to do. */
   void (*count)(struct pitot_drm_context *context);

   /* Returns an error if the GPU was reset since the context was made. */
   int (*check_health)(struct pitot_drm_context *context);
};

/* Makes a context of a family.  Returns 0 or -errno. */
int
pitot_drm_context_make(struct pitot_drm_device *device,
                       const struct pitot_drm_context_ops *ops,
                       unsigned ring_count, uint64_t first_address,
                       struct pitot_cs **cs_out);

/* Makes and frees memory (buffer.c). */
int
pitot_drm_buffer_create(struct pitot_drm_context *context, unsigned size_B,
                        struct pitot_drm_buffer **buffer_out);

void
pitot_drm_buffer_destroy(struct pitot_drm_context *context,
                         struct pitot_drm_buffer *buffer);

/* Frees what was destroyed and the GPU is done with. */
void
pitot_drm_buffer_collect(struct pitot_drm_context *context);

/* Frees all memory that there is, whoever has it. */
void
pitot_drm_buffer_destroy_all(struct pitot_drm_context *context);

/* Says that the batch being recorded uses a buffer. */
void
pitot_drm_buffer_use(struct pitot_drm_context *context, enum pitot_ring ring,
                     struct pitot_drm_buffer *buffer);

/* Says that nothing more will come of what is not done yet. */
void
pitot_drm_context_lose(struct pitot_drm_context *context);

/* Records dwords in room that is there. */
void
pitot_drm_emit(struct pitot_drm_context *context, enum pitot_ring ring,
               const uint32_t *commands, unsigned count_dw);

/* Returns the GPU's address of a ring's status, and of what nobody reads. */
uint64_t
pitot_drm_status_address(const struct pitot_drm_context *context,
                         enum pitot_ring ring);

uint64_t
pitot_drm_scratch_address(const struct pitot_drm_context *context);

static inline uint64_t
pitot_drm_align(uint64_t value, uint64_t alignment)
{
   return (value + alignment - 1) / alignment * alignment;
}

#endif /* PITOT_DRM_CONTEXT_H */
