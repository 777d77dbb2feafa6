/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <stdlib.h>

/* How often the times are taken anew when the clock was disturbed. */
#define RETRIES_MAX 3

/* How many perf queries there are at a time: a driver may list a thousand
 * sets, and have memory of the GPU for each query.
 */
#define PERF_QUERIES_MAX 64

#define STATISTIC(name, label)                                               \
   {                                                                         \
      GL_##name, #name, label                                                \
   }

const struct statistic statistics[STATISTIC_COUNT] = {
   STATISTIC(VERTICES_SUBMITTED, "vertices submitted"),
   STATISTIC(PRIMITIVES_SUBMITTED, "primitives submitted"),
   STATISTIC(VERTEX_SHADER_INVOCATIONS, "VS invocations"),
   STATISTIC(TESS_CONTROL_SHADER_PATCHES, "TCS patches"),
   STATISTIC(TESS_EVALUATION_SHADER_INVOCATIONS, "TES invocations"),
   STATISTIC(GEOMETRY_SHADER_INVOCATIONS, "GS invocations"),
   STATISTIC(GEOMETRY_SHADER_PRIMITIVES_EMITTED, "GS primitives"),
   STATISTIC(CLIPPING_INPUT_PRIMITIVES, "clipping input"),
   STATISTIC(CLIPPING_OUTPUT_PRIMITIVES, "clipping output"),
   STATISTIC(FRAGMENT_SHADER_INVOCATIONS, "FS invocations"),
   STATISTIC(COMPUTE_SHADER_INVOCATIONS, "CS invocations"),
   STATISTIC(SAMPLES_PASSED, "samples passed"),
};

/* Times one draw in two ways at once: by a query that spans it, and by the
 * clock before and after it. The timestamps lie outside, so on a driver that
 * measures well their difference is never the smaller of the two.
 *
 * The flushes make the draw a pass of its own. A renderer that works tile by
 * tile repeats all that lies between two flushes for each tile, so that a
 * timestamp in the middle would stand for no single moment.
 */
static void
time_draw(struct queries *queries, const struct scene *scene,
          bool has_timestamps, struct sample *sample)
{
   scene_prepare(scene);
   if (has_timestamps)
      query_timestamp(queries, &sample->before_ns);
   glFlush();

   query_begin(queries, GL_TIME_ELAPSED, &sample->elapsed_ns);
   scene_draw(scene);
   queries->end(GL_TIME_ELAPSED);
   if (has_timestamps)
      query_timestamp(queries, &sample->after_ns);
   glFlush();
   check_gl("timing a draw");
}

/* Times all scenes. Issues all queries before asking for any result, so that
 * the CPU never waits for the GPU between two draws.
 *
 * Times that a disturbed clock may have spoilt are thrown away and taken
 * anew. Should it never come to rest, the last ones stand, in doubt.
 */
static void
time_scenes(struct queries *queries, struct result *result)
{
   query_read_disjoint(queries); /* forget the past */
   for (;;) {
      for (unsigned round = 0; round < SAMPLE_COUNT; round++) {
         for (unsigned i = 0; i < result->scene_count; i++) {
            struct scene_result *scene = &result->scenes[i];
            time_draw(queries, &scene->scene, result->timestamp_bits > 0,
                      &scene->samples[round]);
         }
      }
      query_collect(queries);

      /* Only now: before the results are available, the answer does not
       * cover all of the time in which they were measured.
       */
      result->disjoint = query_read_disjoint(queries);
      if (!result->disjoint || result->discarded == RETRIES_MAX)
         return;
      result->discarded++;
   }
}

/* Counts one draw with all statistics at once: queries of different targets
 * may be active at the same time.
 */
static void
count_draw(struct queries *queries, const bool *counted,
           struct scene_result *scene)
{
   scene_prepare(&scene->scene);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         query_begin(queries, statistics[i].target, &scene->counts[i]);
   }
   scene_draw(&scene->scene);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         queries->end(statistics[i].target);
   }
   check_gl("counting a draw");
}

