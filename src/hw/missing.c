/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Samples that will never be written, because their batch was dropped or the
 * kernel gave it up: a command processor that waits for one of them waits for
 * ever.
 */

#include "hw_priv.h"

/* A batch that is being recorded is not asked about.  A snapshot may have
 * been completed while its batch was.
 */
bool
pitot_hw_snapshot_is_coming(struct pitot_hw *hw,
                            const struct pitot_hw_snapshot *snapshot,
                            uint64_t *known_batch_inout)
{
   const enum pitot_ring ring = snapshot->ring;
   struct pitot_cs *cs = hw->cs;

   if (snapshot->batch == *known_batch_inout ||
       snapshot->batch == cs->ops->position(cs, ring).batch ||
       pitot_hw_snapshot_is_complete(hw, snapshot))
      return true;
   if (cs->ops->batch_state(cs, ring, snapshot->batch) >= PITOT_BATCH_DONE)
      return pitot_hw_snapshot_is_complete(hw, snapshot);
   *known_batch_inout = snapshot->batch;
   return true;
}
