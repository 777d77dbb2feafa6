/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD's GPUs: their facts, and the arguments that their family shares with
 * drivers.
 */

#ifndef PITOT_AMD_H
#define PITOT_AMD_H

#include <stdbool.h>

#include "pitot/hw.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The generation is ten times the graphics level: 60 to 115. */
struct pitot_amd_gpu {
   struct pitot_gpu base;

   /* The number of render backends, each of which counts samples for itself,
    * and a mask of those that the kernel calls enabled.
    */
   unsigned rb_count;
   uint64_t rb_mask;

   /* GFX11 and later: the firmware knows EVENT_WRITE_ZPASS. */
   bool has_event_write_zpass;

   /* GFX8 and GFX9: an old firmware does not sum up conditions about
    * stream-out.
    */
   bool has_streamout_predicate_bug;
};

extern const struct pitot_hw_family pitot_hw_amd;

/* PITOT_COMMAND_COUNTER writes the counters that an event samples: its
 * argument is the event and, << 8, the index.
 */

/* Records by which the command processor decides, besides
 * PITOT_PREDICATE_BOOLEAN.
 */
enum pitot_amd_predicate {
   PITOT_AMD_PREDICATE_SAMPLES =
      PITOT_PREDICATE_BOOLEAN + 1, /* ZPASS: begin and end of each backend */
   PITOT_AMD_PREDICATE_STREAMOUT,  /* PRIMCOUNT: begin and end of a stream */
};

/* The last dword of a record of PITOT_AMD_PREDICATE_STREAMOUT has this bit
 * once that record is written, and all before it are.  The command processor
 * must not look earlier: it knows no hint not to wait.
 */
#define PITOT_AMD_STREAMOUT_RECORD_LAST_B 28
#define PITOT_AMD_STREAMOUT_RECORD_VALID  0x80000000u

#ifdef __cplusplus
}
#endif

#endif /* PITOT_AMD_H */
