/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The order of submissions and binds on xe is what their syncs say: queues
 * overtake each other, memory is bound as late as possible (when a submission
 * that waits for it begins, or the CPU waits), and unbound as early as
 * possible.  A queue's submissions are in order, and so are binds.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "xe_priv.h"

/* Adds a submission, unless it is done. */
static void
add_submission(struct sim *sim, struct sim_before *before, uint64_t number)
{
   if (sim_is_done(sim, number))
      return;
   for (unsigned i = 0; i < before->count; i++) {
      if (before->submissions[i] == number)
         return;
   }
   before->submissions[before->count++] = number;
}

/* Adds a bind, and what it waits for. */
static void
add_bind(struct sim *sim, struct sim_before *before, uint64_t number)
{
   struct sim_kernel *kernel = sim->kernel;

   for (unsigned i = 0; i < kernel->bind_count; i++) {
      const struct sim_bind *bind = &kernel->binds[i];

      if (bind->number != number)
         continue;
      for (unsigned k = 0; k < bind->before.count; k++)
         add_submission(sim, before, bind->before.submissions[k]);
   }
   if (before->bind < number)
      before->bind = number;
}

/* Submissions */

static bool
waits_for(const struct sim_submission *later,
          const struct sim_submission *earlier)
{
   for (unsigned i = 0; i < later->before.count; i++) {
      if (later->before.submissions[i] == earlier->number)
         return true;
   }
   return later->context == earlier->context;
}

/* Returns the first submission that the queue's waits for, or itself. */
static unsigned
find_obstacle(const struct sim_kernel *kernel, unsigned index)
{
   for (unsigned i = 0; i < index; i++) {
      if (waits_for(&kernel->queue[index], &kernel->queue[i]))
         return i;
   }
   return index;
}

void
sim_xe_pick(struct sim *sim, uint64_t number)
{
   struct sim_kernel *kernel = sim->kernel;
   unsigned index = 0, obstacle;

   while (index < kernel->queued - 1 && kernel->queue[index].number != number)
      index++;
   if (sim_schedule_is_on(&sim->schedule))
      index = sim_choose(&sim->schedule, kernel->queued);
   while ((obstacle = find_obstacle(kernel, index)) != index)
      index = obstacle;

   const struct sim_submission picked = kernel->queue[index];
   memmove(&kernel->queue[1], &kernel->queue[0], index * sizeof(picked));
   kernel->queue[0] = picked;
}

static struct sim_object *
space_of(struct sim *sim, const struct sim_submission *submission)
{
   const struct sim_object *queue =
      sim_object(sim, submission->context, SIM_CONTEXT);

   return queue != NULL ? sim_object(sim, queue->space_handle, SIM_SPACE)
                        : NULL;
}

/* Binds */

/* Does the oldest bind, after the submissions before it. */
static void
bind_one(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;
   const struct sim_bind bind = kernel->binds[0];
   struct sim_object *space = sim_object(sim, bind.space, SIM_SPACE);

   for (unsigned i = 0; i < bind.before.count; i++)
      sim_wait(sim, bind.before.submissions[i], false);
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

/* Does binds up to a number, and the submissions before them. */
static void
bind_up_to(struct sim *sim, uint64_t number)
{
   const struct sim_kernel *kernel = sim->kernel;

   while (kernel->bind_count > 0 && kernel->binds[0].number <= number)
      bind_one(sim);
}

void
sim_xe_begin(struct sim *sim)
{
   struct sim_submission *submission = &sim->kernel->queue[0];
   const struct sim_object *space = space_of(sim, submission);

   bind_up_to(sim, submission->before.bind);
   for (unsigned i = 0; space != NULL && i < space->space.count; i++)
      sim_space_add(&submission->space, space->space.maps[i]);
}

/* The running submission loses memory, which it may have used already. */
static void
take_away_now(struct sim *sim, const struct sim_map *range)
{
   struct sim_submission *submission = &sim->kernel->queue[0];

   for (unsigned i = 0; i < submission->space.count; i++) {
      const struct sim_map *map = &submission->space.maps[i];

      if (map->address < range->address + range->size_B &&
          range->address < map->address + map->size_B)
         sim_space_add(&submission->lost, *map);
   }
   sim_space_remove_range(sim, &submission->space, range->address,
                          range->size_B);
}

static bool
is_held_up(const struct sim *sim, const struct sim_bind *bind)
{
   for (unsigned i = 0; i < bind->before.count; i++) {
      if (!sim_is_done(sim, bind->before.submissions[i]))
         return true;
   }
   return false;
}

void
sim_xe_take_away(struct sim *sim)
{
   struct sim_kernel *kernel = sim->kernel;

   for (unsigned i = 0; i < kernel->bind_count; i++) {
      struct sim_bind *bind = &kernel->binds[i];
      struct sim_object *space = sim_object(sim, bind->space, SIM_SPACE);

      if (bind->is_lost || space == NULL || is_held_up(sim, bind))
         continue;
      bind->is_lost = true;
      sim_space_remove_range(sim, &space->space, bind->map.address,
                             bind->map.size_B);
      if (kernel->is_executing && space_of(sim, &kernel->queue[0]) == space)
         take_away_now(sim, &bind->map);
   }
}

/* Syncs: what submissions and binds wait for, and signal */

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
      bind_up_to(sim, number);
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
      add_submission(sim, before_out, syncobj->fence);
      add_bind(sim, before_out,
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
      bind_up_to(sim, kernel->binds[0].number);

   struct sim_bind *queued = &kernel->binds[kernel->bind_count++];
   *queued = *bind;
   queued->number = ++kernel->bound;
   add_bind(sim, &queued->before, queued->number - 1);
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
   bind_up_to(sim, sim->kernel->bound);
}
