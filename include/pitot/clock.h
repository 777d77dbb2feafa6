/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Clocks: ticks to nanoseconds, elapsed times across wraps, and readings of a
 * GPU's counter.  Any thread may call these functions.
 */

#ifndef PITOT_CLOCK_H
#define PITOT_CLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PITOT_NS_PER_S UINT64_C(1000000000)

/* Converts ticks of a counter of frequency_hz (1 to 2^32 - 1) to nanoseconds,
 * rounded down.  Exact over the whole range, so more ticks never give fewer
 * nanoseconds.  Returns UINT64_MAX if the result does not fit (after 584
 * years).
 */
uint64_t
pitot_ticks_to_ns(uint64_t ticks, uint64_t frequency_hz);

/* Returns the ticks from begin to end of a counter of width_bits (1 to 64)
 * that wrapped at most once in between.
 */
static inline uint64_t
pitot_ticks_elapsed(uint64_t begin_ticks, uint64_t end_ticks,
                    unsigned width_bits)
{
   assert(width_bits >= 1 && width_bits <= 64);
   return (end_ticks - begin_ticks) & UINT64_MAX >> (64 - width_bits);
}

/* Returns the nanoseconds from begin to end.  If the clock went back in
 * between, returns 0 and sets *disjoint_out.
 */
uint64_t
pitot_ns_elapsed(uint64_t begin_ns, uint64_t end_ns, bool *disjoint_out);

/* Returns whether the system was suspended between two moments, given for how
 * long it had been suspended, in total, at each of them.
 */
bool
pitot_is_suspension(uint64_t before_ns, uint64_t after_ns);

/* Returns the time after which a nanosecond counter of width_bits wraps, or 0
 * if it never does (64 bits) or does not exist (0 bits).
 */
uint64_t
pitot_wrap_period_ns(unsigned width_bits);

/* What the kernel reports of a GPU's counter. */
struct pitot_clock_reading {
   uint64_t ticks;
   unsigned bits; /* the counter's width, if the kernel reports it */

   /* CLOCK_MONOTONIC before and after the reading, if the kernel reads both
    * clocks (xe); else 0.
    */
   uint64_t before_ns, after_ns;

   /* How often the kernel had powered the GPU off before the reading, or 0 if
    * the kernel does not count this (only msm does).
    */
   uint64_t suspend_count;
};

/* Correlated timestamps: the GPU's clock was read between two reads of
 * CLOCK_MONOTONIC.  All are nanoseconds.  A kernel that correlates the clocks
 * itself (xe) reports the same three numbers (docs/timing.md).
 */
struct pitot_correlation {
   uint64_t before_ns; /* of the CPU */
   uint64_t gpu_ns;
   uint64_t after_ns; /* of the CPU */
};

#ifdef __cplusplus
}
#endif

#endif /* PITOT_CLOCK_H */
