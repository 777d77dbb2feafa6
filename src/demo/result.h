/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_RESULT_H
#define PITOT_DEMO_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "context.h"
#include "counter.h"
#include "perf_set.h"
#include "scene.h"

/* How often each scene is timed. */
#define SAMPLE_COUNT 5

/* One timed draw, as the queries told it. */
struct sample {
   uint64_t elapsed_ns; /* GL_TIME_ELAPSED around the draw */
   uint64_t before_ns;  /* GL_TIMESTAMP just before it ... */
   uint64_t after_ns;   /* ... and just after it */
};

struct scene_result {
   bool drawn; /* else the context does not support the scene */
   struct sample samples[SAMPLE_COUNT];
   uint64_t counts[COUNTER_COUNT];
};

/* All that was measured in one context. */
struct result {
   enum api api;
   bool measured;   /* else there was no such context, and ... */
   const char *why; /* ... this is why */

   char renderer[128];
   char version[128];
   const char *extension; /* whose entry points were used */
   int elapsed_bits;
   int timestamp_bits; /* 0: no timestamps */
   bool has_disjoint;
   bool disjoint;      /* the times below are in doubt */
   unsigned discarded; /* how often times were thrown away as disjoint */
   bool counted[COUNTER_COUNT]; /* else the target is not to be had */
   struct perf_sets perf;       /* all that the driver has, or ... */
   const char *no_perf;         /* ... why it has none */

   struct scene_result scenes[SCENE_COUNT]; /* one for each of scenes[] */
};

/* Several values of the same thing, in brief. */
struct spread {
   int64_t lowest_ns;
   int64_t median_ns;
   int64_t highest_ns;
};

void
result_free(struct result *result);

/* Signed, so that timestamps which run backwards give a negative time. */
int64_t
sample_between_ns(const struct sample *sample);

struct spread
result_elapsed(const struct scene_result *scene);

struct spread
result_between(const struct scene_result *scene);

#endif
