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
#include "pitot/kind.h"

/* Runs the tool with a kernel and files.  Returns its exit status. */
int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err);

#endif /* PITOT_INFO_H */
