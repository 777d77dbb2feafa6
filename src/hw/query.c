/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/*
 * Making
 */

static void
add_value(struct pitot_hw *hw, struct pitot_hw_query *query,
          struct pitot_hw_measure measure)
{
   struct pitot_hw_value *value = &query->values[query->value_count++];

   *value = (struct pitot_hw_value){
      .row = pitot_hw_row(hw->cs->gpu, measure.what),
      .stream = measure.stream,
   };
   if (!value->row)
      return;

   value->samples = pitot_hw_row_samples(value->row, measure.stream);
   for (unsigned i = 0; i < hw->family->sample_count; i++) {
      if (value->samples >> i & 1)
         query->parts[pitot_hw_ring(hw, i)].samples |= UINT32_C(1) << i;
   }
   query->counting |= value->row->counting;
}

int
pitot_hw_query_create_list(struct pitot_hw *hw,
                           const struct pitot_hw_measure *measures,
                           unsigned count, struct pitot_hw_query **query_out)
{
   struct pitot_hw_query *query =
      calloc(1, sizeof(*query) + count * sizeof(query->values[0]) +
                   sizeof(query->apart));
   if (!query)
      return -ENOMEM;

   query->last = &query->first;
   atomic_flag_clear(&query->is_in_use);
   for (unsigned i = 0; i < count; i++)
      add_value(hw, query, measures[i]);
   *query_out = query;
   return 0;
}

int
pitot_hw_query_create(struct pitot_hw *hw, enum pitot_kind kind,
                      unsigned stream, struct pitot_hw_query **query_out)
{
   const struct pitot_hw_measure measure = { kind, stream };

   if (!pitot_hw_counter_bits(hw, kind))
      return -ENOTSUP;
   const int status = pitot_hw_query_create_list(hw, &measure, 1, query_out);
   if (status)
      return status;
   (*query_out)->is_instant = pitot_kind_info(kind)->is_instant;
   (*query_out)->is_time = pitot_kind_info(kind)->is_time;
   return 0;
}

int
pitot_hw_query_create_statistics(struct pitot_hw *hw,
                                 struct pitot_hw_query **query_out)
{
   struct pitot_hw_measure measures[PITOT_HW_STATISTIC_COUNT];

   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_VERTICES_SUBMITTED + i;

      if (!pitot_hw_counter_bits(hw, kind))
         return -ENOTSUP;
      measures[i] = (struct pitot_hw_measure){ kind, 0 };
   }
   return pitot_hw_query_create_list(hw, measures, PITOT_HW_STATISTIC_COUNT,
                                     query_out);
}

/*
 * What is needed as long as a query is active
 */

/* Adds 1 or -1 to the users of each bit of a mask.  Returns whether that
 * changed which of them have any.
 */
static bool
count_users(unsigned *users, uint32_t *used, uint32_t mask, int amount)
{
   const uint32_t before = *used;

   for (unsigned i = 0; mask >> i; i++) {
      const uint32_t bit = UINT32_C(1) << i;

      if (!(mask & bit))
         continue;
      users[i] += (unsigned)amount;
      *used = users[i] ? *used | bit : *used & ~bit;
   }
   return *used != before;
}

/* Keeps room for what has to be sampled at the end of a batch: before a
 * sample is reserved, and until after the last one.
 */
static void
count_samples(struct pitot_hw *hw, const struct pitot_hw_query *query,
              int amount)
{
   if (query->is_time || !hw->family->suspends_between_batches)
      return;
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++) {
      if (count_users(hw->sample_users[ring], &hw->samples_at_end[ring],
                      query->parts[ring].samples, amount))
         hw->end_size_dw[ring] =
            pitot_hw_snapshot_size_dw(hw, hw->samples_at_end[ring]);
   }
}

static void
count_counting(struct pitot_hw *hw, const struct pitot_hw_query *query,
               int amount)
{
   if (count_users(hw->counting_users, &hw->counting, query->counting,
                   amount))
      hw->cs->ops->set_counting(hw->cs, hw->counting);
}

static void
link_active(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   query->previous = NULL;
   query->next = hw->active;
   if (query->next)
      query->next->previous = query;
   hw->active = query;
   query->is_active = true;
}

static void
unlink_active(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (query->next)
      query->next->previous = query->previous;
   *(query->previous ? &query->previous->next : &hw->active) = query->next;
   query->is_active = false;
}

/*
 * Measuring
 */

void
pitot_hw_segment_free(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   pitot_hw_release(hw, &segment->begin);
   pitot_hw_release(hw, &segment->end);
   segment->next = hw->free_segments;
   hw->free_segments = segment;
}

/* What it holds is given back by the thread that records, so that recording
 * needs no lock.
 */
void
pitot_hw_segment_return(struct pitot_hw *hw, struct pitot_hw_segment *segment)
{
   segment->next = atomic_load(&hw->returned);
   while (
      !atomic_compare_exchange_weak(&hw->returned, &segment->next, segment))
      ;
}

