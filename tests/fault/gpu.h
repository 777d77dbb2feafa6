/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of a pipe_context, a command stream and a kernel.  The linker
 * redirects the calls that create them (--wrap), so that all of a case have
 * faults.  Only one of each exists at a time.
 */

#ifndef PITOT_TESTS_FAULT_GPU_H
#define PITOT_TESTS_FAULT_GPU_H

#include <stdbool.h>

void
faulty_gpu_begin(void);

struct sim_cs *
faulty_gpu_cs(void);

/* pitot_hw_create() failed. */
bool
faulty_gpu_refused_context(void);

/* The command stream reported a GPU reset. */
bool
faulty_gpu_is_lost(void);

#endif /* PITOT_TESTS_FAULT_GPU_H */
