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

/* Render and compute. */
#define RING_COUNT 2

/* So many batches of a ring can be in flight before they take more memory. */
#define FEW_BATCHES 16

struct iris_pitot_buffer {
   struct pitot_cs_buffer base;
   struct iris_bo *bo;
};

/* Batches have no numbers in iris: their syncobj tells them apart. */
struct iris_pitot_batch {
   struct iris_syncobj *syncobj;
   uint32_t next_fence; /* number, when it began */
};

struct iris_pitot_ring {
   struct iris_batch *batch;
   uint64_t number;              /* of the batch that was last recorded... */
   struct iris_syncobj *syncobj; /* ...and its syncobj */
   uint64_t done;                /* all up to this one are */
   struct util_dynarray batches; /* that one and, before it, those not done */
   struct iris_pitot_batch few[FEW_BATCHES]; /* their first memory */

   /* iris has each batch write a dword last, with ever larger numbers. */
   struct pipe_resource *fence;
   const uint32_t *written;

   uint32_t context_id;     /* the kernel's: another one after a loss */
   unsigned replaced_count; /* of contexts, and not taken down yet */
   struct pitot_drm_resets resets; /* that were told of the last one */
};

struct iris_pitot {
   struct pitot_cs cs;
   struct pitot_pipe_driver driver;
   struct pitot_intel_gpu gpu;
   struct iris_context *ice;
   struct iris_bufmgr *bufmgr;
   struct pitot_hw *hw;
   simple_mtx_t lock; /* of the rings' numbers, batches, fences, contexts */
   struct iris_pitot_ring rings[RING_COUNT];
   struct iris_pitot_buffer target; /* a resource to be written next */
   struct iris_address predicate;   /* of a condition that the GPU decides */
};

/* iris_emit.c: a function of the command stream. */
void
pitot_iris_emit(struct pitot_cs *cs, enum pitot_ring ring,
                struct pitot_cs_place place,
                const struct pitot_cs_command *commands, unsigned count);

/* Sees to it that all draws and dispatches that accessed the target are
 * through with it, and the ring's command streamer may write there.
 */
void
pitot_iris_wait_for_draws(const struct iris_pitot *pitot,
                          enum pitot_ring ring);

/* iris_store.c, for each generation: stores a result on the ring of a batch.
 */
typedef void
pitot_iris_store(struct iris_batch *batch, const struct pitot_gpu *gpu,
                 const struct pitot_cs_result *result);

pitot_iris_store gfx8_pitot_store, gfx9_pitot_store, gfx11_pitot_store,
   gfx12_pitot_store, gfx125_pitot_store, gfx20_pitot_store,
   gfx30_pitot_store;

static inline bool
pitot_iris_is_xe(const struct iris_screen *screen)
{
   return screen->devinfo->kmd_type == INTEL_KMD_TYPE_XE;
}

/* iris_cs.c: iris's batches as a command stream. */

/* Reads the clock of an iris_screen: a pitot_read_screen_clock. */
int
pitot_iris_read_clock(void *screen, struct pitot_clock_reading *reading_out);

/* Takes down that the batches being recorded still are, after a fence was put
 * into them.
 */
void
pitot_iris_keep_recording(struct iris_pitot *pitot);

void
pitot_iris_cs_init(struct iris_pitot *pitot, struct iris_context *ice);

void
pitot_iris_cs_finish(struct iris_pitot *pitot);

/* iris_reset.c: a function of the command stream, for any thread. */
bool
pitot_iris_take_reset(struct pitot_cs *cs);

/* Takes down the kernel's context of a ring, at first and when it is another
 * one: by the thread that records.
 */
void
pitot_iris_note_context(struct iris_pitot *pitot, enum pitot_ring ring);

#endif /* IRIS_PITOT_PRIV_H */
