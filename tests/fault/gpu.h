/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of a pipe_context, of a command stream and of a kernel.  The linker
 * sends the calls by which tests create these here (--wrap): whatever comes
 * into being while a case runs has faults.  There is one of each at a time.
 */

#ifndef PITOT_TESTS_FAULT_GPU_H
#define PITOT_TESTS_FAULT_GPU_H

#include <stdbool.h>

/* Forgets the GPU of the last case. */
void
faulty_gpu_begin(void);

/* Returns the command stream of the case. */
struct sim_cs *
faulty_gpu_cs(void);

/* Returns whether pitot_hw_create() failed. */
bool
faulty_gpu_refused_context(void);

/* Returns whether the command stream has told that the GPU was reset. */
bool
faulty_gpu_is_lost(void);

#endif /* PITOT_TESTS_FAULT_GPU_H */
