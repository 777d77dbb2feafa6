/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the parts of Pitot in iris.
 */

#ifndef IRIS_PITOT_PRIV_H
#define IRIS_PITOT_PRIV_H

#include "iris_context.h"
#include "iris_screen.h"
#include "pitot/drm.h"
#include "pitot/intel.h"
#include "pitot_clock.h"
#include "pitot_pipe_driver.h"
#include "util/u_dynarray.h"
#include "versions.h"

/* Render and compute. */
#define RING_COUNT 2

/* Batches of a ring that can be in flight without an allocation. */
#define INLINE_BATCHES 16

struct iris_pitot_buffer {
   struct pitot_cs_buffer base;
   struct iris_bo *bo;
   unsigned offset_B; /* in the BO: not 0 in memory from another API */
};

/* iris does not number batches: the syncobj identifies a batch. */
struct iris_pitot_batch {
   struct iris_syncobj *syncobj;
   uint32_t next_fence; /* fine-fence seqno, when it began */
};

struct iris_pitot_ring {
   struct iris_batch *batch;
   uint64_t number;              /* seqno of the latest batch */
   struct iris_syncobj *syncobj; /* of the latest batch */
   uint64_t done;                /* all up to this seqno are done */
   struct util_dynarray batches; /* those not done, then the latest */
   struct iris_pitot_batch few[INLINE_BATCHES]; /* initial storage */

   /* Each batch ends with a fine fence, which writes a larger seqno. */
   struct pipe_resource *fence;
   const uint32_t *written;

   uint32_t context_id;     /* the kernel's; changes after a loss */
   unsigned replaced_count; /* contexts that take_reset() has not counted */
   struct pitot_drm_resets resets; /* reported of this context */
};

struct iris_pitot {
   struct pitot_cs cs;
   struct pitot_pipe_driver driver;
   struct pitot_gpu gpu;
   struct iris_context *ice;
   struct iris_bufmgr *bufmgr;
   struct pitot_hw *hw;
   simple_mtx_t lock; /* protects seqnos, batches, fences, contexts */
   struct iris_pitot_ring rings[RING_COUNT];
   struct iris_pitot_buffer target; /* the resource that is written next */
   struct iris_address predicate;   /* of a condition by the GPU */
};

/* iris_emit.c: pitot_cs_ops::emit. */
void
pitot_iris_emit(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count);

/* Makes the command streamer of the ring wait for the draws and dispatches
 * that access the target, so that it may write there.
 */
void
pitot_iris_wait_for_draws(const struct iris_pitot *pitot,
                          enum pitot_ring ring);

/* iris_store.c, once per generation: stores a result on the ring of a batch.
 */
typedef void
pitot_iris_store(struct iris_batch *batch, const struct pitot_gpu *gpu,
                 const struct pitot_cs_result *result);

pitot_iris_store gfx8_pitot_store, gfx9_pitot_store, gfx11_pitot_store,
   gfx12_pitot_store, gfx125_pitot_store, gfx20_pitot_store,
   gfx30_pitot_store, gfx35_pitot_store;

static inline bool
pitot_iris_is_xe(const struct iris_screen *screen)
{
   return screen->devinfo->kmd_type == INTEL_KMD_TYPE_XE;
}

/* iris_cs.c: iris's batches as a command stream. */

/* A pitot_read_screen_clock; screen is a struct iris_screen. */
int
pitot_iris_read_clock(void *screen, struct pitot_clock_reading *reading_out);

/* Call this after iris may have put a fence into a current batch: unlike a
 * fence at the end, it does not mean that the batch is submitted.
 */
void
pitot_iris_update_next_fence(struct iris_pitot *pitot);

void
pitot_iris_cs_init(struct iris_pitot *pitot, struct iris_context *ice);

void
pitot_iris_cs_finish(struct iris_pitot *pitot);

/* iris_reset.c: pitot_cs_ops::take_reset, for any thread. */
bool
pitot_iris_take_reset(struct pitot_cs *cs);

/* Records the hardware context of a ring: call this initially and after it
 * was replaced, on the thread that records.
 */
void
pitot_iris_note_context(struct iris_pitot *pitot, enum pitot_ring ring);

#endif /* IRIS_PITOT_PRIV_H */
