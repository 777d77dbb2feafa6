/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Whether a process still does anything: what a time limit cannot tell on a
 * busy machine.
 */

#ifndef PITOT_MODEL_THREADS_H
#define PITOT_MODEL_THREADS_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns how much of a CPU all threads of a process used, in seconds. */
double
threads_cpu_s(pid_t process);

/* Returns whether all of them sleep: none runs, nor wants to. */
bool
threads_all_sleep(pid_t process);

/* The same of the threads of this process but the caller's. */
bool
threads_others_sleep(void);

#endif /* PITOT_MODEL_THREADS_H */
