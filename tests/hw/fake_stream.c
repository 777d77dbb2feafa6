/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake_gpu.h"

static struct fake_stream *
fake_of(struct pitot_cs *cs)
{
   return (struct fake_stream *)cs;
}

/*
 * Memory
 */

static int
buffer_create(struct pitot_cs *cs, unsigned size_B,
              struct pitot_cs_buffer **buffer_out)
{
   struct fake_stream *fake = fake_of(cs);
   const unsigned i = fake->buffers_made;

   if (i == FAKE_MAX_BUFFERS || (fake->fail_buffer && !--fake->fail_buffer))
      return -ENOMEM;
   struct pitot_cs_buffer *buffer = calloc(1, sizeof(*buffer));
   uint8_t *memory = calloc(1, size_B);
   if (!buffer || !memory) {
      free(buffer);
      free(memory);
      return -ENOMEM;
   }
   buffer->address = FAKE_ADDRESS + i * FAKE_STRIDE_B;
   buffer->memory = memory;
   buffer->size_B = size_B;
   fake->buffers[i] = buffer;
   fake->buffers_made++;
   fake->buffer_count++;
   *buffer_out = buffer;
   return 0;
}

static void
buffer_destroy(struct pitot_cs *cs, struct pitot_cs_buffer *buffer)
{
   struct fake_stream *fake = fake_of(cs);

   fake->buffers[(buffer->address - FAKE_ADDRESS) / FAKE_STRIDE_B] = NULL;
   fake->buffer_count--;
   free(buffer->memory);
   free(buffer);
}

/* What is written to memory that is not there any more is forgotten. */
static void
write_memory(struct fake_stream *fake, const struct fake_write *write)
{
   const uint64_t offset = write->address - FAKE_ADDRESS;
   const struct pitot_cs_buffer *buffer =
      fake->buffers[offset / FAKE_STRIDE_B];

   if (buffer)
      memcpy(buffer->memory + offset % FAKE_STRIDE_B, &write->value,
             write->size_B);
}

void
fake_gpu_write(struct fake_stream *fake, enum pitot_ring ring,
               uint64_t address, uint64_t value, unsigned size_B)
{
   struct fake_ring *r = &fake->rings[ring];

   if (r->write_count == r->write_room) {
      r->write_room = 2 * r->write_room + 64;
      r->writes = realloc(r->writes, r->write_room * sizeof(r->writes[0]));
   }
   r->writes[r->write_count++] =
      (struct fake_write){ r->batch, address, value, size_B };
}

/*
 * Batches
 */

/* Samples what was recorded, before anything changes. */
static void
execute(struct fake_stream *fake)
{
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++) {
      struct fake_ring *r = &fake->rings[ring];

      while (r->executed_dw < r->used_dw)
         r->executed_dw +=
            fake_gpu_execute(fake, ring, &r->log[r->executed_dw]);
   }
}

static void
finish_batches(struct fake_stream *fake, enum pitot_ring ring, uint64_t batch)
{
   struct fake_ring *r = &fake->rings[ring];
   unsigned kept = 0;

   if (fake->is_lost)
      return;
   for (unsigned i = 0; i < r->write_count; i++) {
      if (r->writes[i].batch > batch)
         r->writes[kept++] = r->writes[i];
      else if (!fake->never_lands)
         write_memory(fake, &r->writes[i]);
   }
   r->write_count = kept;
   if (r->done < batch)
      r->done = batch;
}

static void
next_batch(struct fake_stream *fake, enum pitot_ring ring)
{
   struct fake_ring *r = &fake->rings[ring];

   r->is_ending = true;
   pitot_cs_batch_end(&fake->base, ring);
   execute(fake);
   fake_gpu_count_others(fake);
   r->is_ending = false;
   r->used_dw = r->executed_dw = 0;
   r->position++;
   r->batch++;
   if (!fake->is_held)
      finish_batches(fake, ring, r->batch - 1);
   pitot_cs_batch_begin(&fake->base, ring);
}

static uint32_t *
reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw,
        struct pitot_cs_position *position_out)
{
   struct fake_stream *fake = fake_of(cs);
   struct fake_ring *r = &fake->rings[ring];

   if (fake->is_lost)
      return NULL;
   fake->reserve_count++;
   if (!r->is_ending &&
       r->used_dw + count_dw + pitot_cs_end_size_dw(cs, ring) >
          fake->batch_dw)
      next_batch(fake, ring);
   fake->overflowed |= r->used_dw + count_dw > fake->batch_dw;

