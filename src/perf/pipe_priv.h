/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the providers over a pipe_context.
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

/* pipe_intel.c: returns whether the driver has all the hooks. */
bool
pitot_perf_pipe_has_intel(const struct pipe_context *pipe);

/*
 * pipe.c: a measurement by several of the driver's queries
 */

struct pitot_perf_pipe_query {
   struct pitot_driver_query *query;
   union pipe_query_result *result;
};

struct pitot_perf_pipe_queries {
   struct pitot_perf_measurement base;
   struct pitot_pipe_client *client;
   unsigned count;

   /* How many results are known, from the first one on: each is read once,
    * because some drivers add up anew each time that they are asked.
    */
   unsigned known_count;

   bool is_refused; /* the driver does not measure these counters together */

   const void **values; /* of each counter, in the result of a query */
   struct pitot_perf_pipe_query list[];
};

/* Creates a measurement.  add() adds the queries, one for each counter at
 * most, and sets the values.  Returns NULL without memory, or if add()
 * returns false.
 */
struct pitot_perf_measurement *
pitot_perf_pipe_queries_create(
   struct pitot_perf_set *set,
   bool (*add)(struct pitot_perf_pipe_queries *queries));

/* Adds a query, which the measurement owns.  Returns its result, with room
 * for that many values of a batch; NULL without memory, or if the query is
 * NULL.
 */
union pipe_query_result *
pitot_perf_pipe_queries_add(struct pitot_perf_pipe_queries *queries,
                            struct pitot_driver_query *query,
                            unsigned batch_count);

/* Functions of pitot_perf_provider_ops. */

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
