/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Routines: programs that are written once into memory, and called by the
 * programs of stores.  A store in the command stream is short that way,
 * however long it takes to turn ticks into nanoseconds.
 */

#ifndef PITOT_HW_INTEL_ROUTINE_H
#define PITOT_HW_INTEL_ROUTINE_H

#include "program.h"

/* Registers and their uses.  Routines change those from BEGIN on.
 */
enum {
   PITOT_INTEL_SUM,        /* and in the end the result */
   PITOT_INTEL_BASE,       /* a time: all others are after it... */
   PITOT_INTEL_MASK,       /* ...by less than this range of the counter */
   PITOT_INTEL_LAST_BEGIN, /* the interval that was added last, from the base
                            */
   PITOT_INTEL_LAST_END,
   PITOT_INTEL_BEGIN,
   PITOT_INTEL_END,
   PITOT_INTEL_SCRATCH, /* and all others */
};

enum pitot_intel_routine {
   /* Adds to the sum the time from a sample in BEGIN to one in END, less the
    * time that it shares with the interval before.  No time is negative.
    */
   PITOT_INTEL_ADD_ELAPSED,

   /* Sets the sum to a sample in END, if that is later. */
   PITOT_INTEL_ADD_TIMESTAMP,

   /* Turns the sum from ticks into nanoseconds, rounded down. */
   PITOT_INTEL_FINISH_TIME,

   /* Divides the sum by 4, rounded down. */
   PITOT_INTEL_FINISH_QUARTER,

   PITOT_INTEL_ROUTINE_COUNT,
};

/* Ticks that are not less cannot be turned into nanoseconds: hundreds of
 * years.
 */
#define PITOT_INTEL_TICKS_BITS 56

/* The size of all routines, with what the command streamer reads ahead. */
#define PITOT_INTEL_ROUTINES_SIZE_B 12288

/* Writes all routines.  Returns whether that is possible: the clocks that it
 * is not possible for have strange frequencies.
 */
bool
pitot_intel_write_routines(const struct pitot_gpu *gpu, uint32_t *memory);

/* Returns the address of a routine, from the address of all of them. */
uint64_t
pitot_intel_routine_address(uint64_t address,
                            enum pitot_intel_routine routine);

/* Calls one of the routines that packets know. */
void
pitot_intel_call_routine(struct pitot_intel_program *program,
                         enum pitot_intel_routine routine);

/*
 * time.c: times by these routines, as in merge.c.
 */

/* Returns whether the times of a query can be computed: the CPU knows about
 * when the samples are taken.
 */
bool
pitot_intel_can_emit_time(const struct pitot_hw *hw,
                          const struct pitot_hw_query *query);

/* Leaves a time in PITOT_INTEL_SUM, in nanoseconds. */
void
pitot_intel_emit_time(struct pitot_intel_program *program,
                      const struct pitot_hw *hw,
                      const struct pitot_hw_query *query,
                      const struct pitot_hw_value *value);

#endif /* PITOT_HW_INTEL_ROUTINE_H */