/* Measures a draw with some of the perf sets. It is drawn again for those
 * that the driver does not measure beside the others.
 */
static void
perf_draw(const struct scene *scene, struct perf_query *queries,
          unsigned count)
{
   unsigned left = count;
   unsigned active;

   do {
      scene_prepare(scene);
      glFlush();
      check_gl("preparing a scene");
      active = perf_begin(queries, count);
      scene_draw(scene);
      perf_end(queries, count);
      glFlush();
      check_gl("measuring a draw with counters");
      left -= active;
   } while (left && active);
}

static void
perf_scene(const struct perf_sets *sets, struct scene_result *scene)
{
   struct perf_query queries[PERF_QUERIES_MAX];

   scene->records = calloc(sets->count, sizeof(scene->records[0]));
   if (!scene->records)
      fail("out of memory");
   for (unsigned first = 0; first < sets->count; first += PERF_QUERIES_MAX) {
      unsigned count = 0;

      while (count < PERF_QUERIES_MAX && first + count < sets->count) {
         queries[count] = perf_create(&sets->sets[first + count]);
         count++;
      }
      perf_draw(&scene->scene, queries, count);
      perf_collect(queries, count);
      for (unsigned i = 0; i < count; i++)
         scene->records[first + i] = queries[i].record;
   }
}

/* Draws each scene once without measuring: drivers finish compiling a shader
 * only when it is first drawn with, and allocate memory when it is first
 * touched. That is a cost of starting, not of drawing.
 */
static void
load_scenes(struct result *result)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      struct scene *scene = &result->scenes[result->scene_count].scene;

      if (scene_load(i, scene)) {
         scene_prepare(scene);
         scene_draw(scene);
         result->scene_count++;
      }
   }
   glFinish();
   check_gl("warming up");
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

void
describe_driver(struct result *result)
{
   snprintf(result->renderer, sizeof(result->renderer), "%s",
            (const char *)glGetString(GL_RENDERER));
   snprintf(result->version, sizeof(result->version), "%s",
            (const char *)glGetString(GL_VERSION));
   result->why_no_perf = perf_load(&result->perf);
}

/* Measures in the current context. Returns NULL, or why it cannot. */
static const char *
measure_scenes(struct result *result)
{
   struct queries queries;

   if (!query_load(&queries))
      return "the driver has no timer queries";
   describe_driver(result);
   result->extension = queries.extension;
   result->has_disjoint = queries.has_disjoint;
   result->elapsed_bits = query_bits(&queries, GL_TIME_ELAPSED);
   result->timestamp_bits = query_bits(&queries, GL_TIMESTAMP);
   if (result->elapsed_bits == 0)
      return "the driver's GL_TIME_ELAPSED has no bits";

   load_scenes(result);
   time_scenes(&queries, result);

   /* Statistics are counted apart from the timing, as that may cost time. A
    * statistic without bits is not the same as a count of 0.
    */
   for (unsigned i = 0; i < STATISTIC_COUNT && result->api == API_GL; i++)
      result->counted[i] = query_bits(&queries, statistics[i].target) > 0;
   for (unsigned i = 0; i < result->scene_count; i++)
      count_draw(&queries, result->counted, &result->scenes[i]);
   query_collect(&queries);

   for (unsigned i = 0; i < result->scene_count; i++) {
      sort_times(&result->scenes[i]);
      if (!result->why_no_perf)
         perf_scene(&result->perf, &result->scenes[i]);
   }
   return NULL;
}

void
measure(enum api api, struct result *result)
{
   *result = (struct result){ .api = api, .why_not = context_open(api) };
   if (!result->why_not) {
      result->why_not = measure_scenes(result);
      context_close();
   }
}

void
free_result(struct result *result)
{
   for (unsigned i = 0; i < result->scene_count; i++) {
      uint8_t **records = result->scenes[i].records;

      for (unsigned set = 0; records && set < result->perf.count; set++)
         free(records[set]);
      free(records);
   }
   perf_free(&result->perf);
}
