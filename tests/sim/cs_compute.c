/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that a driver has the GPU compute, in C: a cue makes the simulated
 * GPU do so.
 */

#include <stdlib.h>
#include <string.h>

#include "cs_priv.h"
#include "pitot/clock.h"

#define VALID_BIT (UINT64_C(1) << 63)

struct sim_cs_result {
   struct sim_cs_result *next;
   struct pitot_cs_result base;
   struct pitot_cs_pair pairs[];
};

static uint64_t
load(const struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   return __atomic_load_n((const uint64_t *)(buffer->memory + offset_B),
                          __ATOMIC_ACQUIRE);
}

/* Returns by how much a qword grew.  Adds whether it is there. */
static uint64_t
difference(const struct pitot_cs_result *result,
           const struct pitot_cs_pair *pair, unsigned slot, bool *is_there)
{
   const unsigned offset_B = slot * result->stride_B;
   const uint64_t valid = result->has_valid_bits ? VALID_BIT : 0;
   const uint64_t end = load(pair->end, pair->end_B + offset_B);
   const uint64_t begin = pair->begin != NULL
                             ? load(pair->begin, pair->begin_B + offset_B)
                             : valid;

   *is_there = *is_there && (begin & end & valid) == valid;
   if (result->method == PITOT_CS_ELAPSED && end < begin)
      return 0;
   return (end - begin) & ~valid;
}

/* Returns whether a pair is there, whose valid bits may tell by themselves.
 */
static bool
is_available(const struct pitot_cs_result *result,
             const struct pitot_cs_pair *pair)
{
   return (result->has_valid_bits && result->kind == PITOT_STORE_RESULT) ||
          (uint32_t)(load(pair->end, pair->available_B & ~7u) >>
                     pair->available_B % 8 * 8) != 0;
}

/* Adds a pair, or two of an overflow, to a sum.  Returns whether they are
 * there.
 */
static bool
add_pair(const struct pitot_cs_result *result,
         const struct pitot_cs_pair *pair, uint64_t *sum)
{
   bool is_there = is_available(result, pair);

   for (unsigned i = 0; i < 64; i++) {
      uint64_t grown;

      if ((result->slots >> i & 1) == 0)
         continue;
      grown = difference(result, pair, i, &is_there);
      if (result->method == PITOT_CS_LATEST)
         *sum = grown > *sum ? grown : *sum;
      else if (result->method == PITOT_CS_OVERFLOW)
         *sum += grown != difference(result, pair + 1, i, &is_there);
      else
         *sum += grown;
   }
   return is_there;
}

/* Returns whether all pairs are there, and their sum. */
static bool
add_pairs(const struct pitot_cs_result *result, uint64_t *sum_out)
{
   const unsigned stride = result->method == PITOT_CS_OVERFLOW ? 2 : 1;
   bool is_there = true;

   *sum_out = result->sum;
   for (unsigned i = 0; i < result->pair_count; i += stride)
      is_there &= add_pair(result, &result->pairs[i], sum_out);
   return is_there;
}

/* The pipe writes on while the GPU waits. */
static bool
goes_on(struct sim_cs *cs)
{
   struct sim_engine *engine = &cs->engines[PITOT_RING_RENDER];

   return sim_write_one(engine, false) || sim_write_one(engine, true);
}

static void
compute(struct sim_cs *cs, const struct pitot_cs_result *result)
{
   uint8_t *target = result->buffer->memory + result->offset_B;
   bool is_there;
   uint64_t sum;

   do
      is_there = add_pairs(result, &sum);
   while (!is_there && result->kind == PITOT_STORE_RESULT && goes_on(cs));
   if (!is_there && result->kind == PITOT_STORE_RESULT_NO_WAIT)
      return;
   if (result->is_time)
      sum = pitot_ticks_to_ns(sum, cs->gpu.timestamp_hz);
   if (result->is_boolean)
      sum = sum != 0;
   if (result->kind == PITOT_STORE_AVAILABLE)
      sum = is_there;
   pitot_type_write(result->type, is_there ? sum : 0, target);
}

void
sim_cs_compute(struct sim_cs *cs, uint64_t number)
{
   const struct sim_cs_result *result = cs->results;

   for (uint64_t i = cs->result_count - 1; i > number; i--)
      result = result->next;
   compute(cs, &result->base);
}

bool
sim_cs_store(struct pitot_cs *base, const struct pitot_cs_result *result)
{
   struct sim_cs *cs = (struct sim_cs *)base;
   const size_t pairs_B = result->pair_count * sizeof(result->pairs[0]);
   struct sim_cs_result *copy;

   copy = realloc(NULL, sizeof(*copy) + pairs_B);
   *copy = (struct sim_cs_result){ .next = cs->results, .base = *result };
   if (pairs_B != 0)
      memcpy(copy->pairs, result->pairs, pairs_B);
   copy->base.pairs = copy->pairs;
   cs->results = copy;
   sim_cue_compute(&cs->cues, cs->result_count++);
   return true;
}

void
sim_cs_free_results(struct sim_cs *cs)
{
   while (cs->results != NULL) {
      struct sim_cs_result *result = cs->results;

      cs->results = result->next;
      free(result);
   }
}
