/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The kernel: files, handles, and syncobjs.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <drm.h>

#include "sim_priv.h"

#define NODE "/dev/dri/renderD128"
#define FD   1000

struct sim_object *
sim_object(struct sim *sim, uint32_t handle, enum sim_object_kind kind)
{
   if (handle == 0 || handle >= sim->kernel->object_end ||
       sim->kernel->objects[handle].kind != kind)
      return NULL;
   return &sim->kernel->objects[handle];
}

uint32_t
sim_new_object(struct sim *sim, enum sim_object_kind kind)
{
   for (uint32_t handle = 1; handle < SIM_MAX_OBJECTS; handle++) {
      struct sim_object *object = &sim->kernel->objects[handle];

      if (object->kind != SIM_NOTHING)
         continue;
      memset(object, 0, sizeof(*object));
      object->kind = kind;
      if (kind == SIM_CONTEXT)
         object->engines =
            calloc(SIM_MAX_ENGINES, sizeof(object->engines[0]));
      sim->object_count++;
      if (handle >= sim->kernel->object_end)
         sim->kernel->object_end = handle + 1;
      return handle;
   }
   return 0;
}

void
sim_free_object(struct sim *sim, uint32_t handle)
{
   struct sim_object *object = &sim->kernel->objects[handle];

   /* AMD: closing the last handle takes memory out of the address space. */
   if (object->kind == SIM_BO) {
      sim_space_remove_bo(sim, &sim->kernel->space, object->bo);
      sim_bo_unreference(sim, object->bo);
   }
   free(object->engines);
   object->engines = NULL;
   object->kind = SIM_NOTHING;
   sim->object_count--;
}

uint32_t
sim_new_bo(struct sim *sim, uint64_t size_B)
{
   const uint32_t handle = sim_new_object(sim, SIM_BO);

   if (handle != 0)
      sim->kernel->objects[handle].bo = sim_bo_create(sim, size_B);
   return handle;
}

uint32_t
sim_wrap_bo(struct sim *sim, void *memory, uint64_t size_B)
{
   const uint32_t handle = sim_new_object(sim, SIM_BO);

   if (handle != 0)
      sim->kernel->objects[handle].bo = sim_bo_wrap(sim, memory, size_B);
   return handle;
}

/* Copies as much as there is room for, and tells how long all of it is. */
static void
answer(const char *text, char *room, __kernel_size_t *length)
{
   const size_t all = strlen(text);

   if (room != NULL)
      memcpy(room, text, all < *length ? all : *length);
   *length = all;
}

static void
get_version(struct sim *sim, struct drm_version *version)
{
   version->version_major = sim->gpu.version[0];
   version->version_minor = sim->gpu.version[1];
   version->version_patchlevel = sim->gpu.version[2];
   answer(sim->gpu.driver, version->name, &version->name_len);
   answer("20200101", version->date, &version->date_len);
   answer("simulated", version->desc, &version->desc_len);
}

static int
free_handle(struct sim *sim, uint32_t handle, enum sim_object_kind kind)
{
   if (sim_object(sim, handle, kind) == NULL)
      return -EINVAL;
   sim_free_object(sim, handle);
   return 0;
}

static int
get_cap(struct drm_get_cap *cap)
{
   switch (cap->capability) {
   case DRM_CAP_SYNCOBJ:
      cap->value = 1;
      return 0;
   case DRM_CAP_PRIME:
      cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   default:
      cap->value = 0;
      return 0;
   }
}

static int
new_syncobj(struct sim *sim, struct drm_syncobj_create *create)
{
   create->handle = sim_new_object(sim, SIM_SYNCOBJ);
   if (create->handle == 0)
      return -ENOMEM;
   sim->kernel->objects[create->handle].has_fence =
      (create->flags & DRM_SYNCOBJ_CREATE_SIGNALED) != 0;
   return 0;
}

