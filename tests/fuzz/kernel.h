/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated kernel that does what bytes say: it fails ioctls, answers
 * something else, writes to result memory, hangs and resets the GPU, and lets
 * allocations fail.  After the last byte it is a good kernel.
 */

#ifndef PITOT_TESTS_FUZZ_KERNEL_H
#define PITOT_TESTS_FUZZ_KERNEL_H

#include "fuzz.h"
#include "sim.h"

struct fuzz_kernel {
   struct pitot_drm_io io; /* for Pitot */
   struct sim *sim;
   struct fuzz_input input;
   unsigned patience; /* ioctls until the next deed */
   unsigned ioctl_count;
   bool has_lied;   /* in an answer, or in memory: results may be wrong */
   bool has_failed; /* an ioctl: objects may be left over */
};

/* Creates a machine with a GPU of sim_gpus. */
void
fuzz_kernel_init(struct fuzz_kernel *kernel, const char *gpu,
                 struct fuzz_input input);

/* Destroys it.  That anything is left over is a finding. */
void
fuzz_kernel_finish(struct fuzz_kernel *kernel);

#endif /* PITOT_TESTS_FUZZ_KERNEL_H */
