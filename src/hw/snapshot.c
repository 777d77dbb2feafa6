/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw_priv.h"

/* Once the batch is a new one, a snapshot fits into it. */
#define MAX_ATTEMPTS 3

/* The availability word comes first. */
#define AVAILABLE_SIZE_B 8

static bool
has_sample(uint32_t samples, unsigned sample)
{
   return samples >> sample & 1;
}

static unsigned
sample_size_B(const struct pitot_hw *hw, unsigned sample)
{
   return hw->family->sample_size_B
             ? hw->family->sample_size_B(hw->cs->gpu, sample)
             : sizeof(uint64_t);
}

/* Returns where a sample is, or with PITOT_HW_MAX_SAMPLES the size of all. */
static unsigned
sample_offset_B(const struct pitot_hw *hw, uint32_t samples, unsigned sample)
{
   unsigned offset_B = AVAILABLE_SIZE_B;

   for (unsigned i = 0; i < sample && samples >> i; i++) {
      if (has_sample(samples, i))
         offset_B += sample_size_B(hw, i);
   }
   return offset_B;
}

static uint64_t *
memory_at(const struct pitot_hw_snapshot *snapshot, unsigned offset_B)
{
   return (uint64_t *)(snapshot->slab->buffer->memory + snapshot->offset_B +
                       offset_B);
}

static uint64_t
address_of(const struct pitot_hw_snapshot *snapshot)
{
   return snapshot->slab->buffer->address + snapshot->offset_B;
}

/*
 * Sampling
 */

static void
unreference(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot)
{
   if (--snapshot->references > 0)
      return;
   if (snapshot->slab)
      pitot_hw_slab_give(snapshot->slab);
   snapshot->next_free = hw->free_snapshots;
   hw->free_snapshots = snapshot;
}

void
pitot_hw_release(struct pitot_hw *hw, struct pitot_hw_boundary *boundary)
{
   while (boundary->count)
      unreference(hw, boundary->snapshots[--boundary->count]);
}

void
pitot_hw_latest_reset(struct pitot_hw *hw, struct pitot_hw_latest *latest)
{
   while (latest->count)
      unreference(hw, latest->snapshots[--latest->count]);
   latest->is_stalled = false;
}

/* Adds the latest samples to a boundary, unless the command stream has moved
 * on since.  Returns those that are missing.  The latest snapshots come
 * first, because at the end of a batch the latest one has everything.
 */
static uint32_t
share(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
      bool is_end, struct pitot_hw_boundary *boundary)
{
   struct pitot_hw_latest *latest = &hw->latest[ring];
   const struct pitot_cs_position position =
      hw->cs->ops->position(hw->cs, ring);

   if (latest->position.batch != position.batch ||
       latest->position.offset != position.offset)
      pitot_hw_latest_reset(hw, latest);
   latest->position = position;

   for (unsigned i = latest->count; i-- > 0 && samples;) {
      struct pitot_hw_snapshot *snapshot = latest->snapshots[i];
      const bool is_last = boundary->count == PITOT_HW_MAX_SNAPSHOTS - 1;

      if (!(snapshot->samples & samples) ||
          (is_end && !snapshot->says_available) ||
          (is_last && samples & ~snapshot->samples))
         continue;
      boundary->snapshots[boundary->count++] = snapshot;
      snapshot->references++;
      samples &= ~snapshot->samples;
   }
   return samples;
}

/* Writes what the GPU will not, and looks at the clock. */
static void
prepare(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot)
{
   const struct pitot_hw_family *family = hw->family;

   for (unsigned i = 0; snapshot->samples >> i; i++) {
      if (!has_sample(snapshot->samples, i))
         continue;
      if (family->samples[i].is_time)
         snapshot->expected_ticks = pitot_hw_clock_expect(hw);
      if (family->seed)
         family->seed(hw->cs->gpu, i,
                      memory_at(snapshot,
                                sample_offset_B(hw, snapshot->samples, i)));
   }
}

/* Returns a snapshot with one reference, of which nothing is recorded yet, or
 * NULL without memory.
 */
