/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The files by which a program finds a GPU, a render node and the kernel's
 * files in /sys, as real files in another directory.
 */

#ifndef PITOT_SIM_MACHINE_H
#define PITOT_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim.h"

#define MACHINE_PATH_SIZE 512

struct machine {
   char root[64]; /* their directory */
};

/* Returns 0 or -errno. */
int
machine_create(struct machine *machine, const struct sim_gpu *gpu);

void
machine_destroy(const struct machine *machine);

/* Returns the machine's file for a path, perhaps in buffer; else the path. */
const char *
machine_path(const struct machine *machine, const char *path,
             char buffer[MACHINE_PATH_SIZE]);

#endif /* PITOT_SIM_MACHINE_H */
