/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "result.h"

#include <stdlib.h>

static int
compare_ns(const void *left, const void *right)
{
   const int64_t *l = left;
   const int64_t *r = right;
   return (*l > *r) - (*l < *r);
}

static struct spread
spread_of(int64_t values_ns[SAMPLE_COUNT])
{
   qsort(values_ns, SAMPLE_COUNT, sizeof(values_ns[0]), compare_ns);
   return (struct spread){
      .lowest_ns = values_ns[0],
      .median_ns = values_ns[SAMPLE_COUNT / 2],
      .highest_ns = values_ns[SAMPLE_COUNT - 1],
   };
}

void
result_free(struct result *result)
{
   perf_sets_free(&result->perf);
}

int64_t
sample_between_ns(const struct sample *sample)
{
   return (int64_t)(sample->after_ns - sample->before_ns);
}

struct spread
result_elapsed(const struct scene_result *scene)
{
   int64_t values_ns[SAMPLE_COUNT];
   for (unsigned i = 0; i < SAMPLE_COUNT; i++)
      values_ns[i] = (int64_t)scene->samples[i].elapsed_ns;
   return spread_of(values_ns);
}

struct spread
result_between(const struct scene_result *scene)
{
   int64_t values_ns[SAMPLE_COUNT];
   for (unsigned i = 0; i < SAMPLE_COUNT; i++)
      values_ns[i] = sample_between_ns(&scene->samples[i]);
   return spread_of(values_ns);
}
