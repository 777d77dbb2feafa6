/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Handles, and the ioctls of all drivers. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>

#include "drm-uapi/drm.h"
#include "sim_priv.h"

#define NS_PER_S UINT64_C(1000000000)

static struct sim_engine_state *
new_engines(struct sim *sim)
{
   struct sim_engine_state *engines =
      calloc(SIM_MAX_ENGINES, sizeof(engines[0]));

   for (unsigned i = 0; i < SIM_MAX_ENGINES; i++)
      sim_begin_counters(&engines[i].counters, sim->kernel->context_count);
   sim->kernel->context_count++;
   return engines;
}

struct sim_object *
sim_object(struct sim *sim, uint32_t handle, enum sim_object_kind kind)
{
   if (handle == 0 || handle >= sim->kernel->object_end ||
       sim->kernel->objects[handle].kind != kind)
      return NULL;
   return &sim->kernel->objects[handle];
}

/* Grows with the objects, because tests have a simulator each. */
static void
make_room(struct sim_kernel *kernel, uint32_t handle)
{
   if (handle < kernel->object_end)
      return;
   if ((handle & (handle - 1)) == 0)
      kernel->objects =
         realloc(kernel->objects, 2 * handle * sizeof(kernel->objects[0]));
   kernel->object_end = handle + 1;
}

int
sim_create_object(struct sim *sim, enum sim_object_kind kind,
                  uint32_t *handle_out)
{
   struct sim_kernel *kernel = sim->kernel;
   uint32_t handle = 1;

   while (handle < kernel->object_end &&
          kernel->objects[handle].kind != SIM_NOTHING)
      handle++;
   *handle_out = 0;
   if (handle == SIM_MAX_OBJECTS)
      return -ENOMEM;
   make_room(kernel, handle);
   kernel->objects[handle] = (struct sim_object){ .kind = kind };
   if (kind == SIM_CONTEXT)
      kernel->objects[handle].engines = new_engines(sim);
   sim->object_count++;
   *handle_out = handle;
   return 0;
}

void
sim_free_object(struct sim *sim, uint32_t handle)
{
   struct sim_object *object = &sim->kernel->objects[handle];

   /* AMD: closing the last handle removes memory from the address space. */
   if (object->kind == SIM_BO) {
      sim_space_remove_bo(sim, &sim->kernel->space, object->bo);
      sim_bo_unreference(sim, object->bo);
   }
   if (object->kind == SIM_SPACE)
      sim_space_clear(sim, &object->space);
   free(object->engines);
   object->engines = NULL;
   object->kind = SIM_NOTHING;
   sim->object_count--;
}

int
sim_create_bo(struct sim *sim, void *memory, uint64_t size_B,
              uint32_t *handle_out)
{
   const int result = sim_create_object(sim, SIM_BO, handle_out);

   if (result == 0)
      sim->kernel->objects[*handle_out].bo =
         sim_bo_create(sim, memory, size_B);
   return result;
}

int
sim_close(struct sim *sim, uint32_t handle, enum sim_object_kind kind,
          int error)
{
   if (sim_object(sim, handle, kind) == NULL)
      return error;
   sim_free_object(sim, handle);
   return 0;
}

/* The offset's page number is the handle: see io_mmap(). */
int
sim_map_offset(struct sim *sim, uint32_t handle,
               unsigned long long *offset_out)
{
   if (sim_object(sim, handle, SIM_BO) == NULL)
      return -ENOENT;
   *offset_out = (unsigned long long)handle << 12;
   return 0;
}

int
sim_use_syncobj(struct sim *sim, uint32_t handle, bool is_signal)
{
   struct sim_object *syncobj = sim_object(sim, handle, SIM_SYNCOBJ);

   if (syncobj == NULL)
      return -ENOENT;
   if (is_signal)
      sim_set_fence(syncobj, sim->kernel->submitted + 1);
   return syncobj->has_fence ? 0 : -EINVAL;
}

int
sim_do_nothing(struct sim *sim, void *argument)
{
   (void)sim, (void)argument;
   return 0;
}

/* Copies what fits; *length becomes the whole length. */
static void
answer(const char *text, char *room, __kernel_size_t *length)
{
   const size_t all = strlen(text);

   if (room != NULL)
      memcpy(room, text, all < *length ? all : *length);
   *length = all;
}

static int
get_version(struct sim *sim, void *argument)
{
   struct drm_version *version = argument;

   version->version_major = sim->gpu.version[0];
   version->version_minor = sim->gpu.version[1];
   version->version_patchlevel = sim->gpu.version[2];
   answer(sim->is_xe ? "xe" : sim->gpu.driver, version->name,
          &version->name_len);
   answer("20200101", version->date, &version->date_len);
   answer("simulated", version->desc, &version->desc_len);
   return 0;
}

static int
close_bo(struct sim *sim, void *argument)
{
   sim->untimely_count += sim->gpu.is_adreno;
   return sim_close(sim, ((struct drm_gem_close *)argument)->handle, SIM_BO,
                    -EINVAL);
}

static int
get_cap(struct sim *sim, void *argument)
{
   struct drm_get_cap *cap = argument;

   (void)sim;
   cap->value = 0;
   if (cap->capability == DRM_CAP_SYNCOBJ)
      cap->value = 1;
   else if (cap->capability == DRM_CAP_PRIME)
      cap->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
   return 0;
}

