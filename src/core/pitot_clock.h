/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a screen: the time of a GPU's counter in 64 bits, which
 * continues over wraps and restarts.  All contexts of a screen share it, so
 * that they agree on how often the counter wrapped or restarted at 0.
 *
 * The clock follows CLOCK_MONOTONIC.  The CPU's clock gives the approximate
 * time of each reading and each sample, and their own bits make it exact.  If
 * the bits contradict the CPU's clock, the counter restarted at 0 (a card was
 * powered off, or a reset), ran on while the CPU's clock stood still, or is
 * not the counter that the CPU reads (Linux 6.18 on A750 and X1-85).  Then
 * the clock restarts at the CPU's time, and times are disjoint.
 *
 * Threads: any, between init and finish.  Only readings and the slow path of
 * pitot_clock_extend() take the lock.
 */

#ifndef PITOT_SCREENS_CLOCK_H
#define PITOT_SCREENS_CLOCK_H

#include <pthread.h>
#include <stdbool.h>

#include "pitot/clock.h"
#include "pitot_compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a clock is created from. */
struct pitot_clock_info {
   unsigned width_bits; /* of the counter */
   uint64_t frequency_hz;

   /* Reads the counter.  Returns 0 or -errno.  Any thread. */
   int (*read)(void *data, struct pitot_clock_reading *reading_out);
   void *data;

   /* The CPU's clock of a simulated GPU; NULL: CLOCK_MONOTONIC. */
   uint64_t (*cpu_ns)(void);
};

struct pitot_clock {
   struct pitot_clock_info info;
   bool is_started;                  /* the counter was read before */
   pitot_shared_qword offset_ticks;  /* the time less the CPU's clock */
   pitot_shared_qword base_ticks;    /* the time less the sampled counter */
   pitot_shared_qword restart_ticks; /* the time of the last restart, or 0 */
   pitot_shared_qword seen_cpu_ns;   /* the CPU's time of the last reading */

   pthread_mutex_t lock;     /* for the rest, and for all writes */
   uint64_t read_base_ticks; /* the time less the counter that is read */
   uint64_t old_base_ticks;  /* base_ticks before the last restart */
   uint64_t suspend_count;   /* the kernel's, the highest so far */
   unsigned restart_count;   /* how often times became disjoint: restarts,
                              * power-offs, samples without a time */
};

void
pitot_clock_init(struct pitot_clock *clock,
                 const struct pitot_clock_info *info);

void
pitot_clock_finish(struct pitot_clock *clock);

/* Reads the clock.  If the counter cannot be read, returns false and the time
 * that the CPU's clock expects, and the caller sets its disjoint flag.  If
 * the counter never could be read, returns true and a time of 0.  The CPU's
 * times are the kernel's, or 0.
 */
bool
pitot_clock_read(struct pitot_clock *clock,
                 struct pitot_correlation *clocks_out);

/* Returns only the time of pitot_clock_read(). */
uint64_t
pitot_clock_now_ns(struct pitot_clock *clock);

#define PITOT_TICKS_UNKNOWN UINT64_MAX

/* Returns the approximate time in ticks: no sample that is recorded from now
 * on is earlier.  Returns PITOT_TICKS_UNKNOWN if the counter was never read.
 * Reads the counter if the last reading is old.
 */
uint64_t
pitot_clock_expect(struct pitot_clock *clock);

/* Extends a sample that was taken between expected_ticks and now.  A sample
 * that does not fit makes times disjoint, and may restart the clock.
 */
uint64_t
pitot_clock_extend(struct pitot_clock *clock, uint64_t expected_ticks,
                   uint64_t sample_ticks);

/* Returns whether times have become disjoint since the last call with this
 * count, which the caller keeps.  The first call's result has no meaning.
 */
bool
pitot_clock_take_restart(struct pitot_clock *clock,
                         unsigned *seen_restarts_inout);

/* Returns whether the kernel's count of suspends has grown since the last
 * reading: then the caller should read the counter.
 */
bool
pitot_clock_has_slept(struct pitot_clock *clock, uint64_t suspend_count);

/* Returns whether the clock has restarted.  Then times differ from the
 * sampled counter by more than its wraps, and the GPU cannot compute them.
 */
bool
pitot_clock_has_restarted(const struct pitot_clock *clock);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_SCREENS_CLOCK_H */
