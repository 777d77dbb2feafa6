/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Intel's GPUs.  The argument of PITOT_COMMAND_COUNTER is a 64-bit register.
 */

#ifndef PITOT_INTEL_H
#define PITOT_INTEL_H

#include <stdbool.h>

#include "pitot/cs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For packets without Mesa (src/drm); the family needs only struct pitot_gpu.
 * The generation is ten times the hardware's: 80 (Gen8) to 200 (Xe2).
 */
struct pitot_intel_gpu {
   struct pitot_gpu base;
   bool is_gt4; /* Gen9's largest variant (SKL GT4) needs another stall */
};

extern const struct pitot_hw_family pitot_hw_intel;

#ifdef __cplusplus
}
#endif

#endif /* PITOT_INTEL_H */
