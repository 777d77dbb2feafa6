/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU's clock, of more bits than its counter has: one for each device, so
 * that all contexts of a process agree on how often it wrapped.
 *
 * Threads: any thread may read the clock between init and finish.
 */

#ifndef PITOT_GPU_CLOCK_H
#define PITOT_GPU_CLOCK_H

#include <pthread.h>

#include "pitot/clock.h"
#include "pitot/compiler.h"
#include "pitot/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Owned by the driver's screen; its fields are Pitot's. */
struct pitot_gpu_clock {
   const struct pitot_gpu *gpu;
   unsigned width_bits;           /* of the counter */
   uint64_t max_unseen_ns;        /* after which it may have wrapped unseen */
   uint64_t (*cpu_ns)(void);      /* the system's clock, or a test's */
   pitot_shared_qword last_ticks; /* the latest that are known, extended */
   pitot_shared_qword seen_cpu_ns; /* when the counter was last read */
   bool is_started;

   pthread_mutex_t lock; /* of the rest, and of all writes but last_ticks' */
   uint64_t seen_ticks;  /* at seen_cpu_ns */
   unsigned restart_count; /* how often the counter began anew, or could not
                            * be read */
};

/* Starts a clock of a GPU, which must outlive it.  Returns 0 or -ENOMEM. */
int
pitot_gpu_clock_init(struct pitot_gpu_clock *clock,
                     const struct pitot_gpu *gpu);

/* Frees what init made. */
void
pitot_gpu_clock_finish(struct pitot_gpu_clock *clock);

/* Returns the nanoseconds of a counter that was read just now, in ticks: the
 * value of pipe_screen::get_timestamp.
 */
uint64_t
pitot_gpu_clock_now_ns(struct pitot_gpu_clock *clock, uint64_t ticks);

/* Returns the latest nanoseconds that are known, for a counter that could not
 * be read just now, and tells all contexts that times are disjoint; 0 if none
 * are known.  With a time of 0 the clock would seem to have begun anew, and
 * be moved on for good.
 */
uint64_t
pitot_gpu_clock_missed_ns(struct pitot_gpu_clock *clock);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GPU_CLOCK_H */
