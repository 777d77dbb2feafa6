/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot's kinds of queries as Gallium's types: for both sides of a
 * pipe_context.  Any thread.
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
   unsigned bits;        /* 0: those of a time */
   size_t either_cap[2]; /* offsets in struct pipe_caps; 0: always there */
};

/* A driver of Pitot's counts only the statistics of a mask, a bit for each
 * enum pipe_statistics_query_index, in PIPE_QUERY_PIPELINE_STATISTICS if its
 * index is that with this bit.
 */
#define PITOT_PIPE_STATISTICS_OF_MASK (1u << 31)

/* Returns how Gallium measures a kind. */
const struct pitot_pipe_kind *
pitot_pipe_kind(enum pitot_kind kind);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_PIPE_KIND_H */
