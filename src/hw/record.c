/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Layouts of records: where samples lie, and the commands that write them.  A
 * layout in the list never changes and lives as long as the sampler: queries
 * and segments on any thread point to it.
 */

#include <stdlib.h>

#include "hw_priv.h"

void
pitot_hw_record_init(struct pitot_hw *hw)
{
   const struct pitot_hw_family *family = hw->family;
   const struct pitot_gpu *gpu = hw->cs->gpu;

   if (family->backend_slots)
      atomic_init(&hw->backend_slots, family->backend_slots(gpu));
   hw->record_unit_B =
      family->record_unit_B ? family->record_unit_B : PITOT_HW_RECORD_UNIT_B;
   for (unsigned i = 0; i < family->sample_count; i++) {
      struct pitot_hw_extent *extent = &hw->extents[i];

      extent->size_B = family->sample_size_B ? family->sample_size_B(gpu, i)
                                             : sizeof(uint64_t);
      extent->end_distance_B = family->end_distance_B
                                  ? family->end_distance_B(gpu, i)
                                  : extent->size_B;
      if (family->samples[i].valid_stride_qw)
         hw->validated |= UINT32_C(1) << i;
      if (family->samples[i].is_time)
         hw->times |= UINT32_C(1) << i;
   }
}

/*
 * Layouts
 */

/* The availability word has the first unit of the record.  Commands write 0
 * to sums, because the kernel may make the GPU execute a batch again.
 */
static void
list_commands(const struct pitot_hw *hw, struct pitot_hw_layout *layout,
              bool is_end)
{
   const struct pitot_hw_family *family = hw->family;
   struct pitot_hw_commands *commands =
      is_end ? &layout->end : &layout->begin;
   struct pitot_cs_command *next =
      is_end ? &layout->commands[layout->begin.count] : layout->commands;

   commands->list = next;
   for (uint32_t rest = layout->samples; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);
      const unsigned begin_B = layout->begin_B[i];
      const bool is_summed = pitot_hw_has_sample(family->accumulated, i);

      *next++ = (struct pitot_cs_command){
         .kind = family->samples[i].command,
         .argument = family->samples[i].argument,
         .is_end = is_end,
         .offset_B = is_end ? layout->end_B[i] : begin_B,
      };
      if (is_summed && is_end)
         *next++ = (struct pitot_cs_command){
            .kind = PITOT_COMMAND_ACCUMULATE,
            .argument = family->samples[i].command,
            .offset_B = begin_B,
         };
      else if (is_summed)
         *next++ = (struct pitot_cs_command){
            .kind = PITOT_COMMAND_VALUE,
            .offset_B = begin_B + PITOT_HW_SUM_QW * sizeof(uint64_t),
            .size_B = sizeof(uint64_t),
         };
   }
   if (is_end && layout->samples & ~family->available_by_themselves)
      *next++ = (struct pitot_cs_command){
         .kind = layout->samples & ~family->written_at_once
                    ? PITOT_COMMAND_FENCE
                    : PITOT_COMMAND_VALUE,
         .offset_B = 0, /* the availability word */
         .value = family->available,
         .size_B = sizeof(uint64_t),
      };
   commands->count = (unsigned)(next - commands->list);
}

static struct pitot_hw_layout *
create_layout(const struct pitot_hw *hw, uint32_t samples)
{
   /* At begin and end a sample and its sum; at the end a fence. */
   const size_t max_commands = 4 * (size_t)__builtin_popcount(samples) + 1;
   struct pitot_hw_layout *layout =
      calloc(1, sizeof(*layout) + max_commands * sizeof(layout->commands[0]));
   if (!layout)
      return NULL;

   layout->samples = samples;
   layout->ring = pitot_hw_ring(hw, (unsigned)__builtin_ctz(samples));
   layout->size_B = hw->record_unit_B;
   for (uint32_t rest = samples; rest; rest &= rest - 1) {
      const unsigned i = (unsigned)__builtin_ctz(rest);

      layout->begin_B[i] = layout->size_B;
      layout->end_B[i] = layout->size_B + hw->extents[i].end_distance_B;
      layout->size_B = layout->end_B[i] + hw->extents[i].size_B;
   }
   if (!(samples & ~hw->family->available_by_themselves))
      layout->available_B = layout->size_B - (unsigned)sizeof(uint32_t);
   list_commands(hw, layout, false);
   list_commands(hw, layout, true);
   return layout;
}

/* Two threads may add the same layout, which only wastes memory. */
const struct pitot_hw_layout *
pitot_hw_layout_of(struct pitot_hw *hw, uint32_t samples)
{
   struct pitot_hw_layout *const newest = atomic_load(&hw->layouts);
   struct pitot_hw_layout *layout = newest;

   while (layout && layout->samples != samples)
      layout = layout->next;
   if (layout || !(layout = create_layout(hw, samples)))
      return layout;
   layout->next = newest;
   while (!atomic_compare_exchange_weak(&hw->layouts, &layout->next, layout))
      ;
   return layout;
}

void
pitot_hw_layouts_destroy(struct pitot_hw *hw)
{
   struct pitot_hw_layout *layout = atomic_load(&hw->layouts);

   while (layout) {
      struct pitot_hw_layout *next = layout->next;

      free(layout);
      layout = next;
   }
}
