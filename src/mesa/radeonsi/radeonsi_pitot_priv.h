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
#include "versions.h"
#if __has_include("gfx/si_gfx.h") /* Mesa 26.2 */
#include "gfx/si_gfx.h"
#endif

/* A slot is reused after a wait for its earlier IB.  With amdgpu that IB is
 * done: at most AMDGPU_FENCE_RING_SIZE, which is less, are in flight.
 */
#define FENCE_SLOTS 64

struct radeonsi_pitot_buffer {
   struct pitot_cs_buffer base;
   struct si_resource *res;
};

struct radeonsi_pitot_fence {
   uint64_t number; /* seqno of the IB */
   struct pipe_fence_handle *handle;
};

struct radeonsi_pitot {
   struct pitot_cs cs;
   struct pitot_pipe_driver driver;
   struct pitot_amd_gpu gpu;
   struct si_context *sctx;
   struct pitot_hw *hw;

   /* A query that is always active, as far as radeonsi knows: radeonsi
    * suspends it when an IB ends, and resumes it when one begins.
    */
   struct si_query ibs;
   uint64_t number;   /* seqno of the current IB */
   uint64_t oldest;   /* no IB before this one has a fence */
   simple_mtx_t lock; /* protects fences */
   struct radeonsi_pitot_fence fences[FENCE_SLOTS];

   unsigned counting;                   /* a mask of enum pitot_counting */
   struct radeonsi_pitot_buffer target; /* the resource to write next */
   void *result_shader;                 /* NULL until it is needed */
   struct pitot_hw_condition condition;
   struct pitot_cs_buffer *never;       /* a predicate that is false */
   struct pitot_hw_record never_record; /* the same as a record */
   void (*emit_stock_condition)(struct si_context *sctx, unsigned index);
   bool has_reported_reset;
};

static inline struct radeonsi_pitot *
pitot_of(struct pitot_cs *cs)
{
   return (struct radeonsi_pitot *)cs;
}

/* radeonsi_emit.c: pitot_cs_ops::set_counting and emit. */

/* The most dwords of a command.  An end-of-pipe write is two packets on GFX7
 * and GFX8, and on GFX9 comes after an occlusion sample.
 */
#define PITOT_RADEONSI_COMMAND_DW 12

void
pitot_radeonsi_set_counting(struct pitot_cs *cs, unsigned mask);

void
pitot_radeonsi_emit(struct pitot_cs *cs, enum pitot_ring ring,
                    struct pitot_cs_place place,
                    const struct pitot_cs_command *commands, unsigned count);

/* radeonsi_compute.c: pitot_cs_ops::store. */
bool
pitot_radeonsi_store(struct pitot_cs *cs,
                     const struct pitot_cs_result *result);

/* radeonsi_fence.c */

void
pitot_radeonsi_init_fences(struct radeonsi_pitot *pitot);

void
pitot_radeonsi_finish_fences(struct radeonsi_pitot *pitot);

/* Gets a fence for the current IB, which has none. */
void
pitot_radeonsi_take_fence(struct radeonsi_pitot *pitot);

/* Gets a fence for the current IB unless it has one: inline, for samples. */
static inline void
pitot_radeonsi_keep_fence(struct radeonsi_pitot *pitot)
{
   if (pitot->fences[pitot->number % FENCE_SLOTS].number != pitot->number)
      pitot_radeonsi_take_fence(pitot);
}

/* Call this if the current IB will not be submitted (INTEL_blackhole_render):
 * its fence then belongs to the next IB.
 */
void
pitot_radeonsi_drop_ib(struct radeonsi_pitot *pitot);

/* Returns whether the IB is done, or was never submitted. */
bool
pitot_radeonsi_wait(struct radeonsi_pitot *pitot, uint64_t number,
                    uint64_t timeout_ns);

/* radeonsi_cs.c: a pitot_read_screen_clock; screen is a struct si_screen. */
int
pitot_radeonsi_read_clock(void *screen,
                          struct pitot_clock_reading *reading_out);

/* radeonsi_cs.c: begins with the current IB.  The caller sets the GPU and the
 * clock.
 */
void
pitot_radeonsi_cs_init(struct radeonsi_pitot *pitot, struct si_context *sctx);

/* Reserves space in each IB for its end and for the current condition.  Call
 * this when either changes.
 */
void
pitot_radeonsi_keep_room(struct radeonsi_pitot *pitot);

void
pitot_radeonsi_cs_finish(struct radeonsi_pitot *pitot);

#endif /* RADEONSI_PITOT_PRIV_H */
