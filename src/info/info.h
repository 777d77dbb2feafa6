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

/* The facts about a device, which has to stay open. */
struct info_device {
   char path[256];
   struct pitot_drm_device *device;
   char generation[16]; /* "Gen9", "GFX10.3" */
   unsigned pci_vendor;

   int calibration_error; /* 0, or -errno */
   struct pitot_drm_calibration calibration;
   uint64_t gpu_ns; /* of the calibration */

   /* Bits of the results of each kind of query; 0: it does not work. */
   unsigned bits[PITOT_KIND_COUNT];
};

/* Why a kind of query does not work. */
#define INFO_REASON                                                          \
   "this GPU counts it only with the help of its driver's shaders"

/* Runs the tool with a kernel and files.  Returns its exit status. */
int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err);

void
info_print_text(FILE *out, const struct info_device *info);

/* Prints any number of devices.  Returns 0 or -ENOMEM. */
int
info_print_json(FILE *out, const struct info_device *infos, unsigned count);

#endif /* PITOT_INFO_H */
