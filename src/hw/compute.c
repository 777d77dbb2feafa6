/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that a shader of the driver's computes, for GPUs whose command
 * processor cannot.  The command processor waits for the samples first, if GL
 * wants that: it never waits for a batch that was dropped or lost.
 */

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/* The upper half of a qword has this bit once the qword was written. */
#define VALID_BIT UINT32_C(0x80000000)

/* Returns the offset of a qword in the buffer of its sample. */
static unsigned
offset_B_of(struct pitot_hw_sampled sampled, struct pitot_hw_qword qword)
{
   return sampled.offset_B + qword.index * (unsigned)sizeof(uint64_t);
}

/* Returns whether a qword of a segment will be written.  If the command
 * processor does not wait for it, it is enough that nothing was dropped.  A
 * begin that anybody waits for is in the batch of its end.
 */
static bool
is_coming(struct pitot_hw *hw, const struct pitot_hw_segment *segment,
          struct pitot_hw_qword qword, bool is_waited_for)
{
   const struct pitot_hw_snapshot *end =
      pitot_hw_boundary_find(&segment->end, qword.sample);

   return (!is_waited_for && end->batch > hw->cs->dropped_batch) ||
          pitot_hw_snapshot_is_coming(hw, end);
}

/* Describes a qword of a segment. */
static void
describe_pair(const struct pitot_hw *hw,
              const struct pitot_hw_segment *segment,
              struct pitot_hw_qword qword, struct pitot_cs_pair *pair_out)
{
   const struct pitot_hw_snapshot *end =
      pitot_hw_boundary_find(&segment->end, qword.sample);
   struct pitot_hw_sampled sampled =
      pitot_hw_boundary_sample(hw, &segment->end, qword.sample);

   *pair_out = (struct pitot_cs_pair){
      .end = sampled.buffer,
      .end_B = offset_B_of(sampled, qword),
      .available_B = pitot_hw_snapshot_available_B(end),
   };
   if (!segment->begin.count)
      return;
   sampled = pitot_hw_boundary_sample(hw, &segment->begin, qword.sample);
   pair_out->begin = sampled.buffer;
   pair_out->begin_B = offset_B_of(sampled, qword);
}

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

/* Returns whether the command processor waits for each qword, rather than for
 * the last availability word: only a shader that sees samples waits for them
 * by itself.
 */
static bool
waits_for_each(const struct pitot_hw *hw,
               const struct pitot_cs_result *result)
{
   return result->waits && !hw->family->shaders_see_samples(hw->cs->gpu);
}

/* Describes the qwords that a value adds up.  Returns 0, -ENOMEM, or -ENOTSUP
 * if some of it will never be written.
 */
static int
describe_value(struct pitot_hw *hw, const struct pitot_hw_query *query,
               const struct pitot_hw_value *value,
               struct pitot_cs_result *result_out)
{
   const struct pitot_hw_measure *measure = value->measure;
   const bool is_each_waited_for = result_out->kind != PITOT_STORE_RESULT ||
                                   waits_for_each(hw, result_out);
   unsigned count = 0;

   for (const struct pitot_hw_segment *segment = query->first; segment;
        segment = segment->next) {
      if (!query->is_time && !(value->samples & segment->samples))
         continue;
      for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
         if (s != value->stream && !measure->is_of_all_streams)
            continue;
         struct pitot_cs_pair *pair = add_pair(hw, count++);
         if (!pair)
            return -ENOMEM;
         describe_pair(hw, segment, measure->qwords[s], pair);
         if (!is_coming(hw, segment, measure->qwords[s],
                        is_each_waited_for || !segment->next))
            return -ENOTSUP;
      }
   }
   result_out->pairs = hw->pairs;
   result_out->pair_count = count;
   return 0;
}

/* Describes how the qwords make up a value. */
static void
describe_method(const struct pitot_hw *hw, const struct pitot_hw_value *value,
                const struct pitot_hw_sample *sample,
                struct pitot_cs_result *result_out)
{
   static const enum pitot_cs_method methods[] = {
      [PITOT_HW_COUNT] = PITOT_CS_ADD,
      [PITOT_HW_OVERFLOW] = PITOT_CS_OVERFLOW,
      [PITOT_HW_ELAPSED] = PITOT_CS_ELAPSED,
      [PITOT_HW_TIMESTAMP] = PITOT_CS_LATEST,
   };
   const struct pitot_hw_measure *measure = value->measure;
   const struct pitot_hw_qword qword = measure->qwords[value->stream];
   const struct pitot_hw_qword written = measure->written[value->stream];
   const unsigned stride_qw = sample->valid_stride_qw;

