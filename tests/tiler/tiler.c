/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "tiler_priv.h"

static struct tiler *
to_tiler(struct pitot_cs *base)
{
   return (struct tiler *)base;
}

static void
violate(struct tiler *tiler, const char *rule)
{
   if (!tiler->violation[0])
      tiler->violation = rule;
}

/*
 * Buffers
 */

static int
buffer_create(struct pitot_cs *base, unsigned size_B,
              struct pitot_cs_buffer **buffer_out)
{
   struct tiler_buffer *buffer = calloc(1, sizeof(*buffer));

   buffer->base.memory = calloc(1, size_B);
   buffer->base.size_B = size_B;
   buffer->references = 1;
   to_tiler(base)->buffer_count++;
   *buffer_out = &buffer->base;
   return 0;
}

static void
buffer_destroy(struct pitot_cs *base, struct pitot_cs_buffer *buffer)
{
   to_tiler(base)->buffer_count--;
   tiler_unreference((struct tiler_buffer *)buffer);
}

static bool
has_buffer(const struct tiler_batch *batch,
           const struct pitot_cs_buffer *buffer)
{
   for (unsigned i = 0; i < batch->buffer_count; i++) {
      if (&batch->buffers[i]->base == buffer)
         return true;
   }
   return false;
}

static void
use_buffer(struct pitot_cs *base, enum pitot_ring ring,
           struct pitot_cs_buffer *buffer)
{
   struct tiler_batch *batch = to_tiler(base)->rings[ring].last;

   if (has_buffer(batch, buffer))
      return;
   if (batch->buffer_count == TILER_MAX_BUFFERS)
      abort();
   batch->buffers[batch->buffer_count++] = (struct tiler_buffer *)buffer;
   ((struct tiler_buffer *)buffer)->references++;
}

/*
 * Batches
 */

static void
begin_batch(struct tiler *tiler, enum pitot_ring ring)
{
   struct tiler_ring *r = &tiler->rings[ring];
   struct tiler_batch *batch = calloc(1, sizeof(*batch));

   batch->number = r->last ? r->last->number + 1 : 1;
   if (r->last)
      r->last->next = batch;
   else
      r->first = batch;
   r->last = batch;
}

static void
flush(struct pitot_cs *base, enum pitot_ring ring)
{
   struct tiler *tiler = to_tiler(base);
   struct tiler_ring *r = &tiler->rings[ring];

   r->is_ending = true;
   pitot_cs_batch_end(base, ring);
   r->is_ending = false;
   tiler->batch_count++;
   begin_batch(tiler, ring);
   if (!tiler->is_held)
      tiler_complete_ring(tiler, ring, UINT64_MAX);
   pitot_cs_batch_begin(base, ring);
}

/* Room is counted in commands; no barrier takes more than Pitot asks for it.
 */
static bool
require(struct pitot_cs *base, enum pitot_ring ring, unsigned count)
{
   struct tiler *tiler = to_tiler(base);
   struct tiler_ring *r = &tiler->rings[ring];

   if (!r->is_ending &&
       r->last->step_count + count + pitot_cs_end_size_dw(base, ring) >
          tiler->batch_size)
      flush(base, ring);
   return !tiler->is_lost;
}

static void
record(struct tiler *tiler, enum pitot_ring ring, struct tiler_step step)
{
   struct tiler_batch *batch = tiler->rings[ring].last;

   if (batch->step_count == TILER_BATCH_SIZE) {
      violate(tiler, "more is recorded than was required");
      return;
   }
   batch->steps[batch->step_count++] = step;
}

static void
emit(struct pitot_cs *base, enum pitot_ring ring,
     const struct pitot_cs_command *commands, unsigned count)
{
   struct tiler *tiler = to_tiler(base);

   for (unsigned i = 0; i < count; i++) {
      if (!has_buffer(tiler->rings[ring].last, commands[i].buffer))
         violate(tiler, "a buffer is used that the batch does not list");
      record(tiler, ring,
             (struct tiler_step){ .kind = TILER_STEP_COMMAND,
                                  .command = commands[i] });
   }
}

static unsigned
size_of(struct pitot_cs *base, enum pitot_ring ring,
        const struct pitot_cs_command *commands, unsigned count)
{
   (void)base, (void)ring, (void)commands;
   return count;
}

static void
barrier(struct pitot_cs *base, enum pitot_ring ring, unsigned barrier)
{
   struct tiler *tiler = to_tiler(base);

   (void)ring;
   if (barrier != PITOT_BARRIER_STALL)
      violate(tiler, "there is no such barrier");
   tiler->stall_count++;
}

static void
set_counting(struct pitot_cs *base, unsigned mask)
{
   to_tiler(base)->counting = mask;
}

static struct pitot_cs_position
position(struct pitot_cs *base, enum pitot_ring ring)
{
   const struct tiler_batch *batch = to_tiler(base)->rings[ring].last;

   return (struct pitot_cs_position){ batch->number, batch->step_count };
}

