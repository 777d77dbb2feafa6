/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Slabs: buffers from which records are allocated.  A slab is reused if no
 * piece is in use and the last batch that uses it is done.  Each such batch
 * must set last_batch, or a record is zeroed while the GPU uses it.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hw_priv.h"

static bool
slab_is_busy(const struct pitot_hw *hw, const struct pitot_hw_slab *slab)
{
   struct pitot_cs *cs = hw->cs;

   for (unsigned ring = 0; ring < hw->ring_count; ring++) {
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
create_slab(struct pitot_hw *hw, struct pitot_hw_slabs *slabs)
{
   struct pitot_hw_slab *slab = calloc(1, sizeof(*slab));
   if (!slab)
      return NULL;

   if (hw->cs->ops->buffer_create(hw->cs, hw->family->slab_size_B,
                                  &slab->buffer)) {
      free(slab);
      return NULL;
   }
   slab->slabs = slabs;
   slab->next = slabs->all;
   slabs->all = slab;
   return slab;
}

static void
set_unread(struct pitot_hw_slab *slab)
{
   slab->unread_since = ++slab->slabs->unread_count;
}

/* Returns the slab that is unused for the longest time, or a new slab if the
 * GPU still uses that one; NULL if out of memory.
 */
static struct pitot_hw_slab *
get_empty_slab(struct pitot_hw *hw, struct pitot_hw_slabs *slabs)
{
   struct pitot_hw_slab *oldest = NULL;

   for (struct pitot_hw_slab *slab = slabs->all; slab; slab = slab->next) {
      if (!slab->piece_count && slab != slabs->current &&
          (!oldest || slab->unread_since < oldest->unread_since))
         oldest = slab;
   }
   if (!oldest || slab_is_busy(hw, oldest))
      return create_slab(hw, slabs);
   oldest->used_B = 0;
   return oldest;
}

int
pitot_hw_slab_alloc(struct pitot_hw *hw, enum pitot_hw_slab_user user,
                    unsigned size_B, struct pitot_hw_slab **slab_out,
                    unsigned *offset_B_out)
{
   struct pitot_hw_slabs *slabs = &hw->slabs[user];
   struct pitot_hw_slab *const full = slabs->current;
   struct pitot_hw_slab *slab = full;

   size_B = (size_B + hw->record_unit_B - 1) & ~(hw->record_unit_B - 1);
   if (!full || full->used_B + size_B > full->buffer->size_B) {
      slab = get_empty_slab(hw, slabs);
      if (!slab)
         return -ENOMEM;
      slabs->current = slab;
      if (full && !full->piece_count)
         set_unread(full);
   }

   *slab_out = slab;
   *offset_B_out = slab->used_B;
   slab->used_B += size_B;
   slab->piece_count++;
   memset(slab->buffer->memory + *offset_B_out, 0, size_B);
   return 0;
}

void
pitot_hw_slab_unref(struct pitot_hw_slab *slab)
{
   slab->piece_count--;
   if (!slab->piece_count && slab != slab->slabs->current)
      set_unread(slab);
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
   for (unsigned user = 0; user < PITOT_HW_SLABS_COUNT; user++) {
      struct pitot_hw_slab *slab = hw->slabs[user].all;

      while (slab) {
         struct pitot_hw_slab *next = slab->next;

         hw->cs->ops->buffer_destroy(hw->cs, slab->buffer);
         free(slab);
         slab = next;
      }
   }
}
