/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The command streamer's memory accesses.  From Gen20 on a read may overtake
 * earlier writes and return the old memory, until a fence.
 */

#include <string.h>

#include "gen.h"

#define FENCE_TYPE_MASK 3u
#define FENCE_MI_WRITE  3u
#define FENCE_PAGE_B    4096

/* Records 4 bytes before a write: the first entry of an address is oldest. */
static void
remember(struct gen_decoder *decoder, uint64_t address)
{
   uint64_t size_B = 0;
   const void *memory =
      sim_space_find(&decoder->engine->submission->space, address, &size_B);

   if (memory == NULL || size_B < sizeof(uint32_t))
      return;
   if (decoder->unfenced_count == GEN_MAX_UNFENCED)
      memmove(&decoder->unfenced[0], &decoder->unfenced[1],
              --decoder->unfenced_count * sizeof(decoder->unfenced[0]));

   struct gen_unfenced *unfenced =
      &decoder->unfenced[decoder->unfenced_count++];
   unfenced->address = address;
   memcpy(&unfenced->before, memory, sizeof(unfenced->before));
}

void
gen_write(struct gen_decoder *decoder, uint64_t address, uint64_t value,
          unsigned size_B)
{
   for (unsigned i = 0; decoder->generation >= GEN20 && i < size_B; i += 4)
      remember(decoder, address + i);
   sim_write_now(decoder->engine, address, value, size_B);
}

uint32_t
gen_read(struct gen_decoder *decoder, uint64_t address)
{
   const uint32_t value =
      (uint32_t)sim_load(decoder->engine, address, sizeof(value));

   for (unsigned i = 0; i < decoder->unfenced_count; i++) {
      if (decoder->unfenced[i].address == address)
         return decoder->unfenced[i].before;
   }
   return value;
}

void
gen_fence(struct gen_decoder *decoder, const uint32_t *dw)
{
   if (decoder->generation < GEN20)
      sim_violate(decoder->engine, "MI_MEM_FENCE", "before Gen20");
   else if (!decoder->engine->registers->has_fence_page)
      sim_violate(decoder->engine, "MI_MEM_FENCE", "without its page");
   if ((dw[0] & FENCE_TYPE_MASK) == FENCE_MI_WRITE)
      decoder->unfenced_count = 0;
}

void
gen_set_fence_page(struct gen_decoder *decoder, const uint32_t *dw)
{
   const uint64_t address = sim_address(&dw[1]);
   uint64_t size_B = 0;

   if (sim_memory(decoder->engine, address, &size_B) == NULL)
      return;
   if (address % FENCE_PAGE_B != 0 || size_B < FENCE_PAGE_B)
      sim_violate(decoder->engine, "STATE_SYSTEM_MEM_FENCE_ADDRESS",
                  "is no page");
   decoder->engine->registers->has_fence_page = true;
}
