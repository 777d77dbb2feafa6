/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Time: from a counter's ticks to nanoseconds that never go back.  (A profile
 * places the GPU's times on the CPU's clock.)
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

/* Returns ticks of a counter of frequency_hz (1 to 2^32 - 1) in nanoseconds,
 * rounded down: exact over the whole range, hence never less for more ticks.
 * UINT64_MAX where the nanoseconds do not fit (after 584 years).
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

/* Returns the nanoseconds from begin to end; 0, and *disjoint_out set, if
 * they went back.
 */
uint64_t
pitot_ns_elapsed(uint64_t begin_ns, uint64_t end_ns, bool *disjoint_out);

/* Returns whether the system was suspended between two moments, from the
 * time for which it had been suspended at each of them.
 */
bool
pitot_is_suspension(uint64_t before_ns, uint64_t after_ns);

/* Returns the period of a clock of that many bits of nanoseconds: 0 for 64
 * bits, and for a clock that there is not, of 0.
 */
uint64_t
pitot_wrap_period_ns(unsigned width_bits);

/* A reading of a GPU's counter. */
struct pitot_clock_reading {
   uint64_t ticks;
   unsigned bits; /* the width of the counter, where the kernel tells it */

   /* CLOCK_MONOTONIC before and after, where the kernel reads that as well;
    * or 0.
    */
   uint64_t before_ns, after_ns;

   /* How often the kernel had powered the GPU off before that, or 0. */
   uint64_t suspend_count;
};

/* A correlation: the GPU's clock was read between two readings of the CPU's.
 * Times are nanoseconds; the CPU's clock is CLOCK_MONOTONIC.  A kernel that
 * correlates the clocks by itself has the same three numbers
 * (docs/timing.md).
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
