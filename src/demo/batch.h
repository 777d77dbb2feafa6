/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_BATCH_H
#define PITOT_DEMO_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "query.h"

#define BATCH_MAX 128

/* Queries that have been issued, and where each one's result belongs. */
struct batch {
   const struct query_functions *query;
   unsigned count;
   struct pending {
      GLuint id;
      uint64_t *result; /* NULL once it has been read */
   } pending[BATCH_MAX];
};

void
batch_start(struct batch *batch, const struct query_functions *query);

/* A new query, whose result goes to *result when the batch is collected. */
GLuint
batch_query(struct batch *batch, uint64_t *result);

/* Reads all results. Stalls only for those that are late beyond reason. */
void
batch_collect(struct batch *batch);

#endif
