/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the two halves of the provider of a driver's own counters.
 */

#ifndef PITOT_SET_DRIVER_H
#define PITOT_SET_DRIVER_H

#include "pipe_priv.h"

/* A counter, beside its struct pitot_counter_info. */
struct driver_counter {
   char description[192];
   unsigned query_type;
   bool is_batch; /* measured together with the others that are */
   unsigned slot; /* its place among those that are, or are not */
};

/* A set, beside its struct pitot_counter_set. */
struct driver_set {
   char name[128];
   struct pitot_counter_info *infos;
   struct driver_counter *counters;
   unsigned batch_count;
};

/* pitot_pipe_provider.own */
struct driver_sets {
   struct pitot_counter_set *sets;
   struct driver_set *details; /* of the set with the same index */
};

static inline const struct driver_set *
driver_set_of(struct pitot_provider *provider,
              const struct pitot_counter_set *set)
{
   const struct driver_sets *own = pitot_pipe_provider_of(provider)->own;

   return &own->details[set - provider->sets];
}

/* set_driver_list.c: two of pitot_provider_ops. */

int
pitot_pipe_driver_sets_list(struct pitot_provider *provider);

void
pitot_pipe_driver_sets_finish(struct pitot_provider *provider);

#endif /* PITOT_SET_DRIVER_H */
