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

/* Forgets the GPU of the last case. */
void
faulty_gpu_begin(void);

#endif /* PITOT_TESTS_FAULT_GPU_H */
