/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clock of a screen: the time of a GPU's counter in 64 bits, which goes
 * on over wraps and restarts.  All contexts of a screen share it, so that
 * they agree on how often the counter wrapped, and began again at 0.
 *
 * The clock follows CLOCK_MONOTONIC.  The CPU's clock says about what time
 * each reading and each sample has, and their own bits say it exactly.  One
 * that cannot be what the CPU's clock says is from a counter that began again
 * at 0 (a card that was powered off, a reset), that went on while the CPU's
 * clock stood still, or that is not the counter which the CPU reads (Linux
 * 6.18 on A750 and X1-85).  Then the clock restarts where the CPU's is, and
 * times are disjoint.
 *
 * Threads: any thread may call, between init and finish.  Only a reading and
 * what is unusual take the lock.
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

/* Facts that a clock starts from. */
struct pitot_clock_info {
   unsigned width_bits; /* of the counter */
   uint64_t frequency_hz;

   /* Reads the counter.  Returns 0 or -errno.  Any thread. */
   int (*read)(void *data, struct pitot_clock_reading *reading_out);
   void *data;

   /* The CPU's clock, of a GPU that is simulated; NULL: CLOCK_MONOTONIC. */
   uint64_t (*cpu_ns)(void);
};

struct pitot_clock {
   struct pitot_clock_info info;
   bool is_started;                  /* the counter was read */
   pitot_shared_qword offset_ticks;  /* of the time from the CPU's clock */
   pitot_shared_qword base_ticks;    /* of the time from a sampled counter */
   pitot_shared_qword restart_ticks; /* the time of the last restart, or 0 */
   pitot_shared_qword seen_cpu_ns;   /* when the counter was last read */

   pthread_mutex_t lock;     /* of the rest, and of all writes */
   uint64_t read_base_ticks; /* of the time from the counter that is read */
   uint64_t old_base_ticks;  /* base_ticks before the last restart */
   uint64_t suspend_count;   /* the kernel's */
   unsigned restart_count;   /* how often the counter began anew, or the GPU
                              * was powered off */
};

/* Starts a clock. */
void
pitot_clock_init(struct pitot_clock *clock,
                 const struct pitot_clock_info *info);

/* Frees what init made. */
void
pitot_clock_finish(struct pitot_clock *clock);

/* Reads the clock.  Returns false if the counter could not be read this time:
 * then the time is what the CPU's clock expects, and the caller's times are
 * disjoint.  It is 0 as long as the counter never could be read.  The times
 * of the CPU are the kernel's, or 0.
 */
bool
pitot_clock_read(struct pitot_clock *clock,
                 struct pitot_correlation *clocks_out);

/* Returns the time of such a reading. */
uint64_t
pitot_clock_now_ns(struct pitot_clock *clock);

#define PITOT_TICKS_UNKNOWN UINT64_MAX

/* Returns the approximate time, which no sample that is recorded from now on
 * is earlier than; or PITOT_TICKS_UNKNOWN.
 */
uint64_t
pitot_clock_expect(struct pitot_clock *clock);

/* Returns the time that was sampled between that and now.  One that was not
 * is a restart of the counter.
 */
uint64_t
pitot_clock_extend(struct pitot_clock *clock, uint64_t expected_ticks,
                   uint64_t sample_ticks);

/* Returns whether times have become disjoint since a context last asked: it
 * keeps the count, whose first value is of no meaning.
 */
bool
pitot_clock_take_restart(struct pitot_clock *clock,
                         unsigned *seen_restarts_inout);

/* Returns whether the kernel's count of suspends has grown since the last
 * reading: then the counter should be read again.
 */
bool
pitot_clock_has_slept(struct pitot_clock *clock, uint64_t suspend_count);

/* Returns whether times are further from the counter's than its wraps, so
 * that the GPU cannot store them by itself.
 */
bool
pitot_clock_has_restarted(const struct pitot_clock *clock);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_SCREENS_CLOCK_H */
