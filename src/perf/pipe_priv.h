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
   const void *
      *values; /* of each counter: its value in the result of a part */
   unsigned count;
   unsigned known_count; /* of the first parts, the results: some drivers add
                          * up anew each time that they are asked */
   struct pitot_perf_part parts[];
};

/* Creates a measurement.  add() adds the parts, one for each counter at most,
 * and sets the values.  Returns NULL without memory, or if add() returns
 * false.
 */
struct pitot_perf_measurement *
pitot_perf_parts_create(struct pitot_perf_set *set,
                        bool (*add)(struct pitot_perf_parts *parts));

/* Adds a query, which the measurement owns.  Returns its result, with room
 * for that many values of a batch; NULL without memory, or if the query is
 * NULL.
 */
union pipe_query_result *
pitot_perf_parts_add(struct pitot_perf_parts *parts,
                     struct pitot_driver_query *query, unsigned batch_count);

/* Functions of pitot_perf_provider_ops. */

void
pitot_perf_parts_destroy(struct pitot_perf_measurement *measurement);

int
pitot_perf_parts_begin(struct pitot_perf_measurement *measurement);

int
pitot_perf_parts_end(struct pitot_perf_measurement *measurement);

int
pitot_perf_parts_read(struct pitot_perf_measurement *measurement, bool wait,
                      void *record_out);

#endif /* PITOT_PERF_PIPE_PRIV_H */
