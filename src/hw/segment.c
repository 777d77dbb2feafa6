/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Segments: sampled where a query begins and ends, and where its counting is
 * resumed and suspended.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/*
 * Memory
 */

void
pitot_hw_segment_return(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   segment->next = atomic_load(&hw->returned);
   while (
      !atomic_compare_exchange_weak(&hw->returned, &segment->next, segment))
      ;
}

/* Frees a segment: by the thread that records. */
static void
free_segment(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   pitot_hw_slab_give(segment->slab);
   segment->next = hw->free_segments;
   hw->free_segments = segment;
}

void
pitot_hw_reclaim(struct pitot_hw *hw)
{
   struct pitot_hw_segment *segment = NULL;

   if (atomic_load_explicit(&hw->returned, memory_order_relaxed))
      segment = atomic_exchange(&hw->returned, NULL);
   while (segment) {
      struct pitot_hw_segment *next = segment->next;

      free_segment(hw, segment);
      segment = next;
   }
}

void
pitot_hw_query_drop_segments(struct pitot_hw *hw,
                             struct pitot_hw_query *query)
{
   while (query->first) {
      struct pitot_hw_segment *segment = query->first;

      query->first = segment->next;
      pitot_hw_segment_return(hw, segment);
   }
   query->last = &query->first;
}

void
pitot_hw_query_drop_open(struct pitot_hw *hw,
                         struct pitot_hw_ring_state *state)
{
   if (state->open)
      free_segment(hw, state->open);
   state->open = NULL;
}

/* Returns a segment of which nothing is recorded yet, or NULL without memory.
 */
static struct pitot_hw_segment *
create(struct pitot_hw *hw, enum pitot_ring ring,
       const struct pitot_hw_ring_state *state)
{
   struct pitot_hw_segment *segment = hw->free_segments;
   struct pitot_hw_slab *slab;
   unsigned offset_B;

   if (pitot_hw_slab_take(hw, (enum pitot_hw_slab_user)ring,
                          state->record_size_B, &slab, &offset_B))
      return NULL;
   if (segment)
      hw->free_segments = segment->next;
   else if (!(segment = malloc(sizeof(*segment)))) {
      pitot_hw_slab_give(slab);
      return NULL;
   }
   uint8_t *const memory = slab->buffer->memory + offset_B;

   *segment = (struct pitot_hw_segment){
      .memory = memory,
      .available = (const uint32_t *)(memory + state->available_offset_B),
      .samples = state->samples,
      .ring = ring,
      .slab = slab,
      .offset_B = offset_B,
   };
   return segment;
}

/*
 * Samples
 */

/* Lists the commands of a begin or an end, in the order of the record.
 * Returns how many there are.
 */
static unsigned
list_commands(const struct pitot_hw *hw, uint32_t samples, bool is_end,
              struct pitot_cs_buffer *buffer, unsigned record_offset_B,
              struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS])
{
   const struct pitot_hw_family *family = hw->family;
   unsigned count = 0;

   for (uint32_t rest = samples; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);
      const unsigned begin_B =
         record_offset_B + pitot_hw_record_offset_B(hw, samples, i);

      commands[count++] = (struct pitot_cs_command){
         .kind = family->samples[i].command,
         .argument = family->samples[i].argument,
         .is_end = is_end,
         .buffer = buffer,
         .offset_B = begin_B + (is_end ? hw->extents[i].end_distance_B : 0),
      };

      /* The GPU zeroes sums: the kernel may have it execute a batch again. */
      if (pitot_hw_has_sample(family->accumulated, i) && !is_end)
         commands[count++] = (struct pitot_cs_command){
            .kind = PITOT_COMMAND_VALUE,
            .buffer = buffer,
            .offset_B = begin_B + sizeof(uint64_t),
            .size_B = sizeof(uint64_t),
         };
      else if (pitot_hw_has_sample(family->accumulated, i))
         commands[count++] = (struct pitot_cs_command){
            .kind = PITOT_COMMAND_ACCUMULATE,
            .argument = family->samples[i].command,
            .buffer = buffer,
            .offset_B = begin_B,
         };
   }
   if (is_end && samples & ~family->available_by_themselves)
      commands[count++] = (struct pitot_cs_command){
         .kind = samples & ~family->written_at_once ? PITOT_COMMAND_FENCE
                                                    : PITOT_COMMAND_VALUE,
         .buffer = buffer,
         .offset_B = record_offset_B,
         .value = family->available,
         .size_B = sizeof(uint64_t),
      };
   return count;
}

