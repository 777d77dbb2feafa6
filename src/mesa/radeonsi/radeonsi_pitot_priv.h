/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the parts of Pitot in radeonsi.
 */

#ifndef RADEONSI_PITOT_PRIV_H
#define RADEONSI_PITOT_PRIV_H

#include "pitot/amd.h"
#include "pitot_clock.h"
#include "pitot_pipe_driver.h"
#include "si_pipe.h"
#include "si_query.h"

/* The IB that had a slot before is waited for.  With amdgpu it is done: less,
 * AMDGPU_FENCE_RING_SIZE, are in flight at most.
 */
#define FENCE_SLOTS 64

struct radeonsi_pitot_buffer {
   struct pitot_cs_buffer base;
   struct si_resource *res;
};

struct radeonsi_pitot_fence {
   uint64_t number; /* of the IB */
   struct pipe_fence_handle *handle;
};

struct radeonsi_pitot {
   struct pitot_cs cs;
   struct pitot_pipe_driver driver;
   struct pitot_amd_gpu gpu;
   struct si_context *sctx;
   struct pitot_hw *hw;

   /* To the driver, a query that is active all the time, by which the driver
    * tells when an IB begins or ends.
    */
   struct si_query ibs;
   uint64_t number;   /* of the IB being recorded */
   uint64_t oldest;   /* of an IB whose fence may be there */
   simple_mtx_t lock; /* of fences */
   struct radeonsi_pitot_fence fences[FENCE_SLOTS];

   unsigned counting;                   /* a mask of enum pitot_counting */
   struct radeonsi_pitot_buffer target; /* a resource to be written next */
   void *result_shader;                 /* NULL until it is needed */
   struct pitot_hw_condition condition;
   struct pitot_cs_buffer *never;       /* a predicate that is false */
   struct pitot_hw_record never_record; /* of the same */
   void (*emit_stock_condition)(struct si_context *sctx, unsigned index);
   bool has_told_reset;
};

static inline struct radeonsi_pitot *
pitot_of(struct pitot_cs *cs)
{
   return (struct radeonsi_pitot *)cs;
}

/* radeonsi_emit.c: functions of the command stream. */

/* The most dwords of a command: a write at the end of the pipe is two packets
 * on GFX7 and GFX8, and on GFX9 has a sample of occlusion before it.
 */
#define PITOT_RADEONSI_COMMAND_DW 12

void
pitot_radeonsi_set_counting(struct pitot_cs *cs, unsigned mask);

void
pitot_radeonsi_emit(struct pitot_cs *cs, enum pitot_ring ring,
                    struct pitot_cs_place place,
                    const struct pitot_cs_command *commands, unsigned count);

/* radeonsi_compute.c: a function of the command stream. */
bool
pitot_radeonsi_store(struct pitot_cs *cs,
                     const struct pitot_cs_result *result);

/* radeonsi_fence.c */

void
pitot_radeonsi_init_fences(struct radeonsi_pitot *pitot);

void
pitot_radeonsi_finish_fences(struct radeonsi_pitot *pitot);

/* Takes a fence of the IB being recorded, which has none. */
void
pitot_radeonsi_take_fence(struct radeonsi_pitot *pitot);

/* Sees to it that there is a fence for the IB being recorded: inline, since
 * each sample asks.
 */
static inline void
pitot_radeonsi_keep_fence(struct radeonsi_pitot *pitot)
{
   if (pitot->fences[pitot->number % FENCE_SLOTS].number != pitot->number)
      pitot_radeonsi_take_fence(pitot);
}

/* The IB being recorded will not be submitted, as INTEL_blackhole_render
 * wants it: it leaves its fence to the next one.
 */
void
pitot_radeonsi_drop_ib(struct radeonsi_pitot *pitot);

/* Returns whether an IB is done, or was never submitted. */
bool
pitot_radeonsi_wait(struct radeonsi_pitot *pitot, uint64_t number,
                    uint64_t timeout_ns);

/* radeonsi_cs.c: reads the clock of a si_screen: a pitot_read_screen_clock.
 */
int
pitot_radeonsi_read_clock(void *screen,
                          struct pitot_clock_reading *reading_out);

/* radeonsi_cs.c: the driver's IBs as a command stream, from the IB on that is
 * being recorded.  Its GPU and clock are the caller's.
 */
void
pitot_radeonsi_cs_init(struct radeonsi_pitot *pitot, struct si_context *sctx);

/* Keeps room in each IB for its end, and for the condition in force: to be
 * called when either changes.
 */
void
pitot_radeonsi_keep_room(struct radeonsi_pitot *pitot);

void
pitot_radeonsi_cs_finish(struct radeonsi_pitot *pitot);

#endif /* RADEONSI_PITOT_PRIV_H */