   result_out->method = methods[measure->method];
   result_out->sum = value->sum;
   result_out->has_valid_bits = stride_qw != 0;
   result_out->waits = stride_qw && result_out->kind == PITOT_STORE_RESULT;
   result_out->stride_B = stride_qw * (unsigned)sizeof(uint64_t);
   result_out->slots =
      sample->is_per_backend ? pitot_hw_backend_slots(hw) : 1;
   if (measure->method == PITOT_HW_OVERFLOW)
      result_out->written_B =
         (unsigned)(written.index - qword.index) * (unsigned)sizeof(uint64_t);
   result_out->is_boolean = measure->bits == 1;
   result_out->is_time = pitot_hw_is_time(measure);
}

/*
 * Waiting
 */

/* Has the command processor wait until a dword has a bit of a mask, unless
 * the CPU sees that it has.  Returns false if the device is lost.
 */
static bool
wait_mem(struct pitot_hw *hw, struct pitot_cs_buffer *buffer,
         unsigned offset_B, uint32_t mask)
{
   const enum pitot_ring ring = PITOT_RING_RENDER;
   const uint32_t *dword = (const uint32_t *)(buffer->memory + offset_B);
   const struct pitot_cs_command command = {
      .kind = PITOT_COMMAND_WAIT,
      .argument = mask,
      .buffer = buffer,
      .offset_B = offset_B,
   };
   struct pitot_cs *cs = hw->cs;

   if (pitot_hw_read_dword(dword) & mask)
      return true;
   if (!pitot_hw_require(hw, ring, hw->size_dw(cs, ring, &command, 1)))
      return false;
   cs->ops->use_buffer(cs, ring, buffer);
   hw->emit(cs, ring, &command, 1);
   return true;
}

static bool
wait_for_qwords(struct pitot_hw *hw, const struct pitot_cs_result *result,
                struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   const bool is_overflow = result->method == PITOT_CS_OVERFLOW;
   bool is_alive = true;

   for (unsigned i = 0; result->slots >> i && is_alive; i++) {
      const unsigned high_B = offset_B + i * result->stride_B + 4;

      if (!(result->slots >> i & 1))
         continue;
      is_alive =
         wait_mem(hw, buffer, high_B, VALID_BIT) &&
         (!is_overflow ||
          wait_mem(hw, buffer, high_B + result->written_B, VALID_BIT));
   }
   return is_alive;
}

/* A render backend writes its begin before its end, into the same 16 bytes.
 */
static bool
wait_for_pair(struct pitot_hw *hw, const struct pitot_cs_result *result,
              const struct pitot_cs_pair *pair, bool is_per_backend)
{
   return wait_for_qwords(hw, result, pair->end, pair->end_B) &&
          (is_per_backend ||
           wait_for_qwords(hw, result, pair->begin, pair->begin_B));
}

/* Waits for a result.  Writes at the end of the pipe come in order, so that
 * the last availability word says all but that of render backends and of
 * stream-out.  A shader that sees those waits for them by itself, which takes
 * no longer than a write to memory.
 */
static bool
wait_for_all(struct pitot_hw *hw, const struct pitot_hw_sample *sample,
             const struct pitot_cs_result *result)
{
   bool is_alive = true;

   if (result->pair_count && !waits_for_each(hw, result)) {
      const struct pitot_cs_pair *last =
         &result->pairs[result->pair_count - 1];

      return wait_mem(hw, last->end, last->available_B, UINT32_MAX);
   }
   for (unsigned i = 0; i < result->pair_count && is_alive; i++)
      is_alive =
         wait_for_pair(hw, result, &result->pairs[i], sample->is_per_backend);
   return is_alive;
}

/* The shader's times have 64 bits, and are the counter's.  It has to be known
 * which slots the render backends write.
 */
int
pitot_hw_query_compute(struct pitot_hw *hw, struct pitot_hw_query *query,
                       const struct pitot_hw_value *value,
                       const struct pitot_hw_store *store)
{
   struct pitot_cs *cs = hw->cs;
   const struct pitot_hw_sample *sample;
   struct pitot_cs_result result = {
      .kind = store->kind,
      .type = store->type,
      .buffer = store->buffer,
      .offset_B = store->offset_B,
   };

   if (!cs->ops->compute || !value->measure ||
       pitot_hw_query_is_active(query) ||
       (query->is_time && pitot_gpu_clock_has_restarted(hw->clock)))
      return -ENOTSUP;
   assert(!query->is_time || cs->gpu->timestamp_bits == 64);
   sample =
      &hw->family->samples[value->measure->qwords[value->stream].sample];
   pitot_hw_query_merge_complete(hw, query);
   describe_method(hw, value, sample, &result);
   if (!result.slots)
      return -ENOTSUP;

   const int status = describe_value(hw, query, value, &result);
   if (status)
      return status;
   if (store->kind == PITOT_STORE_RESULT &&
       !wait_for_all(hw, sample, &result))
      return -EIO;
   if (!cs->ops->compute(cs, &result))
      return -ENOTSUP;
   pitot_hw_query_use(hw, query, PITOT_RING_RENDER,
                      cs->ops->position(cs, PITOT_RING_RENDER).batch);
   return 0;
}
