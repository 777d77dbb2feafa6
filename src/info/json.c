/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "info.h"

/* Functions return a new value, or NULL without memory, which the functions
 * that are given it pass on.
 */

static json_t *
calibration(const struct info_device *info)
{
   const struct pitot_drm_calibration *pair = &info->calibration;

   if (info->calibration_error != 0)
      return json_pack("{ss}", "error", strerror(-info->calibration_error));
   return json_pack("{sI sI sI sI}", "gpu_ticks", (json_int_t)pair->gpu_ticks,
                    "gpu_ns", (json_int_t)info->gpu_ns, "cpu_ns",
                    (json_int_t)pair->cpu_ns, "error_ns",
                    (json_int_t)pair->error_ns);
}

static json_t *
queries(const struct info_device *info)
{
   json_t *list = json_array();

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const int bits = (int)info->bits[kind];
      json_t *query =
         json_pack("{ss si ss*}", "name", pitot_kind_info(kind)->name, "bits",
                   bits, "reason", bits == 0 ? INFO_REASON : NULL);

      if (json_array_append_new(list, query) != 0) {
         json_decref(list);
         return NULL;
      }
   }
   return list;
}

static json_t *
device(const struct info_device *info)
{
   const struct pitot_drm_device *device = info->device;
   const struct pitot_gpu *gpu = &device->gpu;

   return json_pack("{ss ss s[iii] ss ss s{si si} s{si sI} so so}", "path",
                    info->path, "driver", device->driver, "version",
                    device->version[0], device->version[1],
                    device->version[2], "name", gpu->name, "generation",
                    info->generation, "pci", "vendor", (int)info->pci_vendor,
                    "device", (int)device->device_id, "timestamp", "bits",
                    (int)gpu->timestamp_bits, "hz",
                    (json_int_t)gpu->timestamp_hz, "calibration",
                    calibration(info), "queries", queries(info));
}

int
info_print_json(FILE *out, const struct info_device *infos, unsigned count)
{
   json_t *list = json_array();
   int result = list == NULL ? -1 : 0;

   for (unsigned i = 0; result == 0 && i < count; i++)
      result = json_array_append_new(list, device(&infos[i]));

   json_t *root = json_pack("{so}", "devices", list);
   if (result == 0 && root != NULL)
      result = json_dumpf(root, out, JSON_INDENT(2));
   json_decref(root);
   if (result != 0)
      return -ENOMEM;

   fputc('\n', out);
   return 0;
}
