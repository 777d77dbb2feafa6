/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the parts of Pitot in freedreno.
 */

#ifndef FREEDRENO_PITOT_PRIV_H
#define FREEDRENO_PITOT_PRIV_H

#include "freedreno_batch.h"
#include "freedreno_context.h"
#include "freedreno_fence.h"
#include "freedreno_gmem.h"
#include "pitot/adreno.h"
#include "pitot_clock.h"
#include "pitot_hw_family.h"
#include "pitot_pipe_driver.h"
#include "versions.h"

/* Batches that can be in flight without an allocation. */
#define INLINE_BATCHES 16

struct freedreno_pitot_buffer {
   struct pitot_cs_buffer base;
   struct fd_bo *bo;
   struct fd_resource *rsc; /* the application's, or NULL */
};

struct freedreno_pitot_place {
   struct fd_bo *bo;
   unsigned offset_B;
};

static inline struct freedreno_pitot_place
pitot_freedreno_place(const struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   return (struct freedreno_pitot_place){
      ((const struct freedreno_pitot_buffer *)buffer)->bo, offset_B
   };
}

/* Emits the GPU's address of a place. */
static inline void
pitot_freedreno_out(struct fd_ringbuffer *ring,
                    struct freedreno_pitot_place place)
{
   OUT_RELOC(ring, place.bo, place.offset_B, 0, 0);
}

/* Stock hooks of fd_context; pitot_pipe_driver has those of pipe_context. */
struct freedreno_pitot_stock {
   bool (*blit)(struct fd_context *ctx, const struct pipe_blit_info *info);
   void (*query_update_batch)(struct fd_batch *batch, bool disable_all);
   void (*emit_tile_init)(struct fd_batch *batch);
   void (*emit_tile_fini)(struct fd_batch *batch);
   void (*emit_sysmem_fini)(struct fd_batch *batch);
};

struct freedreno_pitot {
   struct pitot_cs cs;
   struct pitot_pipe_driver driver;
   struct pitot_gpu gpu;
   struct fd_context *ctx;
   struct pitot_hw *hw;
   struct freedreno_pitot_stock stock;
   struct freedreno_pitot_buffer target; /* of the latest store */
   struct fd_bo *scratch;                /* for stores, or NULL */
   uint32_t fault_count;                 /* the kernel's, of all contexts */
   uint32_t poll_count;                  /* polls of submitted batches */
   unsigned counting; /* the mask of pitot_cs_ops::set_counting() */

   /* The sampled batch, until it is flushed, which is before another batch is
    * sampled: sampled batches are executed in their order.  The driver takes
    * a batch that anyone else has a reference to for one to be flushed.
    */
   struct fd_batch *batch;          /* or NULL */
   const struct fd_batch *flushing; /* its tiles are emitted; or NULL */
   bool is_open;                    /* its queries are not suspended */
   struct util_dynarray once_modes; /* uint32_t *: see PITOT_ADRENO_ONCE */
   struct fd_ringbuffer *epilogue;  /* taken out while tiles are emitted */

   simple_mtx_t lock; /* protects the rest */
   bool is_recording; /* the latest batch is not submitted */
   uint64_t number;   /* seqno of the batch sampled last */
   uint64_t done;     /* all up to this seqno are done */

   /* Of the batches not done, then of the latest: NULL until submitted. */
   struct util_dynarray fences;
   struct pipe_fence_handle
      *inline_fences[INLINE_BATCHES]; /* initial storage */
};

static inline struct freedreno_pitot *
pitot_of(struct pitot_cs *cs)
{
   return (struct freedreno_pitot *)cs;
}

/* freedreno_cs.c: freedreno's batches as a command stream. */
void
pitot_freedreno_cs_init(struct freedreno_pitot *pitot,
                        struct fd_context *ctx);

void
pitot_freedreno_cs_finish(struct freedreno_pitot *pitot);

/* A pitot_read_screen_clock; screen is a struct fd_screen. */
int
pitot_freedreno_read_clock(void *screen,
                           struct pitot_clock_reading *reading_out);

/* Samples a batch from here on (NULL: the driver's current one), unless one
 * is sampled already.  Returns the sampled batch, or NULL if this batch was
 * flushed in between: the driver then begins another one.
 */
struct fd_batch *
pitot_freedreno_enter(struct freedreno_pitot *pitot, struct fd_batch *batch);

/* Suspends the queries of the sampled batch. */
void
pitot_freedreno_suspend(struct freedreno_pitot *pitot);

/* Call this when the sampled batch is about to be submitted. */
void
pitot_freedreno_submit(struct freedreno_pitot *pitot);

/* freedreno_emit.c: commands in a batch. */

/* Returns whether other batches have to follow a batch. */
bool
pitot_freedreno_comes_first(const struct fd_batch *batch);

void
pitot_freedreno_emit(struct pitot_cs *cs, enum pitot_ring ring,
                     struct pitot_cs_place place,
                     const struct pitot_cs_command *commands, unsigned count);

/* Starts or stops the counters whose bit is in only one of two masks of enum
 * pitot_counting.
 */
void
pitot_freedreno_count(struct freedreno_pitot *pitot, unsigned before,
                      unsigned after);

/* Makes the command processor wait until a dword is not a value any more. */
void
pitot_freedreno_wait_other(struct fd_ringbuffer *ring,
                           struct freedreno_pitot_place place,
                           uint32_t value);

/* Adds a qword to a sum, and subtracts another one; minus may be NULL. */
void
pitot_freedreno_add(struct fd_ringbuffer *ring,
                    struct freedreno_pitot_place sum,
                    struct freedreno_pitot_place plus,
                    const struct freedreno_pitot_place *minus);

/* Writes a value after all tiles of a batch, when all samples have landed. */
void
pitot_freedreno_fence(struct fd_batch *batch,
                      struct freedreno_pitot_place place, uint32_t value);

/* Makes all tiles of a batch execute all commands, if it is sampled. */
void
pitot_freedreno_skip_nothing(struct freedreno_pitot *pitot,
                             const struct fd_batch *batch);

/* Makes all passes of a batch sample the PITOT_ADRENO_ONCE counters, if it is
 * sampled.  Without a binning pass, each tile counts everything, so the last
 * tile's sample is right.  And dispatches have a mode of their own, so that a
 * begin before and an end after a dispatch would be in two modes.
 */
void
pitot_freedreno_sample_always(struct freedreno_pitot *pitot,
                              const struct fd_batch *batch);

/* freedreno_store.c: pitot_cs_ops::store. */
bool
pitot_freedreno_store(struct pitot_cs *cs,
                      const struct pitot_cs_result *result);

#endif /* FREEDRENO_PITOT_PRIV_H */
