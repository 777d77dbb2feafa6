/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Finding a device, and saying why one is of no use.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm.h>

#include "drm_priv.h"

/* The kernel's minors of render nodes. */
#define FIRST_RENDER_NODE 128
#define RENDER_NODE_COUNT 64

#define PATH_SIZE 32

static const struct pitot_drm_family *const families[] = {
   &pitot_drm_i915,
   &pitot_drm_amdgpu,
};

#define FAMILY_COUNT (sizeof(families) / sizeof(families[0]))

int
pitot_drm_ioctl(const struct pitot_drm_device *device, unsigned long request,
                void *argument)
{
   const struct pitot_drm_io *io = device->io;
   int result;

   do {
      result = io->ioctl(io->data, device->fd, request, argument);
   } while (result == -1 && (errno == EINTR || errno == EAGAIN));

   return result == -1 ? -errno : 0;
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

/* Asks which of the kernel's drivers it is. */
static int
read_version(struct pitot_drm_device *device)
{
   struct drm_version version = {
      .name = device->driver,
      .name_len = sizeof(device->driver) - 1,
   };
   const int result = pitot_drm_ioctl(device, DRM_IOCTL_VERSION, &version);

   if (result != 0)
      return result;

   device->version[0] = version.version_major;
   device->version[1] = version.version_minor;
   device->version[2] = version.version_patchlevel;
   return 0;
}

static int
recognise(struct pitot_drm_device *device,
          char message[PITOT_DRM_MESSAGE_SIZE])
{
   const int result = read_version(device);

   if (result != 0) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE, "not a GPU (%s)",
               strerror(-result));
      return result;
   }

   device->family = find_family(device->driver);
   if (device->family == NULL) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE,
               "the kernel's driver is %s, and Pitot knows i915 and amdgpu",
               device->driver);
      return -ENODEV;
   }
   return device->family->probe(device, message);
}

int
pitot_drm_open_fd(const struct pitot_drm_io *io, int fd,
                  struct pitot_drm_device **device_out,
                  char message[PITOT_DRM_MESSAGE_SIZE])
{
   struct pitot_drm_device *device = calloc(1, sizeof(*device));

   if (device == NULL) {
      snprintf(message, PITOT_DRM_MESSAGE_SIZE, "out of memory");
      return -ENOMEM;
   }
   device->io = io;
   device->fd = fd;

   const int result = recognise(device, message);
   if (result != 0) {
      free(device);
      return result;
   }

   *device_out = device;
   return 0;
}

static void
say_not_opened(int error, char message[PITOT_DRM_MESSAGE_SIZE])
{
   const char *remedy = "";

   if (error == EACCES || error == EPERM)
      remedy = ": join the group that owns it (render, or video)";
   snprintf(message, PITOT_DRM_MESSAGE_SIZE, "%s%s", strerror(error), remedy);
}

/* Opens a path that is not NULL; the message has no path in it yet. */
static int
open_path(const struct pitot_drm_io *io, const char *path,
          struct pitot_drm_device **device_out,
          char message[PITOT_DRM_MESSAGE_SIZE])
{
   const int fd = io->open(io->data, path, O_RDWR | O_CLOEXEC);

   if (fd == -1) {
      const int error = errno;
      say_not_opened(error, message);
      return -error;
   }

   const int result = pitot_drm_open_fd(io, fd, device_out, message);
   if (result != 0) {
      io->close(io->data, fd);
      return result;
   }
   (*device_out)->owns_fd = true;
   return 0;
}

/* Puts the path before a message, which is cut where there is no room. */
static void
put_path_first(const char *path, char message[PITOT_DRM_MESSAGE_SIZE])
{
   char line[2 * PITOT_DRM_MESSAGE_SIZE];

   snprintf(line, sizeof(line), "%.*s: %s", PITOT_DRM_MESSAGE_SIZE - 3, path,
            message);
   line[PITOT_DRM_MESSAGE_SIZE - 1] = '\0';
   memcpy(message, line, PITOT_DRM_MESSAGE_SIZE);
}

/* Opens the first render node of use.  Where there is none, the first that
 * is there says why.
 */
static int
open_first(const struct pitot_drm_io *io,
           struct pitot_drm_device **device_out,
           char message[PITOT_DRM_MESSAGE_SIZE])
{
   int first_error = -ENOENT;

   snprintf(message, PITOT_DRM_MESSAGE_SIZE,
            "no GPU: there is no /dev/dri/renderD*; is its driver loaded in "
            "the kernel?");

   for (unsigned i = 0; i < RENDER_NODE_COUNT; i++) {
      char path[PATH_SIZE];
      char reason[PITOT_DRM_MESSAGE_SIZE];

      snprintf(path, sizeof(path), "/dev/dri/renderD%u",
               FIRST_RENDER_NODE + i);
      const int result = open_path(io, path, device_out, reason);
      if (result == 0)
         return 0;
      if (result == -ENOENT || first_error != -ENOENT)
         continue;

      first_error = result;
      put_path_first(path, reason);
      memcpy(message, reason, sizeof(reason));
   }
   return first_error;
}

int
pitot_drm_open(const struct pitot_drm_io *io, const char *path,
               struct pitot_drm_device **device_out,
               char message[PITOT_DRM_MESSAGE_SIZE])
{
   if (path == NULL)
      return open_first(io, device_out, message);

   const int result = open_path(io, path, device_out, message);
   if (result != 0)
      put_path_first(path, message);
   return result;
}

void
pitot_drm_close(struct pitot_drm_device *device)
{
   if (device == NULL)
      return;

   if (device->owns_fd)
      device->io->close(device->io->data, device->fd);
   free(device);
}

int
pitot_drm_timestamp(struct pitot_drm_device *device, uint64_t *ticks_out)
{
   return device->family->timestamp(device, ticks_out);
}

int
pitot_drm_context_create(struct pitot_drm_device *device,
                         struct pitot_cs **cs_out)
{
   return device->family->context_create(device, cs_out);
}
