/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/* Once the batch is a new one, a snapshot fits into it. */
#define MAX_ATTEMPTS 3

void
pitot_hw_snapshot_unreference(struct pitot_hw *hw,
                              struct pitot_hw_snapshot *snapshot)
{
   if (--snapshot->references > 0)
      return;
   if (snapshot->record != snapshot)
      pitot_hw_snapshot_unreference(hw, snapshot->record);
   else if (snapshot->slab)
      pitot_hw_slab_give(snapshot->slab);
   snapshot->next_free = hw->free_snapshots;
   hw->free_snapshots = snapshot;
}

void
pitot_hw_latest_reset(struct pitot_hw *hw, struct pitot_hw_latest *latest)
{
   while (latest->count)
      pitot_hw_snapshot_unreference(hw, latest->snapshots[--latest->count]);
   latest->is_stalled = false;
}

/* Forgets the latest samples if the command stream has moved on since. */
static void
update_latest(struct pitot_hw *hw, enum pitot_ring ring)
{
   struct pitot_hw_latest *latest = &hw->latest[ring];
   const struct pitot_cs_position position =
      hw->cs->ops->position(hw->cs, ring);

   if (latest->position.batch != position.batch ||
       latest->position.offset != position.offset)
      pitot_hw_latest_reset(hw, latest);
   latest->position = position;
}

/* Adds the latest samples to a boundary.  Returns those that are missing.
 * The latest snapshots come first, because at the end of a batch the latest
 * one has everything.
 */
static uint32_t
share(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
      bool is_end, struct pitot_hw_boundary *boundary)
{
   struct pitot_hw_latest *latest = &hw->latest[ring];

   for (unsigned i = latest->count; i-- > 0 && samples;) {
      struct pitot_hw_snapshot *snapshot = latest->snapshots[i];
      const bool is_last = boundary->count == PITOT_HW_MAX_SNAPSHOTS - 1;

      if (!(snapshot->samples & samples) || (is_end && !snapshot->is_end) ||
          (is_last && samples & ~snapshot->samples))
         continue;
      boundary->snapshots[boundary->count++] = snapshot;
      snapshot->references++;
      samples &= ~snapshot->samples;
   }
   return samples;
}

/* Gives a snapshot memory: in the record of a begin, or its own if that is
 * NULL.  Returns 0 or -ENOMEM.
 */
static int
place(struct pitot_hw *hw, struct pitot_hw_snapshot *snapshot,
      struct pitot_hw_snapshot *begin)
{
   snapshot->record = begin ? begin : snapshot;
   if (!begin)
      return pitot_hw_slab_take(hw, (enum pitot_hw_slab_user)snapshot->ring,
                                pitot_hw_snapshot_size_B(hw, snapshot),
                                &snapshot->slab, &snapshot->offset_B);
   begin->references++;
   snapshot->slab = begin->slab;
   snapshot->offset_B = begin->offset_B;
   return 0;
}

/* Returns a snapshot with one reference, of which nothing is recorded yet, or
 * NULL without memory.  An end lies in the record of a begin, unless that is
 * NULL.
 */
static struct pitot_hw_snapshot *
create(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
       bool is_end, struct pitot_hw_snapshot *begin)
{
   struct pitot_hw_snapshot *snapshot = hw->free_snapshots;

   if (snapshot)
      hw->free_snapshots = snapshot->next_free;
   else if (!(snapshot = malloc(sizeof(*snapshot))))
      return NULL;
   *snapshot = (struct pitot_hw_snapshot){
      .ring = ring,
      .batch = hw->latest[ring].position.batch,
      .samples = samples,
      .is_end = is_end,
      .references = 1,
   };
   if (place(hw, snapshot, begin)) {
      pitot_hw_snapshot_unreference(hw, snapshot);
      return NULL;
   }
   snapshot->available_offset_B =
      pitot_hw_snapshot_available_offset_B(hw, snapshot);
   if (samples & hw->times)
      snapshot->expected_ticks = pitot_hw_clock_expect(hw);
   return snapshot;
}

/* Returns the begin in whose record an end of such samples can lie, because
 * no other end does; or NULL.  The end that queries share has samples that
 * the begin of one of them lacks: a time and a statistic stop together.
 */
