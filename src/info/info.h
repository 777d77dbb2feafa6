/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info: what is to be said of a GPU, and how it is said.
 */

#ifndef PITOT_INFO_H
#define PITOT_INFO_H

#include <stdio.h>

#include "pitot/drm.h"
#include "pitot/kind.h"

#define INFO_PATH_SIZE 256

struct info_device {
   char path[INFO_PATH_SIZE];
   const struct pitot_drm_device *device;

   int calibration_error; /* 0, or -errno */
   struct pitot_drm_calibration calibration;

   /* Bits of the results of each kind of query; 0: it does not work. */
   int query_error; /* 0, or -errno: nothing is known of queries */
   unsigned bits[PITOT_KIND_COUNT];
};

/* The tool, with the kernel and the files that it is to use.  Returns its
 * exit status.
 */
int
info_main(const struct pitot_drm_io *io, int argc, char **argv, FILE *out,
          FILE *err);

/* Finds out what there is to say of a device, which has to stay open. */
void
info_collect(struct info_device *info, const char *path,
             struct pitot_drm_device *device);

/* Returns "Gen9", "GFX10.3". */
const char *
info_generation(const struct pitot_gpu *gpu, char *text, size_t size);

/* Returns why a kind of query does not work. */
const char *
info_reason(void);

void
info_print_text(FILE *out, const struct info_device *info);

/* Prints any number of devices.  Returns 0 or -ENOMEM. */
int
info_print_json(FILE *out, const struct info_device *infos, unsigned count);

#endif /* PITOT_INFO_H */
