/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "measure.h"

#include <stdio.h>

#include "batch.h"
#include "perf_measure.h"
#include "query.h"

/* How often the times are taken anew when the clock was disturbed. */
#define RETRIES_MAX 3

/* What a measurement works with. */
struct session {
   const struct context *ctx;
   struct query_functions query;
   struct batch batch;
   struct loaded_scene loaded[SCENE_COUNT];
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
time_draw(struct session *s, const struct loaded_scene *loaded,
          struct sample *sample)
{
   const struct query_functions *query = &s->query;
   const bool stamps = s->result->timestamp_bits > 0;

   scene_prepare(loaded);
   if (stamps) {
      query->counter(batch_query(&s->batch, &sample->before_ns),
                     GL_TIMESTAMP);
   }
   glFlush();

   query->begin(GL_TIME_ELAPSED, batch_query(&s->batch, &sample->elapsed_ns));
   scene_draw(loaded);
   query->end(GL_TIME_ELAPSED);
   if (stamps)
      query->counter(batch_query(&s->batch, &sample->after_ns), GL_TIMESTAMP);
   glFlush();
   context_check("timing a draw");
}

/* Counts one draw with all counters at once: queries of different targets
 * may be active at the same time.
 */
static void
count_draw(struct session *s, const struct loaded_scene *loaded,
           uint64_t counts[COUNTER_COUNT])
{
   const bool *counted = s->result->counted;

   scene_prepare(loaded);
   for (unsigned i = 0; i < COUNTER_COUNT; i++) {
      if (counted[i]) {
         s->query.begin(counters[i].target,
                        batch_query(&s->batch, &counts[i]));
      }
   }
   scene_draw(loaded);
   for (unsigned i = 0; i < COUNTER_COUNT; i++) {
      if (counted[i])
         s->query.end(counters[i].target);
   }
   context_check("counting a draw");
}

/* Reading the disjoint state also resets it: the next read tells whether
 * anything since this one disturbed the clock, such as the GPU changing its
 * frequency or the machine going to sleep.
 */
static bool
read_disjoint(const struct session *s)
{
   GLint disjoint = GL_FALSE;
   if (s->query.has_disjoint)
      glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
   return disjoint;
}

/* Issues the queries of all scenes before asking for any result, so that
 * the CPU never waits for the GPU between two draws. Returns whether the
 * times can be trusted.
 */
static bool
time_scenes(struct session *s)
{
   read_disjoint(s); /* forget what happened before */
   batch_start(&s->batch, &s->query);
   for (unsigned round = 0; round < SAMPLE_COUNT; round++) {
      for (unsigned i = 0; i < SCENE_COUNT; i++) {
         struct scene_result *scene = &s->result->scenes[i];
         if (scene->drawn)
            time_draw(s, &s->loaded[i], &scene->samples[round]);
      }
   }
   batch_collect(&s->batch);

   /* Only now: before the results are there, the answer does not yet cover
    * all of the time in which they were measured.
    */
   return !read_disjoint(s);
}

/* Times which the clock's trouble may have spoilt are thrown away and taken
 * anew. Should it never come to rest, the last ones stand, marked as such.
 */
static void
time_scenes_undisturbed(struct session *s)
{
   struct result *result = s->result;

   result->disjoint = !time_scenes(s);
   while (result->disjoint && result->discarded < RETRIES_MAX) {
      result->discarded++;
      result->disjoint = !time_scenes(s);
   }
}

/* Apart from the timing, as counting may cost time. */
static void
count_scenes(struct session *s)
{
   batch_start(&s->batch, &s->query);
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      struct scene_result *scene = &s->result->scenes[i];
      if (scene->drawn)
         count_draw(s, &s->loaded[i], scene->counts);
   }
   batch_collect(&s->batch);
}

/* Draws each scene once without measuring: drivers finish compiling a shader
 * only when it is first drawn with, and allocate memory when it is first
 * touched. That is a cost of starting, not of drawing.
 */
static void
load_scenes(struct session *s)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      struct scene_result *scene = &s->result->scenes[i];
      scene->drawn = scene_supported(s->ctx, &scenes[i]);
      if (scene->drawn) {
         s->loaded[i] = scene_load(s->ctx, &scenes[i]);
         scene_prepare(&s->loaded[i]);
         scene_draw(&s->loaded[i]);
      }
   }
   glFinish();
   context_check("warming up");
}

static void
unload_scenes(struct session *s)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (s->result->scenes[i].drawn)
         scene_unload(&s->loaded[i]);
   }
}

static void
describe(struct session *s)
{
   struct result *result = s->result;
   const struct query_functions *query = &s->query;

   snprintf(result->renderer, sizeof(result->renderer), "%s",
            (const char *)glGetString(GL_RENDERER));
   snprintf(result->version, sizeof(result->version), "%s",
            (const char *)glGetString(GL_VERSION));
   result->extension = query->extension;
   result->has_disjoint = query->has_disjoint;
   query->get(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &result->elapsed_bits);
   query->get(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &result->timestamp_bits);
   for (unsigned i = 0; i < COUNTER_COUNT; i++)
      result->counted[i] = counter_supported(s->ctx, &counters[i]);
   perf_sets_load(&result->perf, &result->no_perf);
   context_check("asking what the driver can measure");
}

static void
measure_context(const struct context *ctx, struct result *result)
{
   struct session session = { .ctx = ctx, .result = result };

   if (!query_load(&session.query, ctx)) {
      result->why = "the driver has no timer queries";
      return;
   }
   describe(&session);
   if (result->elapsed_bits == 0) {
      result->why = "the driver's GL_TIME_ELAPSED has no bits";
      return;
   }
   load_scenes(&session);
   time_scenes_undisturbed(&session);
   count_scenes(&session);
   if (!result->no_perf)
      perf_measure(&result->perf, session.loaded);
   unload_scenes(&session);
   result->measured = true;
}

void
measure(enum api api, struct result *result)
{
   struct context ctx;

   *result = (struct result){ .api = api };
   if (!context_open(&ctx, api, &result->why))
      return;
   measure_context(&ctx, result);
   context_close(&ctx);
}
