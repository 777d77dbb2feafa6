/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The device info that GPUs of all families have.  A family with more
 * (pitot/intel.h, pitot/amd.h) has a struct that begins with this one.
 */

#ifndef PITOT_GPU_H
#define PITOT_GPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_hw_family;

struct pitot_gpu {
   const struct pitot_hw_family *family; /* see pitot_hw_family.h */
   const char *name;                     /* "skl", "navi21"; static storage */
   unsigned generation;                  /* as the family numbers them */

   /* The counter that TIMESTAMP samples. */
   unsigned timestamp_bits;
   uint64_t timestamp_hz;
};

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GPU_H */
