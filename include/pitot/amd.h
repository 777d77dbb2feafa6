/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD's GPUs: their device info, and the arguments that their family shares
 * with drivers.
 */

#ifndef PITOT_AMD_H
#define PITOT_AMD_H

#include <stdbool.h>

#include "pitot/hw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The generation is ten times the GFX level: 60 (GFX6) to 120 (GFX12). */
struct pitot_amd_gpu {
   struct pitot_gpu base;

   /* The number of render backends, each of which counts its own samples, and
    * a mask of the render backends that the kernel reports as enabled.
    */
   unsigned rb_count;
   uint64_t rb_mask;

   /* GFX11 and later: the firmware supports EVENT_WRITE_ZPASS. */
   bool has_event_write_zpass;

   /* GFX8 and GFX9: an old firmware does not sum up several stream-out
    * records of a condition.
    */
   bool has_streamout_predicate_bug;
};

extern const struct pitot_hw_family pitot_hw_amd;

/* PITOT_COMMAND_COUNTER writes the counters that an event samples.  Its
 * argument is event | index << 8.
 */

/* Kinds of records that the command processor reads for a condition, besides
 * PITOT_PREDICATE_BOOLEAN.
 */
enum pitot_amd_predicate {
   PITOT_AMD_PREDICATE_SAMPLES =
      PITOT_PREDICATE_BOOLEAN + 1, /* ZPASS: begin and end of each backend */
   PITOT_AMD_PREDICATE_STREAMOUT,  /* PRIMCOUNT: begin and end of a stream */
};

/* The last dword of a record of PITOT_AMD_PREDICATE_STREAMOUT has this bit
 * once that record and all before it are written.  The command processor must
 * not read the record earlier: for stream-out it has no hint not to wait.
 */
#define PITOT_AMD_STREAMOUT_RECORD_LAST_B 28
#define PITOT_AMD_STREAMOUT_RECORD_VALID  0x80000000u

#ifdef __cplusplus
}
#endif

#endif /* PITOT_AMD_H */
