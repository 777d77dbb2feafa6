/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The lock of a query, for a thread that finds it held: all such threads
 * sleep in one place.  A thread that takes the lock after it slept does not
 * know whether others still do, and says that they may.
 */

#include "hw_priv.h"

void
pitot_hw_query_lock_slowly(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   pthread_mutex_lock(&hw->sleep_lock);
   while (atomic_exchange_explicit(&query->lock, PITOT_HW_LOCK_AWAITED,
                                   memory_order_acquire) !=
          PITOT_HW_LOCK_FREE)
      pthread_cond_wait(&hw->woken, &hw->sleep_lock);
   pthread_mutex_unlock(&hw->sleep_lock);
}

/* The lock was free before: whoever saw it held sleeps by now. */
void
pitot_hw_wake(struct pitot_hw *hw)
{
   pthread_mutex_lock(&hw->sleep_lock);
   pthread_cond_broadcast(&hw->woken);
   pthread_mutex_unlock(&hw->sleep_lock);
}