static struct pitot_hw_snapshot *
find_record(const struct pitot_hw *hw, uint32_t samples,
            const struct pitot_hw_boundary *begin)
{
   if (!hw->family->end_distance_B || !begin || begin->count != 1)
      return NULL;

   struct pitot_hw_snapshot *snapshot = begin->snapshots[0];
   const bool is_free = !snapshot->is_end && !snapshot->has_end &&
                        !(samples & ~snapshot->samples);
   return is_free ? snapshot : NULL;
}

/* Lists the commands of a snapshot, in the order of its record.  Returns how
 * many there are.
 */
static unsigned
list_commands(const struct pitot_hw *hw,
              const struct pitot_hw_snapshot *snapshot,
              struct pitot_cs_buffer *buffer,
              struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS])
{
   const struct pitot_hw_family *family = hw->family;
   const struct pitot_hw_snapshot *record = snapshot->record;
   const uint32_t samples = snapshot->samples;
   const uint32_t summed =
      snapshot->is_end ? samples & family->accumulated : 0;

   /* The GPU zeroes sums: the kernel may have it execute a batch again. */
   const uint32_t zeroed = (samples & family->accumulated) ^ summed;
   unsigned offset_B = snapshot->offset_B + hw->header_B;
   unsigned count = 0;

   for (uint32_t rest = record->samples; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);
      const unsigned distance_B =
         record != snapshot ? hw->extents[i].end_distance_B : 0;

      if (pitot_hw_has_sample(samples, i))
         commands[count++] = (struct pitot_cs_command){
            .kind = family->samples[i].command,
            .argument = family->samples[i].argument,
            .is_end = snapshot->is_end,
            .buffer = buffer,
            .offset_B = offset_B + distance_B,
         };
      if (pitot_hw_has_sample(zeroed, i))
         commands[count++] = (struct pitot_cs_command){
            .kind = PITOT_COMMAND_VALUE,
            .buffer = buffer,
            .offset_B = offset_B + sizeof(uint64_t),
            .size_B = sizeof(uint64_t),
         };
      if (pitot_hw_has_sample(summed, i))
         commands[count++] = (struct pitot_cs_command){
            .kind = PITOT_COMMAND_ACCUMULATE,
            .argument = family->samples[i].command,
            .buffer = buffer,
            .offset_B = offset_B,
         };
      offset_B += pitot_hw_extent_B(hw, record, i);
   }
   if (snapshot->is_end && samples & ~family->available_by_themselves)
      commands[count++] = (struct pitot_cs_command){
         .kind = samples & ~family->written_at_once ? PITOT_COMMAND_FENCE
                                                    : PITOT_COMMAND_VALUE,
         .buffer = buffer,
         .offset_B = snapshot->offset_B,
         .value = family->available,
         .size_B = PITOT_HW_AVAILABLE_SIZE_B,
      };
   return count;
}

/* Returns a mask of the barriers that samples need. */
static unsigned
barriers_for(const struct pitot_hw *hw, uint32_t samples)
{
   return hw->family->barriers ? hw->family->barriers(hw->cs->gpu, samples)
                               : 0;
}

unsigned
pitot_hw_snapshot_size_dw(const struct pitot_hw *hw, enum pitot_ring ring,
                          uint32_t samples)
{
   struct pitot_cs_buffer nowhere = { 0 };
   struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS];
   struct pitot_hw_snapshot end = { .samples = samples,
                                    .is_end = samples != 0 };

   end.record = &end;
   const unsigned count = list_commands(hw, &end, &nowhere, commands);
   return hw->size_dw(hw->cs, ring, commands, count) +
          pitot_hw_barriers_size_dw(hw, barriers_for(hw, samples));
}

/* Returns a mask of the barriers that a snapshot needs: one stall is enough
 * for all that is sampled at a position.
 */