static enum pitot_batch_state
batch_state(struct pitot_cs *base, enum pitot_ring ring, uint64_t number)
{
   const struct tiler *tiler = to_tiler(base);
   const struct tiler_ring *r = &tiler->rings[ring];

   if (number <= r->done)
      return PITOT_BATCH_DONE;
   if (tiler->is_lost)
      return PITOT_BATCH_LOST;
   return number == r->last->number ? PITOT_BATCH_RECORDING
                                    : PITOT_BATCH_SUBMITTED;
}

static void
wait_batch(struct pitot_cs *base, enum pitot_ring ring, uint64_t number)
{
   tiler_complete_ring(to_tiler(base), ring, number);
}

static int
timestamp(struct pitot_cs *base, uint64_t *ticks_out)
{
   *ticks_out =
      to_tiler(base)->ticks & UINT64_MAX >> (64 - TILER_TIMESTAMP_BITS);
   return 0;
}

/* The CPU's clock, which goes by when the time of any tiler is set. */
static _Atomic uint64_t the_cpu_ns = 1000000000;

static uint64_t
cpu_ns(void)
{
   return the_cpu_ns;
}

static bool
take_reset(struct pitot_cs *base)
{
   const bool was_reset = to_tiler(base)->was_reset;

   to_tiler(base)->was_reset = false;
   return was_reset;
}

static const struct pitot_cs_ops ops = {
   .buffer_create = buffer_create,
   .buffer_destroy = buffer_destroy,
   .require = require,
   .use_buffer = use_buffer,
   .barrier = barrier,
   .emit = emit,
   .size_dw = size_of,
   .set_counting = set_counting,
   .position = position,
   .batch_state = batch_state,
   .flush = flush,
   .wait = wait_batch,
   .timestamp = timestamp,
   .take_reset = take_reset,
};

struct tiler *
tiler_create(void)
{
   struct tiler *tiler = calloc(1, sizeof(*tiler));

   tiler->gpu = (struct pitot_gpu){
      .family = &tiler_family,
      .name = "tiler",
      .timestamp_bits = TILER_TIMESTAMP_BITS,
      .timestamp_hz = 1000000000,
   };
   tiler->base = (struct pitot_cs){
      .ops = &ops,
      .gpu = &tiler->gpu,
      .cpu_ns = cpu_ns,
      .ring_count = TILER_RING_COUNT,
   };
   tiler->batch_size = TILER_BATCH_SIZE;
   tiler->violation = "";
   for (unsigned ring = 0; ring < TILER_RING_COUNT; ring++)
      begin_batch(tiler, ring);
   return tiler;
}

unsigned
tiler_destroy(struct tiler *tiler)
{
   const unsigned buffer_count = tiler->buffer_count;

   for (unsigned ring = 0; ring < TILER_RING_COUNT; ring++) {
      struct tiler_batch *batch = tiler->rings[ring].first;

      while (batch) {
         struct tiler_batch *next = batch->next;

         tiler_free_batch(batch);
         batch = next;
      }
   }
   free(tiler);
   return buffer_count;
}

/*
 * Work
 */

enum pitot_ring
tiler_ring_of(enum pitot_kind kind)
{
   if (kind == PITOT_KIND_CS_INVOCATIONS)
      return PITOT_RING_COMPUTE;
   return kind == PITOT_KIND_VERTICES_SUBMITTED ? TILER_RING_BINNING
                                                : PITOT_RING_RENDER;
}

/* Returns the counter of a kind of query: an overflow is primitives that need
 * room and are not written.
 */
static unsigned
counted_by(enum pitot_kind kind)
{
   if (kind <= PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE)
      return PITOT_KIND_SAMPLES_PASSED;
   return kind == PITOT_KIND_STREAM_OVERFLOW ||
                kind == PITOT_KIND_ANY_STREAM_OVERFLOW
             ? PITOT_HW_STORAGE_NEEDED
             : kind;
}

static void
record_work(struct tiler *tiler, enum pitot_ring ring, struct tiler_step step)
{
   (void)require(&tiler->base, ring, 1);
   record(tiler, ring, step);
}

void
tiler_draw(struct tiler *tiler, enum pitot_kind kind, unsigned stream,
           uint64_t amount)
{
   const struct pitot_hw_measure *measure =
      tiler_family.measure(&tiler->gpu, kind);
   const enum pitot_ring ring = tiler_ring_of(kind);
   struct tiler_step step = {
      .kind = TILER_STEP_WORK,
      .counted = counted_by(kind),
      .stream = stream,
      .value = tiler->counting & measure->counting ? amount : 0,
   };

   record_work(tiler, ring, step);
   step.counted = PITOT_HW_STORAGE_NEEDED;
   if (kind == PITOT_KIND_PRIMITIVES_WRITTEN)
      record_work(tiler, ring, step);
}

void
tiler_set_ticks(struct tiler *tiler, uint64_t ticks)
{
   if (ticks > tiler->ticks)
      the_cpu_ns += ticks - tiler->ticks; /* of 1 GHz */
   tiler->ticks = ticks;
   for (unsigned ring = 0; ring < TILER_RING_COUNT; ring++)
      record_work(tiler, ring,
                  (struct tiler_step){ .kind = TILER_STEP_TIME,
                                       .value = ticks });
}
