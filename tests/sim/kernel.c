/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The kernel as a program sees it: files, ioctls and maps. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "drm-uapi/drm.h"
#include "sim_priv.h"

#define NODE "/dev/dri/renderD128"
#define FD   1000

#define MAX_ARGUMENT_B 512

static int
dispatch(struct sim *sim, unsigned long request, void *argument)
{
   sim_handler *const *handlers = sim->is_xe          ? sim_xe_ioctls
                                  : sim->gpu.is_intel ? sim_i915_ioctls
                                  : sim->gpu.is_amd   ? sim_amdgpu_ioctls
                                                      : sim_msm_ioctls;
   sim_handler *handle = sim_core_ioctls[_IOC_NR(request)];

   if (handle == NULL)
      handle = handlers[_IOC_NR(request)];
   return handle != NULL && _IOC_TYPE(request) == DRM_IOCTL_BASE
             ? handle(sim, argument)
             : -ENOTTY;
}

/* As in DRM, the size may be another kernel's: only the number counts. */
static int
handle_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   const size_t size_B = _IOC_SIZE(request);
   uint64_t copy[MAX_ARGUMENT_B / sizeof(uint64_t)] = { 0 };

   if (size_B > sizeof(copy))
      return -ENOTTY;
   memcpy(copy, argument, size_B);

   const int result = dispatch(sim, request, copy);
   if ((_IOC_DIR(request) & _IOC_READ) != 0)
      memcpy(argument, copy, size_B);
   return result;
}

/* Returns the error that a test wants, or 0. */
static int
planned_error(struct sim *sim)
{
   static _Thread_local unsigned interrupted;

   if (interrupted < sim->interruptions) {
      interrupted++;
      return EINTR;
   }
   interrupted = 0;
   sim->ioctl_count++;
   return sim->ioctl_count == sim->fail_ioctl_on ? sim->fail_errno : 0;
}

static int
io_ioctl(void *data, int fd, unsigned long request, void *argument)
{
   struct sim *sim = data;
   int result = fd == FD ? 0 : EBADF;

   pthread_mutex_lock(&sim->kernel->lock);
   if (result == 0)
      result = planned_error(sim);
   sim_go_on(sim);
   if (result == 0)
      result = -handle_ioctl(sim, request, argument);
   pthread_mutex_unlock(&sim->kernel->lock);

   if (result == 0)
      return 0;
   errno = result;
   return -1;
}

static int
io_open(void *data, const char *path, int flags)
{
   struct sim *sim = data;

   (void)flags;
   if (strcmp(path, NODE) != 0) {
      errno = ENOENT;
      return -1;
   }
   if (sim->open_errno != 0) {
      errno = sim->open_errno;
      return -1;
   }
   sim->open_count++;
   return FD;
}

static int
io_close(void *data, int fd)
{
   struct sim *sim = data;

   (void)fd;
   sim->open_count--;
   return 0;
}

/* The offset's page number is the handle. */
static void *
map(struct sim *sim, size_t size_B, off_t offset)
{
   struct sim_object *object =
      sim_object(sim, (uint32_t)(offset >> 12), SIM_BO);

   if (sim->mmap_errno != 0 || object == NULL || size_B > object->bo->size_B)
      return MAP_FAILED;
   object->bo->references++;
   sim->mapping_count++;
   return object->bo->memory;
}

static void *
io_mmap(void *data, size_t size_B, int protection, int flags, int fd,
        off_t offset)
{
   struct sim *sim = data;

   (void)protection, (void)flags, (void)fd;
   pthread_mutex_lock(&sim->kernel->lock);
   void *memory = map(sim, size_B, offset);
   pthread_mutex_unlock(&sim->kernel->lock);

   if (memory == MAP_FAILED)
      errno = sim->mmap_errno != 0 ? sim->mmap_errno : EINVAL;
   return memory;
}

static int
io_munmap(void *data, void *address, size_t size_B)
{
   struct sim *sim = data;

   (void)size_B;
   pthread_mutex_lock(&sim->kernel->lock);
   struct sim_bo *bo = sim_bo_at(sim, address);
   if (bo != NULL) {
      sim->mapping_count--;
      sim_bo_unreference(sim, bo);
   }
   pthread_mutex_unlock(&sim->kernel->lock);

   if (bo != NULL)
      return 0;
   errno = EINVAL;
   return -1;
}

struct sim *
sim_create(const char *name)
{
   struct sim *sim = sim_create_gpu(name);

   sim->is_timed = true;
   sim->is_xe = strcmp(sim->gpu.driver, "xe") == 0;
   sim->io = (struct pitot_drm_io){
      .open = io_open,
      .close = io_close,
      .ioctl = io_ioctl,
      .mmap = io_mmap,
      .munmap = io_munmap,
      .cpu_ns = sim_cpu_ns,
      .data = sim,
   };
   return sim;
}

void
sim_destroy(struct sim *sim)
{
   sim_complete(sim, SIM_MAX_SUBMISSIONS);
   sim_xe_finish(sim);
   for (uint32_t i = 1; i < sim->kernel->object_end; i++) {
      if (sim->kernel->objects[i].kind != SIM_NOTHING)
         sim_free_object(sim, i);
   }
   sim_destroy_gpu(sim);
}
