/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "cs_priv.h"
#include "pitot/clock.h"

#define MI_NOOP  0x00000000
#define NOP_GFX6 0x80000000
#define NOP      0xffff1000
#define CP_NOP   0x70108000 /* Adreno */

/* Other contexts work between two batches, which changes shared counters. */
static void
count_others(struct sim_cs *cs)
{
   struct sim_counters *counters = &cs->states[0].counters;

   if (cs->sim->gpu.is_intel)
      return;
   for (unsigned i = 0; i < SIM_MAX_BACKENDS; i++)
      counters->samples[i] += cs->others;
   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++)
      counters->statistics[i] += cs->others;
   for (unsigned s = 0; s < SIM_STREAM_COUNT; s++) {
      counters->streamout[s][SIM_NEEDED] += cs->others;
      counters->streamout[s][SIM_WRITTEN] += cs->others / 2;
   }
}

static struct sim_engine *
engine_of(struct sim_cs *cs, enum pitot_ring ring)
{
   struct sim_engine_state *state =
      &cs->states[cs->sim->gpu.is_intel ? ring : 0];
   struct sim_engine *engine = &cs->engines[ring];

   engine->sim = cs->sim;
   engine->counters = &state->counters;
   engine->registers = &state->registers;
   return engine;
}

void
sim_cs_prepare(enum pitot_ring ring, struct sim_cs_batch *batch)
{
   const uint64_t size_B = batch->count_dw * sizeof(batch->commands[0]);
   const uint64_t first_B = batch->first_dw * sizeof(batch->commands[0]);

   batch->bo = (struct sim_bo){ .memory = (uint8_t *)batch->commands,
                                .references = 1 };
   batch->ib = (struct sim_ib){
      .address = SIM_CS_COMMANDS_ADDRESS + first_B,
      .size_B = size_B - first_B,
      .ring = ring,
   };
   batch->submission =
      (struct sim_submission){ .ibs = &batch->ib, .ib_count = 1 };
   sim_space_add(&batch->submission.space,
                 (struct sim_map){ SIM_CS_COMMANDS_ADDRESS, size_B,
                                   &batch->bo, 0 });
}

void
sim_cs_free(struct sim_cs *cs, struct sim_cs_batch *batch)
{
   sim_space_clear(cs->sim, &batch->submission.space);
   free(batch);
}

/* The driver, or the kernel's, invalidates all caches before a batch. */
static struct sim_engine *
load(struct sim_cs *cs, enum pitot_ring ring, struct sim_cs_batch *batch)
{
   struct sim_engine *engine = engine_of(cs, ring);

   cs->rings[ring].now_ticks = batch->begin_ticks;
   if (cs->sim->gpu.is_amd)
      cs->sim->gpu.amd.rb_mask = cs->amd.rb_mask & ~cs->mute_backends;
   engine->submission = &batch->submission;
   engine->batch = batch->number;
   sim_caches_act(&cs->sim->kernel->caches, SIM_ALL_CACHES);
   return engine;
}

/* Writes in flight are to buffers, which stay. */
static void
unload(struct sim_engine *engine)
{
   static const struct sim_submission none;

   engine->submission = &none;
}

void
sim_cs_repeat(struct sim_cs *cs, enum pitot_ring ring,
              struct sim_cs_batch *batch)
{
   struct sim_engine *engine = load(cs, ring, batch);

   cs->sim->now_ticks = batch->begin_ticks;
   sim_execute(engine);
   unload(engine);
}

/* Returns the next batch up to a seqno, or NULL. */
static struct sim_cs_batch *
next_batch(const struct sim_cs_ring *r, uint64_t limit)
{
   struct sim_cs_batch *batch = r->first;

   while (batch != NULL && batch->number <= r->executed)
      batch = batch->next;
   return batch != NULL && batch->number <= limit ? batch : NULL;
}

/* Whether the ring's next batch must wait for the other ring. */
static bool
is_waiting(const struct sim_cs *cs, enum pitot_ring ring, uint64_t limit)
{
   const struct sim_cs_ring *r = &cs->rings[ring];
   const struct sim_cs_batch *batch = next_batch(r, limit);

   return r->running == NULL && batch != NULL &&
          batch->after > cs->rings[!ring].done;
}

