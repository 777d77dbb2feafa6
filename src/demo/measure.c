/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measures all scenes in one context: times, statistics, counters.
 * Invariant: all queries of a pass are issued before any result is polled, so
 * that the CPU never waits for the GPU between two draws.
 * Danger: queries that count may cost time, so nothing is timed and counted
 * in the same draw.
 */

#include "demo.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* How long the GPU may take to return results */
#define PATIENCE_MS 60000

/* How often a disjoint measurement is repeated */
#define RETRIES_MAX 3

/* The shaders split a triangle into four, or at level 8 into 96 with 61
 * vertices.  GL lets drivers reuse shaded vertices.
 */
/* clang-format off */
const struct statistic statistics[STATISTIC_COUNT] = {
   { GL_VERTICES_SUBMITTED, "vertices submitted", 3, 3, 3, 0 },
   { GL_PRIMITIVES_SUBMITTED, "primitives submitted", 1, 1, 1, 0 },
   { GL_VERTEX_SHADER_INVOCATIONS, "VS invocations", 1, 1, 1, AT_LEAST },
   { GL_TESS_CONTROL_SHADER_PATCHES, "TCS patches", 0, 0, 1, 0 },
   { GL_TESS_EVALUATION_SHADER_INVOCATIONS, "TES invocations", 0, 0, 61,
     BY_SHADERS | AT_LEAST },
   { GL_GEOMETRY_SHADER_INVOCATIONS, "GS invocations", 0, 1, 0, BY_SHADERS },
   { GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED, "GS primitives", 0, 4, 0,
     BY_SHADERS },
   { GL_CLIPPING_INPUT_PRIMITIVES, "clipping input", 1, 4, 96,
     BY_SHADERS | UNLESS_SMALL },
   { GL_CLIPPING_OUTPUT_PRIMITIVES, "clipping output", 1, 4, 96,
     BY_SHADERS | UNLESS_SMALL | AT_LEAST },
   { GL_FRAGMENT_SHADER_INVOCATIONS, "FS invocations", 0, 0, 0,
     BY_SHADERS | EACH_PIXEL | AT_LEAST },
   { GL_COMPUTE_SHADER_INVOCATIONS, "CS invocations", 0, 0, 0, EACH_THREAD },
   { GL_SAMPLES_PASSED, "samples passed", 0, 0, 0, BY_SHADERS | EACH_PIXEL },
};
/* clang-format on */

void
nap_until_late(unsigned *naps)
{
   const struct timespec millisecond = { .tv_nsec = 1000000 };

   if (++*naps > PATIENCE_MS)
      fail("the GPU gave no result for %d s", PATIENCE_MS / 1000);
   nanosleep(&millisecond, NULL);
}

void
collect_results(struct queries *queries)
{
   unsigned naps = 0;

   glFlush();
   check_gl("issuing queries");
   while (query_poll(queries) > 0)
      nap_until_late(&naps);
   check_gl("collecting query results");
}

/* The flushes make the draw a pass of its own.  A tiler repeats everything
 * between two flushes for each tile, so that a timestamp in the middle would
 * be no single point in time.
 */
void
time_draw(struct queries *queries, bool has_timestamps,
          const struct scene *scene, struct sample *sample)
{
   scene_prepare(scene);
   if (has_timestamps)
      query_timestamp(queries, &sample->before_ns);
   glFlush();

   query_begin(queries, GL_TIME_ELAPSED, &sample->elapsed_ns);
   scene_draw(scene);
   query_end(queries, GL_TIME_ELAPSED);
   if (has_timestamps)
      query_timestamp(queries, &sample->after_ns);
   glFlush();
   check_gl("timing a draw");
}

static int
compare_samples(const void *left, const void *right)
{
   const struct sample *l = left;
   const struct sample *r = right;

   return (l->elapsed_ns > r->elapsed_ns) - (l->elapsed_ns < r->elapsed_ns);
}

/* Repeats disjoint measurements.  If the last one is disjoint, too, its times
 * are shown and marked.
 */
static void
time_scenes(struct queries *queries, struct result *result)
{
   query_is_disjoint(queries); /* a read resets the flag */
   for (;; result->discarded++) {
      for (unsigned round = 0; round < SAMPLE_COUNT; round++) {
         for (unsigned i = 0; i < result->scene_count; i++)
            time_draw(queries, result->timestamp_bits > 0, &result->scenes[i],
                      &result->scenes[i].samples[round]);
      }
      collect_results(queries);
      result->disjoint = query_is_disjoint(queries);
      if (!result->disjoint || result->discarded == RETRIES_MAX)
         break;
   }
   for (unsigned i = 0; i < result->scene_count; i++)
      qsort(result->scenes[i].samples, SAMPLE_COUNT, sizeof(struct sample),
            compare_samples);
}

/* GL allows active queries of different targets. */
void
count_draws(struct queries *queries, const bool *counted,
            const struct scene *scene, unsigned draws, uint64_t *counts)
{
   scene_prepare(scene);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         query_begin(queries, statistics[i].target, &counts[i]);
   }
   for (unsigned i = 0; i < draws; i++)
      scene_draw(scene);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         query_end(queries, statistics[i].target);
   }
   check_gl("counting draws");
}

const char *
simulated_prefix(void)
{
   return dlsym(RTLD_DEFAULT, "pitot_sim_get") ? "simulated: " : "";
}

const char *
open_driver(enum api api, struct result *result, struct queries *queries)
{
   *result = (struct result){ .api = api, .why_not = context_open(api) };
   if (result->why_not)
      return result->why_not;

   snprintf(result->renderer, sizeof(result->renderer), "%s%s", simulated_prefix(),
            (const char *)glGetString(GL_RENDERER));
   snprintf(result->version, sizeof(result->version), "%s",
            (const char *)glGetString(GL_VERSION));
   if (!query_load(queries)) {
      result->why_not = "the driver has no timer queries";
   } else {
      result->elapsed_bits = query_bits(queries, GL_TIME_ELAPSED);
      result->timestamp_bits = query_bits(queries, GL_TIMESTAMP);
      if (result->elapsed_bits == 0)
         result->why_not = "the driver's GL_TIME_ELAPSED has no bits";
   }
   if (result->why_not) {
      context_close();
      return result->why_not;
   }
   /* A statistic without bits is missing from the context, not 0. */
   for (unsigned i = 0; i < STATISTIC_COUNT && api == API_GL; i++)
      result->counted[i] = query_bits(queries, statistics[i].target) > 0;
   return NULL;
}

void
load_scenes(struct result *result)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (scene_load(i, &result->scenes[result->scene_count]))
         result->scene_count++;
   }
}

void
measure_by_api(enum api api, struct result *result)
{
   struct queries queries;

   if (open_driver(api, result, &queries) != NULL)
      return;
   load_scenes(result);
   time_scenes(&queries, result);
   for (unsigned i = 0; i < result->scene_count; i++)
      count_draws(&queries, result->counted, &result->scenes[i], 1,
                  result->scenes[i].counts);
   collect_results(&queries);

   /* A draw for each set: a driver may measure only one set at a time. */
   result->why_no_sets = perf_load(&result->sets);
   for (unsigned i = 0; i < result->sets.count; i++) {
      if (!is_measured(&result->sets, i))
         continue;
      for (unsigned k = 0; k < result->scene_count; k++)
         perf_measure(&result->sets.sets[i], &result->scenes[k], k);
   }
   context_close();
}