static unsigned
barriers_of(const struct pitot_hw *hw,
            const struct pitot_hw_snapshot *snapshot)
{
   const unsigned barriers = barriers_for(hw, snapshot->samples);

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
             unsigned barriers, const struct pitot_cs_command *commands,
             unsigned count)
{
   const enum pitot_ring ring = snapshot->ring;
   struct pitot_cs *cs = hw->cs;

   if (!cs->ops->require)
      return 0;
   const unsigned size_dw = hw->size_dw(cs, ring, commands, count) +
                            pitot_hw_barriers_size_dw(hw, barriers);
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
      list_commands(hw, snapshot, snapshot->slab->buffer, commands);
   const unsigned barriers = barriers_of(hw, snapshot);

   const int status = require_room(hw, snapshot, barriers, commands, count);
   if (status)
      return status;
   pitot_hw_slab_use(hw, snapshot->slab, ring, snapshot->batch);
   pitot_hw_emit_barriers(hw, ring, barriers);
   hw->emit(cs, ring, commands, count);

   latest->position = cs->ops->position(cs, ring);
   latest->is_stalled |= barriers >> PITOT_BARRIER_STALL & 1;
   snapshot->record->has_end |= snapshot->is_end;
   if (latest->count < PITOT_HW_MAX_SHARED &&
       !pitot_hw_is_unshared(hw, snapshot->samples)) {
      latest->snapshots[latest->count++] = snapshot;
      snapshot->references++;
   }
   return 0;
}

/* Shares samples, and creates a snapshot of those that are missing, or none.
 * Returns 0 or -ENOMEM.
 */
static int
prepare(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
        bool is_end, const struct pitot_hw_boundary *begin,
        struct pitot_hw_boundary *boundary,
        struct pitot_hw_snapshot **snapshot_out)
{
   *snapshot_out = NULL;
   if (!pitot_hw_is_unshared(hw, samples))
      samples = share(hw, ring, samples, is_end, boundary);
   if (!samples)
      return 0;
   *snapshot_out = create(hw, ring, samples, is_end,
                          is_end ? find_record(hw, samples, begin) : NULL);
   if (!*snapshot_out)
      return -ENOMEM;
   boundary->snapshots[boundary->count++] = *snapshot_out;
   return 0;
}

/* Shares one of the latest snapshots, if it has all samples.  Returns whether
 * one has.
 */
static bool
share_all(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
          bool is_end, struct pitot_hw_boundary *boundary)
{
   struct pitot_hw_latest *latest = &hw->latest[ring];

   if (pitot_hw_is_unshared(hw, samples))
      return false;
   for (unsigned i = latest->count; i-- > 0;) {
      struct pitot_hw_snapshot *snapshot = latest->snapshots[i];

      if (samples & ~snapshot->samples || (is_end && !snapshot->is_end))
         continue;
      boundary->snapshots[0] = snapshot;
      boundary->count = 1;
      snapshot->references++;
      return true;
   }
   return false;
}

/* Makes room for the end of a begin that may share all of its samples, and
 * then records nothing: others may have filled the batch since the samples.
 * Returns whether there is room, perhaps in another batch.
 */
static bool
keep_room(struct pitot_hw *hw, enum pitot_ring ring)
{
   struct pitot_hw_room *room = &hw->room[ring];

   if (!room->has_grown || !hw->latest[ring].count)
      return true;
   room->has_grown = false;
   if (!pitot_hw_require(hw, ring, 0))
      return false;
   update_latest(hw, ring);
   return true;
}

int
pitot_hw_take(struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
              bool is_end, const struct pitot_hw_boundary *begin,
              struct pitot_hw_boundary *boundary_inout)
{
   struct pitot_hw_boundary boundary;
   int status = -EAGAIN;

   if (!samples || boundary_inout->count)
      return 0;
   pitot_hw_reclaim(hw); /* even if all is shared, and nothing is created */
   update_latest(hw, ring);
   if (!is_end && !keep_room(hw, ring))
      return -EIO;
   if (boundary_inout->count ||
       share_all(hw, ring, samples, is_end, boundary_inout))
      return 0;
   boundary.count = 0;
   for (unsigned i = 0; i < MAX_ATTEMPTS && status == -EAGAIN; i++) {
      struct pitot_hw_snapshot *snapshot;

      if (i) {
         pitot_hw_release(hw, &boundary);
         update_latest(hw, ring);
      }
      status =
         prepare(hw, ring, samples, is_end, begin, &boundary, &snapshot);
      if (snapshot)
         status = record(hw, snapshot);
   }
   if (status || boundary_inout->count)
      pitot_hw_release(hw, &boundary);
   else
      *boundary_inout = boundary;
   return status == -EAGAIN ? -EIO : status;
}
