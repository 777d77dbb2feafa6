/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "hw_priv.h"

/* Once the batch is a new one, what is wanted fits into it. */
#define MAX_ATTEMPTS 3

/* The availability word comes first. */
#define AVAILABLE_SIZE_B 8

static bool
has_sample(uint32_t samples, unsigned sample)
{
   return samples >> sample & 1;
}

/* Returns where a sample is, or with sample_count the size of all. */
static unsigned
sample_offset_B(const struct pitot_hw *hw, uint32_t samples, unsigned sample)
{
   unsigned offset_B = AVAILABLE_SIZE_B;

   for (unsigned i = 0; i < sample; i++) {
      if (has_sample(samples, i))
         offset_B += hw->family->sample_size_B(hw->cs->gpu, i);
   }
   return offset_B;
}

static bool
is_available_by_itself(const struct pitot_hw *hw, uint32_t samples)
{
   return hw->family->is_available_by_itself &&
          hw->family->is_available_by_itself(samples);
}

/* Returns where there is something but 0 once a snapshot is available. */
static unsigned
available_offset_B(const struct pitot_hw *hw, uint32_t samples)
{
   return is_available_by_itself(hw, samples)
             ? sample_offset_B(hw, samples, hw->family->sample_count) -
                  (unsigned)sizeof(uint32_t)
             : 0;
}

static uint64_t *
memory_at(const struct pitot_hw_snapshot *snapshot, unsigned offset_B)
{
   return (uint64_t *)(snapshot->slab->buffer->memory + snapshot->offset_B +
                       offset_B);
}

/* Takes a struct from those that are free. */
static struct pitot_hw_snapshot *
alloc(struct pitot_hw *hw)
{
   struct pitot_hw_snapshot *snapshot = hw->free_snapshots;

   if (snapshot)
      hw->free_snapshots = snapshot->next_free;
   return snapshot ? snapshot : malloc(sizeof(*snapshot));
}

static void
unreference(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot)
{
   if (--snapshot->references > 0)
      return;
   if (snapshot->slab)
      pitot_hw_slab_give(hw, snapshot->slab);
   snapshot->next_free = hw->free_snapshots;
   hw->free_snapshots = snapshot;
}

void
pitot_hw_release(struct pitot_hw *hw, struct pitot_hw_boundary *boundary)
{
   while (boundary->count)
      unreference(hw, boundary->snapshots[--boundary->count]);
}

