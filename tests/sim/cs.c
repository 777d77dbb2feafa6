/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "cs_priv.h"
#include "drm_packets.h"

/* After all buffers. */
#define CUES_ADDRESS UINT64_C(0x300000000)

#define MI_BATCH_BUFFER_END 0x05000000

static struct sim_cs *
to_sim(struct pitot_cs *cs)
{
   return (struct sim_cs *)cs;
}

/* Batches */

static void
complete(struct sim_cs *cs, enum pitot_ring ring, uint64_t number)
{
   if (!cs->is_lost)
      sim_cs_finish(cs, ring, number);
}

/* The GPU works while the CPU calls. */
static void
go_on(struct sim_cs *cs)
{
   struct sim_schedule *schedule = &cs->sim->schedule;

   if (!cs->is_running || cs->is_lost)
      return;
   for (unsigned i = sim_choose(schedule, schedule->max_steps) + 1; i > 0;
        i--)
      sim_cs_step(cs);
}

static void
submit(struct sim_cs *cs, enum pitot_ring ring)
{
   struct sim_cs_ring *r = &cs->rings[ring];
   void *volatile nothing = NULL; /* keeps the compiler from using malloc() */
   const unsigned more_dw = cs->tiles != NULL ? sim_cs_tiles_most_dw(cs) : 1;
   struct sim_cs_batch *batch =
      realloc(nothing, sizeof(*batch) +
                          (r->used_dw + more_dw) * sizeof(r->commands[0]));

   *batch = (struct sim_cs_batch){
      .number = r->batch,
      .begin_ticks = r->begin_ticks,
      .after = r->after,
      .count_dw = r->used_dw,
   };
   r->after = 0;
   memcpy(batch->commands, r->commands, r->used_dw * sizeof(r->commands[0]));
   if (cs->sim->gpu.is_intel)
      batch->commands[batch->count_dw++] = MI_BATCH_BUFFER_END;
   if (cs->tiles != NULL)
      sim_cs_add_tiles(cs, batch);
   sim_cs_prepare(ring, batch);
   sim_cs_map_buffers(cs, ring, &batch->submission.space);
   *r->last = batch;
   r->last = &batch->next;
}

static void
next_batch(struct sim_cs *cs, enum pitot_ring ring)
{
   struct sim_cs_ring *r = &cs->rings[ring];

   r->is_between = true;
   pitot_cs_batch_end(&cs->base, ring);

   pthread_mutex_lock(&cs->lock);
   submit(cs, ring);
   r->used_dw = 0;
   r->begin_ticks = cs->ticks;
   r->position = 0;
   r->batch++;
   if (!cs->is_held && !cs->is_running)
      complete(cs, ring, r->batch);
   go_on(cs);
   pthread_mutex_unlock(&cs->lock);
   pitot_cs_batch_begin(&cs->base, ring);
   r->is_between = false;
}

bool
sim_cs_require(struct sim_cs *cs, enum pitot_ring ring, unsigned count_dw)
{
   struct sim_cs_ring *r = &cs->rings[ring];
   const unsigned end_dw =
      pitot_cs_end_count(&cs->base, ring) * cs->command_dw;

   if (!cs->is_lost && !r->is_between &&
       r->used_dw + count_dw + end_dw > cs->batch_dw)
      next_batch(cs, ring);
   cs->overflowed |= !cs->is_lost && r->used_dw + count_dw > cs->batch_dw;
   return !cs->is_lost && r->used_dw + count_dw <= cs->batch_dw;
}

static bool
require(struct pitot_cs *base, enum pitot_ring ring, unsigned command_count)
{
   struct sim_cs *cs = to_sim(base);

   return sim_cs_require(cs, ring, command_count * cs->command_dw);
}

uint32_t *
sim_cs_reserve(struct pitot_cs *base, enum pitot_ring ring, unsigned count_dw)
{
   struct sim_cs *cs = to_sim(base);
   struct sim_cs_ring *r = &cs->rings[ring];

   cs->reserve_count += !cs->is_lost;
   if (!sim_cs_require(cs, ring, count_dw))
      return NULL;

   uint32_t *room = &r->commands[r->used_dw];
   r->used_dw += count_dw;
   r->position++;
   return room;
}

static unsigned
encode(const struct sim_cs *cs, enum pitot_ring ring, uint64_t place_address,
       const struct pitot_cs_command *commands, unsigned count,
       uint32_t dw[PITOT_DRM_MAX_PACKETS_DW])
{
   struct pitot_drm_packets packets = {
      .gpu = &cs->gpu,
      .ring = ring,
      .next = dw,
      .place_address = place_address,
      .scratch_address = cs->cues.buffer->address + SIM_CUES_SIZE_B,
   };

   (cs->sim->gpu.is_amd ? pitot_drm_amd_encode
                        : pitot_drm_intel_encode)(&packets, commands, count);
   return (unsigned)(packets.next - dw);
}

