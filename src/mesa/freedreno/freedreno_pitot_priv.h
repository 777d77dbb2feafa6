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

/* So many batches can be in flight before they take more memory. */
#define FEW_BATCHES 16

struct freedreno_pitot_buffer {
   struct pitot_cs_buffer base;
   struct fd_bo *bo;
   struct fd_resource *rsc; /* an application's, or NULL */
};

/* A place in memory. */
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

/* Emits an address. */
static inline void
pitot_freedreno_out(struct fd_ringbuffer *ring,
                    struct freedreno_pitot_place place)
{
   OUT_RELOC(ring, place.bo, place.offset_B, 0, 0);
}

/* The driver's hooks of its context that Pitot's call, beside those of the
 * pipe_context (struct pitot_pipe_driver).
 */
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
   struct fd_bo *scratch;                /* of stores, or NULL */
   uint32_t fault_count; /* the kernel's, of all contexts */
   uint32_t poll_count;  /* of batches that were not known to be done */
   unsigned counting;    /* as pitot_cs_ops::set_counting() wants it */

   /* The batch that is sampled, until it is flushed, which is before another
    * one is sampled: those batches are executed in their order.  The driver
    * takes a batch that somebody has a reference to for one to be flushed.
    */
   struct fd_batch *batch;          /* or NULL */
   const struct fd_batch *flushing; /* whose tiles are emitted, or NULL */
   bool is_open;                    /* its queries are not suspended */
   struct util_dynarray once_modes; /* uint32_t *: see PITOT_ADRENO_ONCE */
   struct fd_ringbuffer *epilogue;  /* while its tiles are emitted */

   simple_mtx_t lock; /* of the rest */
   bool is_recording; /* the last number is not submitted */
   uint64_t number;   /* of the batch that was sampled last */
   uint64_t done;     /* all up to this one are */

   /* Of that one, NULL until it is submitted, and before it those not done. */
   struct util_dynarray fences;
   struct pipe_fence_handle *few_fences[FEW_BATCHES]; /* their first memory */
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

/* Reads the clock of a fd_screen: a pitot_read_screen_clock. */
int
pitot_freedreno_read_clock(void *screen,
                           struct pitot_clock_reading *reading_out);

/* Samples a batch from here on, or the driver's current one if that is NULL,
 * unless one is sampled already.  Returns the batch, or NULL if that is
 * flushed by now: the driver begins another one then.
 */
struct fd_batch *
pitot_freedreno_enter(struct freedreno_pitot *pitot, struct fd_batch *batch);

/* Suspends the queries of the batch that is sampled. */
void
pitot_freedreno_suspend(struct freedreno_pitot *pitot);

/* Takes down that the batch that was sampled is about to be submitted. */
void
pitot_freedreno_submit(struct freedreno_pitot *pitot);

/* freedreno_emit.c: commands in a batch. */

/* Returns whether other batches have to come after a batch. */
bool
pitot_freedreno_comes_first(const struct fd_batch *batch);

void
pitot_freedreno_emit(struct pitot_cs *cs, enum pitot_ring ring,
                     struct pitot_cs_place place,
                     const struct pitot_cs_command *commands, unsigned count);

/* Starts or stops the counters that are counting in one mask of enum
 * pitot_counting, and not in another one.
 */
void
pitot_freedreno_count(struct freedreno_pitot *pitot, unsigned before,
                      unsigned after);

/* Waits until a dword is not a value any more. */
void
pitot_freedreno_wait_other(struct fd_ringbuffer *ring,
                           struct freedreno_pitot_place place,
                           uint32_t value);

/* Adds a qword to a sum, and subtracts another one, unless that is NULL. */
void
pitot_freedreno_add(struct fd_ringbuffer *ring,
                    struct freedreno_pitot_place sum,
                    struct freedreno_pitot_place plus,
                    const struct freedreno_pitot_place *minus);

/* Writes a value after all tiles of a batch, when all samples are there. */
void
pitot_freedreno_fence(struct fd_batch *batch,
                      struct freedreno_pitot_place place, uint32_t value);

/* Has all tiles of a batch execute all commands, if it is sampled. */
void
pitot_freedreno_skip_nothing(struct freedreno_pitot *pitot,
                             const struct fd_batch *batch);

/* Has a batch sample in all its passes the counters that are sampled once, if
 * it is sampled.  Without a binning pass, each tile counts everything there,
 * and the last tile is as good as any; and dispatches have a mode of their
 * own, so that a begin before one and an end after it would be of two modes.
 */
void
pitot_freedreno_sample_always(struct freedreno_pitot *pitot,
                              const struct fd_batch *batch);

/* freedreno_store.c: the command stream's store. */
bool
pitot_freedreno_store(struct pitot_cs *cs,
                      const struct pitot_cs_result *result);

#endif /* FREEDRENO_PITOT_PRIV_H */