static struct pitot_hw_snapshot *
create(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
       bool is_end)
{
   const unsigned size_B = sample_offset_B(hw, samples, PITOT_HW_MAX_SAMPLES);
   const bool is_available_by_itself =
      !(samples & ~hw->family->available_by_themselves);

   struct pitot_hw_snapshot *snapshot = hw->free_snapshots;
   if (snapshot)
      hw->free_snapshots = snapshot->next_free;
   else if (!(snapshot = malloc(sizeof(*snapshot))))
      return NULL;
   *snapshot = (struct pitot_hw_snapshot){
      .ring = ring,
      .batch = hw->latest[ring].position.batch,
      .samples = samples,
      .says_available = is_end,
      .available_offset_B =
         is_available_by_itself ? size_B - (unsigned)sizeof(uint32_t) : 0,
      .references = 1,
   };
   if (pitot_hw_slab_take(hw, (enum pitot_hw_slab_user)ring, size_B,
                          &snapshot->slab, &snapshot->offset_B)) {
      unreference(hw, snapshot);
      return NULL;
   }
   prepare(hw, snapshot);
   return snapshot;
}

/* Lists the commands of a snapshot.  Returns how many there are. */
static unsigned
list_commands(const struct pitot_hw *hw, uint32_t samples, bool is_end,
              struct pitot_cs_buffer *buffer, unsigned offset_B,
              struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS])
{
   const struct pitot_hw_family *family = hw->family;
   unsigned count = 0;

   for (unsigned i = 0; samples >> i; i++) {
      if (has_sample(samples, i))
         commands[count++] = (struct pitot_cs_command){
            .kind = family->samples[i].command,
            .argument = family->samples[i].argument,
            .buffer = buffer,
            .offset_B = offset_B + sample_offset_B(hw, samples, i),
         };
   }
   if (is_end && samples & ~family->available_by_themselves)
      commands[count++] = (struct pitot_cs_command){
         .kind = samples & ~family->written_at_once ? PITOT_COMMAND_FENCE
                                                    : PITOT_COMMAND_VALUE,
         .buffer = buffer,
         .offset_B = offset_B,
         .value = family->available,
         .size_B = AVAILABLE_SIZE_B,
      };
   return count;
}

unsigned
pitot_hw_snapshot_size_dw(const struct pitot_hw *hw, enum pitot_ring ring,
                          uint32_t samples)
{
   struct pitot_cs_buffer nowhere = { 0 };
   struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS];
   const unsigned count =
      list_commands(hw, samples, samples != 0, &nowhere, 0, commands);

   return hw->size_dw(hw->cs, ring, commands, count);
}

/* Returns a mask of the barriers that a snapshot needs: one stall is enough
 * for all that is sampled at a position.
 */
static unsigned
barriers_of(const struct pitot_hw *hw,
            const struct pitot_hw_snapshot *snapshot)
{
   const unsigned barriers =
      hw->family->barriers
         ? hw->family->barriers(hw->cs->gpu, snapshot->samples)
         : 0;

   return hw->latest[snapshot->ring].is_stalled
             ? barriers & ~(1u << PITOT_BARRIER_STALL)
             : barriers;
}

/* Makes room for barriers and commands.  Returns -EIO if the device is lost,
 * or -EAGAIN if that ended the batch of a snapshot: a stall and the samples
 * that it is for have to be in one batch, and so have shared samples.
 */
static int
require_room(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot,
             unsigned barriers, unsigned size_dw)
{
   const enum pitot_ring ring = snapshot->ring;
   struct pitot_cs *cs = hw->cs;

   for (unsigned i = 0; i < PITOT_BARRIER_COUNT; i++)
      size_dw += barriers >> i & 1 ? PITOT_BARRIER_MAX_DW : 0;
   if (!cs->ops->require(cs, ring, size_dw))
      return -EIO;
   return cs->ops->position(cs, ring).batch == snapshot->batch ? 0 : -EAGAIN;
}

/* Records a snapshot, which is then the latest one.  Returns 0, or an error
 * of require_room().
 */