/* Completes executed batches that have no writes in flight. */
static void
retire_batches(struct sim_cs *cs, enum pitot_ring ring)
{
   struct sim_cs_ring *r = &cs->rings[ring];

   while (r->first != NULL && r->first->number <= r->executed &&
          r->first->number < sim_oldest_write(&cs->engines[ring])) {
      struct sim_cs_batch *batch = r->first;

      sim_caches_end_batch(cs->sim);
      r->done = batch->number;
      r->first = batch->next;
      if (r->first == NULL)
         r->last = &r->first;
      sim_cs_free(cs, batch);
   }
}

static void
end_running(struct sim_cs *cs, enum pitot_ring ring)
{
   struct sim_cs_ring *r = &cs->rings[ring];

   unload(&cs->engines[ring]);
   r->executed = r->running->number;
   r->running = NULL;
   count_others(cs);
}

/* Does a step on a ring, in batches up to a seqno.  Returns SIM_ENDED if
 * nothing is left, SIM_WAITS if the other ring must work first.
 */
static enum sim_progress
step(struct sim_cs *cs, enum pitot_ring ring, uint64_t limit)
{
   struct sim_engine *engine = engine_of(cs, ring);
   struct sim_cs_ring *r = &cs->rings[ring];
   const bool waits = is_waiting(cs, ring, limit);
   enum sim_progress progress = SIM_DONE;

   if (!waits && r->running == NULL &&
       (r->running = next_batch(r, limit)) != NULL)
      sim_begin(load(cs, ring, r->running));
   if (r->running == NULL) {
      if (!sim_write_one(engine, false) && !sim_write_one(engine, true))
         progress = waits ? SIM_WAITS : SIM_ENDED;
   } else {
      cs->latest_ring = ring;
      cs->sim->now_ticks = r->now_ticks;
      progress = sim_step(engine);
      r->now_ticks = cs->sim->now_ticks;
      if (progress == SIM_ENDED) {
         end_running(cs, ring);
         progress = SIM_DONE;
      }
   }
   retire_batches(cs, ring);
   return progress;
}

/* Other rings must not work between a cue and its work. */
bool
sim_cs_step(struct sim_cs *cs)
{
   const enum pitot_ring ring =
      sim_choose(&cs->sim->schedule, SIM_RING_COUNT) == 0
         ? PITOT_RING_RENDER
         : PITOT_RING_COMPUTE;

   if (cs->sim->is_cued && step(cs, cs->latest_ring, UINT64_MAX) == SIM_DONE)
      return true;
   cs->sim->is_cued = false;
   return step(cs, ring, UINT64_MAX) == SIM_DONE ||
          step(cs, !ring, UINT64_MAX) == SIM_DONE;
}

/* A waiting ring may need the other one; neither may come between a cue and
 * its work.
 */
void
sim_cs_finish(struct sim_cs *cs, enum pitot_ring ring, uint64_t number)
{
   struct sim_cs_ring *r = &cs->rings[ring];

   while (r->first != NULL && r->first->number <= number) {
      if (cs->writes_nothing) {
         r->executed = r->first->number;
         count_others(cs);
         retire_batches(cs, ring);
      } else if (cs->sim->is_cued && cs->latest_ring != ring &&
                 step(cs, cs->latest_ring, UINT64_MAX) == SIM_DONE) {
         continue;
      } else if (step(cs, ring, number) == SIM_WAITS &&
                 step(cs, !ring, UINT64_MAX) != SIM_DONE) {
         sim_force_packet(&cs->engines[ring]);
      }
   }
}

void
sim_cs_set_counters(struct sim_cs *cs, uint64_t value)
{
   for (unsigned ring = 0; ring < SIM_RING_COUNT; ring++) {
      uint64_t *counters = (uint64_t *)&cs->states[ring].counters;

      for (size_t i = 0; i < sizeof(struct sim_counters) / sizeof(value); i++)
         counters[i] = value;
   }
}

void
sim_cs_replace_context(struct sim_cs *cs)
{
   sim_cs_complete(cs);
   cs->context_count++;
   for (unsigned ring = 0; ring < SIM_RING_COUNT; ring++) {
      sim_begin_counters(&cs->states[ring].counters, cs->context_count);
      pitot_cs_context_replaced(&cs->base, ring);
   }
}

