/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated GPU and its command stream, for the contract suite.
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

   /* The GPU's clock ticks once a nanosecond. */
   struct machine *(*create)(const char *gpu);

   /* Fails if the commands violated a rule of the hardware. */
   void (*destroy)(struct machine *machine);

   void (*count)(struct machine *machine, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);
   void (*set_ticks)(struct machine *machine, uint64_t ticks);

   /* Submissions complete when waited for, or never, or immediately. */
   void (*hold)(struct machine *machine);
   void (*lose)(struct machine *machine);
   void (*release)(struct machine *machine);

   /* The GPU works concurrently, and a little at each look. */
   void (*run)(struct machine *machine);
   void (*look)(struct machine *machine);
};

/* A command stream straight to the GPU, or src/drm on a simulated kernel. */
extern const struct machine_ops machine_cs;
extern const struct machine_ops machine_kernel;

/* The GPU of PITOT_NODE, or else of the first supported render node. */
extern const struct machine_ops machine_node;

/* Fills in the device info, or prints why there is no GPU. */
bool
machine_node_find(struct pitot_gpu *gpu_out);

#endif /* PITOT_TESTS_MACHINE_H */