static void
emit(struct pitot_cs *base, enum pitot_ring ring, struct pitot_cs_place place,
     const struct pitot_cs_command *commands, unsigned count)
{
   uint32_t dw[PITOT_DRM_MAX_PACKETS_DW];
   const unsigned count_dw =
      encode(to_sim(base), ring, place.buffer->address + place.offset_B,
             commands, count, dw);
   assert(count_dw <= count * to_sim(base)->command_dw);

   uint32_t *room = sim_cs_reserve(base, ring, count_dw);

   sim_cs_use_buffer(base, ring, place.buffer);
   if (room != NULL)
      memcpy(room, dw, count_dw * sizeof(dw[0]));
}

static void
set_counting(struct pitot_cs *base, unsigned mask)
{
   to_sim(base)->counting = mask;
}

static uint64_t
current_batch(struct pitot_cs *base, enum pitot_ring ring)
{
   return to_sim(base)->rings[ring].batch;
}

static enum pitot_batch_state
batch_state(struct pitot_cs *base, enum pitot_ring ring, uint64_t number)
{
   struct sim_cs *cs = to_sim(base);
   const struct sim_cs_ring *r = &cs->rings[ring];
   enum pitot_batch_state state = PITOT_BATCH_RECORDING;

   pthread_mutex_lock(&cs->lock);
   cs->state_count++;
   go_on(cs);
   if (number <= r->done)
      state = PITOT_BATCH_DONE;
   else if (cs->is_lost)
      state = PITOT_BATCH_LOST;
   else if (number < r->batch)
      state = PITOT_BATCH_SUBMITTED;
   pthread_mutex_unlock(&cs->lock);
   return state;
}

static void
flush(struct pitot_cs *base, enum pitot_ring ring)
{
   to_sim(base)->flush_count++;
   next_batch(to_sim(base), ring);
}

static void
wait_batch(struct pitot_cs *base, enum pitot_ring ring, uint64_t number)
{
   struct sim_cs *cs = to_sim(base);

   pthread_mutex_lock(&cs->lock);
   cs->wait_count++;
   complete(cs, ring, number);
   pthread_mutex_unlock(&cs->lock);
}

static int
read_clock(void *data, struct pitot_clock_reading *reading_out)
{
   struct sim_cs *cs = data;

   cs->timestamp_count++;
   *reading_out = (struct pitot_clock_reading){
      .ticks = cs->ticks & UINT64_MAX >> (64 - cs->gpu.timestamp_bits),
      .suspend_count = cs->suspend_count,
   };
   return cs->timestamp_error;
}

static void
init_clock(struct sim_cs *cs)
{
   const struct pitot_clock_info info = {
      .width_bits = cs->gpu.timestamp_bits,
      .frequency_hz = cs->gpu.timestamp_hz,
      .read = read_clock,
      .data = cs,
      .cpu_ns = sim_cpu_ns,
   };

   pitot_clock_init(&cs->clock, &info);
   cs->base.clock = &cs->clock;
}

static bool
take_reset(struct pitot_cs *base)
{
   const bool was_reset = to_sim(base)->was_reset;

   to_sim(base)->was_reset = false;
   return was_reset;
}

static const struct pitot_cs_ops all_ops = {
   .buffer_create = sim_cs_buffer_create,
   .buffer_destroy = sim_cs_buffer_destroy,
   .require = require,
   .emit = emit,
   .use_buffer = sim_cs_use_buffer,
   .store = sim_cs_store,
   .set_counting = set_counting,
   .current_batch = current_batch,
   .batch_state = batch_state,
   .flush = flush,
   .wait = wait_batch,
   .take_reset = take_reset,
};

static void
set_family(struct sim_cs *cs)
{
   const struct sim_gpu *gpu = &cs->sim->gpu;

   cs->ops = all_ops;
   if (gpu->is_amd) {
      cs->amd = gpu->amd;
      cs->command_dw = 12; /* two packets at the end of the pipe */
   } else if (gpu->is_intel) {
      cs->intel = gpu->intel;
      cs->command_dw = 26; /* a compute stall, and a register */
   } else {
      cs->gpu = gpu->facts;
      cs->command_dw = 1 + SIM_CUE_DW; /* a wait, and a cue */
      cs->tiles = calloc(1, sizeof(*cs->tiles));
      cs->base.has_tiles = true;
      cs->ops.emit = sim_cs_emit_tiles;
      cs->ops.store = sim_cs_store_after_tiles;
   }
}