/* Intel can stop only the counters of the clipper and the windower. */
static bool
is_unstoppable(const struct sim_cs *cs, enum pitot_kind kind)
{
   return cs->sim->gpu.is_intel && kind != PITOT_KIND_SAMPLES_PASSED &&
          kind != PITOT_KIND_ANY_SAMPLES_PASSED &&
          kind != PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE &&
          kind != PITOT_KIND_PRIMITIVES_GENERATED &&
          kind != PITOT_KIND_FS_INVOCATIONS &&
          kind != PITOT_KIND_CLIPPING_INPUT &&
          kind != PITOT_KIND_CLIPPING_OUTPUT;
}

/* Whether the driver enabled the counter: simulated GPUs always count. */
static bool
is_counted(const struct sim_cs *cs, enum pitot_kind kind)
{
   unsigned needed = PITOT_COUNTING_STATISTICS;

   if (cs->is_stopped && !is_unstoppable(cs, kind))
      return false;
   if (kind <= PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE)
      needed = PITOT_COUNTING_OCCLUSION;
   else if (kind <= PITOT_KIND_ANY_STREAM_OVERFLOW)
      needed = PITOT_COUNTING_STREAMOUT;
   return (cs->counting & needed) != 0;
}

/* Adreno: a batch with a dispatch has no tiles. */
static void
compute_without_tiles(struct sim_cs *cs)
{
   if (cs->tiles != NULL)
      cs->tiles->computes =
         sim_cs_require(cs, PITOT_RING_RENDER, SIM_CUE_DW + SIM_WORK_DW);
}

void
sim_cs_count(struct sim_cs *cs, enum pitot_kind kind, unsigned stream,
             uint64_t amount)
{
   const unsigned reserve_count = cs->reserve_count;

   if (kind == PITOT_KIND_CS_INVOCATIONS)
      compute_without_tiles(cs);
   if (pitot_kind_info(kind)->is_time)
      sim_cs_set_ticks(cs, cs->ticks + amount);
   else
      sim_cue_work(&cs->cues, kind, stream,
                   is_counted(cs, kind) ? amount : 0);
   cs->reserve_count = reserve_count;
}

static void
record(struct sim_cs *cs, enum pitot_ring ring, const uint32_t *dw,
       unsigned count_dw)
{
   const unsigned reserve_count = cs->reserve_count;
   uint32_t *room = sim_cs_reserve(&cs->base, ring, count_dw);

   if (room != NULL)
      memcpy(room, dw, count_dw * sizeof(dw[0]));
   cs->reserve_count = reserve_count;
}

void
sim_cs_draw(struct sim_cs *cs)
{
   uint32_t dw[SIM_WORK_DW];

   record(cs, PITOT_RING_RENDER, dw, sim_draw(cs->sim, dw));
}

void
sim_cs_dispatch(struct sim_cs *cs)
{
   uint32_t dw[SIM_WORK_DW];

   compute_without_tiles(cs);
   record(cs,
          cs->base.ring_count > 1 ? PITOT_RING_COMPUTE : PITOT_RING_RENDER,
          dw, sim_dispatch(cs->sim, dw));
}

void
sim_cs_set_ticks(struct sim_cs *cs, uint64_t ticks)
{
   const unsigned reserve_count = cs->reserve_count;

   if (ticks > cs->ticks)
      sim_pass(pitot_ticks_to_ns(ticks - cs->ticks, cs->gpu.timestamp_hz));
   cs->ticks = ticks;
   sim_cue_time(&cs->cues, PITOT_RING_RENDER, ticks);
   if (cs->base.ring_count > 1)
      sim_cue_time(&cs->cues, PITOT_RING_COMPUTE, ticks);
   cs->reserve_count = reserve_count;
}

void
sim_cs_fill(struct sim_cs *cs, enum pitot_ring ring, unsigned count_dw)
{
   uint32_t nop = cs->gpu.generation < GFX7 ? NOP_GFX6 : NOP;

   if (!cs->sim->gpu.is_amd)
      nop = cs->sim->gpu.is_intel ? MI_NOOP : CP_NOP;
   for (unsigned i = 0; i < count_dw; i++)
      record(cs, ring, &nop, 1);
}
