/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The lock of a query, for threads that find it held: all sleep on one
 * condition variable.  A woken thread takes the lock as contended, since
 * others may still sleep.  The cost is at most one needless broadcast.
 */

#include "hw_priv.h"

void
pitot_hw_query_lock_slow(struct pitot_hw *hw, struct pitot_hw_query *query)
{
   pthread_mutex_lock(&hw->sleep_lock);
   while (atomic_exchange_explicit(&query->lock, PITOT_HW_LOCK_CONTENDED,
                                   memory_order_acquire) !=
          PITOT_HW_LOCK_FREE)
      pthread_cond_wait(&hw->woken, &hw->sleep_lock);
   pthread_mutex_unlock(&hw->sleep_lock);
}

/* The lock is free already.  A thread that saw it held has the mutex until it
 * sleeps, so it gets the broadcast.
 */
void
pitot_hw_wake(struct pitot_hw *hw)
{
   pthread_mutex_lock(&hw->sleep_lock);
   pthread_cond_broadcast(&hw->woken);
   pthread_mutex_unlock(&hw->sleep_lock);
}
