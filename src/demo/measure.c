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

#define STATISTIC(name, ...)                                                 \
   {                                                                         \
      GL_##name, #name, __VA_ARGS__                                          \
   }
#define ANY_CONTEXT  0, ""
#define TESSELLATION 40, "GL_ARB_tessellation_shader"
#define COMPUTE      43, "GL_ARB_compute_shader"

/* clang-format off */
const struct statistic statistics[STATISTIC_COUNT] = {
   STATISTIC(VERTICES_SUBMITTED, "vertices submitted", ANY_CONTEXT),
   STATISTIC(PRIMITIVES_SUBMITTED, "primitives submitted", ANY_CONTEXT),
   STATISTIC(VERTEX_SHADER_INVOCATIONS, "VS invocations", ANY_CONTEXT),
   STATISTIC(TESS_CONTROL_SHADER_PATCHES, "TCS patches", TESSELLATION),
   STATISTIC(TESS_EVALUATION_SHADER_INVOCATIONS, "TES invocations",
             TESSELLATION),
   STATISTIC(GEOMETRY_SHADER_INVOCATIONS, "GS invocations", ANY_CONTEXT),
   STATISTIC(GEOMETRY_SHADER_PRIMITIVES_EMITTED, "GS primitives",
             ANY_CONTEXT),
   STATISTIC(CLIPPING_INPUT_PRIMITIVES, "clipping input", ANY_CONTEXT),
   STATISTIC(CLIPPING_OUTPUT_PRIMITIVES, "clipping output", ANY_CONTEXT),
   STATISTIC(FRAGMENT_SHADER_INVOCATIONS, "FS invocations", ANY_CONTEXT),
   STATISTIC(COMPUTE_SHADER_INVOCATIONS, "CS invocations", COMPUTE),
   STATISTIC(SAMPLES_PASSED, "samples passed", ANY_CONTEXT),
};
/* clang-format on */

/* The tools and the outcome of the measurements in a context. */
struct measurement {
   struct query_functions gl;
   struct query_list queries;
   struct loaded_scene loaded[SCENE_COUNT]; /* those of result->scenes */
   struct result *result;
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
time_draw(struct measurement *m, unsigned scene, struct sample *sample)
{
   const struct query_functions *gl = &m->gl;
   const bool has_timestamps = m->result->timestamp_bits > 0;

   scene_prepare(&m->loaded[scene]);
   if (has_timestamps) {
      gl->counter(query_add(gl, &m->queries, &sample->before_ns),
                  GL_TIMESTAMP);
   }
   glFlush();

   gl->begin(GL_TIME_ELAPSED,
             query_add(gl, &m->queries, &sample->elapsed_ns));
   scene_draw(&m->loaded[scene]);
   gl->end(GL_TIME_ELAPSED);
   if (has_timestamps) {
      gl->counter(query_add(gl, &m->queries, &sample->after_ns),
                  GL_TIMESTAMP);
   }
   glFlush();
   check_gl("timing a draw");
}

/* Issues the queries of all scenes before asking for any result, so that the
 * CPU never waits for the GPU between two draws. Returns whether the times
 * are in doubt.
 */
static bool
time_scenes(struct measurement *m)
{
   struct result *result = m->result;

   query_read_disjoint(&m->gl); /* forget what happened before */
   for (unsigned round = 0; round < SAMPLE_COUNT; round++) {
      for (unsigned i = 0; i < result->scene_count; i++)
         time_draw(m, i, &result->scenes[i].samples[round]);
   }
   query_collect(&m->gl, &m->queries);

   /* Only now: before the results are available, the answer does not cover
    * all of the time in which they were measured.
    */
   return query_read_disjoint(&m->gl);
}

/* Times that a disturbed clock may have spoilt are thrown away and taken
 * anew. Should it never come to rest, the last ones stand, in doubt.
 */
static void
time_scenes_undisturbed(struct measurement *m)
{
   struct result *result = m->result;

   result->disjoint = time_scenes(m);
   while (result->disjoint && result->discarded < RETRIES_MAX) {
      result->discarded++;
      result->disjoint = time_scenes(m);
   }
}

/* Counts one draw with all statistics at once: queries of different targets
 * may be active at the same time.
 */
static void
count_draw(struct measurement *m, unsigned scene)
{
   const bool *counted = m->result->counted;
   uint64_t *counts = m->result->scenes[scene].counts;

   scene_prepare(&m->loaded[scene]);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i]) {
         m->gl.begin(statistics[i].target,
                     query_add(&m->gl, &m->queries, &counts[i]));
      }
   }
   scene_draw(&m->loaded[scene]);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         m->gl.end(statistics[i].target);
   }
   check_gl("counting a draw");
}

