/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Whether a process makes progress; a time limit cannot tell on a busy
 * machine.
 */

#ifndef PITOT_MODEL_THREADS_H
#define PITOT_MODEL_THREADS_H

#include <stdbool.h>
#include <sys/types.h>

/* CPU time of all threads of a process, in seconds. */
double
threads_cpu_s(pid_t process);

/* No thread runs or is runnable. */
bool
threads_all_sleep(pid_t process);

/* The same for this process, without the calling thread. */
bool
threads_others_sleep(void);

#endif /* PITOT_MODEL_THREADS_H */