static int
create_syncobj(struct sim *sim, void *argument)
{
   struct drm_syncobj_create *create = argument;
   const int result = sim_create_object(sim, SIM_SYNCOBJ, &create->handle);

   if (result == 0)
      sim->kernel->objects[create->handle].has_fence =
         (create->flags & DRM_SYNCOBJ_CREATE_SIGNALED) != 0;
   return result;
}

static int
destroy_syncobj(struct sim *sim, void *argument)
{
   sim->untimely_count++;
   return sim_close(sim, ((struct drm_syncobj_destroy *)argument)->handle,
                    SIM_SYNCOBJ, -EINVAL);
}

/* Signals syncobjs, or removes their fences. */
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
reset_syncobjs(struct sim *sim, void *argument)
{
   return set_syncobjs(sim, argument, false);
}

static int
signal_syncobjs(struct sim *sim, void *argument)
{
   return set_syncobjs(sim, argument, true);
}

static int
transfer_fence(struct sim *sim, void *argument)
{
   const struct drm_syncobj_transfer *transfer = argument;
   const struct sim_object *from =
      sim_object(sim, transfer->src_handle, SIM_SYNCOBJ);
   struct sim_object *to = sim_object(sim, transfer->dst_handle, SIM_SYNCOBJ);

   if (from == NULL || to == NULL)
      return -ENOENT;
   if (!from->has_fence)
      return -EINVAL;
   sim_set_fence(to, from->fence);
   return 0;
}

/* Exports a fence as a file that is never polled. */
static int
export_fence(struct sim *sim, void *argument)
{
   struct drm_syncobj_handle *export = argument;
   const struct sim_object *syncobj =
      sim_object(sim, export->handle, SIM_SYNCOBJ);

   if (syncobj == NULL)
      return -ENOENT;
   if ((export->flags & DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE) == 0)
      return -EINVAL;
   export->fd = eventfd(0, EFD_CLOEXEC);
   return export->fd >= 0 ? 0 : -errno;
}

/* radeonsi polls with 1 ns, which has passed when a real kernel checks. */
bool
sim_is_past(uint64_t time_ns)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return time_ns <= now.tv_sec * NS_PER_S + now.tv_nsec + 1;
}

/* Whether a point is signaled; -EINVAL: no fence, -ENOENT: no syncobj. */
static int
wait_for_syncobj(struct sim *sim, uint32_t handle, uint64_t point,
                 bool is_poll)
{
   const struct sim_object *syncobj = sim_object(sim, handle, SIM_SYNCOBJ);

   if (syncobj == NULL)
      return -ENOENT;
   if (!syncobj->has_fence || point > syncobj->point)
      return -EINVAL;
   return sim_wait(sim, syncobj->fence, is_poll) &&
          sim_xe_wait_bind(sim, handle, point, is_poll);
}

/* A wait for a future submission times out, since the GPU has no time of its
 * own.  points NULL: the syncobjs are not timelines.
 */
static int
wait_for_points(struct sim *sim, void *argument)
{
   struct drm_syncobj_timeline_wait *wait = argument;
   const uint32_t *handles = (const uint32_t *)(uintptr_t)wait->handles;
   const uint64_t *points = (const uint64_t *)(uintptr_t)wait->points;
   const bool is_all = (wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0;
   const bool may_come =
      (wait->flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT) != 0;
   const bool is_poll = sim_is_past((uint64_t)wait->timeout_nsec);
   unsigned done = 0;

   for (unsigned i = 0; i < wait->count_handles; i++) {
      const int result =
         wait_for_syncobj(sim, handles[i], points != NULL ? points[i] : 0,
                          is_poll);

      if (result == -ENOENT || (result == -EINVAL && !may_come))
         return result;
      if (result > 0) {
         wait->first_signaled = i;
         done++;
      }
   }
   return done == wait->count_handles || (!is_all && done > 0) ? 0 : -ETIME;
}

static int
wait_for_syncobjs(struct sim *sim, void *argument)
{
   struct drm_syncobj_wait *wait = argument;
   struct drm_syncobj_timeline_wait all = {
      .handles = wait->handles,
      .timeout_nsec = wait->timeout_nsec,
      .count_handles = wait->count_handles,
      .flags = wait->flags,
   };
   const int result = wait_for_points(sim, &all);

   wait->first_signaled = all.first_signaled;
   return result;
}

#define CORE(NAME) [_IOC_NR(DRM_IOCTL_##NAME)]

sim_handler *const sim_core_ioctls[SIM_IOCTL_COUNT] = {
   CORE(VERSION) = get_version,
   CORE(GET_CAP) = get_cap,
   CORE(GEM_CLOSE) = close_bo,
   CORE(SYNCOBJ_CREATE) = create_syncobj,
   CORE(SYNCOBJ_DESTROY) = destroy_syncobj,
   CORE(SYNCOBJ_RESET) = reset_syncobjs,
   CORE(SYNCOBJ_SIGNAL) = signal_syncobjs,
   CORE(SYNCOBJ_HANDLE_TO_FD) = export_fence,
   CORE(SYNCOBJ_TRANSFER) = transfer_fence,
   CORE(SYNCOBJ_WAIT) = wait_for_syncobjs,
   CORE(SYNCOBJ_TIMELINE_WAIT) = wait_for_points,
};
