/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Stores results in the command stream.  The CPU stores a result that is
 * ready.  Otherwise the driver makes the GPU compute it from a description
 * (struct pitot_cs_result).  If the GPU cannot, the CPU resolves the result.
 *
 * Invariant: a query's lock is held while its store is recorded, so that no
 * other thread merges the segments that the store reads.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

bool
pitot_hw_query_poll_no_flush(struct pitot_hw *hw,
                             struct pitot_hw_query *query,
                             uint64_t *values_out)
{
   struct pitot_hw_wait unused = { .is_needed = false };

   pitot_hw_query_merge_complete(hw, query);
   return (!query->first || query->status) &&
          pitot_hw_query_poll(hw, query, &unused, values_out) != 0;
}

static enum pitot_ring
ring_of(const struct pitot_hw *hw, const struct pitot_hw_value *value)
{
   enum pitot_ring ring = PITOT_RING_RENDER;

   for (unsigned i = 0; value->samples >> i; i++) {
      if (value->samples >> i & 1)
         ring = pitot_hw_ring(hw, i);
   }
   return ring;
}

/* Stores a value that the CPU knows.  On a tiler that would submit the batch,
 * because stores come after the tiles: -ENOTSUP leaves it to the driver.
 */
static int
store_value(struct pitot_hw *hw, const struct pitot_hw_store *store,
            uint64_t value)
{
   const uint64_t max = pitot_type_max[store->type];
   const struct pitot_cs_command command = {
      .kind = PITOT_COMMAND_VALUE,
      .value = value < max ? value : max,
      .size_B = pitot_type_size_B(store->type),
   };

   if (hw->cs->has_tiles)
      return -ENOTSUP;
   return pitot_hw_emit(hw, PITOT_RING_RENDER,
                        (struct pitot_cs_place){ store->buffer,
                                                 store->offset_B },
                        &command, 1);
}

/* Returns whether all samples of a query on a ring are of its current epoch.
 * The ring does not wait for others, which may be lost.
 */
static bool
is_of_this_epoch(const struct pitot_hw *hw,
                 const struct pitot_hw_query *query, enum pitot_ring ring)
{
   if (!atomic_load_explicit(&hw->epochs[ring].count, memory_order_relaxed))
      return true;

   const uint64_t batch = hw->cs->ops->current_batch(hw->cs, ring);
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (segment->layout->ring == ring &&
          !pitot_hw_epoch_is_same(hw, ring, segment->end_batch, batch))
         return false;
   }
   return true;
}

static bool
is_on_two_rings(const struct pitot_hw_query *query)
{
   return query->is_time && query->ring_count > 1;
}

/* Submits the samples of a query on rings other than the one that reads them:
 * a driver makes that ring wait only for batches that write to the same
 * buffer and are already submitted.
 */
static void
submit_other_rings(struct pitot_hw *hw, const struct pitot_hw_query *query,
                   enum pitot_ring ring)
{
   struct pitot_cs *cs = hw->cs;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (segment->layout->ring != ring &&
          cs->ops->batch_state(cs, segment->layout->ring,
                               segment->end_batch) == PITOT_BATCH_RECORDING)
         cs->ops->flush(cs, segment->layout->ring);
   }
}

/*
 * Descriptions
 */

/* Returns space for one more pair, or NULL if out of memory. */
static struct pitot_cs_pair *
add_pair(struct pitot_hw *hw, unsigned count)
{
   if (count == hw->pair_capacity) {
      const unsigned capacity = count ? 2 * count : 16;
      struct pitot_cs_pair *pairs =
         realloc(hw->pairs, capacity * sizeof(*pairs));

      if (!pairs)
         return NULL;
      hw->pairs = pairs;
      hw->pair_capacity = capacity;
   }
   return &hw->pairs[count];
}

/* Describes a qword, or its sum over all tiles.  Returns false if out of
 * memory.
 */
static bool
describe_qword(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
               struct pitot_hw_qword qword, struct pitot_cs_result *result)
{
   struct pitot_cs_buffer *buffer = segment->slab->buffer;
   const bool is_summed =
      pitot_hw_has_sample(hw->family->accumulated, qword.sample);
   const uint64_t *begin =
      pitot_hw_begin_sample(segment, qword.sample) + qword.index;
   const uint64_t *end =
      is_summed ? begin + PITOT_HW_SUM_QW
                : pitot_hw_end_sample(segment, qword.sample) + qword.index;
   struct pitot_cs_pair *pair = add_pair(hw, result->pair_count);

