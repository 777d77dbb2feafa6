/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Epochs: the batches of a ring that one hardware context executes.  Where
 * the kernel bans a context, the driver goes on with another one, whose
 * counters begin anew: samples of two epochs cannot be subtracted.
 */

#include "hw_priv.h"

/* The batch being recorded will be executed by the new context, with all that
 * was recorded in it before.
 */
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

/* If there were more epochs than are known, batches before the oldest known
 * one count as epochs of their own.  An epoch that begins in the meantime may
 * take the place of the oldest one: then this looks again.
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
