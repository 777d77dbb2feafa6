/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The syncs of xe: what submissions and binds wait for, and signal. */

#include <errno.h>
#include <stdlib.h>

#include "xe_priv.h"

/* Returns the first bind that signals the point or a later one, or 0. */
static uint64_t
find_signal(const struct sim_kernel *kernel, uint32_t syncobj, uint64_t point)
{
   for (unsigned i = 0; i < kernel->bind_count; i++) {
      const struct sim_bind *bind = &kernel->binds[i];

      for (unsigned k = 0; k < bind->signal_count; k++) {
         if (bind->signals[k].syncobj == syncobj &&
             bind->signals[k].point >= point)
            return bind->number;
      }
   }
   return 0;
}

bool
sim_xe_wait_bind(struct sim *sim, uint32_t syncobj, uint64_t point,
                 bool is_poll)
{
   const uint64_t number = find_signal(sim->kernel, syncobj, point);

   if (number != 0 && !is_poll)
      sim_xe_bind_up_to(sim, number);
   return number == 0 || !is_poll;
}

static bool
is_timeline(const struct drm_xe_sync *sync)
{
   return sync->type == DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ;
}

static uint64_t
point_of(const struct drm_xe_sync *sync)
{
   return is_timeline(sync) ? sync->timeline_value : 0;
}

/* NULL on failure: e.g. a wait for a point that nothing will signal. */
static struct sim_object *
check_sync(struct sim *sim, const struct drm_xe_sync *sync, int *error_out)
{
   struct sim_object *syncobj = sim_object(sim, sync->handle, SIM_SYNCOBJ);
   const bool is_wait = (sync->flags & DRM_XE_SYNC_FLAG_SIGNAL) == 0;
   const uint64_t point = point_of(sync);

   *error_out = 0;
   if (sync->type > DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ ||
       sync->addr > UINT32_MAX ||
       (sync->flags & ~DRM_XE_SYNC_FLAG_SIGNAL) != 0 ||
       sync->reserved[0] != 0 || sync->reserved[1] != 0 ||
       (is_timeline(sync) && point == 0))
      *error_out = -EINVAL;
   else if (syncobj == NULL)
      *error_out = -ENOENT;
   else if (is_wait && (!syncobj->has_fence || point > syncobj->point))
      *error_out = -EINVAL;
   return *error_out == 0 ? syncobj : NULL;
}

int
sim_xe_check_syncs(struct sim *sim, uint64_t address, unsigned count,
                   struct sim_before *before_out)
{
   const struct drm_xe_sync *syncs = (const void *)(uintptr_t)address;
   int error = 0;

   *before_out = (struct sim_before){ 0 };
   for (unsigned i = 0; i < count && error == 0; i++) {
      const struct sim_object *syncobj = check_sync(sim, &syncs[i], &error);

      if (error != 0 || (syncs[i].flags & DRM_XE_SYNC_FLAG_SIGNAL) != 0)
         continue;
      sim_xe_add_submission(sim, before_out, syncobj->fence);
      sim_xe_add_bind(sim, before_out,
                      find_signal(sim->kernel, syncs[i].handle,
                                  point_of(&syncs[i])));
   }
   return error;
}

void
sim_xe_signal_syncs(struct sim *sim, uint64_t address, unsigned count,
                    uint64_t fence)
{
   const struct drm_xe_sync *syncs = (const void *)(uintptr_t)address;

   for (unsigned i = 0; i < count; i++) {
      struct sim_object *syncobj =
         sim_object(sim, syncs[i].handle, SIM_SYNCOBJ);

      if ((syncs[i].flags & DRM_XE_SYNC_FLAG_SIGNAL) == 0)
         continue;
      sim_set_fence(syncobj, fence);
      if (is_timeline(&syncs[i]))
         syncobj->point = syncs[i].timeline_value;
   }
}

/* Adds a syncobj that the newest bind signals. */
static void
note_signal(struct sim_bind *bind, const struct drm_xe_sync *sync)
{
   if ((sync->flags & DRM_XE_SYNC_FLAG_SIGNAL) == 0)
      return;
   bind->signals[bind->signal_count].syncobj = sync->handle;
   bind->signals[bind->signal_count].point =
      is_timeline(sync) ? sync->timeline_value : UINT64_MAX;
   bind->signal_count++;
}

void
sim_xe_queue_bind(struct sim *sim, const struct sim_bind *bind,
                  uint64_t address, unsigned count)
{
   const struct drm_xe_sync *syncs = (const void *)(uintptr_t)address;
   struct sim_kernel *kernel = sim->kernel;

   if (kernel->binds == NULL)
      kernel->binds = calloc(SIM_MAX_BINDS, sizeof(kernel->binds[0]));
   if (kernel->bind_count == SIM_MAX_BINDS)
      sim_xe_bind_up_to(sim, kernel->binds[0].number);

   struct sim_bind *queued = &kernel->binds[kernel->bind_count++];
   *queued = *bind;
   queued->number = ++kernel->bound;
   sim_xe_add_bind(sim, &queued->before, queued->number - 1);
   for (unsigned i = 0; i < count && i < SIM_MAX_SIGNALS; i++)
      note_signal(queued, &syncs[i]);
   sim_xe_signal_syncs(sim, address, count, 0);
   sim_xe_take_away(sim);
   if (count == 0)
      sim_xe_finish(sim);
}

void
sim_xe_finish(struct sim *sim)
{
   sim_xe_bind_up_to(sim, sim->kernel->bound);
}
