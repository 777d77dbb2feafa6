/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info: the clock of a GPU and the queries that Pitot has on it, as
 * text or JSON.
 */

#ifndef PITOT_INFO_H
#define PITOT_INFO_H

#include <stdio.h>

#include "pitot/drm.h"

/* Runs the tool with a kernel and files.  Returns its exit status. */
int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err);

/* Prints a line for each render node of the machine, with tabs between its
 * fields, of which unknown ones are "-":
 *
 *    path  kernel's driver  Mesa's driver  state  kind  PCI id  PCI tag  text
 *
 * The state is "sampled" if Pitot samples the GPU; "unsampled" if it does
 * not, so that Mesa's driver counts; or "unusable".  The kind is "real" or
 * "simulated", the tag is Mesa's for DRI_PRIME, and the text is the GPU's
 * generation and name, or the reason of the state.  Returns the number of
 * lines.
 */
unsigned
info_list(const struct pitot_drm_io *io, FILE *out);

#define INFO_GENERATION_SIZE 16

/* Writes a GPU's generation: "Gen9", "GFX10.3". */
void
info_generation(const struct pitot_gpu *gpu, char text[INFO_GENERATION_SIZE]);

#endif /* PITOT_INFO_H */
