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
#include "pitot/perf_pipe.h"

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
extern const struct pitot_perf_provider_ops pitot_perf_pipe_statistics_ops;
extern const struct pitot_perf_provider_ops pitot_perf_pipe_driver_ops;

/* pipe_intel.c: returns whether the driver has all the hooks. */
bool
pitot_perf_pipe_has_intel(const struct pipe_context *pipe);

/*
 * pipe.c: a measurement by several queries, its parts
 */

struct pitot_perf_part {
   struct pitot_driver_query *query;
   union pipe_query_result *result;
};

struct pitot_perf_parts {
   struct pitot_perf_measurement base;
   unsigned count;
   unsigned known_count; /* of the first parts, the results: some drivers add
                          * up anew each time that they are asked */
   struct pitot_perf_part parts[];
};

/* Adds a query, which the measurement owns, and room for its result and that
 * many values of a batch.  Returns false without memory, or if the query is
 * NULL.
 */
bool
pitot_perf_parts_add(struct pitot_perf_parts *parts,
                     struct pitot_driver_query *query, unsigned batch_count);

/* Creates a measurement with the parts that add() adds, one for each counter
 * at most.  Returns NULL without memory, and if add() returns false.
 */
struct pitot_perf_measurement *
pitot_perf_parts_create(struct pitot_perf_set *set,
                        bool (*add)(struct pitot_perf_parts *parts));

/* Functions of pitot_perf_provider_ops. */

void
pitot_perf_parts_destroy(struct pitot_perf_measurement *measurement);

int
pitot_perf_parts_begin(struct pitot_perf_measurement *measurement);

int
pitot_perf_parts_end(struct pitot_perf_measurement *measurement);

/* Reads the results.  Returns 1, 0 or an error, as
 * pitot_perf_provider_ops.read does.
 */
int
pitot_perf_parts_read(struct pitot_perf_parts *parts, bool wait);

#endif /* PITOT_PERF_PIPE_PRIV_H */
