/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measurements of counter sets, and what becomes of those in flight that
 * nobody wants any more.
 */

#include "core_priv.h"

/* To ask whether the oldest orphan is available may cost a driver more than
 * to make another measurement, so a few are left alone.
 */
#define LOOK_COUNT 16

/* What is deleted or begun again so often without being read is not there for
 * its result.
 */
#define KEEP_COUNT 4096

static void
forget_fence(struct pitot_context *context,
             struct pitot_measurement *measurement)
{
   struct pitot_driver *driver = context->driver;

   if (measurement->mark)
      driver->ops->fence_destroy(driver, measurement->mark);
   measurement->mark = NULL;
}

void
pitot_measurement_fence(struct pitot_context *context,
                        struct pitot_measurement *measurement)
{
   struct pitot_driver *driver = context->driver;

   if (!driver->ops->fence_create ||
       driver->ops->fence_create(driver, &measurement->mark))
      measurement->mark = NULL;
}

int
pitot_measurement_read(struct pitot_context *context,
                       struct pitot_provider *provider,
                       struct pitot_measurement *measurement, bool wait,
                       void *record_out)
{
   const int status =
      provider->ops->read(provider, measurement, wait, record_out);

   if (status)
      forget_fence(context, measurement);
   return status;
}

int
pitot_measurement_look(struct pitot_context *context,
                       struct pitot_provider *provider,
                       struct pitot_measurement *measurement,
                       void *record_out)
{
   struct pitot_driver *driver = context->driver;
   struct pitot_fence *mark = measurement->mark;

   if (mark && !driver->ops->fence_is_done(driver, mark))
      return 0;

   /* To wait for what is done takes no time, and flushes nothing. */
   return pitot_measurement_read(context, provider, measurement, mark != NULL,
                                 record_out);
}

void
pitot_measurement_destroy(struct pitot_context *context,
                          struct pitot_provider *provider,
                          struct pitot_measurement *measurement)
{
   forget_fence(context, measurement);
   provider->ops->destroy(provider, measurement);
}

/*
 * Orphans
 */

static struct pitot_measurement *
pop(struct pitot_listed_set *listed)
{
   struct pitot_measurement *oldest = listed->orphans;

   listed->orphans = oldest->next;
   listed->orphan_count--;
   if (!listed->orphans)
      listed->orphans_end = &listed->orphans;
   return oldest;
}

static void
destroy_oldest(struct pitot_context *context, struct pitot_listed_set *listed)
{
   pitot_measurement_destroy(context, listed->provider, pop(listed));
}

/* Returns the oldest orphan if it is available and can be begun again, or
 * NULL; those that will never land are in nobody's way.
 */
static struct pitot_measurement *
reuse_oldest(struct pitot_context *context, struct pitot_listed_set *listed)
{
   while (listed->orphan_count >= LOOK_COUNT) {
      const int status =
         pitot_measurement_look(context, listed->provider, listed->orphans,
                                context->counters.scratch);

      if (status == 0)
         return NULL;
      if (status > 0)
         return pop(listed);
      destroy_oldest(context, listed);
   }
   return NULL;
}

int
pitot_orphans_take(struct pitot_context *context,
                   struct pitot_listed_set *listed,
                   struct pitot_measurement **measurement_out)
{
   struct pitot_provider *provider = listed->provider;

   *measurement_out = reuse_oldest(context, listed);
   if (*measurement_out)
      return 0;

   const int error =
      provider->ops->create(provider, listed->set, measurement_out);
   if (!error) {
      (*measurement_out)->set = listed->set;
      (*measurement_out)->mark = NULL;
   }
   return error;
}

void
pitot_orphans_give(struct pitot_context *context,
                   struct pitot_listed_set *listed,
                   struct pitot_measurement *measurement)
{
   measurement->next = NULL;
   *listed->orphans_end = measurement;
   listed->orphans_end = &measurement->next;
   if (++listed->orphan_count > KEEP_COUNT)
      destroy_oldest(context, listed);
}

void
pitot_orphans_finish(struct pitot_context *context,
                     struct pitot_listed_set *listed)
{
   while (listed->orphans)
      destroy_oldest(context, listed);
}
