/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The smallest GL around Pitot: two buffer objects and the first error.
 */

#ifndef PITOT_MODEL_NULL_HOST_H
#define PITOT_MODEL_NULL_HOST_H

#include "perf/null_sets.h"
#include "pitot/gl.h"
#include "pitot/perf_gl.h"
#include "pitot_null.h"
#include "world.h"

struct null_buffer {
   uint8_t bytes[BUFFER_SIZE_B];
   unsigned size_B;
   bool is_mapped;
};

struct null_host {
   struct pitot_null null;
   struct pitot_gl *gl; /* NULL: not created yet */
   struct null_sets sets;
   struct pitot_perf_gl perf;
   unsigned error;
   struct null_buffer buffers[BUFFER_COUNT];
   void *bound; /* one of the buffers, or NULL */
   uint32_t set_ids[SET_COUNT];
   uint32_t record_B[SET_COUNT];
};

void
null_host_make(struct null_host *host, enum pitot_gl_api api,
               unsigned features);

/* Returns what is wrong, or NULL. */
const char *
null_host_end(struct null_host *host);

void
null_call(struct null_host *host, const struct features *features,
          const struct call *call, const struct variables *variables,
          struct outcome *outcome);

#endif /* PITOT_MODEL_NULL_HOST_H */
