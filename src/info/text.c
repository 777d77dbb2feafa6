/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <string.h>

#include "info.h"

#include "pitot/clock.h"

#define TEXT_SIZE 16

#define NS_PER_S UINT64_C(1000000000)

/* Prints nanoseconds as seconds, with all their digits. */
static void
print_seconds(FILE *out, uint64_t time_ns)
{
   fprintf(out, "%" PRIu64 ".%09" PRIu64 " s", time_ns / NS_PER_S,
           time_ns % NS_PER_S);
}

static void
print_timestamp(FILE *out, const struct pitot_gpu *gpu)
{
   const uint64_t last_ticks = UINT64_MAX >> (64 - gpu->timestamp_bits);

   fprintf(out, "  timestamp  %u bits at %" PRIu64 " Hz, wraps after ",
           gpu->timestamp_bits, gpu->timestamp_hz);
   fprintf(out, "%" PRIu64 " s\n",
           pitot_ticks_to_ns(last_ticks, gpu->timestamp_hz) / NS_PER_S);
}

static void
print_calibration(FILE *out, const struct info_device *info)
{
   const struct pitot_drm_calibration *pair = &info->calibration;

   fprintf(out, "  clock      ");
   if (info->calibration_error != 0) {
      fprintf(out, "cannot be read: %s\n",
              strerror(-info->calibration_error));
      return;
   }
   print_seconds(out, pitot_ticks_to_ns(pair->gpu_ticks,
                                        info->device->gpu.timestamp_hz));
   fprintf(out, " when CLOCK_MONOTONIC is ");
   print_seconds(out, pair->cpu_ns);
   fprintf(out, ", +- %" PRIu64 " ns\n", pair->error_ns);
}

static void
print_queries(FILE *out, const struct info_device *info)
{
   if (info->query_error != 0) {
      fprintf(out, "  queries    no context can be made: %s\n",
              strerror(-info->query_error));
      return;
   }
   fprintf(out, "  queries\n");
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const char *name = pitot_kind_info(kind)->name;

      if (info->bits[kind] != 0)
         fprintf(out, "    %-34s %2u bit%s\n", name, info->bits[kind],
                 info->bits[kind] == 1 ? "" : "s");
      else
         fprintf(out, "    %-34s no: %s\n", name, info_reason());
   }
}

void
info_print_text(FILE *out, const struct info_device *info)
{
   const struct pitot_drm_device *device = info->device;
   char generation[TEXT_SIZE];

   fprintf(out, "%s: %s, %s, %04x:%04x\n", info->path, device->gpu.name,
           info_generation(&device->gpu, generation, sizeof(generation)),
           device->gpu.vendor == PITOT_VENDOR_INTEL ? 0x8086u : 0x1002u,
           device->device_id);
   fprintf(out, "  driver     %s %d.%d.%d\n", device->driver,
           device->version[0], device->version[1], device->version[2]);
   print_timestamp(out, &device->gpu);
   print_calibration(out, info);
   print_queries(out, info);
}
