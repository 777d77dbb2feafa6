/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The sampler of a command stream (struct pitot_hw), and its disjoint flag.
 * A read clears the flag, and take_reset() reports each reset once: a caller
 * that ignores the result hides the reset from all others.
 */

#include <errno.h>
#include <stdlib.h>

#include "hw_priv.h"

/*
 * Kinds of queries
 */

uint32_t
pitot_hw_measure_samples(const struct pitot_hw_measure *measure,
                         unsigned stream)
{
   uint32_t samples = 0;

   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      if (s != stream && !measure->is_of_all_streams)
         continue;
      samples |= UINT32_C(1) << measure->qwords[s].sample;
      if (measure->method == PITOT_HW_OVERFLOW)
         samples |= UINT32_C(1) << measure->written[s].sample;
   }
   return samples;
}

unsigned
pitot_hw_gpu_counter_bits(const struct pitot_gpu *gpu, enum pitot_kind kind)
{
   const struct pitot_hw_measure *measure = gpu->family->measure(gpu, kind);

   return measure ? measure->bits : 0;
}

unsigned
pitot_hw_counter_bits(const struct pitot_hw *hw, enum pitot_kind kind)
{
   return pitot_hw_gpu_counter_bits(hw->cs->gpu, kind);
}

const struct pitot_cs *
pitot_hw_cs(const struct pitot_hw *hw)
{
   return hw->cs;
}

/*
 * Samplers
 */

int
pitot_hw_create(struct pitot_cs *cs, struct pitot_hw **hw_out)
{
   struct pitot_hw *hw = calloc(1, sizeof(*hw));
   if (!hw)
      return -ENOMEM;

   hw->listener = pitot_hw_listener;
   hw->cs = cs;
   hw->family = cs->gpu->family;
   hw->ring_count = cs->ring_count;
   hw->is_active = true;
   pitot_hw_record_init(hw);
   if (hw->family->second_timestamp) {
      hw->second_time =
         pitot_hw_layout_of(hw, UINT32_C(1) << hw->family->second_timestamp);
      if (!hw->second_time) {
         free(hw);
         return -ENOMEM;
      }
      hw->time_ring = hw->second_time->ring;
   }
   (void)pitot_clock_now_ns(cs->clock); /* starts the clock */
   (void)pitot_clock_take_restart(cs->clock, &hw->seen_restarts);
   pthread_mutex_init(&hw->sleep_lock, NULL);
   pthread_cond_init(&hw->woken, NULL);
   cs->listener = &hw->listener;
   *hw_out = hw;
   return 0;
}

void
pitot_hw_destroy(struct pitot_hw *hw)
{
   if (!hw)
      return;
   hw->cs->listener = NULL;
   pitot_hw_condition_finish(hw);
   pitot_hw_reclaim(hw);
   while (hw->free_segments) {
      struct pitot_hw_segment *segment = hw->free_segments;

      hw->free_segments = segment->next;
      free(segment);
   }
   free(hw->pairs);
   pitot_hw_slabs_destroy(hw);
   pitot_hw_layouts_destroy(hw);
   pthread_cond_destroy(&hw->woken);
   pthread_mutex_destroy(&hw->sleep_lock);
   free(hw);
}

int
pitot_hw_emit(struct pitot_hw *hw, enum pitot_ring ring,
              struct pitot_cs_place place,
              const struct pitot_cs_command *commands, unsigned count)
{
   if (!pitot_hw_require(hw, ring, count))
      return -EIO;
   hw->cs->ops->emit(hw->cs, ring, place, commands, count);
   return 0;
}

void
pitot_hw_set_disjoint(struct pitot_hw *hw)
{
   atomic_store(&hw->is_disjoint, true);
}

static bool
take_disjoint(struct pitot_hw *hw, bool was_reset)
{
   const bool has_restarted =
      pitot_clock_take_restart(hw->cs->clock, &hw->seen_restarts);

   return atomic_exchange(&hw->is_disjoint, false) || was_reset ||
          has_restarted;
}

bool
pitot_hw_take_disjoint(struct pitot_hw *hw)
{
   return take_disjoint(hw, hw->cs->ops->take_reset(hw->cs));
}

bool
pitot_hw_poll_disjoint(struct pitot_hw *hw)
{
   bool is_new = false;

   for (unsigned ring = 0; ring < hw->ring_count; ring++) {
      const uint64_t batch = atomic_load_explicit(&hw->result_batches[ring],
                                                  memory_order_relaxed);

      is_new |= batch != hw->asked_batches[ring];
      hw->asked_batches[ring] = batch;
   }
   return take_disjoint(hw, is_new && hw->cs->ops->take_reset(hw->cs));
}

uint64_t
pitot_hw_timestamp_ns(struct pitot_hw *hw)
{
   struct pitot_correlation clocks;

   if (!pitot_clock_read(hw->cs->clock, &clocks))
      pitot_hw_set_disjoint(hw);
   return clocks.gpu_ns;
}
