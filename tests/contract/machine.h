/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GPU and a command stream to it, as the contract suite pulls at it.
 */

#ifndef PITOT_TESTS_MACHINE_H
#define PITOT_TESTS_MACHINE_H

#include "pitot/hw.h"

struct machine {
   const struct machine_ops *ops;
   struct pitot_cs *cs;
};

struct machine_ops {
   const char *name;

   /* Makes one whose counter ticks once a nanosecond. */
   struct machine *(*create)(const char *gpu);
   void (*destroy)(struct machine *machine);

   void (*count)(struct machine *machine, enum pitot_kind kind,
                 unsigned stream, uint64_t amount);
   void (*set_ticks)(struct machine *machine, uint64_t ticks);

   /* Submissions are done when they are waited for, or never, or at once. */
   void (*hold)(struct machine *machine);
   void (*lose)(struct machine *machine);
   void (*release)(struct machine *machine);
};

extern const struct machine_ops machine_fake;
extern const struct machine_ops machine_sim; /* where there is libdrm */

#endif /* PITOT_TESTS_MACHINE_H */
