/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The files by which a program finds a GPU: a render node, and those of the
 * kernel about it in /sys.  They are real files in another directory.
 */

#ifndef PITOT_SIM_MACHINE_H
#define PITOT_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim.h"

#define MACHINE_PATH_SIZE 512

struct machine {
   char root[64]; /* the directory of all */
};

/* Creates the files of a GPU.  Returns 0 or -errno. */
int
machine_create(struct machine *machine, const struct sim_gpu *gpu);

void
machine_destroy(const struct machine *machine);

/* Returns the real path of a file of the machine, which may be in buffer, or
 * the path itself if it is no such file.
 */
const char *
machine_path(const struct machine *machine, const char *path,
             char buffer[MACHINE_PATH_SIZE]);

#endif /* PITOT_SIM_MACHINE_H */
