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

#include "drm_priv.h"
#include "xe_uapi.h"

#define DEVICE_ID_MASK 0xffff

/* Asks about the GPU.  Returns memory with the answer, to be freed, or NULL
 * and the error.
 */
static void *
ask_kernel(const struct pitot_drm_device *device, uint32_t query,
           int *error_out)
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

/* Returns the frequency of the clock, or 0 and the error. */
static uint64_t
read_hz(const struct pitot_drm_device *device, int *error_out)
{
   struct xe_query_gts *gts =
      ask_kernel(device, XE_DEVICE_QUERY_GTS, error_out);
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
      ask_kernel(device, XE_DEVICE_QUERY_CONFIG, &error);

   if (config == NULL)
      return pitot_drm_fail(message, error,
                            "xe does not say which GPU it is");

   const unsigned device_id =
      config->info[XE_CONFIG_DEVICE_ID] & DEVICE_ID_MASK;
   free(config);
   return pitot_drm_intel_identify(device, device_id, PITOT_DRM_GEN20,
                                   timestamp_bits, message);
}

static int
probe(struct pitot_drm_device *device, char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct pitot_clock_reading reading;
   int error = pitot_xe_read_clock(device->io, device->fd, &reading);

   if (error != 0)
      return pitot_drm_fail(message, error, "xe does not read the clock");
   const int result = identify(device, reading.bits, message);
   if (result != 0)
      return result;
   device->gpu.timestamp_hz = read_hz(device, &error);
   return error == 0
             ? 0
             : pitot_drm_fail(message, error,
                              "xe does not say how fast its clock is");
}

const struct pitot_drm_family pitot_drm_xe = {
   .driver = "xe",
   .probe = probe,
   .read_clock = pitot_xe_read_clock,
};
