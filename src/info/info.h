/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info prints the clock of a GPU and Pitot's queries on it, as text or
 * JSON.
 */

#ifndef PITOT_INFO_H
#define PITOT_INFO_H

#include <stdio.h>

#include "pitot/drm.h"

/* Runs the tool with calls to the kernel and output files, which tests
 * replace.  Returns the exit status.
 */
int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err);

/* Prints a line for each render node of the machine.  Fields are separated by
 * tabs; an unknown field is "-":
 *
 *    path  kernel's driver  Mesa's driver  state  kind  PCI id  PCI tag  text
 *
 * The state is "sampled" if Pitot samples the GPU, "unsampled" if it does not
 * and the driver's own queries count, or "unusable".  The kind is "real" or
 * "simulated", the tag is for Mesa's DRI_PRIME, and the text is the GPU's
 * generation and name, or the reason of the state.  Returns the number of
 * lines.
 */
unsigned
info_list(const struct pitot_drm_io *io, FILE *out);

#define INFO_GENERATION_SIZE 16

/* "Gen9", "GFX10.3", "A6xx" */
void
info_generation(const struct pitot_gpu *gpu, char text[INFO_GENERATION_SIZE]);

#endif /* PITOT_INFO_H */
