/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Timing scenes: by queries, and by the set of counters that times.
 */

#include "demo.h"

#include <stdlib.h>

/* The number of times that a disturbed measurement is repeated. */
#define RETRIES_MAX 3

/* Times one draw in three ways at once: by a query that spans it, by the set
 * "GPU Time" around the query, and by timestamps around the set. So on a
 * driver that measures well, none of the three times is shorter than one that
 * lies within it.
 *
 * The flushes make the draw a pass of its own. A renderer that works tile by
 * tile repeats all that lies between two flushes for each tile, so that a
 * timestamp in the middle would stand for no single moment.
 */
static void
time_draw(struct queries *queries, const struct result *result,
          struct scene_result *scene, unsigned round)
{
   const struct perf_set *set = result->perf.time_set;
   struct perf_query *gpu_time = &scene->gpu_times[round];
   struct sample *sample = &scene->samples[round];

   if (set)
      *gpu_time = perf_create(set);
   scene_prepare(&scene->scene);
   if (result->timestamp_bits > 0)
      query_timestamp(queries, &sample->before_ns);
   glFlush();

   const unsigned active = perf_begin(gpu_time, set ? 1 : 0);
   query_begin(queries, GL_TIME_ELAPSED, &sample->elapsed_ns);
   scene_draw(&scene->scene);
   queries->end(GL_TIME_ELAPSED);
   perf_end(gpu_time, active);
   if (result->timestamp_bits > 0)
      query_timestamp(queries, &sample->after_ns);
   glFlush();
   check_gl("timing a draw");
}

/* Issues all queries before asking for any result, so that the CPU never
 * waits for the GPU between two draws.
 */
static void
time_once(struct queries *queries, struct result *result)
{
   for (unsigned round = 0; round < SAMPLE_COUNT; round++) {
      for (unsigned i = 0; i < result->scene_count; i++)
         time_draw(queries, result, &result->scenes[i], round);
   }
   query_collect(queries);
   for (unsigned i = 0; i < result->scene_count && result->perf.time_set; i++)
      perf_collect(result->scenes[i].gpu_times, SAMPLE_COUNT);
}

static int
compare_ns(const void *left, const void *right)
{
   const int64_t *l = left;
   const int64_t *r = right;
   return (*l > *r) - (*l < *r);
}

static void
sort_times(struct scene_result *scene)
{
   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      struct sample *sample = &scene->samples[i];

      sample->between_ns = (int64_t)(sample->after_ns - sample->before_ns);
      scene->elapsed_ns[i] = (int64_t)sample->elapsed_ns;
      scene->between_ns[i] = sample->between_ns;
   }
   qsort(scene->elapsed_ns, SAMPLE_COUNT, sizeof(int64_t), compare_ns);
   qsort(scene->between_ns, SAMPLE_COUNT, sizeof(int64_t), compare_ns);
}

static int
compare_gpu_times(const void *left, const void *right)
{
   const struct perf_query *l = left;
   const struct perf_query *r = right;
   const int64_t l_ns = perf_elapsed_ns(l);
   const int64_t r_ns = perf_elapsed_ns(r);

   return compare_ns(&l_ns, &r_ns);
}

/* Keeps the median of a scene's records of "GPU Time". Frees the others. */
static void
keep_median_record(const struct perf_sets *sets, struct scene_result *scene)
{
   const size_t set = (size_t)(sets->time_set - sets->sets);

   qsort(scene->gpu_times, SAMPLE_COUNT, sizeof(scene->gpu_times[0]),
         compare_gpu_times);
   free(scene->records[set]); /* of times that were thrown away */
   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      if (i != MEDIAN)
         free(scene->gpu_times[i].record);
   }
   scene->records[set] = scene->gpu_times[MEDIAN].record;
}

void
time_scenes(struct queries *queries, struct result *result)
{
   query_read_disjoint(queries); /* forget the past */
   for (;;) {
      time_once(queries, result);
      for (unsigned i = 0; i < result->scene_count; i++) {
         sort_times(&result->scenes[i]);
         if (result->perf.time_set)
            keep_median_record(&result->perf, &result->scenes[i]);
      }

      /* Only now: before the results are available, the answer does not
       * cover all of the time in which they were measured.
       */
      result->disjoint = query_read_disjoint(queries);
      if (!result->disjoint || result->discarded == RETRIES_MAX)
         return;
      result->discarded++;
   }
}
