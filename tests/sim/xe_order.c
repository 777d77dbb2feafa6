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

#include <string.h>

#include "xe_priv.h"

void
sim_xe_add_submission(struct sim *sim, struct sim_before *before,
                      uint64_t number)
{
   if (sim_is_done(sim, number))
      return;
   for (unsigned i = 0; i < before->count; i++) {
      if (before->submissions[i] == number)
         return;
   }
   before->submissions[before->count++] = number;
}

void
sim_xe_add_bind(struct sim *sim, struct sim_before *before, uint64_t number)
{
   struct sim_kernel *kernel = sim->kernel;

   for (unsigned i = 0; i < kernel->bind_count; i++) {
      const struct sim_bind *bind = &kernel->binds[i];

      if (bind->number != number)
         continue;
      for (unsigned k = 0; k < bind->before.count; k++)
         sim_xe_add_submission(sim, before, bind->before.submissions[k]);
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

void
sim_xe_begin(struct sim *sim)
{
   struct sim_submission *submission = &sim->kernel->queue[0];
   const struct sim_object *space = space_of(sim, submission);

   sim_xe_bind_up_to(sim, submission->before.bind);
   for (unsigned i = 0; space != NULL && i < space->space.count; i++)
      sim_space_add(&submission->space, space->space.maps[i]);
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

void
sim_xe_bind_up_to(struct sim *sim, uint64_t number)
{
   const struct sim_kernel *kernel = sim->kernel;

   while (kernel->bind_count > 0 && kernel->binds[0].number <= number)
      bind_one(sim);
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
