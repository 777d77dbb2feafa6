/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared inside pipe only.
 */

#ifndef PITOT_PIPE_PRIV_H
#define PITOT_PIPE_PRIV_H

#include "pipe/p_screen.h"
#include "pitot/pipe.h"

/* kind_map.c: how Gallium measures a kind. */

struct pitot_pipe_kind {
   enum pipe_query_type type;
   enum pipe_statistics_query_index statistic;
   unsigned bits;
   size_t either_cap[2]; /* offsets in struct pipe_caps; 0: always there */
};

const struct pitot_pipe_kind *
pitot_pipe_kind(enum pitot_kind kind);

/* Returns how many bits a driver counts; 0 if it does not. */
unsigned
pitot_pipe_kind_bits(const struct pitot_pipe_kind *row,
                     const struct pipe_caps *caps);

#endif /* PITOT_PIPE_PRIV_H */
