/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU's clock, of more bits than its counter has, and compared with the
 * CPU's: one for each device, so that all contexts of a process agree on how
 * often it wrapped, and began again at 0.
 *
 * Threads: any thread may read the clock between init and finish.
 */

#ifndef PITOT_GPU_CLOCK_H
#define PITOT_GPU_CLOCK_H

#include <pthread.h>

#include "pitot/clock.h"
#include "pitot/gpu.h"
#include "pitot_compiler.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Owned by the driver's screen; its fields are Pitot's. */
struct pitot_gpu_clock {
   const struct pitot_gpu *gpu;
   unsigned width_bits;              /* of the counter */
   uint64_t (*cpu_ns)(void);         /* the system's clock, or a test's */
   bool is_started;                  /* the counter was read */
   pitot_shared_qword offset_ticks;  /* of the time from the CPU's clock */
   pitot_shared_qword base_ticks;    /* of the time from a sampled counter */
   pitot_shared_qword restart_ticks; /* the time of the last restart, or 0 */
   pitot_shared_qword seen_cpu_ns;   /* when the counter was last read */

   pthread_mutex_t lock;     /* of the rest, and of all writes */
   uint64_t read_base_ticks; /* of the time from the counter that is read */
   uint64_t old_base_ticks;  /* base_ticks before the last restart */
   uint64_t suspend_count;   /* the kernel's */
   unsigned restart_count;   /* how often the counter began anew, or could not
                              * be read */
};

/* Starts a clock of a GPU, which must outlive it.  Returns 0 or -ENOMEM. */
int
pitot_gpu_clock_init(struct pitot_gpu_clock *clock,
                     const struct pitot_gpu *gpu);

/* Frees what init made. */
void
pitot_gpu_clock_finish(struct pitot_gpu_clock *clock);

/* Returns the nanoseconds of a counter that was read after before_ns, in
 * ticks: the value of pipe_screen::get_timestamp.  before_ns is what the
 * clock's cpu_ns() returned then.
 */
uint64_t
pitot_gpu_clock_now_ns(struct pitot_gpu_clock *clock, uint64_t before_ns,
                       uint64_t ticks);

/* Returns the nanoseconds that the CPU's clock expects, for a counter that
 * could not be read just now, and tells all contexts that times are disjoint;
 * 0 if it never could be read.
 */
uint64_t
pitot_gpu_clock_missed_ns(struct pitot_gpu_clock *clock);

/* Compares the kernel's count of how often the GPU was powered off with what
 * it was at the last call.  Returns whether it is another one: all contexts
 * learn that times are disjoint, and the counter should be read again.  To be
 * called before each reading of the counter; the first call only starts.
 */
bool
pitot_gpu_clock_has_slept(struct pitot_gpu_clock *clock, uint64_t count);

/* Returns whether times are further from the counter's than its wraps, so
 * that the GPU cannot store them by itself.
 */
bool
pitot_gpu_clock_has_restarted(const struct pitot_gpu_clock *clock);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_GPU_CLOCK_H */