void
pitot_hw_reclaim(struct pitot_hw *hw)
{
   if (!atomic_load_explicit(&hw->returned, memory_order_relaxed))
      return;

   struct pitot_hw_segment *segment = atomic_exchange(&hw->returned, NULL);
   while (segment) {
      struct pitot_hw_segment *next = segment->next;

      pitot_hw_segment_free(hw, segment);
      segment = next;
   }
}

static bool
has_compute_time(const struct pitot_hw *hw)
{
   return hw->cs->has_compute && hw->family->compute_timestamp;
}

/* Whether a time is taken on the compute ring, too. */
static void
use_compute(struct pitot_hw *hw, struct pitot_hw_query *query, bool is_used)
{
   const uint32_t samples = UINT32_C(1) << hw->family->compute_timestamp;

   query->parts[PITOT_RING_COMPUTE].samples = is_used ? samples : 0;
   if (is_used)
      query->values[0].samples |= samples;
   else
      query->values[0].samples &= ~samples;
}

/* Drops all that was measured. */
static void
reset(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   while (query->first) {
      struct pitot_hw_segment *segment = query->first;

      query->first = segment->next;
      pitot_hw_segment_free(hw, segment);
   }
   query->last = &query->first;
   query->status = 0;
   query->is_resolved = false;
   for (unsigned i = 0; i < query->value_count; i++) {
      struct pitot_hw_value *value = &query->values[i];

      value->sum = value->begin_ticks = value->end_ticks = 0;
   }
   if (query->is_time && has_compute_time(hw))
      use_compute(hw, query, false);
}

/* Takes a query from the active ones, and drops what is still open. */
static void
deactivate(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++) {
      if (query->parts[ring].open)
         pitot_hw_segment_free(hw, query->parts[ring].open);
      query->parts[ring].open = NULL;
   }
   unlink_active(hw, query);
   count_samples(hw, query, -1);
   count_counting(hw, query, -1);
}

/* Whether what was recorded last on the compute ring may still be on its way:
 * of a batch being recorded that is known without asking.
 */
static bool
is_computing(struct pitot_hw *hw)
{
   struct pitot_cs *cs = hw->cs;

   if (hw->dispatch_batch &&
       hw->dispatch_batch !=
          cs->ops->position(cs, PITOT_RING_COMPUTE).batch &&
       cs->ops->batch_state(cs, PITOT_RING_COMPUTE, hw->dispatch_batch) >=
          PITOT_BATCH_DONE)
      hw->dispatch_batch = 0;
   return hw->dispatch_batch != 0;
}

void
pitot_hw_dispatch(struct pitot_hw *hw)
{
   if (!has_compute_time(hw))
      return;

   for (struct pitot_hw_query *q = hw->active; q; q = q->next) {
      if (!q->is_time || q->parts[PITOT_RING_COMPUTE].samples)
         continue;
      use_compute(hw, q, true);
      (void)pitot_hw_query_open(hw, q, PITOT_RING_COMPUTE);
   }
   hw->dispatch_batch =
      hw->cs->ops->position(hw->cs, PITOT_RING_COMPUTE).batch;
}

static int
begin(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   int status = 0;

   if (query->is_active)
      deactivate(hw, query);
   reset(hw, query);
   count_samples(hw, query, 1);
   count_counting(hw, query, 1);
   link_active(hw, query);
   for (unsigned ring = 0; ring < PITOT_RING_COUNT && !status; ring++)
      status = pitot_hw_query_open(hw, query, ring);
   if (status) {
      deactivate(hw, query);
      reset(hw, query);
      query->status = -EIO; /* until it is begun again */
   }
   return status;
}

static int
end(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   int status = 0;

   if (query->is_instant) {
      reset(hw, query);
      status = pitot_hw_query_close(hw, query, PITOT_RING_RENDER);
      if (!status && is_computing(hw)) {
         use_compute(hw, query, true);
         status = pitot_hw_query_close(hw, query, PITOT_RING_COMPUTE);
      }
      return status;
   }
   if (!query->is_active)
      return 0;
   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++) {
      const int error = pitot_hw_query_close(hw, query, ring);
      if (!status)
         status = error;
   }
   deactivate(hw, query);
   return status;
}

int
pitot_hw_query_begin(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   pitot_hw_query_enter(query);
   const int status = begin(hw, query);
   pitot_hw_query_leave(query);
   return status;
}

int
pitot_hw_query_end(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   pitot_hw_query_enter(query);
   const int status = end(hw, query);
   pitot_hw_query_leave(query);
   return status;
}

void
pitot_hw_query_free(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   if (!query)
      return;
   if (query->is_active)
      deactivate(hw, query);
   while (query->first) {
      struct pitot_hw_segment *segment = query->first;

      query->first = segment->next;
      pitot_hw_segment_return(hw, segment);
   }
   free(query);
}
