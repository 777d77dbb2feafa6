/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU's clock, of more bits than its counter has: one for each device, so
 * that all contexts of a process agree on how often it wrapped.
 *
 * Threads: any, but for init and finish.
 */

#ifndef PITOT_GPU_CLOCK_H
#define PITOT_GPU_CLOCK_H

#include <pthread.h>

#include "pitot/clock.h"
#include "pitot/gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Owned by the driver's screen; its fields are Pitot's. */
struct pitot_gpu_clock {
   const struct pitot_gpu *gpu;
   pthread_mutex_t lock;
   struct pitot_counter counter;
   bool is_started;
   unsigned restart_count;   /* how often the counter began anew */
   uint64_t seen_cpu_ns;     /* when the counter was last read */
   uint64_t seen_ticks;      /* and what it was then */
   uint64_t max_unseen_ns;   /* longer, and it may have wrapped unseen */
   uint64_t (*cpu_ns)(void); /* the system's, or a test's */
};

/* Returns 0 or -ENOMEM.  The GPU's facts are not copied. */
int
pitot_gpu_clock_init(struct pitot_gpu_clock *clock,
                     const struct pitot_gpu *gpu);

void
pitot_gpu_clock_finish(struct pitot_gpu_clock *clock);

/* Returns the nanoseconds of a counter that was read just now: what
 * pipe_screen::get_timestamp returns.
 */
uint64_t
pitot_gpu_clock_now_ns(struct pitot_gpu_clock *clock, uint64_t ticks);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GPU_CLOCK_H */
