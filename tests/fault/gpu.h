/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of a pipe_context, a command stream and a kernel, one of each: the
 * linker redirects the calls that create them (--wrap).
 */

#ifndef PITOT_TESTS_FAULT_GPU_H
#define PITOT_TESTS_FAULT_GPU_H

#include <stdbool.h>

void
faulty_gpu_begin(void);

struct sim_cs *
faulty_gpu_cs(void);

bool
faulty_gpu_refused_context(void);

bool
faulty_gpu_is_lost(void);

#endif /* PITOT_TESTS_FAULT_GPU_H */
