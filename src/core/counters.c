/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The sets of counters of a context: those of all providers in one list.
 */

#include <stdlib.h>

#include "core_priv.h"

unsigned
pitot_record_layout(struct pitot_counter_info *counters, unsigned count)
{
   static const unsigned sizes_B[] = {
      [PITOT_DATA_BOOL32] = 4, [PITOT_DATA_UINT32] = 4,
      [PITOT_DATA_UINT64] = 8, [PITOT_DATA_FLOAT] = 4,
      [PITOT_DATA_DOUBLE] = 8,
   };
   unsigned end_B = 0;

   for (unsigned i = 0; i < count; i++) {
      const unsigned size_B = sizes_B[counters[i].data_type];

      counters[i].size_B = size_B;
      counters[i].offset_B = (end_B + size_B - 1) / size_B * size_B;
      end_B = counters[i].offset_B + size_B;
   }
   return (end_B + 7) / 8 * 8;
}

/* The driver's providers, then core's own. */
static struct pitot_provider *
next_provider(struct pitot_context *context, struct pitot_provider *provider)
{
   struct pitot_provider *own = &context->time_provider.base;

   if (provider == own)
      return NULL;
   struct pitot_provider *next =
      provider ? provider->next : context->driver->providers;
   return next ? next : own;
}

static void
add_sets(struct pitot_counters *counters, struct pitot_provider *provider)
{
   for (unsigned i = 0; i < provider->set_count; i++) {
      struct pitot_listed_set *listed =
         &counters->sets[counters->set_count++];

      listed->set = &provider->sets[i];
      listed->provider = provider;
      listed->orphans_end = &listed->orphans;
   }
}

/* Asks every provider once; one that has no memory has no sets. */
static void
list_sets(struct pitot_context *context)
{
   struct pitot_counters *counters = &context->counters;
   struct pitot_provider *provider = NULL;
   unsigned count = 0;
   unsigned max_record_B = 0;

   counters->is_listed = true;
   while ((provider = next_provider(context, provider))) {
      (void)provider->ops->list(provider);
      count += provider->set_count;
      for (unsigned i = 0; i < provider->set_count; i++)
         if (max_record_B < provider->sets[i].record_B)
            max_record_B = provider->sets[i].record_B;
   }

   if (!count)
      return;
   counters->sets = calloc(count, sizeof(counters->sets[0]));
   counters->scratch = malloc(max_record_B);
   if (!counters->sets || !counters->scratch ||
       pitot_names_init(&counters->sessions))
      return;
   while ((provider = next_provider(context, provider)))
      add_sets(counters, provider);
}

unsigned
pitot_set_count(struct pitot_context *context)
{
   if (!context->counters.is_listed)
      list_sets(context);
   return context->counters.set_count;
}

const struct pitot_counter_set *
pitot_set(struct pitot_context *context, unsigned index)
{
   return context->counters.sets[index].set;
}

unsigned
pitot_set_session_count(struct pitot_context *context, unsigned index)
{
   return context->counters.sets[index].session_count;
}

const char *
pitot_sets_hidden(struct pitot_context *context)
{
   struct pitot_provider *provider = NULL;

   (void)pitot_set_count(context);
   while ((provider = next_provider(context, provider))) {
      const char *advice =
         provider->ops->hidden ? provider->ops->hidden(provider) : NULL;

      if (advice)
         return advice;
   }
   return NULL;
}

static void
free_session(void *data, void *session)
{
   pitot_session_free(data, session);
}

void
pitot_counters_finish(struct pitot_context *context)
{
   struct pitot_counters *counters = &context->counters;
   struct pitot_provider *provider = NULL;

   if (!counters->is_listed)
      return;
   if (counters->set_count)
      pitot_names_for_each(&counters->sessions, free_session, context);
   pitot_names_finish(&counters->sessions);
   for (unsigned i = 0; i < counters->set_count; i++)
      pitot_orphans_finish(context, &counters->sets[i]);
   while ((provider = next_provider(context, provider))) {
      if (provider->ops->finish)
         provider->ops->finish(provider);
   }
   free(counters->scratch);
   free(counters->sets);
}
