/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that stay on the GPU, stored in the command stream.  The CPU stores
 * a result that it knows.  Otherwise it is described, for the driver to have
 * the GPU compute it; the CPU waits if the GPU cannot.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

bool
pitot_hw_query_is_known(struct pitot_hw *hw, struct pitot_hw_query *query,
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

/* Stores a value that the CPU knows.  After the tiles of a batch that would
 * have the batch submitted: the driver has better ways.
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

/* Returns whether the samples of a query are of the epoch that is being
 * recorded on a ring.  If not, the ring does not wait for them, and they may
 * be lost.
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

/* Submits the samples of a query on other rings than the one that is to read
 * them: a driver has that ring wait for batches that were submitted before
 * and write to the same memory, and for no other ones.
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

/* Returns room for one more pair, or NULL without memory. */
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

/* Describes a qword of a segment, or its sum over all tiles.  Returns whether
 * there is memory.
 */
static bool
describe_qword(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
               struct pitot_hw_qword qword, struct pitot_cs_result *result)
{
   struct pitot_cs_buffer *buffer = segment->slab->buffer;
   const bool is_summed =
      pitot_hw_has_sample(hw->family->accumulated, qword.sample);
   const uint64_t *begin =
      pitot_hw_segment_begin(segment, qword.sample) + qword.index;
   const uint64_t *end =
      is_summed ? begin + PITOT_HW_SUM_QW
                : pitot_hw_segment_end(segment, qword.sample) + qword.index;
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

/* Describes what a segment adds to a result: a time is sampled by one ring or
 * another, and for availability any of its samples will do.  Returns whether
 * there is memory.
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

/* Returns whether a segment will be written, where the GPU waits for it, or
 * takes it for written after the tiles of a batch.  Where it waits for the
 * last one only, it is enough that no other was dropped.
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

/* Returns whether a segment is a part of a result: a time is on all rings,
 * and availability that of all values.
 */
static bool
is_part(const struct pitot_hw_query *query,
        const struct pitot_hw_value *value,
        const struct pitot_hw_segment *segment,
        const struct pitot_cs_result *result)
{
   return query->is_time || value->samples & segment->layout->samples ||
          result->kind == PITOT_STORE_AVAILABLE;
}

/* Describes the segments of a result.  Returns 0, -ENOMEM, or -ENOTSUP if
 * some of it will never be written.
 */
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

/* Says that the batch being recorded reads the samples of a result. */
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

/* Describes how the qwords make up a value. */
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

/* Returns how much later than the base a time was that the CPU knows; 0 if it
 * was earlier, as if it had never been.
 */
static uint64_t
after_base(const struct pitot_cs_result *result, uint64_t ticks)
{
   return ticks > result->base_ticks ? ticks - result->base_ticks : 0;
}

/* Takes into account when a sample is expected. */
static void
widen_range(uint64_t ticks, uint64_t *first_inout, uint64_t *last_inout)
{
   if (ticks < *first_inout)
      *first_inout = ticks;
   if (ticks > *last_inout)
      *last_inout = ticks;
}

/* Describes when the samples of a time may have been taken: from half the
 * counter's range before the first one is expected.  A sample may come a
 * quarter of the range later than expected, and more if its batch waits.
 * Returns false if the last one may be outside of the range, if the CPU
 * cannot read the clock, if it has restarted, or if nanoseconds would not
 * fit.
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

/* Describes a value of a query, whose target is described.  Returns 0,
 * -ENOMEM, or -ENOTSUP if the GPU cannot compute it: it has to be known which
 * slots the render backends write.
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

/* A ring can read samples of another ring only if it waits for them, and a
 * hardware context cannot tell whether an earlier one has written its
 * samples.
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

/* Looks for a result, and flushes the batch that it needs: a caller that asks
 * for availability wants the result to become so.
 */
static int
poll_for_store(struct pitot_hw *hw, struct pitot_hw_query *query,
               uint64_t *values_out)
{
   struct pitot_hw_wait unused = { .is_needed = false };

   return pitot_hw_query_poll(hw, query, &unused, values_out);
}

/* Returns whether the samples of a query will be written by batches that were
 * submitted.
 */
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

/* Returns whether the CPU knows the result by now.  A GPU that waits for no
 * sample may come by before an availability word of the same batch, so that
 * is flushed first; after the tiles of a batch they are there.
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
             : pitot_hw_query_is_known(hw, query, values_out);
}

/* Returns the value to be stored of a result that is not known; of
 * availability, which is that of all values, the first one that is measured.
 * An active query may have none.
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

/* Stores a known result, or has the GPU store it.  Returns -ENOTSUP if
 * neither can be.
 */
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

/* Stores a result that the GPU did not: the CPU finds out, and waits if GL
 * does.
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

/* All later commands see what is stored after the tiles of a batch: the
 * batch is submitted.
 */
int
pitot_hw_query_store(struct pitot_hw *hw, struct pitot_hw_query *query,
                     const struct pitot_hw_store *store)
{
   struct pitot_cs *cs = hw->cs;

   /* Segments are not merged while commands that read them are recorded. */
   pitot_hw_query_lock(hw, query);
   int status = try_store(hw, query, store);
   pitot_hw_query_unlock(hw, query);
   if (status == -ENOTSUP && !cs->has_tiles)
      return store_by_cpu(hw, query, store);
   if (!status && cs->has_tiles)
      cs->ops->flush(cs, PITOT_RING_RENDER);
   return status;
}
