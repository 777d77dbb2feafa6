/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated GPU and a command stream to it, under the contract suite.
 */

#ifndef PITOT_TESTS_MACHINE_H
#define PITOT_TESTS_MACHINE_H

#include "../sim/cue.h"

struct machine {
   const struct machine_ops *ops;
   struct pitot_cs *cs;
};

struct machine_ops {
   const char *name;

   /* Creates a machine whose GPU's counter of time ticks once a nanosecond.
    */
   struct machine *(*create)(const char *gpu);

   /* Fails if anything was recorded that hardware would not have done. */
   void (*destroy)(struct machine *machine);

   void (*count)(struct machine *machine, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);
   void (*set_ticks)(struct machine *machine, uint64_t ticks);

   /* Submissions are done when they are waited for, or never, or at once. */
   void (*hold)(struct machine *machine);
   void (*lose)(struct machine *machine);
   void (*release)(struct machine *machine);

   /* The GPU works while the CPU calls, and a little at each look. */
   void (*run)(struct machine *machine);
   void (*look)(struct machine *machine);
};

/* A command stream straight to the GPU, and the context of src/drm on a
 * simulated kernel, where there is libdrm.
 */
extern const struct machine_ops machine_cs;
extern const struct machine_ops machine_kernel;

/* The GPU of the render node that PITOT_NODE names, or else of the first one
 * that Pitot knows: of the machine, unless the machine is a simulator.
 */
extern const struct machine_ops machine_node;

/* Finds its facts.  Returns whether it is there, or says why not. */
bool
machine_node_find(struct pitot_gpu *gpu_out);

#endif /* PITOT_TESTS_MACHINE_H */
