/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Which GPU a PCI identifier is.  A range may span identifiers that were
 * never given to a GPU: the kernel's driver is bound to none of those.  The
 * first range counts that has it.
 */

#include "i915.h"

static const struct pitot_i915_chip chips[] = {
   { 0x1602, 0x162e, "bdw", 80, false, false },
   { 0x192a, 0x192a, "skl", 90, true, false },
   { 0x1902, 0x192d, "skl", 90, false, false },
   { 0x1932, 0x193d, "skl", 90, true, false },
   { 0x0a84, 0x0a84, "bxt", 90, false, false },
   { 0x1a84, 0x1a85, "bxt", 90, false, false },
   { 0x5a84, 0x5a85, "bxt", 90, false, false },
   { 0x3184, 0x3185, "glk", 90, false, false },
   { 0x5902, 0x5927, "kbl", 90, false, false },
   { 0x593b, 0x593b, "kbl", 90, true, false },
   { 0x87c0, 0x87c0, "kbl", 90, false, false },
   { 0x3e90, 0x3ea9, "cfl", 90, false, false },
   { 0x87ca, 0x87ca, "cfl", 90, false, false },
   { 0x9b21, 0x9bf6, "cfl", 90, false, false },
   { 0x8a50, 0x8a71, "icl", 110, false, false },
   { 0x4541, 0x4571, "ehl", 110, false, false },
   { 0x4e51, 0x4e71, "ehl", 110, false, false },
   { 0x9a40, 0x9af8, "tgl", 120, false, false },
   { 0x4c8a, 0x4c9a, "rkl", 120, false, false },
   { 0x4626, 0x462a, "adl", 120, false, false },
   { 0x4680, 0x4693, "adl", 120, false, false },
   { 0x46a0, 0x46d4, "adl", 120, false, false },
   { 0xa720, 0xa721, "rpl", 120, false, false },
   { 0xa780, 0xa7ad, "rpl", 120, false, false },
   { 0x4905, 0x4909, "dg1", 120, false, true },
   { 0x5690, 0x56c2, "dg2", 125, false, true },
};

#define CHIP_COUNT (sizeof(chips) / sizeof(chips[0]))

const struct pitot_i915_chip *
pitot_i915_chip(unsigned device_id)
{
   for (unsigned i = 0; i < CHIP_COUNT; i++) {
      if (device_id >= chips[i].first_id && device_id <= chips[i].last_id)
         return &chips[i];
   }
   return NULL;
}