   if (!pair)
      return false;
   result->pair_count++;
   *pair = (struct pitot_cs_pair){
      .begin = segment->has_begin && !is_summed ? buffer : NULL,
      .end = buffer,
      .begin_B = pitot_hw_segment_offset_B(segment, begin),
      .end_B = pitot_hw_segment_offset_B(segment, end),
      .available_B = segment->offset_B + segment->layout->available_B,
      .ring = segment->layout->ring,
   };
   return true;
}

/* Describes what a segment adds to a result.  A time has one sample, on
 * either ring.  For availability without valid bits, any sample will do.
 * Returns false if out of memory.
 */
static bool
describe_segment(struct pitot_hw *hw, const struct pitot_hw_value *value,
                 const struct pitot_hw_segment *segment,
                 struct pitot_cs_result *result)
{
   const struct pitot_hw_measure *measure = value->measure;
   bool has_memory = true;

   if (pitot_hw_is_time(measure) ||
       (result->kind == PITOT_STORE_AVAILABLE && !result->has_valid_bits))
      return describe_qword(
         hw, segment,
         (struct pitot_hw_qword){
            (uint8_t)__builtin_ctz(segment->layout->samples), 0 },
         result);
   for (unsigned s = 0; s < PITOT_MAX_STREAMS && has_memory; s++) {
      if (s != value->stream && !measure->is_of_all_streams)
         continue;
      has_memory = describe_qword(hw, segment, measure->qwords[s], result) &&
                   (measure->method != PITOT_HW_OVERFLOW ||
                    describe_qword(hw, segment, measure->written[s], result));
   }
   return has_memory;
}

/* Returns false if the GPU would wait for a segment that is never written, or
 * a tiler would take it as written.  Without valid bits, the GPU waits for
 * the last segment only: of the others it matters only that none was dropped.
 */
static bool
is_coming(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
          const struct pitot_cs_result *result)
{
   const bool is_waited_for = result->kind != PITOT_STORE_RESULT ||
                              result->has_valid_bits || !segment->next;

   return (!hw->family->waits_for_samples && !hw->cs->has_tiles) ||
          (!is_waited_for && segment->end_batch > hw->cs->dropped_batch) ||
          pitot_hw_segment_is_coming(hw, segment);
}

/* A time is on all rings.  A result is available when all values are. */
static bool
is_part(const struct pitot_hw_query *query,
        const struct pitot_hw_value *value,
        const struct pitot_hw_segment *segment,
        const struct pitot_cs_result *result)
{
   return query->is_time || value->samples & segment->layout->samples ||
          result->kind == PITOT_STORE_AVAILABLE;
}

/* Returns 0, -ENOMEM, or -ENOTSUP if a sample is never written. */
static int
describe_segments(struct pitot_hw *hw, const struct pitot_hw_query *query,
                  const struct pitot_hw_value *value,
                  struct pitot_cs_result *result)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!is_part(query, value, segment, result))
         continue;
      if (!is_coming(hw, segment, result))
         return -ENOTSUP;
      if (!describe_segment(hw, value, segment, result))
         return -ENOMEM;
   }
   return 0;
}

/* Marks the slabs of a result as read by the current batch. */
static void
use_samples(struct pitot_hw *hw, const struct pitot_hw_query *query,
            const struct pitot_hw_value *value,
            const struct pitot_cs_result *result)
{
   const uint64_t batch = hw->cs->ops->current_batch(hw->cs, result->ring);

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (is_part(query, value, segment, result))
         pitot_hw_slab_use(hw, segment->slab, result->ring, batch);
   }
}

/* Describes how a value is computed from its qwords. */
static void
describe_method(const struct pitot_hw *hw, const struct pitot_hw_value *value,
                struct pitot_cs_result *result)
{
   static const enum pitot_cs_method methods[] = {
      [PITOT_HW_COUNT] = PITOT_CS_ADD,
      [PITOT_HW_OVERFLOW] = PITOT_CS_OVERFLOW,
      [PITOT_HW_ELAPSED] = PITOT_CS_ELAPSED,
      [PITOT_HW_TIMESTAMP] = PITOT_CS_LATEST,
   };
   const struct pitot_hw_measure *measure = value->measure;
   const struct pitot_hw_sample *sample =
      &hw->family->samples[measure->qwords[value->stream].sample];
   const unsigned stride_qw = sample->valid_stride_qw;