   uint32_t *room = &r->log[r->used_dw];
   r->used_dw += count_dw;
   r->position++;
   if (position_out)
      *position_out = (struct pitot_cs_position){ r->batch, r->position };
   return room;
}

static void
use_buffer(struct pitot_cs *cs, enum pitot_ring ring,
           struct pitot_cs_buffer *buffer)
{
   (void)cs;
   (void)ring;
   (void)buffer;
}

static void
barrier(struct pitot_cs *cs, enum pitot_ring ring, enum pitot_barrier barrier)
{
   uint32_t *room = reserve(cs, ring, 1, NULL);

   if (room)
      *room = FAKE_BARRIER(barrier);
   fake_of(cs)->barriers[barrier]++;
}

static void
set_counting(struct pitot_cs *cs, unsigned mask)
{
   fake_of(cs)->counting = mask;
}

static struct pitot_cs_position
position(struct pitot_cs *cs, enum pitot_ring ring)
{
   const struct fake_ring *r = &fake_of(cs)->rings[ring];

   return (struct pitot_cs_position){ r->batch, r->position };
}

static enum pitot_batch_state
batch_state(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   struct fake_stream *fake = fake_of(cs);
   const struct fake_ring *r = &fake->rings[ring];

   fake->state_count++;
   if (batch <= r->done)
      return PITOT_BATCH_DONE;
   if (fake->is_lost)
      return PITOT_BATCH_LOST;
   return batch < r->batch ? PITOT_BATCH_SUBMITTED : PITOT_BATCH_RECORDING;
}

static void
flush(struct pitot_cs *cs, enum pitot_ring ring)
{
   fake_of(cs)->flush_count++;
   next_batch(fake_of(cs), ring);
}

static void
wait_batch(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   fake_of(cs)->wait_count++;
   finish_batches(fake_of(cs), ring, batch);
}

static int
timestamp(struct pitot_cs *cs, uint64_t *ticks_out)
{
   struct fake_stream *fake = fake_of(cs);

   fake->timestamp_count++;
   *ticks_out = fake->ticks & UINT64_MAX >> (64 - fake->gpu.timestamp_bits);
   return fake->timestamp_error;
}

static bool
take_reset(struct pitot_cs *cs)
{
   const bool was_reset = fake_of(cs)->was_reset;

   fake_of(cs)->was_reset = false;
   return was_reset;
}

static const struct pitot_cs_ops ops = {
   .buffer_create = buffer_create,
   .buffer_destroy = buffer_destroy,
   .reserve = reserve,
   .use_buffer = use_buffer,
   .barrier = barrier,
   .set_counting = set_counting,
   .position = position,
   .batch_state = batch_state,
   .flush = flush,
   .wait = wait_batch,
   .timestamp = timestamp,
   .take_reset = take_reset,
};

/*
 * The owner's
 */

void
fake_stream_init(struct fake_stream *fake, const struct pitot_gpu *gpu)
{
   memset(fake, 0, sizeof(*fake));
   fake->gpu = *gpu;
   fake->base.ops = &ops;
   fake->base.gpu = &fake->gpu;
   fake->batch_dw = FAKE_BATCH_DW;
   fake->others = 12345;
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++)
      fake->rings[ring].batch = 1;
}

unsigned
fake_stream_finish(struct fake_stream *fake)
{
   const unsigned left = fake->buffer_count;

   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++)
      free(fake->rings[ring].writes);
   for (unsigned i = 0; i < fake->buffers_made; i++) {
      if (fake->buffers[i])
         buffer_destroy(&fake->base, fake->buffers[i]);
   }
   return left;
}

void
fake_stream_move(struct fake_stream *fake, enum pitot_ring ring)
{
   execute(fake);
   fake->rings[ring].position++;
}

void
fake_stream_fill(struct fake_stream *fake, enum pitot_ring ring,
                 unsigned count_dw)
{
   for (unsigned i = 0; i < count_dw; i++)
      *reserve(&fake->base, ring, 1, NULL) = fake_gpu_nop(fake);
}

void
fake_stream_draw(struct fake_stream *fake, enum pitot_kind kind,
                 unsigned stream, uint64_t amount)
{
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++)
      fake_stream_move(fake, ring);
   fake_gpu_count(fake, kind, stream, amount);
}

void
fake_stream_flush(struct fake_stream *fake, enum pitot_ring ring)
{
   next_batch(fake, ring);
}

void
fake_stream_complete(struct fake_stream *fake)
{
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++)
      finish_batches(fake, ring, fake->rings[ring].batch - 1);
}
