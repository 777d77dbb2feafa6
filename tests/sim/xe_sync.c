/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Binds of xe, which are done some time after they were asked for, and the
 * fences of binds and submissions.  A bind is done as late as possible: when
 * something waits for it, or for a later one.
 */

#include <errno.h>
#include <string.h>

#include "xe_priv.h"

/* Does the oldest bind. */
static void
bind_one(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;
   const struct sim_bind bind = kernel->binds[0];
   struct sim_object *space = sim_object(sim, bind.space, SIM_SPACE);

   kernel->bind_count--;
   memmove(&kernel->binds[0], &kernel->binds[1],
           kernel->bind_count * sizeof(bind));
   if (space != NULL)
      sim_space_remove_range(sim, &space->space, bind.map.address,
                             bind.map.size_B);
   if (space != NULL && bind.map.bo != NULL)
      sim_space_add(&space->space, bind.map);
   if (bind.map.bo != NULL)
      sim_bo_unreference(sim, bind.map.bo);
}

/* Returns how many binds there are up to the first that gives a syncobj a
 * point, or a later one, and 0 if none does.
 */
static unsigned
find_signal(const struct sim_kernel *kernel, uint32_t syncobj, uint64_t point)
{
   for (unsigned i = 0; i < kernel->bind_count; i++) {
      const struct sim_bind *bind = &kernel->binds[i];

      for (unsigned k = 0; k < bind->signal_count; k++) {
         if (bind->signals[k].syncobj == syncobj &&
             bind->signals[k].point >= point)
            return i + 1;
      }
   }
   return 0;
}

bool
sim_xe_wait_bind(struct sim *sim, uint32_t syncobj, uint64_t point,
                 bool is_poll)
{
   const unsigned count = find_signal(sim->kernel, syncobj, point);

   for (unsigned i = 0; i < count; i++)
      bind_one(sim);
   return count == 0 || !is_poll;
}

static bool
is_timeline(const struct xe_sync *sync)
{
   return sync->type == XE_SYNC_TIMELINE;
}

/* Returns the syncobj of a sync, or NULL and -errno.  A point that nothing
 * will give is none to wait for.
 */
static struct sim_object *
check_sync(struct sim *sim, const struct xe_sync *sync, int *error_out)
{
   struct sim_object *syncobj =
      sim_object(sim, (uint32_t)sync->handle, SIM_SYNCOBJ);
   const bool is_wait = (sync->flags & XE_SYNC_SIGNAL) == 0;
   const uint64_t point = is_timeline(sync) ? sync->timeline_value : 0;

   *error_out = 0;
   if (sync->type > XE_SYNC_TIMELINE)
      *error_out = -EINVAL;
   else if (syncobj == NULL)
      *error_out = -ENOENT;
   else if (is_wait && (!syncobj->has_fence || point > syncobj->point))
      *error_out = -EINVAL;
   else if (!is_wait && is_timeline(sync) && point == 0)
      *error_out = -EINVAL;
   return *error_out == 0 ? syncobj : NULL;
}

int
sim_xe_wait_syncs(struct sim *sim, uint64_t address, unsigned count)
{
   const struct xe_sync *syncs = (const void *)(uintptr_t)address;
   int error = 0;

   for (unsigned i = 0; i < count && error == 0; i++)
      check_sync(sim, &syncs[i], &error);
   for (unsigned i = 0; i < count && error == 0; i++) {
      const uint64_t point =
         is_timeline(&syncs[i]) ? syncs[i].timeline_value : 0;

      if ((syncs[i].flags & XE_SYNC_SIGNAL) == 0)
         sim_xe_wait_bind(sim, (uint32_t)syncs[i].handle, point, false);
   }
   return error;
}

void
sim_xe_signal_syncs(struct sim *sim, uint64_t address, unsigned count,
                    uint64_t fence)
{
   const struct xe_sync *syncs = (const void *)(uintptr_t)address;

   for (unsigned i = 0; i < count; i++) {
      struct sim_object *syncobj =
         sim_object(sim, (uint32_t)syncs[i].handle, SIM_SYNCOBJ);

      if ((syncs[i].flags & XE_SYNC_SIGNAL) == 0)
         continue;
      sim_set_fence(syncobj, fence);
      if (is_timeline(&syncs[i]))
         syncobj->point = syncs[i].timeline_value;
   }
}

/* The newest bind is in the queue: notes a syncobj that it signals. */
static void
note_signal(struct sim_bind *bind, const struct xe_sync *sync)
{
   if ((sync->flags & XE_SYNC_SIGNAL) == 0)
      return;
   bind->signals[bind->signal_count].syncobj = (uint32_t)sync->handle;
   bind->signals[bind->signal_count].point =
      is_timeline(sync) ? sync->timeline_value : UINT64_MAX;
   bind->signal_count++;
}

void
sim_xe_queue_bind(struct sim *sim, const struct sim_bind *bind,
                  uint64_t address, unsigned count)
{
   const struct xe_sync *syncs = (const void *)(uintptr_t)address;
   struct sim_kernel *kernel = sim->kernel;

   if (kernel->bind_count == SIM_MAX_BINDS)
      bind_one(sim);

   struct sim_bind *queued = &kernel->binds[kernel->bind_count++];
   *queued = *bind;
   for (unsigned i = 0; i < count && i < SIM_MAX_SIGNALS; i++)
      note_signal(queued, &syncs[i]);
   sim_xe_signal_syncs(sim, address, count, 0);
   while (count == 0 && kernel->bind_count > 0)
      bind_one(sim);
}

void
sim_xe_finish(struct sim *sim)
{
   while (sim->kernel->bind_count > 0)
      bind_one(sim);
}