static int
record(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot)
{
   const enum pitot_ring ring = snapshot->ring;
   struct pitot_hw_latest *latest = &hw->latest[ring];
   struct pitot_cs *cs = hw->cs;
   struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS];
   const unsigned count =
      list_commands(hw, snapshot->samples, snapshot->says_available,
                    snapshot->slab->buffer, snapshot->offset_B, commands);
   const unsigned barriers = barriers_of(hw, snapshot);

   const int status = require_room(hw, snapshot, barriers,
                                   hw->size_dw(cs, ring, commands, count));
   if (status)
      return status;
   pitot_hw_slab_use(hw, snapshot->slab, ring, snapshot->batch);
   for (unsigned i = 0; i < PITOT_BARRIER_COUNT; i++) {
      if (barriers >> i & 1)
         cs->ops->barrier(cs, ring, i);
   }
   hw->emit(cs, ring, commands, count);

   latest->position = cs->ops->position(cs, ring);
   latest->is_stalled |= barriers >> PITOT_BARRIER_STALL & 1;
   if (latest->count < PITOT_HW_MAX_SHARED) {
      latest->snapshots[latest->count++] = snapshot;
      snapshot->references++;
   }
   return 0;
}

int
pitot_hw_take(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
              bool is_end, struct pitot_hw_boundary *boundary_inout)
{
   struct pitot_hw_boundary boundary = { .count = 0 };
   int status = -EAGAIN;

   if (!samples || boundary_inout->count)
      return 0;
   pitot_hw_reclaim(hw); /* even if all is shared, and nothing is created */
   for (unsigned i = 0; i < MAX_ATTEMPTS && status == -EAGAIN; i++) {
      pitot_hw_release(hw, &boundary);
      const uint32_t missing = share(hw, ring, samples, is_end, &boundary);
      struct pitot_hw_snapshot *snapshot =
         missing ? create(hw, ring, missing, is_end) : NULL;

      if (snapshot) {
         boundary.snapshots[boundary.count++] = snapshot;
         status = record(hw, snapshot);
      } else {
         status = missing ? -ENOMEM : 0;
      }
   }
   if (status || boundary_inout->count)
      pitot_hw_release(hw, &boundary);
   else
      *boundary_inout = boundary;
   return status == -EAGAIN ? -EIO : status;
}

/*
 * Reading
 */

bool
pitot_hw_snapshot_is_complete(const struct pitot_hw *hw,
                              const struct pitot_hw_snapshot *snapshot)
{
   const volatile uint64_t *qwords = memory_at(snapshot, 0);
   bool is_complete = true;

   if (snapshot->says_available)
      is_complete = *(const volatile uint32_t *)
                       memory_at(snapshot, snapshot->available_offset_B) != 0;

   qwords += AVAILABLE_SIZE_B / sizeof(*qwords);
   for (unsigned i = 0; is_complete && snapshot->samples >> i; i++) {
      const unsigned stride_qw = hw->family->samples[i].valid_stride_qw;
      const unsigned count_qw = has_sample(snapshot->samples, i)
                                   ? sample_size_B(hw, i) / sizeof(*qwords)
                                   : 0;

      for (unsigned qw = 0; stride_qw && qw < count_qw; qw += stride_qw)
         is_complete &= qwords[qw] >> 63;
      qwords += count_qw;
   }
   atomic_thread_fence(memory_order_acquire); /* before samples are read */
   return is_complete;
}

struct pitot_hw_sampled
pitot_hw_boundary_sample(const struct pitot_hw *hw,
                         const struct pitot_hw_boundary *boundary,
                         unsigned sample)
{
   const struct pitot_hw_snapshot *snapshot = boundary->snapshots[0];

   for (unsigned i = 1; !has_sample(snapshot->samples, sample); i++)
      snapshot = boundary->snapshots[i];

   const unsigned offset_B = sample_offset_B(hw, snapshot->samples, sample);
   return (struct pitot_hw_sampled){
      .data = memory_at(snapshot, offset_B),
      .address = address_of(snapshot) + offset_B,
      .expected_ticks = snapshot->expected_ticks,
   };
}

uint64_t
pitot_hw_snapshot_available_address(const struct pitot_hw_snapshot *snapshot)
{
   return address_of(snapshot) + snapshot->available_offset_B;
}