/* Signals them all, or takes their fences from them. */
static int
set_syncobjs(struct sim *sim, const struct drm_syncobj_array *array,
             bool is_signaled)
{
   const uint32_t *handles = (const uint32_t *)(uintptr_t)array->handles;

   for (unsigned i = 0; i < array->count_handles; i++) {
      struct sim_object *syncobj = sim_object(sim, handles[i], SIM_SYNCOBJ);

      if (syncobj == NULL)
         return -ENOENT;
      syncobj->has_fence = is_signaled;
      syncobj->fence = 0;
   }
   return 0;
}

static int
transfer_fence(struct sim *sim, const struct drm_syncobj_transfer *transfer)
{
   const struct sim_object *from =
      sim_object(sim, transfer->src_handle, SIM_SYNCOBJ);
   struct sim_object *to = sim_object(sim, transfer->dst_handle, SIM_SYNCOBJ);

   if (from == NULL || to == NULL)
      return -ENOENT;
   if (!from->has_fence)
      return -EINVAL;
   to->has_fence = true;
   to->fence = from->fence;
   return 0;
}

/* Of what another thread is to submit yet, time is over at once: the GPU has
 * none of its own.
 */
static int
wait_for_syncobjs(struct sim *sim, struct drm_syncobj_wait *wait)
{
   const uint32_t *handles = (const uint32_t *)(uintptr_t)wait->handles;
   const bool is_all = (wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0;
   const bool may_come =
      (wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) != 0;
   unsigned done = 0;

   for (unsigned i = 0; i < wait->count_handles; i++) {
      const struct sim_object *syncobj =
         sim_object(sim, handles[i], SIM_SYNCOBJ);

      if (syncobj == NULL)
         return -ENOENT;
      if (!syncobj->has_fence && !may_come)
         return -EINVAL;
      if (syncobj->has_fence &&
          sim_wait(sim, syncobj->fence, wait->timeout_nsec == 0)) {
         wait->first_signaled = i;
         done++;
      }
   }
   return done == wait->count_handles || (!is_all && done > 0) ? 0 : -ETIME;
}

int
sim_core_ioctl(struct sim *sim, unsigned long request, void *argument)
{
   if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
      return -ENOTTY;
   switch (_IOC_NR(request)) {
   case _IOC_NR(DRM_IOCTL_VERSION):
      get_version(sim, argument);
      return 0;
   case _IOC_NR(DRM_IOCTL_GET_CAP):
      return get_cap(argument);
   case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
      return free_handle(sim, ((struct drm_gem_close *)argument)->handle,
                         SIM_BO);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE):
      return new_syncobj(sim, argument);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_DESTROY):
      return free_handle(sim,
                         ((struct drm_syncobj_destroy *)argument)->handle,
                         SIM_SYNCOBJ);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_RESET):
      return set_syncobjs(sim, argument, false);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_SIGNAL):
      return set_syncobjs(sim, argument, true);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_TRANSFER):
      return transfer_fence(sim, argument);
   case _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT):
      return wait_for_syncobjs(sim, argument);
   default:
      return -ENOTTY;
   }
}

/* Returns an error that a test wants, or 0. */
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
   if (result == 0)
      result = -sim_ioctl(sim, request, argument);
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

/* The offset of a file to map at is the handle's number of the page. */
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

   sim->io = (struct pitot_drm_io){
      .open = io_open,
      .close = io_close,
      .ioctl = io_ioctl,
      .mmap = io_mmap,
      .munmap = io_munmap,
      .data = sim,
   };
   return sim;
}

void
sim_destroy(struct sim *sim)
{
   sim_complete(sim, SIM_MAX_SUBMISSIONS);
   for (uint32_t i = 0; i < sim->kernel->object_end; i++) {
      if (sim->kernel->objects[i].kind != SIM_NOTHING)
         sim_free_object(sim, i);
   }
   sim_destroy_gpu(sim);
}
