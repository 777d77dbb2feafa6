/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * If the kernel bans a hardware context, the driver continues with another
 * one, whose counters restart: a difference between two epochs is garbage.
 */

#include "hw_priv.h"

/* The new context executes all of the current batch. */
void
pitot_hw_epoch_begin(struct pitot_cs_listener *listener, enum pitot_ring ring)
{
   struct pitot_hw *hw = (struct pitot_hw *)listener;
   struct pitot_hw_epochs *epochs = &hw->epochs[ring];
   const unsigned count =
      atomic_load_explicit(&epochs->count, memory_order_relaxed);

   atomic_store(&epochs->first_batches[count % PITOT_HW_MAX_EPOCHS],
                hw->cs->ops->current_batch(hw->cs, ring));
   atomic_store(&epochs->count, count + 1);
}

/* If there were more epochs than the array holds, each batch before the
 * oldest known epoch counts as an epoch of its own.  If an epoch begins
 * concurrently, it may overwrite the oldest entry: check again.
 */
bool
pitot_hw_epoch_is_same(const struct pitot_hw *hw, enum pitot_ring ring,
                       uint64_t older_batch, uint64_t newer_batch)
{
   const struct pitot_hw_epochs *epochs = &hw->epochs[ring];
   const unsigned count = atomic_load(&epochs->count);
   unsigned i = count > PITOT_HW_MAX_EPOCHS ? count - PITOT_HW_MAX_EPOCHS : 0;
   const bool is_forgetful = i > 0;

   for (; i < count; i++) {
      const uint64_t first_batch =
         atomic_load(&epochs->first_batches[i % PITOT_HW_MAX_EPOCHS]);

      if (older_batch < first_batch &&
          (is_forgetful || first_batch <= newer_batch))
         return false;
   }
   return atomic_load(&epochs->count) == count ||
          pitot_hw_epoch_is_same(hw, ring, older_batch, newer_batch);
}
