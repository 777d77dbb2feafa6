/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The system's own calls.
 */

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xf86drm.h>

#include "pitot/drm.h"

static int
system_open(void *data, const char *path, int flags)
{
   (void)data;
   return open(path, flags);
}

static int
system_close(void *data, int fd)
{
   (void)data;
   return close(fd);
}

static int
system_ioctl(void *data, int fd, unsigned long request, void *argument)
{
   (void)data;
   return drmIoctl(fd, request, argument);
}

static void *
system_mmap(void *data, size_t size_B, int protection, int flags, int fd,
            off_t offset)
{
   (void)data;
   return mmap(NULL, size_B, protection, flags, fd, offset);
}

static int
system_munmap(void *data, void *address, size_t size_B)
{
   (void)data;
   return munmap(address, size_B);
}

const struct pitot_drm_io pitot_drm_system = {
   .open = system_open,
   .close = system_close,
   .ioctl = system_ioctl,
   .mmap = system_mmap,
   .munmap = system_munmap,
};
