/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The facts of a GPU whose counters Pitot reads by itself.
 */

#ifndef PITOT_GPU_H
#define PITOT_GPU_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pitot_vendor {
   PITOT_VENDOR_INTEL,
   PITOT_VENDOR_AMD,
};

struct pitot_gpu {
   enum pitot_vendor vendor;
   const char *name; /* "skl", "navi21": of static storage */

   /* Intel: ten times the generation, 80 to 125.  AMD: ten times the graphics
    * level, 60 to 115.
    */
   unsigned generation;

   /* The counter behind TIMESTAMP. */
   unsigned timestamp_bits;
   uint64_t timestamp_hz;

   /* AMD: the number of render backends, each of which counts samples for
    * itself, and a mask of those that are there.
    */
   unsigned rb_count;
   uint64_t rb_mask;

   /* AMD GFX11 and later: the firmware knows EVENT_WRITE_ZPASS. */
   bool has_event_write_zpass;

   /* AMD GFX8 and GFX9: an old firmware does not sum up conditions about
    * stream-out.
    */
   bool has_streamout_predicate_bug;

   /* Intel: the largest variant of Gen9 needs another stall (SKL GT4). */
   bool is_gt4;
};

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GPU_H */
