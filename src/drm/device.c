/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Devices: finds and opens render nodes and reads their clocks.
 * Invariant: after a failure, message has one line with reason and remedy.
 * Danger: open_named() alone puts the path in front of the message.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drm_priv.h"
#include "pitot_clock.h"

/* Minors of render nodes. */
#define FIRST_RENDER_NODE 128
#define RENDER_NODE_COUNT 64

#define PATH_SIZE 32

#define CALIBRATION_COUNT 16

struct device {
   struct pitot_drm_device base;
   struct pitot_clock clock;
};

static const struct pitot_drm_family *const families[] = {
   &pitot_drm_i915,
   &pitot_drm_xe,
   &pitot_drm_amdgpu,
   &pitot_drm_msm,
};

#define FAMILY_COUNT (sizeof(families) / sizeof(families[0]))

int
pitot_drm_ioctl(const struct pitot_drm_device *device, unsigned long request,
                void *argument)
{
   return pitot_drm_call(device->io, device->fd, request, argument);
}

int
pitot_drm_fail(char message[PITOT_DRM_MESSAGE_SIZE], int error,
               const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(message, PITOT_DRM_MESSAGE_SIZE, format, arguments);
   va_end(arguments);
   return error;
}

static const struct pitot_drm_family *
find_family(const char *driver)
{
   for (unsigned i = 0; i < FAMILY_COUNT; i++) {
      if (strcmp(families[i]->driver, driver) == 0)
         return families[i];
   }
   return NULL;
}

static int
identify_device(struct pitot_drm_device *device,
                char message[PITOT_DRM_MESSAGE_SIZE])
{
   const int result =
      pitot_drm_read_version(device->io, device->fd, &device->kernel);

   if (result != 0)
      return pitot_drm_fail(message, result, "not a GPU (%s)",
                            strerror(-result));

   device->family = find_family(device->kernel.driver);
   if (device->family == NULL) {
      return pitot_drm_fail(message, -ENODEV,
                            "the kernel's driver is %s, and Pitot knows "
                            "i915, xe, amdgpu and msm",
                            device->kernel.driver);
   }
   return device->family->probe(device, message);
}

static int
read_clock(void *data, struct pitot_clock_reading *reading_out)
{
   const struct pitot_drm_device *device = data;

   return device->family->read_clock(device->io, device->fd, reading_out);
}

static int
open_file(const struct pitot_drm_io *io, const char *path,
          char message[PITOT_DRM_MESSAGE_SIZE])
{
   const int fd = io->open(io->data, path, O_RDWR | O_CLOEXEC);
   const int error = errno;
   const bool is_denied = error == EACCES || error == EPERM;

   if (fd != -1)
      return fd;
   return pitot_drm_fail(
      message, -error, "%s%s", strerror(error),
      is_denied ? ": join the group that owns it (render, or video)" : "");
}

static int
open_path(const struct pitot_drm_io *io, const char *path,
          struct device *device, char message[PITOT_DRM_MESSAGE_SIZE])
{
   if (device == NULL)
      return pitot_drm_fail(message, -ENOMEM, "out of memory");

   const int fd = open_file(io, path, message);
   if (fd < 0)
      return fd;
   device->base.io = io;
   device->base.fd = fd;
   const int result = identify_device(&device->base, message);
   if (result != 0) {
      io->close(io->data, fd);
      return result;
   }
   pitot_clock_init(&device->clock,
                    &(struct pitot_clock_info){
                       .width_bits = device->base.gpu.timestamp_bits,
                       .frequency_hz = device->base.gpu.timestamp_hz,
                       .read = read_clock,
                       .data = &device->base,
                       .cpu_ns = io->cpu_ns,
                    });
   device->base.clock = &device->clock;
   snprintf(device->base.path, sizeof(device->base.path), "%s", path);
   return 0;
}

