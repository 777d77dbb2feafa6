/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The providers of counters over a pipe_context.
 */

#ifndef PITOT_PERF_PIPE_H
#define PITOT_PERF_PIPE_H

#include "pitot_perf_query.h"
#include "pitot_pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_perf_pipe_provider {
   struct pitot_perf_provider base;
   struct pitot_pipe_client *client;
   const char *sysctl_dir; /* /proc/sys; the tests have another directory */
   void *lists;            /* private to the provider */
};

struct pitot_perf_pipe_statistics {
   struct pitot_perf_pipe_provider base;
   struct pitot_perf_set set;
   struct pitot_perf_counter counters[PITOT_PERF_STATISTIC_COUNT];
};

/* In the order in which their sets are listed. */
struct pitot_perf_pipe {
   struct pitot_perf_pipe_provider intel; /* intel_perf_query hooks */
   struct pitot_perf_pipe_statistics statistics;
   struct pitot_perf_pipe_provider driver; /* get_driver_query_info */
};

/* Initializes the providers, which must not move afterwards.  The client must
 * outlive them.  Returns the first provider, for pitot_perf_create().
 */
struct pitot_perf_provider *
pitot_perf_pipe_init(struct pitot_perf_pipe *pipe,
                     struct pitot_pipe_client *client);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PERF_PIPE_H */
