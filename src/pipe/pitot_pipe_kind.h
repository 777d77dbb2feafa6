/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot's kinds of queries and Gallium's types, for the client (src/pipe) and
 * Pitot's own queries (src/pipe_driver).  Any thread.
 */

#ifndef PITOT_PIPE_KIND_H
#define PITOT_PIPE_KIND_H

#include <stddef.h>

#include "pipe/p_defines.h"
#include "pitot/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pitot_pipe_kind {
   enum pipe_query_type type;
   enum pipe_statistics_query_index statistic;
   unsigned bits;        /* of a result; 0: a time, which has its own */
   size_t either_cap[2]; /* offsets in struct pipe_caps: one cap suffices;
                          * 0: no cap is needed */
};

/* PIPE_QUERY_PIPELINE_STATISTICS of Pitot's own queries and of zink counts
 * only some statistics if its index is this bit and a mask of
 * 1 << enum pipe_statistics_query_index.
 */
#define PITOT_PIPE_STATISTICS_OF_MASK (1u << 31)

const struct pitot_pipe_kind *
pitot_pipe_kind(enum pitot_kind kind);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_KIND_H */