/* open_path() with the path in front of the message. */
static int
open_named(const struct pitot_drm_io *io, const char *path,
           struct pitot_drm_device **device_out,
           char message[PITOT_DRM_MESSAGE_SIZE])
{
   char reason[PITOT_DRM_MESSAGE_SIZE];
   struct device *device = calloc(1, sizeof(*device));
   const int result = open_path(io, path, device, reason);

   if (result == 0) {
      *device_out = &device->base;
      return 0;
   }
   free(device);
   return pitot_drm_fail(message, result, "%s: %s", path, reason);
}

int
pitot_drm_open_next(const struct pitot_drm_io *io, unsigned *index_inout,
                    struct pitot_drm_device **device_out,
                    char message[PITOT_DRM_MESSAGE_SIZE])
{
   while (*index_inout < RENDER_NODE_COUNT) {
      char node[PATH_SIZE];

      snprintf(node, sizeof(node), "/dev/dri/renderD%u",
               FIRST_RENDER_NODE + (*index_inout)++);
      const int result = open_named(io, node, device_out, message);
      if (result != -ENOENT)
         return result;
   }
   return pitot_drm_fail(message, -ENOENT,
                         "no GPU: there is no /dev/dri/renderD*; is its "
                         "driver loaded in the kernel?");
}

int
pitot_drm_open(const struct pitot_drm_io *io, const char *path,
               struct pitot_drm_device **device_out,
               char message[PITOT_DRM_MESSAGE_SIZE])
{
   char reason[PITOT_DRM_MESSAGE_SIZE];
   unsigned index = 0;

   if (path != NULL)
      return open_named(io, path, device_out, message);

   /* The first GPU that opens, or the first reason why none does. */
   const int first = pitot_drm_open_next(io, &index, device_out, message);
   int result = first;
   while (result != 0 && result != -ENOENT)
      result = pitot_drm_open_next(io, &index, device_out, reason);
   return result == 0 ? 0 : first;
}

void
pitot_drm_close(struct pitot_drm_device *device)
{
   if (device == NULL)
      return;

   device->io->close(device->io->data, device->fd);
   pitot_clock_finish(device->clock);
   free(device);
}

int
pitot_drm_timestamp(struct pitot_drm_device *device, uint64_t *ticks_out)
{
   struct pitot_clock_reading reading;
   const int result = read_clock(device, &reading);

   if (result == 0)
      *ticks_out = reading.ticks;
   return result;
}

static uint64_t
cpu_time_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (uint64_t)now.tv_sec * PITOT_NS_PER_S + (uint64_t)now.tv_nsec;
}

/* Reads the GPU's clock between two reads of the CPU's clock, by the kernel
 * or by us.  The middle of the two is wrong by at most half of the time
 * between them.
 */
static int
read_both_clocks(struct pitot_drm_device *device,
                 struct pitot_drm_calibration *pair)
{
   struct pitot_clock_reading reading;
   const uint64_t before_ns = cpu_time_ns();
   const int result = read_clock(device, &reading);
   const uint64_t after_ns = cpu_time_ns();

   if (result != 0)
      return result;
   if (reading.after_ns == 0) {
      reading.before_ns = before_ns;
      reading.after_ns = after_ns;
   }

   const uint64_t between_ns = reading.after_ns - reading.before_ns;
   *pair = (struct pitot_drm_calibration){
      .gpu_ticks = reading.ticks,
      .cpu_ns = reading.before_ns + between_ns / 2,

      /* The GPU's own clock is exact to one of its ticks. */
      .error_ns =
         (between_ns + 1) / 2 + PITOT_NS_PER_S / device->gpu.timestamp_hz + 1,
   };
   return 0;
}

/* The pair with the smallest error: an interrupt makes others worse. */
int
pitot_drm_calibrate(struct pitot_drm_device *device,
                    struct pitot_drm_calibration *calibration_out)
{
   struct pitot_drm_calibration best = { .error_ns = UINT64_MAX };

   for (unsigned i = 0; i < CALIBRATION_COUNT; i++) {
      struct pitot_drm_calibration pair;
      const int result = read_both_clocks(device, &pair);

      if (result != 0)
         return result;
      if (pair.error_ns < best.error_ns)
         best = pair;
   }

   *calibration_out = best;
   return 0;
}
