/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Internal to the providers over a pipe_context.
 */

#ifndef PITOT_PERF_PIPE_PRIV_H
#define PITOT_PERF_PIPE_PRIV_H

#include "pipe/p_screen.h"
#include "pitot_perf_pipe.h"

static inline struct pitot_perf_pipe_provider *
pitot_perf_pipe_of(struct pitot_perf_provider *provider)
{
   return (struct pitot_perf_pipe_provider *)provider;
}

static inline struct pipe_context *
pitot_perf_pipe_context(struct pitot_perf_provider *provider)
{
   return pitot_perf_pipe_of(provider)->client->info.pipe;
}

extern const struct pitot_perf_provider_ops pitot_perf_pipe_intel_ops;
extern const struct pitot_perf_provider_ops pitot_perf_pipe_driver_ops;

/* pipe_intel.c: whether the driver has all intel_perf_query hooks. */
bool
pitot_perf_pipe_has_intel(const struct pipe_context *pipe);

/*
 * pipe.c: a measurement by several driver queries
 */

struct pitot_perf_pipe_query {
   struct pitot_driver_query *query;
   union pipe_query_result *result;
};

struct pitot_perf_pipe_queries {
   struct pitot_perf_measurement base;
   struct pitot_pipe_client *client;
   unsigned count;

   /* How many results were read, from the first one on.  Read each only once:
    * lavapipe 22 adds its counts to the result again at each read.
    */
   unsigned known_count;

   bool is_refused; /* the driver does not measure these counters together */

   const void **values; /* where the value of each counter is, in a result */
   struct pitot_perf_pipe_query list[];
};

/* add() adds the queries, at most one per counter, and sets the values.
 * Returns NULL if an allocation or add() fails.
 */
struct pitot_perf_measurement *
pitot_perf_pipe_queries_create(
   struct pitot_perf_set *set,
   bool (*add)(struct pitot_perf_pipe_queries *queries));

/* Adds a query, which the measurement then owns.  Returns its result, with
 * space for batch_count values; NULL if query is NULL or allocation fails.
 */
union pipe_query_result *
pitot_perf_pipe_queries_add(struct pitot_perf_pipe_queries *queries,
                            struct pitot_driver_query *query,
                            unsigned batch_count);

/* Members of pitot_perf_provider_ops */

void
pitot_perf_pipe_queries_destroy(struct pitot_perf_measurement *measurement);

int
pitot_perf_pipe_queries_begin(struct pitot_perf_measurement *measurement);

int
pitot_perf_pipe_queries_end(struct pitot_perf_measurement *measurement);

int
pitot_perf_pipe_queries_read(struct pitot_perf_measurement *measurement,
                             bool wait, void *record_out);

#endif /* PITOT_PERF_PIPE_PRIV_H */