/* Returns how many dwords a begin or an end takes at most. */
static unsigned
size_dw(const struct pitot_hw *hw, enum pitot_ring ring, uint32_t samples,
        bool is_end)
{
   struct pitot_cs_buffer nowhere = { 0 };
   struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS];
   const unsigned count =
      list_commands(hw, samples, is_end, &nowhere, 0, commands);

   return hw->cs->ops->size_dw(hw->cs, ring, commands, count);
}

void
pitot_hw_ring_state_init(const struct pitot_hw *hw, enum pitot_ring ring,
                         struct pitot_hw_ring_state *state)
{
   const uint32_t samples = state->samples;

   state->record_size_B = pitot_hw_record_size_B(hw, samples);
   state->available_offset_B = pitot_hw_record_available_B(hw, samples);
   if (!hw->cs->ops->require)
      return;
   state->begin_dw = size_dw(hw, ring, samples, false);
   state->end_dw = size_dw(hw, ring, samples, true);
}

/* Makes room for samples in one batch, whose number it tells.  A driver may
 * end and begin batches to do so, and call the listener, which suspends and
 * resumes queries: whether a segment is open is known only after it.  Returns
 * 0, or -EIO if the device is lost.
 */
static int
make_room(struct pitot_hw *hw, enum pitot_ring ring, unsigned count_dw,
          uint64_t *batch_out)
{
   if (!pitot_hw_require(hw, ring, count_dw))
      return -EIO;
   *batch_out = hw->cs->ops->current_batch(hw->cs, ring);
   return 0;
}

static void
emit_samples(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
             bool is_end, uint64_t batch)
{
   struct pitot_cs_command commands[PITOT_HW_MAX_COMMANDS];
   const unsigned count =
      list_commands(hw, segment->samples, is_end, segment->slab->buffer,
                    segment->offset_B, commands);

   pitot_hw_slab_use(hw, segment->slab, segment->ring, batch);
   hw->cs->ops->emit(hw->cs, segment->ring, commands, count);
}

int
pitot_hw_query_open(struct pitot_hw *hw, struct pitot_hw_query *query,
                    enum pitot_ring ring)
{
   struct pitot_hw_ring_state *state = &query->rings[ring];
   uint64_t batch;

   if (!state->samples || state->open)
      return 0;
   pitot_hw_reclaim(hw);
   int status = make_room(hw, ring, state->begin_dw, &batch);
   if (status == 0 && !state->open) {
      struct pitot_hw_segment *segment = create(hw, ring, state);

      if (!segment)
         return -ENOMEM;
      segment->has_begin = true;
      segment->begin_batch = batch;
      if (state->samples & hw->times)
         segment->begin_expected_ticks = pitot_hw_clock_expect(hw);
      emit_samples(hw, segment, false, batch);
      state->open = segment;
   }
   return status;
}

/* Samples the end of a segment, which is the query's then. */
static void
append(struct pitot_hw *hw, struct pitot_hw_query *query,
       struct pitot_hw_segment *segment, uint64_t batch)
{
   segment->end_batch = batch;
   if (segment->samples & hw->times)
      segment->end_expected_ticks = pitot_hw_clock_expect(hw);
   emit_samples(hw, segment, true, batch);
   segment->next = NULL;
   *query->last = segment;
   query->last = &segment->next;
}

/* An instant query has segments that have only an end. */
int
pitot_hw_query_close(struct pitot_hw *hw, struct pitot_hw_query *query,
                     enum pitot_ring ring)
{
   struct pitot_hw_ring_state *state = &query->rings[ring];
   uint64_t batch;

   if (!state->open && !query->is_instant)
      return 0;
   if (query->first)
      pitot_hw_query_merge_complete(hw, query);
   int status = make_room(hw, ring, state->end_dw, &batch);
   if (status == 0 && query->is_instant) {
      pitot_hw_reclaim(hw);
      pitot_hw_query_drop_open(hw, state); /* a begin has no meaning */
      state->open = create(hw, ring, state);
      status = state->open ? 0 : -ENOMEM;
   }
   if (status) {
      query->status = status;
      pitot_hw_query_drop_open(hw, state);
   } else if (state->open) {
      append(hw, query, state->open, batch);
      state->open = NULL;
   }
   return status;
}