/* Writes what the GPU will not, and looks at the clock. */
static void
prepare(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot)
{
   const struct pitot_hw_family *family = hw->family;

   for (unsigned i = 0; i < family->sample_count; i++) {
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

/* Makes a snapshot with one reference, of which nothing is recorded yet. */
static int
create(struct pitot_hw *hw, enum pitot_ring ring, uint64_t batch,
       uint32_t samples, bool is_end, struct pitot_hw_snapshot **snapshot_out)
{
   struct pitot_hw_snapshot *snapshot = alloc(hw);
   struct pitot_hw_boundary failed = { { snapshot }, 1 };
   if (!snapshot)
      return -ENOMEM;

   *snapshot = (struct pitot_hw_snapshot){
      .ring = ring,
      .batch = batch,
      .samples = samples,
      .says_available = is_end,
      .available_offset_B = available_offset_B(hw, samples),
      .references = 1,
   };
   if (pitot_hw_slab_take(hw,
                          sample_offset_B(hw, samples,
                                          hw->family->sample_count),
                          &snapshot->slab, &snapshot->offset_B)) {
      pitot_hw_release(hw, &failed);
      return -ENOMEM;
   }
   prepare(hw, snapshot);
   *snapshot_out = snapshot;
   return 0;
}

/* Writes the packets of a snapshot.  Returns how many dwords they have. */
static unsigned
build(const struct pitot_hw *hw, uint32_t samples, bool is_end,
      uint64_t address, uint32_t dw[PITOT_HW_MAX_SNAPSHOT_DW])
{
   const struct pitot_hw_family *family = hw->family;
   struct pitot_hw_packets packets = {
      .gpu = hw->cs->gpu,
      .next = dw,
      .scratch_address = hw->scratch ? hw->scratch->address : 0,
   };

   for (unsigned i = 0; i < family->sample_count; i++) {
      if (has_sample(samples, i))
         family->samples[i].emit(&packets, family->samples[i].argument,
                                 address + sample_offset_B(hw, samples, i));
   }
   if (is_end && !is_available_by_itself(hw, samples))
      family->emit_available(&packets, samples, address);
   return (unsigned)(packets.next - dw);
}

unsigned
pitot_hw_snapshot_size_dw(const struct pitot_hw *hw, uint32_t samples)
{
   uint32_t dw[PITOT_HW_MAX_SNAPSHOT_DW];

   return samples ? build(hw, samples, true, 0, dw) : 0;
}

/* One stall is enough for all that is sampled in a place. */
static void
emit_barriers(struct pitot_hw *hw, const struct pitot_hw_snapshot *snapshot)
{
   const struct pitot_hw_place *place = &hw->places[snapshot->ring];
   struct pitot_cs *cs = hw->cs;
   unsigned barriers = hw->family->barriers(cs->gpu, snapshot->samples);

   if (place->is_stalled)
      barriers &= ~(1u << PITOT_BARRIER_STALL);
   for (unsigned i = 0; i < PITOT_BARRIER_COUNT; i++) {
      if (barriers >> i & 1)
         cs->ops->barrier(cs, snapshot->ring, i);
   }
}

/* What was recorded by us does not move the place. */
static void
remember(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot,
         struct pitot_cs_position position)
{
   const enum pitot_ring ring = snapshot->ring;
   struct pitot_hw_place *place = &hw->places[ring];

   place->is_stalled |=
      hw->family->barriers(hw->cs->gpu, snapshot->samples) >>
         PITOT_BARRIER_STALL &
      1;
   place->position = position;
   if (place->count < PITOT_HW_MAX_SHARED) {
      place->snapshots[place->count++] = snapshot;
      snapshot->references++;
   }
}

/* Records a snapshot.  Returns -EAGAIN if that ended the batch: what was
 * shared and stalled for is in the one before then.
 */
static int
record(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot)
{
   struct pitot_cs *cs = hw->cs;
   uint32_t dw[PITOT_HW_MAX_SNAPSHOT_DW];
   const unsigned count =
      build(hw, snapshot->samples, snapshot->says_available,
            snapshot->slab->buffer->address + snapshot->offset_B, dw);

   emit_barriers(hw, snapshot);
   struct pitot_cs_position position;
   uint32_t *room = cs->ops->reserve(cs, snapshot->ring, count, &position);
   if (!room)
      return -EIO;
   if (position.batch != snapshot->batch) {
      for (unsigned i = 0; i < count; i++)
         room[i] = hw->family->nop(cs->gpu);
      return -EAGAIN;
   }
   memcpy(room, dw, count * sizeof(dw[0]));
   pitot_hw_slab_use(hw, snapshot->slab, snapshot->ring, position.batch);
   if (hw->scratch)
      cs->ops->use_buffer(cs, snapshot->ring, hw->scratch);
   remember(hw, snapshot, position);
   return 0;
}

void
pitot_hw_place_reset(struct pitot_hw *hw, struct pitot_hw_place *place)
{
   while (place->count)
      unreference(hw, place->snapshots[--place->count]);
   place->is_stalled = false;
}

/* Forgets what was sampled if the command stream has moved on since. */
static void
look_where_we_are(struct pitot_hw *hw, enum pitot_ring ring)
{
   struct pitot_cs *cs = hw->cs;
   struct pitot_hw_place *place = &hw->places[ring];
   const struct pitot_cs_position position = cs->ops->position(cs, ring);

   if (place->position.batch == position.batch &&
       place->position.offset == position.offset)
      return;
   pitot_hw_place_reset(hw, place);
   place->position = position;
}

/* Adds to a boundary what was sampled in this place already.  Returns what is
 * missing.  The latest ones come first, because at the end of a batch the
 * latest one has everything.
 */
static uint32_t
share(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
      bool is_end, struct pitot_hw_boundary *boundary)
{
   struct pitot_hw_place *place = &hw->places[ring];

   for (unsigned i = place->count; i-- > 0 && samples;) {
      struct pitot_hw_snapshot *snapshot = place->snapshots[i];
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

static int
attempt(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
        bool is_end, struct pitot_hw_boundary *boundary)
{
   struct pitot_hw_snapshot *snapshot;

   look_where_we_are(hw, ring);
   const uint32_t missing = share(hw, ring, samples, is_end, boundary);
   if (!missing)
      return 0;

   int status = create(hw, ring, hw->places[ring].position.batch, missing,
                       is_end, &snapshot);
   if (status)
      return status;
   boundary->snapshots[boundary->count++] = snapshot;
   return record(hw, snapshot);
}

int
pitot_hw_take(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
              bool is_end, struct pitot_hw_boundary *boundary_out)
{
   int status = -EAGAIN;

   boundary_out->count = 0;
   for (unsigned i = 0; i < MAX_ATTEMPTS && status == -EAGAIN; i++) {
      status = attempt(hw, ring, samples, is_end, boundary_out);
      if (status)
         pitot_hw_release(hw, boundary_out);
   }
   return status == -EAGAIN ? -EIO : status;
}

bool
pitot_hw_snapshot_is_available(const struct pitot_hw_snapshot *snapshot)
{
   const uint8_t *memory = snapshot->slab->buffer->memory +
                           snapshot->offset_B + snapshot->available_offset_B;
   const bool is_available =
      !snapshot->says_available || *(const volatile uint32_t *)memory != 0;

   /* What is read next was written before. */
   atomic_thread_fence(memory_order_acquire);
   return is_available;
}

/* Returns the snapshot of a boundary that has a sample, and where in it. */
static const struct pitot_hw_snapshot *
find_sample(const struct pitot_hw *hw,
            const struct pitot_hw_boundary *boundary, unsigned sample,
            unsigned *offset_B_out, uint64_t *expected_ticks_out)
{
   const struct pitot_hw_snapshot *const *found =
      (const struct pitot_hw_snapshot *const *)boundary->snapshots;

   while (!has_sample((*found)->samples, sample))
      found++;
   if (expected_ticks_out)
      *expected_ticks_out = (*found)->expected_ticks;
   *offset_B_out = sample_offset_B(hw, (*found)->samples, sample);
   return *found;
}

const uint64_t *
pitot_hw_boundary_data(const struct pitot_hw *hw,
                       const struct pitot_hw_boundary *boundary,
                       unsigned sample, uint64_t *expected_ticks_out)
{
   unsigned offset_B;
   const struct pitot_hw_snapshot *snapshot =
      find_sample(hw, boundary, sample, &offset_B, expected_ticks_out);

   return memory_at(snapshot, offset_B);
}

uint64_t
pitot_hw_boundary_address(const struct pitot_hw *hw,
                          const struct pitot_hw_boundary *boundary,
                          unsigned sample, uint64_t *expected_ticks_out)
{
   unsigned offset_B;
   const struct pitot_hw_snapshot *snapshot =
      find_sample(hw, boundary, sample, &offset_B, expected_ticks_out);

   return pitot_hw_snapshot_address(snapshot) + offset_B;
}

uint64_t
pitot_hw_snapshot_address(const struct pitot_hw_snapshot *snapshot)
{
   return snapshot->slab->buffer->address + snapshot->offset_B;
}

uint64_t
pitot_hw_available_address(const struct pitot_hw_snapshot *snapshot)
{
   return pitot_hw_snapshot_address(snapshot) + snapshot->available_offset_B;
}