void
sim_cs_set_clock(struct sim_cs *cs, uint64_t frequency_hz, unsigned bits)
{
   struct pitot_gpu *facts[] = { &cs->gpu, &cs->sim->gpu.facts };

   for (unsigned i = 0; i < 2; i++) {
      facts[i]->timestamp_hz = frequency_hz;
      facts[i]->timestamp_bits = bits;
   }
   pitot_clock_finish(&cs->clock);
   init_clock(cs);
}

struct sim_cs *
sim_cs_create(const char *gpu, bool has_compute)
{
   struct sim_cs *cs = calloc(1, sizeof(*cs));

   cs->sim = sim_create_gpu(gpu);
   cs->sim->ticks_per_packet = 0;
   cs->sim->kernel->counts_statistics = true; /* see is_counted() */
   cs->sim->kernel->counts_samples = true;
   cs->sim->delays_backends = true;
   set_family(cs);
   cs->stock = cs->ops;
   cs->base.ops = &cs->ops;
   cs->base.gpu = &cs->gpu;
   init_clock(cs);
   cs->base.ring_count = has_compute && cs->tiles == NULL ? 2 : 1;
   cs->engines = calloc(SIM_RING_COUNT, sizeof(cs->engines[0]));
   cs->batch_dw = SIM_CS_BATCH_DW;
   cs->others = 12345;
   cs->states = calloc(SIM_RING_COUNT, sizeof(cs->states[0]));
   cs->states[PITOT_RING_COMPUTE].registers.is_gpgpu = true;
   pthread_mutex_init(&cs->lock, NULL);
   for (unsigned ring = 0; ring < SIM_RING_COUNT; ring++) {
      cs->rings[ring].batch = 1;
      cs->rings[ring].last = &cs->rings[ring].first;
      cs->states[ring].registers.has_fence_page = true;
   }
   struct sim_cs_buffer *cues =
      sim_cs_new_buffer(cs, CUES_ADDRESS,
                        SIM_CUES_SIZE_B + PITOT_DRM_SCRATCH_SIZE_B);
   cs->cues.cs = &cs->base;
   cs->cues.buffer = &cues->base;
   cs->cues.reserve = sim_cs_reserve;
   sim_cues_init(&cs->cues, cs->sim);
   cs->cues.compute = sim_cs_compute;
   cs->cues.command = sim_cs_execute_command;
   return cs;
}

unsigned
sim_cs_destroy(struct sim_cs *cs)
{
   const unsigned left = cs->buffer_count;

   for (unsigned ring = 0; ring < SIM_RING_COUNT; ring++) {
      while (cs->rings[ring].first != NULL) {
         struct sim_cs_batch *batch = cs->rings[ring].first;

         cs->rings[ring].first = batch->next;
         sim_cs_free(cs, batch);
      }
      sim_free_engine(&cs->engines[ring]);
   }
   for (unsigned i = 0; i < cs->buffers_made; i++)
      sim_cs_free_buffer(cs, cs->buffers[i]);
   sim_cs_free_buffer(cs, (struct sim_cs_buffer *)cs->cues.buffer);
   sim_cs_free_results(cs);
   sim_destroy_gpu(cs->sim);
   pitot_clock_finish(&cs->clock);
   pthread_mutex_destroy(&cs->lock);
   if (cs->tiles != NULL)
      free(cs->tiles->commands);
   free(cs->tiles);
   free(cs->engines);
   free(cs->states);
   free(cs);
   return left;
}

void
sim_cs_flush(struct sim_cs *cs, enum pitot_ring ring)
{
   if (cs->tiles == NULL || ring == PITOT_RING_RENDER)
      next_batch(cs, ring);
}

void
sim_cs_advance(struct sim_cs *cs)
{
   pthread_mutex_lock(&cs->lock);
   go_on(cs);
   pthread_mutex_unlock(&cs->lock);
}

void
sim_cs_complete(struct sim_cs *cs)
{
   pthread_mutex_lock(&cs->lock);
   for (unsigned ring = 0; ring < SIM_RING_COUNT; ring++)
      complete(cs, ring, UINT64_MAX);
   pthread_mutex_unlock(&cs->lock);
}

void
sim_cs_execute(struct sim_cs *cs)
{
   pthread_mutex_lock(&cs->lock);
   for (unsigned ring = 0; ring < SIM_RING_COUNT; ring++) {
      struct sim_cs_batch *batch = cs->rings[ring].first;

      for (; batch != NULL; batch = batch->next)
         sim_cs_repeat(cs, ring, batch);
   }
   pthread_mutex_unlock(&cs->lock);
}
