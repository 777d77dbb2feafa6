/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Results computed by the GPU, in C, when a cue says so. */

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

static bool
is_available(const struct pitot_cs_pair *pair)
{
   return (uint32_t)(load(pair->end, pair->available_B & ~7u) >>
                     pair->available_B % 8 * 8) != 0;
}

/* Whether a pair is available.  AMD's GPUs read the word, unless valid bits
 * make them wait; Intel's streamer waits for its own ring anyway.
 */
static bool
is_there(const struct sim_cs *cs, const struct pitot_cs_result *result,
         const struct pitot_cs_pair *pair)
{
   const bool is_result = result->kind == PITOT_STORE_RESULT;

   if (cs->sim->gpu.is_amd ? result->has_valid_bits && is_result
                           : result->kind != PITOT_STORE_AVAILABLE &&
                                pair->ring == result->ring)
      return true;
   return is_available(pair);
}

/* Loads a qword of a slot.  Clears *is_valid if its bit 63 should be set. */
static uint64_t
load_slot(const struct pitot_cs_result *result,
          const struct pitot_cs_buffer *buffer, unsigned offset_B,
          unsigned slot, bool *is_valid)
{
   const uint64_t valid = result->has_valid_bits ? VALID_BIT : 0;
   const uint64_t value = load(buffer, offset_B + slot * result->stride_B);

   *is_valid = *is_valid && (value & valid) == valid;
   return value & ~valid;
}

/* Returns by how much a qword grew.  Clears *is_valid as load_slot() does. */
static uint64_t
grown(const struct pitot_cs_result *result, const struct pitot_cs_pair *pair,
      unsigned slot, bool *is_valid)
{
   const uint64_t mask = result->has_valid_bits ? ~VALID_BIT : UINT64_MAX;
   const uint64_t end =
      load_slot(result, pair->end, pair->end_B, slot, is_valid);
   const uint64_t begin =
      pair->begin != NULL
         ? load_slot(result, pair->begin, pair->begin_B, slot, is_valid)
         : 0;

   return (end - begin) & mask;
}

/* Returns a sampled time, relative to the result's base. */
static uint64_t
time_at(const struct sim_cs *cs, const struct pitot_cs_result *result,
        const struct pitot_cs_buffer *buffer, unsigned offset_B)
{
   return (load(buffer, offset_B) - result->base_ticks) &
          UINT64_MAX >> (64 - cs->gpu.timestamp_bits);
}

/* An interval may go back, and may overlap the one before. */
static void
add_interval(struct sim_cs *cs, struct pitot_cs_result *result,
             const struct pitot_cs_pair *pair)
{
   const uint64_t begin = time_at(cs, result, pair->begin, pair->begin_B);
   const uint64_t end = time_at(cs, result, pair->end, pair->end_B);
   const uint64_t later =
      begin > result->begin_ticks ? begin : result->begin_ticks;
   const uint64_t earlier = end < result->end_ticks ? end : result->end_ticks;

   result->sum += end > begin ? end - begin : 0;
   result->sum -= earlier > later ? earlier - later : 0;
   result->begin_ticks = begin;
   result->end_ticks = end;
}

/* Adds a pair, two of an overflow.  Returns whether they are available. */
static bool
add_pair(struct sim_cs *cs, struct pitot_cs_result *result,
         const struct pitot_cs_pair *pair)
{
   bool is_valid = true;

   for (unsigned i = 0; i < 64; i++) {
      uint64_t time;

      if ((result->slots >> i & 1) == 0)
         continue;
      switch (result->method) {
      case PITOT_CS_ADD:
         result->sum += grown(result, pair, i, &is_valid);
         break;
      case PITOT_CS_OVERFLOW:
         result->sum += grown(result, pair, i, &is_valid) !=
                        grown(result, pair + 1, i, &is_valid);
         break;
      case PITOT_CS_ELAPSED:
         add_interval(cs, result, pair);
         break;
      case PITOT_CS_LATEST:
         time =
            result->base_ticks + time_at(cs, result, pair->end, pair->end_B);
         result->sum = time > result->sum ? time : result->sum;
      }
   }
   return is_valid && is_there(cs, result, pair) &&
          (result->method != PITOT_CS_OVERFLOW ||
           is_there(cs, result, pair + 1));
}

/* Returns whether all pairs are available. */
static bool
add_pairs(struct sim_cs *cs, struct pitot_cs_result *result)
{
   const bool is_reported =
      result->kind == PITOT_STORE_AVAILABLE && !result->has_valid_bits;
   const unsigned stride =
      !is_reported && result->method == PITOT_CS_OVERFLOW ? 2 : 1;
   bool are_there = true;

   for (unsigned i = 0; i < result->pair_count; i += stride)
      are_there &= is_reported ? is_there(cs, result, &result->pairs[i])
                               : add_pair(cs, result, &result->pairs[i]);
   return are_there;
}

/* AMD's pipe writes while the GPU waits. */
static bool
goes_on(struct sim_cs *cs, const struct pitot_cs_result *result)
{
   struct sim_engine *engine = &cs->engines[result->ring];

   return cs->sim->gpu.is_amd && result->kind == PITOT_STORE_RESULT &&
          (sim_write_one(engine, false) || sim_write_one(engine, true));
}

static uint64_t
finish(const struct sim_cs *cs, const struct pitot_cs_result *result)
{
   if (result->is_boolean)
      return (result->sum != 0) != result->is_inverted;
   if (result->is_time)
      return pitot_ticks_to_ns(result->sum, cs->gpu.timestamp_hz);
   return result->sum >> result->shift;
}

static void
compute(struct sim_cs *cs, const struct pitot_cs_result *result)
{
   uint8_t *target = result->buffer->memory + result->offset_B;
   struct pitot_cs_result sum;
   uint64_t value;
   bool are_there;

   do {
      sum = *result;
      are_there = add_pairs(cs, &sum);
   } while (!are_there && goes_on(cs, result));
   if (!are_there && result->kind == PITOT_STORE_RESULT_NO_WAIT)
      return;
   value =
      result->kind == PITOT_STORE_AVAILABLE ? are_there : finish(cs, &sum);
   pitot_type_write(result->type, are_there ? value : 0, target);
}

void
sim_cs_compute(struct pitot_cs *base, uint64_t number)
{
   struct sim_cs *cs = (struct sim_cs *)base;
   const struct sim_cs_result *result = cs->results;

   for (uint64_t i = cs->result_count - 1; i > number; i--)
      result = result->next;
   compute(cs, &result->base);
}

uint64_t
sim_cs_keep(struct sim_cs *cs, const struct pitot_cs_result *result)
{
   const size_t pairs_B = result->pair_count * sizeof(result->pairs[0]);
   void *volatile nothing = NULL; /* keeps the compiler from using malloc() */
   struct sim_cs_result *copy;

   copy = realloc(nothing, sizeof(*copy) + pairs_B);
   *copy = (struct sim_cs_result){ .next = cs->results, .base = *result };
   if (pairs_B != 0)
      memcpy(copy->pairs, result->pairs, pairs_B);
   copy->base.pairs = copy->pairs;
   cs->results = copy;
   return cs->result_count++;
}

bool
sim_cs_store(struct pitot_cs *base, const struct pitot_cs_result *result)
{
   struct sim_cs *cs = (struct sim_cs *)base;

   if (cs->is_lost)
      return false;
   sim_cue_compute(&cs->cues, result->ring, sim_cs_keep(cs, result));
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
