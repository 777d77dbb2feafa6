/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <string.h>

#include "info.h"

#include "pitot/clock.h"

#define NS_PER_S UINT64_C(1000000000)

/* Seconds and nanoseconds, with all their digits. */
#define SECONDS PRIu64 ".%09" PRIu64

static void
print_timestamp(FILE *out, const struct pitot_gpu *gpu)
{
   const uint64_t last_ticks = UINT64_MAX >> (64 - gpu->timestamp_bits);

   fprintf(out,
           "  timestamp  %u bits at %" PRIu64 " Hz, wraps after %" PRIu64
           " s\n",
           gpu->timestamp_bits, gpu->timestamp_hz,
           pitot_ticks_to_ns(last_ticks, gpu->timestamp_hz) / NS_PER_S);
}

static void
print_calibration(FILE *out, const struct info_device *info)
{
   const struct pitot_drm_calibration *pair = &info->calibration;

   if (info->calibration_error != 0) {
      fprintf(out, "  clock      cannot be read: %s\n",
              strerror(-info->calibration_error));
      return;
   }
   fprintf(out,
           "  clock      %" SECONDS " s when CLOCK_MONOTONIC is %" SECONDS
           " s, +- %" PRIu64 " ns\n",
           info->gpu_ns / NS_PER_S, info->gpu_ns % NS_PER_S,
           pair->cpu_ns / NS_PER_S, pair->cpu_ns % NS_PER_S, pair->error_ns);
}

static void
print_queries(FILE *out, const struct info_device *info)
{
   fprintf(out, "  queries\n");
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const char *name = pitot_kind_info(kind)->name;

      if (info->bits[kind] != 0)
         fprintf(out, "    %-34s %2u bit%s\n", name, info->bits[kind],
                 info->bits[kind] == 1 ? "" : "s");
      else
         fprintf(out, "    %-34s no: %s\n", name, INFO_REASON);
   }
}

void
info_print_text(FILE *out, const struct info_device *info)
{
   const struct pitot_drm_device *device = info->device;

   fprintf(out, "%s: %s, %s, %04x:%04x\n", info->path, device->gpu.name,
           info->generation, info->pci_vendor, device->device_id);
   fprintf(out, "  driver     %s %d.%d.%d\n", device->driver,
           device->version[0], device->version[1], device->version[2]);
   print_timestamp(out, &device->gpu);
   print_calibration(out, info);
   print_queries(out, info);
}