   result->method = methods[measure->method];
   result->sum = value->sum;
   result->has_valid_bits = stride_qw != 0;
   result->stride_B = stride_qw * (unsigned)sizeof(uint64_t);
   result->slots = sample->is_per_backend ? pitot_hw_backend_slots(hw) : 1;
   result->shift = measure->shift;
   result->is_boolean = measure->bits == 1 || result->is_condition;
   result->is_time = pitot_hw_is_time(measure);
}

/* Returns a known time relative to the base, or 0 if it was before the base:
 * no sample was, so the overlap with samples stays the same.
 */
static uint64_t
after_base(const struct pitot_cs_result *result, uint64_t ticks)
{
   return ticks > result->base_ticks ? ticks - result->base_ticks : 0;
}

static void
widen_range(uint64_t ticks, uint64_t *first_inout, uint64_t *last_inout)
{
   if (ticks < *first_inout)
      *first_inout = ticks;
   if (ticks > *last_inout)
      *last_inout = ticks;
}

/* Describes when the samples of a time may have been taken: from half the
 * counter's range before the first one is expected.  A sample may be a
 * quarter of the range later than expected, and more if its batch waits.
 * Returns false if the last one may be outside of the range, the CPU cannot
 * read the clock or has seen it restart, or nanoseconds overflow.
 */
static bool
describe_time(const struct pitot_hw *hw, const struct pitot_hw_query *query,
              const struct pitot_hw_value *value,
              struct pitot_cs_result *result)
{
   const struct pitot_gpu *gpu = hw->cs->gpu;
   const uint64_t mask = UINT64_MAX >> (64 - gpu->timestamp_bits);
   uint64_t first_ticks = UINT64_MAX, last_ticks = 0;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (segment->has_begin)
         widen_range(segment->begin_expected_ticks, &first_ticks,
                     &last_ticks);
      widen_range(segment->end_expected_ticks, &first_ticks, &last_ticks);
   }
   result->base_ticks = first_ticks > mask / 2 ? first_ticks - mask / 2 : 0;
   result->earliest_ticks =
      first_ticks > gpu->timestamp_hz ? first_ticks - gpu->timestamp_hz : 0;
   result->begin_ticks = after_base(result, value->begin_ticks);
   result->end_ticks = after_base(result, value->end_ticks);
   return !pitot_clock_has_restarted(hw->cs->clock) &&
          last_ticks - first_ticks <= mask / 8 &&
          pitot_ticks_to_ns(last_ticks, gpu->timestamp_hz) < INT64_MAX;
}

/* Fills in all of result but its target.  Returns 0, -ENOMEM, or -ENOTSUP if
 * the GPU cannot compute it, as with unknown slots of render backends.
 */
static int
describe_value(struct pitot_hw *hw, const struct pitot_hw_query *query,
               const struct pitot_hw_value *value,
               struct pitot_cs_result *result)
{
   describe_method(hw, value, result);
   if (!result->slots ||
       (result->is_time && !describe_time(hw, query, value, result)))
      return -ENOTSUP;

   const int status = describe_segments(hw, query, value, result);
   result->pairs = hw->pairs;
   return status;
}

/* To read samples of another ring, a ring must wait for them, so it cannot
 * store their availability.  A new hardware context cannot tell whether an
 * earlier one has written its samples.
 */
int
pitot_hw_query_store_by_gpu(struct pitot_hw *hw,
                            const struct pitot_hw_query *query,
                            const struct pitot_hw_value *value,
                            struct pitot_cs_result *result)
{
   struct pitot_cs *cs = hw->cs;

   result->ring = ring_of(hw, value);
   if (!cs->ops->store || !value->measure ||
       pitot_hw_query_is_active(query) ||
       (is_on_two_rings(query) && result->kind == PITOT_STORE_AVAILABLE) ||
       !is_of_this_epoch(hw, query, result->ring))
      return -ENOTSUP;

   const int status = describe_value(hw, query, value, result);
   if (status)
      return status;
   if (is_on_two_rings(query))
      submit_other_rings(hw, query, result->ring);
   if (!cs->ops->store(cs, result))
      return -ENOTSUP;
   use_samples(hw, query, value, result);
   return 0;
}

