/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated kernel controlled by an input: it fails ioctls, changes replies
 * and result memory, hangs and resets the GPU, and makes allocations fail.
 * After the last byte it works right.
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
   bool has_lied;   /* a reply or memory is wrong, so results may be */
   bool has_failed; /* an ioctl: objects may leak */
};

/* The GPU is one of sim_gpus. */
void
fuzz_kernel_init(struct fuzz_kernel *kernel, const char *gpu,
                 struct fuzz_input input);

/* A leak is a finding. */
void
fuzz_kernel_finish(struct fuzz_kernel *kernel);

#endif /* PITOT_TESTS_FUZZ_KERNEL_H */
