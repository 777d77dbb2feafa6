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

/* A batch that is being recorded is not asked about, and another one once in
 * it: there may be thousands of stores, and each would be a call to the kernel.
 * A snapshot may have been completed while its batch was.
 */
bool
pitot_hw_snapshot_is_coming(struct pitot_hw *hw,
                            const struct pitot_hw_snapshot *snapshot)
{
   const enum pitot_ring ring = snapshot->ring;
   struct pitot_cs *cs = hw->cs;
   const uint64_t recording = cs->ops->position(cs, ring).batch;
   const uint64_t before = recording - snapshot->batch;
   const uint64_t bit = before < 64 ? UINT64_C(1) << before : 0;
   struct pitot_hw_asked *asked = &hw->asked[ring];

   if (asked->recording != recording)
      *asked = (struct pitot_hw_asked){ .recording = recording };
   if (before == 0 || asked->mask & bit ||
       pitot_hw_snapshot_is_complete(hw, snapshot))
      return true;
   if (cs->ops->batch_state(cs, ring, snapshot->batch) >= PITOT_BATCH_DONE)
      return pitot_hw_snapshot_is_complete(hw, snapshot);
   asked->mask |= bit;
   return true;
}