/* Polls a result, and flushes the batch that it needs: an application that
 * polls availability relies on the result becoming available.
 */
static int
poll_for_store(struct pitot_hw *hw, struct pitot_hw_query *query,
               uint64_t *values_out)
{
   struct pitot_hw_wait unused = { .is_needed = false };

   return pitot_hw_query_poll(hw, query, &unused, values_out);
}

/* Returns whether all samples are in submitted batches that are not lost. */
static bool
is_on_its_way(struct pitot_hw *hw, const struct pitot_hw_query *query)
{
   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (segment->end_batch ==
             hw->cs->ops->current_batch(hw->cs, segment->layout->ring) ||
          !pitot_hw_segment_is_coming(hw, segment))
         return false;
   }
   return true;
}

/* Returns whether the result is ready.  A GPU that does not wait for samples
 * may reach the store before the availability word of the same batch is
 * written, so that batch is flushed first.  On a tiler the samples are
 * written after the tiles, before the store.
 */
static bool
is_known(struct pitot_hw *hw, struct pitot_hw_query *query,
         enum pitot_store kind, uint64_t *values_out)
{
   const bool needs_flush = kind == PITOT_STORE_AVAILABLE &&
                            !hw->family->waits_for_samples &&
                            !hw->cs->has_tiles;

   return needs_flush && !is_on_its_way(hw, query)
             ? poll_for_store(hw, query, values_out) != 0
             : pitot_hw_query_poll_no_flush(hw, query, values_out);
}

/* Returns the value to store of a result that is not ready; of availability,
 * which all values share, any that is measured.  An active query may have
 * none.
 */
static const struct pitot_hw_value *
value_of(const struct pitot_hw_query *query,
         const struct pitot_hw_store *store)
{
   const struct pitot_hw_value *value = query->values;

   if (store->kind != PITOT_STORE_AVAILABLE)
      return &query->values[store->index];
   for (unsigned i = 1; i < query->value_count && !value->measure; i++)
      value++;
   return value;
}

/* Returns -ENOTSUP if neither CPU nor GPU can store the result. */
static int
try_store(struct pitot_hw *hw, struct pitot_hw_query *query,
          const struct pitot_hw_store *store)
{
   const bool is_available = store->kind == PITOT_STORE_AVAILABLE;
   uint64_t values[query->value_count];

   if (is_known(hw, query, store->kind, values))
      return store_value(hw, store, is_available ? 1 : values[store->index]);

   const struct pitot_hw_value *value = value_of(query, store);
   if (!value->measure && store->kind == PITOT_STORE_RESULT)
      return store_value(hw, store, 0);

   struct pitot_cs_result result = {
      .kind = store->kind,
      .type = store->type,
      .buffer = store->buffer,
      .offset_B = store->offset_B,
   };
   int status = pitot_hw_query_store_by_gpu(hw, query, value, &result);
   if (status == 0)
      pitot_hw_note_result(hw, query->first);
   if (status == -ENOTSUP && is_available)
      status = store_value(hw, store, poll_for_store(hw, query, values) != 0);
   return status;
}

/* The GPU cannot store this result: resolve it on the CPU.  Only
 * PITOT_STORE_RESULT waits.
 */
static int
store_by_cpu(struct pitot_hw *hw, struct pitot_hw_query *query,
             const struct pitot_hw_store *store)
{
   uint64_t values[query->value_count];

   return pitot_hw_query_result(hw, query, store->kind == PITOT_STORE_RESULT,
                                values)
             ? store_value(hw, store, values[store->index])
             : 0;
}

/* On a tiler the store comes after the tiles: submitting the batch makes all
 * later commands see the result.
 */
int
pitot_hw_query_store(struct pitot_hw *hw, struct pitot_hw_query *query,
                     const struct pitot_hw_store *store)
{
   struct pitot_cs *cs = hw->cs;

   pitot_hw_query_lock(hw, query);
   int status = try_store(hw, query, store);
   pitot_hw_query_unlock(hw, query);
   if (status == -ENOTSUP && !cs->has_tiles)
      return store_by_cpu(hw, query, store);
   if (!status && cs->has_tiles)
      cs->ops->flush(cs, PITOT_RING_RENDER);
   return status;
}
