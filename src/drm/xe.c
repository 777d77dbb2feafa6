/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * An Intel GPU through xe, the newer one of the kernel's drivers: its facts
 * and its time.
 */

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "intel.h"
#include "xe_uapi.h"

#define DEVICE_ID_MASK 0xffff
#define NS_PER_S       UINT64_C(1000000000)

/* Asks about the GPU.  Returns memory with the answer, to be freed, or NULL
 * and the error.
 */
static void *
ask(const struct pitot_drm_device *device, uint32_t query, int *error_out)
{
   struct xe_device_query request = { .query = query };

   *error_out = pitot_drm_ioctl(device, XE_DEVICE_QUERY, &request);
   if (*error_out != 0)
      return NULL;

   void *answer = calloc(1, request.size_B);
   if (answer == NULL) {
      *error_out = -ENOMEM;
      return NULL;
   }
   request.data = pitot_drm_pointer(answer);
   *error_out = pitot_drm_ioctl(device, XE_DEVICE_QUERY, &request);
   if (*error_out == 0)
      return answer;
   free(answer);
   return NULL;
}

/* Reads the render engine's clock, after the CPU's CLOCK_MONOTONIC. */
static int
read_cycles(const struct pitot_drm_device *device,
            struct xe_engine_cycles *cycles_out)
{
   struct xe_device_query request = {
      .query = XE_DEVICE_QUERY_ENGINE_CYCLES,
      .size_B = sizeof(*cycles_out),
      .data = pitot_drm_pointer(cycles_out),
   };

   *cycles_out = (struct xe_engine_cycles){
      .engine.engine_class = XE_ENGINE_RENDER,
      .clock_id = CLOCK_MONOTONIC,
   };
   const int result = pitot_drm_ioctl(device, XE_DEVICE_QUERY, &request);
   if (result != 0)
      return result;
   if (cycles_out->width == 0 || cycles_out->width > 64)
      return -EINVAL;
   cycles_out->engine_cycles &= UINT64_MAX >> (64 - cycles_out->width);
   return 0;
}

/* Returns the frequency of the clock, or 0 and the error. */
static uint64_t
read_hz(const struct pitot_drm_device *device, int *error_out)
{
   struct xe_query_gts *gts = ask(device, XE_DEVICE_QUERY_GTS, error_out);
   uint64_t hz = 0;

   if (gts == NULL)
      return 0;
   for (uint32_t i = 0; i < gts->count && hz == 0; i++) {
      if (gts->gts[i].type == XE_GT_MAIN)
         hz = gts->gts[i].reference_clock_hz;
   }
   free(gts);
   *error_out = hz != 0 ? 0 : -EINVAL;
   return hz;
}

static int
identify(struct pitot_drm_device *device, unsigned timestamp_bits,
         char message[PITOT_DRM_MESSAGE_SIZE])
{
   int error;
   struct xe_query_config *config =
      ask(device, XE_DEVICE_QUERY_CONFIG, &error);

   if (config == NULL)
      return pitot_drm_fail(message, error,
                            "xe does not say which GPU it is");

   const unsigned device_id =
      config->info[XE_CONFIG_DEVICE_ID] & DEVICE_ID_MASK;
   free(config);
   return pitot_drm_intel_identify(device, device_id, GENERATION_20,
                                   timestamp_bits, message);
}

static int
probe(struct pitot_drm_device *device, char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct xe_engine_cycles cycles;
   int error = read_cycles(device, &cycles);

   if (error != 0)
      return pitot_drm_fail(message, error, "xe does not read the clock");
   const int result = identify(device, cycles.width, message);
   if (result != 0)
      return result;
   device->gpu.timestamp_hz = read_hz(device, &error);
   return error == 0
             ? 0
             : pitot_drm_fail(message, error,
                              "xe does not say how fast its clock is");
}

static int
timestamp(struct pitot_drm_device *device, uint64_t *ticks_out)
{
   struct xe_engine_cycles cycles;
   const int result = read_cycles(device, &cycles);

   if (result == 0)
      *ticks_out = cycles.engine_cycles;
   return result;
}

/* The kernel reads the CPU's clock before the GPU's, and again after it: at
 * some moment in between.
 */
static int
correlate(struct pitot_drm_device *device,
          struct pitot_drm_calibration *pair_out)
{
   struct xe_engine_cycles cycles;
   const int result = read_cycles(device, &cycles);
   const uint64_t tick_ns = NS_PER_S / device->gpu.timestamp_hz + 1;

   if (result == 0)
      *pair_out = (struct pitot_drm_calibration){
         .gpu_ticks = cycles.engine_cycles,
         .cpu_ns = cycles.cpu_ns + cycles.cpu_delta_ns / 2,
         .error_ns = (cycles.cpu_delta_ns + 1) / 2 + tick_ns,
      };
   return result;
}

const struct pitot_drm_family pitot_drm_xe = {
   .driver = "xe",
   .probe = probe,
   .timestamp = timestamp,
   .correlate = correlate,
};
