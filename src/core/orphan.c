/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "core_priv.h"

/* To ask whether the oldest one has landed may cost a driver more than to
 * make another, so a few are left alone.
 */
#define LOOK_COUNT 16

/* As many as nobody has who reads his records. */
#define KEEP_COUNT 4096

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
destroy_oldest(struct pitot_listed_set *listed)
{
   listed->provider->ops->destroy(listed->provider, pop(listed));
}

int
pitot_orphans_take(struct pitot_context *context,
                   struct pitot_listed_set *listed,
                   struct pitot_measurement **measurement_out)
{
   struct pitot_provider *provider = listed->provider;

   if (listed->orphan_count >= LOOK_COUNT &&
       provider->ops->read(provider, listed->orphans, PITOT_ASK_LOOK,
                           context->counters.scratch) > 0) {
      *measurement_out = pop(listed);
      return 0;
   }
   const int error =
      provider->ops->create(provider, listed->set, measurement_out);
   if (!error)
      (*measurement_out)->set = listed->set;
   return error;
}

void
pitot_orphans_give(struct pitot_listed_set *listed,
                   struct pitot_measurement *measurement)
{
   measurement->next = NULL;
   *listed->orphans_end = measurement;
   listed->orphans_end = &measurement->next;
   if (++listed->orphan_count > KEEP_COUNT)
      destroy_oldest(listed);
}

void
pitot_orphans_finish(struct pitot_listed_set *listed)
{
   while (listed->orphans)
      destroy_oldest(listed);
}