/* Measures a draw with some of the perf sets. It is drawn again for those
 * that the driver does not measure beside the others.
 */
static void
perf_draw(const struct loaded_scene *loaded, struct perf_query *queries,
          unsigned count)
{
   unsigned left = count;
   unsigned active;

   do {
      scene_prepare(loaded);
      glFlush();
      check_gl("preparing a scene");
      active = perf_begin(queries, count);
      scene_draw(loaded);
      perf_end(queries, count);
      glFlush();
      check_gl("measuring a draw with counters");
      left -= active;
   } while (left && active);
}

static void
perf_scene(struct measurement *m, unsigned scene)
{
   const struct perf_sets *sets = &m->result->perf;
   struct perf_query queries[PERF_QUERIES_MAX];
   uint8_t **records = calloc(sets->count, sizeof(*records));

   if (!records)
      fail("out of memory");
   for (unsigned first = 0; first < sets->count; first += PERF_QUERIES_MAX) {
      const unsigned left = sets->count - first;
      const unsigned count =
         left < PERF_QUERIES_MAX ? left : PERF_QUERIES_MAX;

      for (unsigned i = 0; i < count; i++)
         queries[i] = perf_create(&sets->sets[first + i]);
      perf_draw(&m->loaded[scene], queries, count);
      perf_collect(queries, count);
      for (unsigned i = 0; i < count; i++)
         records[first + i] = queries[i].record;
   }
   m->result->scenes[scene].records = records;
}

/* Draws each scene once without measuring: drivers finish compiling a shader
 * only when it is first drawn with, and allocate memory when it is first
 * touched. That is a cost of starting, not of drawing.
 */
static void
load_scenes(struct measurement *m)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (!scene_supported(&scenes[i]))
         continue;

      const unsigned n = m->result->scene_count++;
      m->result->scenes[n].scene = &scenes[i];
      m->loaded[n] = scene_load(&scenes[i]);
      scene_prepare(&m->loaded[n]);
      scene_draw(&m->loaded[n]);
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

static void
summarize(struct scene_result *scene)
{
   int64_t elapsed_ns[SAMPLE_COUNT], between_ns[SAMPLE_COUNT];

   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      struct sample *sample = &scene->samples[i];

      sample->between_ns = (int64_t)(sample->after_ns - sample->before_ns);
      elapsed_ns[i] = (int64_t)sample->elapsed_ns;
      between_ns[i] = sample->between_ns;
   }
   scene->elapsed = spread_of(elapsed_ns);
   scene->between = spread_of(between_ns);
}

/* A target of a stage which the context lacks must not even be named to GL,
 * and one whose counter has no bits counts nothing; neither is the same as a
 * count of 0.
 */
static bool
can_count(const struct query_functions *gl, const struct statistic *statistic)
{
   if (!epoxy_is_desktop_gl() ||
       !context_has(statistic->version, statistic->extension))
      return false;
   if (statistic->target != GL_SAMPLES_PASSED &&
       !context_has(46, "GL_ARB_pipeline_statistics_query"))
      return false;

   GLint bits = 0;
   gl->get(statistic->target, GL_QUERY_COUNTER_BITS, &bits);
   check_gl(statistic->name);
   return bits > 0;
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

static void
describe_queries(const struct query_functions *gl, struct result *result)
{
   result->extension = gl->extension;
   result->has_disjoint = gl->has_disjoint;
   gl->get(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &result->elapsed_bits);
   gl->get(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &result->timestamp_bits);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++)
      result->counted[i] = can_count(gl, &statistics[i]);
   check_gl("asking what the driver can measure");
}

/* Measures in the current context. Returns NULL, or why it cannot. */
static const char *
measure_scenes(struct result *result)
{
   struct measurement m = { .result = result };

   if (!query_load(&m.gl))
      return "the driver has no timer queries";
   describe_driver(result);
   describe_queries(&m.gl, result);
   if (result->elapsed_bits == 0)
      return "the driver's GL_TIME_ELAPSED has no bits";

   load_scenes(&m);
   time_scenes_undisturbed(&m);
   for (unsigned i = 0; i < result->scene_count; i++) {
      summarize(&result->scenes[i]);
      count_draw(&m, i); /* apart from the timing, as it may cost time */
   }
   query_collect(&m.gl, &m.queries);
   if (!result->why_no_perf) {
      for (unsigned i = 0; i < result->scene_count; i++)
         perf_scene(&m, i);
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
