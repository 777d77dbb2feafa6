/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw_priv.h"

#define SLAB_SIZE_B  (16 * 1024)
#define PIECE_UNIT_B 16

static void
push_unread(struct pitot_hw_slabs *slabs, struct pitot_hw_slab *slab)
{
   slab->next = NULL;
   *slabs->unread_end = slab;
   slabs->unread_end = &slab->next;
}

static struct pitot_hw_slab *
pop_unread(struct pitot_hw_slabs *slabs)
{
   struct pitot_hw_slab *slab = slabs->unread;

   slabs->unread = slab->next;
   if (!slabs->unread)
      slabs->unread_end = &slabs->unread;
   return slab;
}

/* Returns whether the GPU may still write to it. */
static bool
is_written(const struct pitot_hw *hw, const struct pitot_hw_slab *slab)
{
   struct pitot_cs *cs = hw->cs;

   for (unsigned ring = 0; ring < PITOT_RING_COUNT; ring++) {
      if (!slab->last_batch[ring])
         continue;
      const enum pitot_batch_state state =
         cs->ops->batch_state(cs, ring, slab->last_batch[ring]);
      if (state < PITOT_BATCH_DONE)
         return true;
   }
   return false;
}

static struct pitot_hw_slab *
create(struct pitot_hw *hw)
{
   struct pitot_hw_slab *slab = calloc(1, sizeof(*slab));

   if (slab &&
       hw->cs->ops->buffer_create(hw->cs, SLAB_SIZE_B, &slab->buffer)) {
      free(slab);
      return NULL;
   }
   if (slab) {
      slab->next_of_all = hw->slabs.all;
      hw->slabs.all = slab;
   }
   return slab;
}

/* Returns an empty one: the one that nobody has read from for the longest
 * time, if the GPU is through with it.
 */
static struct pitot_hw_slab *
obtain(struct pitot_hw *hw)
{
   struct pitot_hw_slab *slab = hw->slabs.unread;

   if (!slab || is_written(hw, slab))
      return create(hw);

   pop_unread(&hw->slabs);
   slab->used_B = slab->taken = slab->given = 0;
   return slab;
}

static void
make_current(struct pitot_hw *hw, struct pitot_hw_slab *slab)
{
   struct pitot_hw_slabs *slabs = &hw->slabs;

   if (slabs->current && slabs->current->given == slabs->current->taken)
      push_unread(slabs, slabs->current);
   slabs->current = slab;
}

int
pitot_hw_slab_take(struct pitot_hw *hw, unsigned size_B,
                   struct pitot_hw_slab **slab_out, unsigned *offset_B_out)
{
   struct pitot_hw_slab *slab = hw->slabs.current;

   size_B = (size_B + PIECE_UNIT_B - 1) / PIECE_UNIT_B * PIECE_UNIT_B;
   if (!slab || slab->used_B + size_B > slab->buffer->size_B) {
      slab = obtain(hw);
      if (!slab)
         return -ENOMEM;
      make_current(hw, slab);
   }

   *slab_out = slab;
   *offset_B_out = slab->used_B;
   slab->used_B += size_B;
   slab->taken++;
   memset(slab->buffer->memory + *offset_B_out, 0, size_B);
   return 0;
}

void
pitot_hw_slab_give(struct pitot_hw *hw, struct pitot_hw_slab *slab)
{
   slab->given++;
   if (slab != hw->slabs.current && slab->given == slab->taken)
      push_unread(&hw->slabs, slab);
}

void
pitot_hw_slab_use(struct pitot_hw *hw, struct pitot_hw_slab *slab,
                  enum pitot_ring ring, uint64_t batch)
{
   hw->cs->ops->use_buffer(hw->cs, ring, slab->buffer);
   slab->last_batch[ring] = batch;
}

void
pitot_hw_slabs_destroy(struct pitot_hw *hw)
{
   while (hw->slabs.all) {
      struct pitot_hw_slab *slab = hw->slabs.all;

      hw->slabs.all = slab->next_of_all;
      hw->cs->ops->buffer_destroy(hw->cs, slab->buffer);
      free(slab);
   }
}
