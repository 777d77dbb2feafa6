/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Identifies Intel GPUs through xe, the newer kernel driver.
 */

#include <errno.h>

#include "drm_priv.h"
#include "xe_uapi.h"

#define DEVICE_ID_MASK 0xffff

/* The largest reply, for which a page is more than enough. */
union answer {
   uint8_t memory[4096];
   struct xe_query_config config;
   struct xe_query_gts gts;
};

/* The first ioctl returns the size of the reply, the second one the reply. */
static int
query_device(const struct pitot_drm_device *device, uint32_t query,
             union answer *answer_out)
{
   struct xe_device_query request = { .query = query };
   const int result = pitot_drm_ioctl(device, XE_DEVICE_QUERY, &request);

   if (result != 0)
      return result;
   if (request.size_B > sizeof(*answer_out))
      return -EINVAL;
   *answer_out = (union answer){ 0 };
   request.data = pitot_drm_pointer(answer_out);
   return pitot_drm_ioctl(device, XE_DEVICE_QUERY, &request);
}

/* The frequency of the main GT's clock, or 0 */
static uint32_t
hz_of(const struct xe_query_gts *gts)
{
   for (uint32_t i = 0; i < gts->count; i++) {
      if (gts->gts[i].type == XE_GT_MAIN &&
          gts->gts[i].reference_clock_hz != 0)
         return gts->gts[i].reference_clock_hz;
   }
   return 0;
}

static int
xe_probe(struct pitot_drm_device *device,
         char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct pitot_clock_reading reading;
   union answer answer;
   int result = pitot_xe_read_clock(device->io, device->fd, &reading);

   if (result != 0)
      return pitot_drm_fail(message, result, "xe does not read the clock");

   result = query_device(device, XE_DEVICE_QUERY_CONFIG, &answer);
   if (result != 0)
      return pitot_drm_fail(message, result,
                            "xe does not say which GPU it is");
   result = pitot_drm_intel_identify(device,
                                     answer.config.info[XE_CONFIG_DEVICE_ID] &
                                        DEVICE_ID_MASK,
                                     PITOT_DRM_GEN30, reading.bits, message);
   if (result != 0)
      return result;

   result = query_device(device, XE_DEVICE_QUERY_GTS, &answer);
   if (result == 0)
      device->gpu.timestamp_hz = hz_of(&answer.gts);
   if (result == 0 && device->gpu.timestamp_hz == 0)
      result = -EINVAL;
   if (result != 0)
      return pitot_drm_fail(message, result,
                            "xe does not say how fast its clock is");
   return 0;
}

const struct pitot_drm_family pitot_drm_xe = {
   .driver = "xe",
   .probe = xe_probe,
   .read_clock = pitot_xe_read_clock,
};
