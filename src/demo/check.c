/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-demo --check: compares the results of queries with what known draws
 * must give, with each other, and with the CPU's clock.
 * Invariant: a busy machine makes nothing WRONG.  A time of the GPU's is read
 * between two of the CPU's, which bound its error, and no limit is shorter.
 * Danger: a simulated GPU executes no shaders and paints no pixels.  Counts
 * that depend on these are unknown where draws paint nothing, whatever the
 * name of the driver.
 */

#include "demo.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <epoxy/egl.h>

/* Verdicts, as the JSON output has them */
static const char RIGHT[] = "right";
static const char WRONG[] = "WRONG";
static const char NOT_TRIED[] = "not tried";

static struct result context;
static struct queries queries;
static bool is_painted; /* draws change pixels */
static bool is_json;
static unsigned wrong_count;

/* Of the current check, with the reason or "" */
static const char *verdict;
static char reason[160];

/* Then JSON needs no escapes. */
static void
make_plain(char *text)
{
   for (; *text; text++) {
      if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
         *text = ' ';
   }
}

/* Keeps the first reason why something is not right. */
__attribute__((format(printf, 2, 3))) static void
judge_check(const char *new_verdict, const char *format, ...)
{
   va_list arguments;

   if (verdict != RIGHT)
      return;
   va_start(arguments, format);
   vsnprintf(reason, sizeof(reason), format, arguments);
   va_end(arguments);
   make_plain(reason);
   verdict = new_verdict;
}

/* The format says what is counted. */
__attribute__((format(printf, 3, 4))) static void
expect_count(uint64_t count, uint64_t expected, const char *format, ...)
{
   char what[96];
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(what, sizeof(what), format, arguments);
   va_end(arguments);
   if (count != expected)
      judge_check(WRONG, "%s: %" PRIu64 " rather than %" PRIu64, what, count,
                  expected);
}

/* Draws the scene of all checks that need any draw. */
static void
draw_checked_scene(void)
{
   scene_draw(&context.scenes[1]);
}

/* Returns the query, whose name is valid until results are collected. */
static GLuint
query_draws(GLenum target, unsigned draws, uint64_t *result)
{
   query_begin(&queries, target, result);
   for (unsigned i = 0; i < draws; i++)
      draw_checked_scene();
   query_end(&queries, target);
   return queries.pending[queries.pending_count - 1].id;
}

/* As many samples pass as a draw has pixels. */
static void
check_areas(void)
{
   static const int sizes[][2] = {
      { 0, 0 }, { 1, 1 }, { TARGET_SIZE, 1 }, { 100, 201 }, { 255, 256 },
   };
   uint32_t pixel = 0;

   draw_checked_scene();
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
   is_painted = (pixel & 0xffffff) != 0; /* no longer black */
   if (!is_painted)
      judge_check(simulated_prefix()[0] ? NOT_TRIED : WRONG,
                  "no draw changes a pixel");

   glEnable(GL_SCISSOR_TEST);
   for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
      const int width = sizes[i][0], height = sizes[i][1];
      uint64_t samples, any;

      glScissor(0, 0, width, height);
      query_draws(GL_SAMPLES_PASSED, 1, &samples);
      query_draws(GL_ANY_SAMPLES_PASSED, 1, &any);
      collect_results(&queries);
      expect_count(samples, (unsigned)(width * height),
                   "samples passed of %d x %d pixels", width, height);
      expect_count(any, width > 0, "any samples passed of %d x %d pixels",
                   width, height);
   }
   glDisable(GL_SCISSOR_TEST);
}

/* What one draw counts, or the least that it may count */
static uint64_t
known_count(const struct statistic *statistic, const struct scene *scene)
{
   const uint64_t triangles = 2 * scene->columns * scene->rows;

   if (scene->kind == SCENE_COMPUTE)
      return statistic->rules & EACH_THREAD ? GROUP_COUNT * GROUP_SIZE : 0;
   if (triangles > 0 && (statistic->rules & EACH_PIXEL))
      return TARGET_SIZE * TARGET_SIZE;
   return triangles * (scene->kind == SCENE_GEOMETRY ? statistic->split
                       : scene->kind == SCENE_TESSELLATION
                          ? statistic->tessellated
                          : statistic->plain);
}

static void
compare_counts(const struct statistic *statistic, const struct scene *scene,
               uint64_t one, uint64_t two)
{
   const bool is_known = is_painted || !(statistic->rules & BY_SHADERS);
   const bool is_least = is_known && (statistic->rules & AT_LEAST);
   const uint64_t known = is_known ? known_count(statistic, scene) : one;

   /* radeonsi's shaders cull triangles that are smaller than pixels. */
   if (is_painted && (statistic->rules & UNLESS_SMALL) &&
       known > TARGET_SIZE * TARGET_SIZE / 16)
      return;
   expect_count(is_least && one > known ? known : one, known, "%s of %s",
                statistic->label, scene->name);
   expect_count(is_least && two > 2 * known ? 2 * known : two, 2 * known,
                "%s of twice %s", statistic->label, scene->name);
}

/* Known draws have known counts, and two draws twice those. */
static void
check_counts(void)
{
   /* A GPU need not shade what a later draw hides: blended, none does. */
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   for (unsigned i = 0; i < context.scene_count; i++) {
      const struct scene *scene = &context.scenes[i];
      uint64_t one[STATISTIC_COUNT], two[STATISTIC_COUNT];

      count_draws(&queries, context.counted, scene, 1, one);
      count_draws(&queries, context.counted, scene, 2, two);
      collect_results(&queries);
      for (unsigned k = 0; k < STATISTIC_COUNT; k++) {
         if (context.counted[k])
            compare_counts(&statistics[k], scene, one[k], two[k]);
      }
   }
   glDisable(GL_BLEND);
}

/* Negative if the second time is earlier.  Times wrap at the width of
 * timestamps.
 */
static int64_t
ns_between(uint64_t from_ns, uint64_t to_ns)
{
   const int unused_bits = 64 - context.timestamp_bits;

   return (int64_t)((to_ns - from_ns) << unused_bits) >> unused_bits;
}

static int64_t
cpu_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* The time now, without a query */
static uint64_t
read_now(void)
{
   GLint64 now_ns = 0;

   glGetInteger64v(GL_TIMESTAMP, &now_ns);
   return (uint64_t)now_ns;
}

/* The time at which the GPU gets here; waits, since polls are too rare. */
static uint64_t
query_now(void)
{
   uint64_t now_ns;

   query_timestamp(&queries, &now_ns);
   glFinish();
   collect_results(&queries);
   return now_ns;
}

/* A time of GL's, taken between two of the CPU's */
struct reading {
   uint64_t gl_ns;
   int64_t before_ns, after_ns;
};

/* The fastest of many: a busy machine delays some. */
static struct reading
take_reading(uint64_t (*now)(void))
{
   struct reading best = { .after_ns = INT64_MAX };

   for (unsigned i = 0; i < 64; i++) {
      struct reading next = { .before_ns = cpu_ns() };

      next.gl_ns = now();
      next.after_ns = cpu_ns();
      if (next.after_ns - next.before_ns < best.after_ns - best.before_ns)
         best = next;
   }
   return best;
}

/* Crystals are off by up to 100 ppm, and NTP slews the CPU's clock by up to
 * 500 ppm.
 */
#define MAX_DIFFERENCE 1e-3

static void
compare_rates(uint64_t (*now)(void))
{
   const struct timespec nap = { .tv_nsec = 300000000 };
   const struct reading first = take_reading(now);

   nanosleep(&nap, NULL);
   const struct reading last = take_reading(now);
   const double gl_ns = (double)ns_between(first.gl_ns, last.gl_ns);
   const double least = gl_ns / (double)(last.after_ns - first.before_ns) - 1;
   const double most = gl_ns / (double)(last.before_ns - first.after_ns) - 1;

   judge_check(least > MAX_DIFFERENCE || most < -MAX_DIFFERENCE ? WRONG
               : most - least > 2 * MAX_DIFFERENCE              ? NOT_TRIED
                                                                : RIGHT,
               "%+.0f to %+.0f ppm", least * 1e6, most * 1e6);
}

/* The clock of GetInteger64v runs as fast as the CPU's. */
static void
check_clock(void)
{
   compare_rates(read_now);
}

/* The clock of QueryCounter runs as fast as the CPU's. */
static void
check_timestamps(void)
{
   compare_rates(query_now);
}

static void
compare_times(uint64_t from_ns, uint64_t to_ns)
{
   if (ns_between(from_ns, to_ns) < 0)
      judge_check(WRONG, "%" PRIu64 " ns after %" PRIu64, to_ns, from_ns);
}

/* Times never step back. */
static void
check_order(void)
{
   uint64_t times_ns[16];

   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, 1, 1); /* short draws */
   for (unsigned round = 0; round < 16; round++) {
      times_ns[0] = read_now();
      for (unsigned i = 1; i < 15; i++) {
         query_timestamp(&queries, &times_ns[i]);
         draw_checked_scene();
         if (i % 4 == 0)
            glFlush();
      }
      collect_results(&queries);
      times_ns[15] = read_now();
      for (unsigned i = 1; i < 16; i++)
         compare_times(times_ns[i - 1], times_ns[i]);
   }
   glDisable(GL_SCISSOR_TEST);
}

/* Draws take time, each no more than passes between its timestamps. */
static void
check_elapsed(void)
{
   uint64_t sum_ns = 0;

   for (unsigned i = 0; i < context.scene_count; i++) {
      const struct scene *scene = &context.scenes[i];
      struct sample sample;

      time_draw(&queries, true, scene, &sample);
      collect_results(&queries);
      const int64_t apart_ns = ns_between(sample.before_ns, sample.after_ns);
      /* All are rounded to nanoseconds. */
      if ((double)sample.elapsed_ns > (double)apart_ns + 1)
         judge_check(WRONG, "%s: %" PRIu64 " ns, between timestamps %" PRIi64,
                     scene->name, sample.elapsed_ns, apart_ns);
      sum_ns += sample.elapsed_ns;
   }
   if (sum_ns == 0)
      judge_check(WRONG, "no time elapses in any scene");
}

/* Draws on condition that a query of this many draws, none or one, counts. */
static void
try_condition(GLenum target, GLenum mode, unsigned draws)
{
   const bool is_inverted = mode >= GL_QUERY_WAIT_INVERTED;
   uint64_t result, samples;
   const GLuint id = query_draws(target, draws, &result);

   /* Without the result, a mode that does not wait may draw anyway. */
   if ((mode - GL_QUERY_WAIT) % 2 == 1)
      glFinish();
   glBeginConditionalRender(id, mode);
   query_draws(GL_SAMPLES_PASSED, 1, &samples);
   glEndConditionalRender();
   collect_results(&queries);
   expect_count(samples > 0, (draws > 0) != is_inverted,
                "mode 0x%04x draws after a query 0x%04x of %u draws", mode,
                target, draws);
}

/* Conditional rendering follows the query. */
static void
check_conditions(void)
{
   const GLenum last =
      epoxy_has_gl_extension("GL_ARB_conditional_render_inverted")
         ? GL_QUERY_BY_REGION_NO_WAIT_INVERTED
         : GL_QUERY_BY_REGION_NO_WAIT;

   /* Their values have no gaps, and every other one does not wait. */
   for (GLenum mode = GL_QUERY_WAIT; mode <= last; mode++) {
      for (unsigned draws = 0; draws < 2; draws++) {
         try_condition(GL_SAMPLES_PASSED, mode, draws);
         try_condition(GL_ANY_SAMPLES_PASSED, mode, draws);
      }
   }
}

static bool
has_query_buffers(void)
{
   return epoxy_has_gl_extension("GL_ARB_query_buffer_object");
}

#define UNTOUCHED UINT64_C(0x5a5a5a5a5a5a5a5a)

/* Stores the result of a draw in the middle of a buffer before the CPU knows
 * it, and returns the buffer.
 */
static GLuint
store_result(GLenum target, uint64_t *result)
{
   const uint64_t initial[] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };
   GLuint buffer;

   if (target == GL_TIMESTAMP)
      query_timestamp(&queries, result);
   else
      query_draws(target, 1, result);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(initial), initial, GL_DYNAMIC_COPY);
   queries.get_uint64(queries.pending[0].id, GL_QUERY_RESULT,
                      (GLuint64 *)sizeof(uint64_t));
   glBindBuffer(GL_QUERY_BUFFER, 0);
   collect_results(&queries);
   return buffer;
}

/* Deletes the buffer. */
static void
compare_stored(GLenum target, GLuint buffer, uint64_t result)
{
   uint64_t stored[3] = { 0 };

   glBindBuffer(GL_COPY_READ_BUFFER, buffer);
   glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof(stored), stored);
   glDeleteBuffers(1, &buffer);
   expect_count(stored[0], UNTOUCHED, "memory before the result of 0x%04x",
                target);
   expect_count(stored[1], result, "the stored result of 0x%04x", target);
   expect_count(stored[2], UNTOUCHED, "memory after the result of 0x%04x",
                target);
}

/* A buffer gets the result, and nothing else changes. */
static void
check_buffers(void)
{
   static const GLenum targets[] = {
      GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED,
      GL_TIME_ELAPSED,   GL_TIMESTAMP,
   };

   if (!has_query_buffers()) {
      judge_check(NOT_TRIED, "GL lacks ARB_query_buffer_object");
      return;
   }
   for (unsigned i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
      uint64_t result;
      const GLuint buffer = store_result(targets[i], &result);

      compare_stored(targets[i], buffer, result);
   }
}

/* Contexts share buffers and the clock, but no queries. */
static void
check_contexts(void)
{
   EGLContext first = eglGetCurrentContext();
   uint64_t expected, samples, times_ns[3], result = 0;
   GLuint buffer = 0;

   query_draws(GL_SAMPLES_PASSED, 2, &expected);
   collect_results(&queries);
   if (has_query_buffers())
      buffer = store_result(GL_SAMPLES_PASSED, &result);
   times_ns[0] = query_now(); /* GL has written what the other one reads */
   query_begin(&queries, GL_SAMPLES_PASSED, &samples);
   draw_checked_scene();

   const struct queries active = queries;
   const char *why_not = context_open(API_GL);
   if (why_not)
      fail("no second context: %s", why_not);
   if (glIsQuery(active.pending[0].id))
      judge_check(WRONG, "a query of the other has a name here");
   queries.pending_count = 0;
   scene_prepare(&context.scenes[1]);
   draw_checked_scene();
   times_ns[1] = query_now();
   if (buffer != 0)
      compare_stored(GL_SAMPLES_PASSED, buffer, result);
   context_return(first);

   queries = active;
   draw_checked_scene();
   query_end(&queries, GL_SAMPLES_PASSED);
   times_ns[2] = query_now();
   expect_count(samples, expected,
                "samples passed, with a draw of the other");
   compare_times(times_ns[0], times_ns[1]);
   compare_times(times_ns[1], times_ns[2]);
}

static const struct check {
   const char *name;
   void (*run)(void);
} checks[] = {
   { "areas", check_areas },           { "counts", check_counts },
   { "clock", check_clock },           { "timestamps", check_timestamps },
   { "order", check_order },           { "elapsed", check_elapsed },
   { "conditions", check_conditions }, { "buffers", check_buffers },
   { "contexts", check_contexts },
};

static void
end_check(void)
{
   if (is_json)
      printf("\"%s\", \"reason\": \"%s\" }", verdict, reason);
   else
      printf("%s%s%s\n", verdict, reason[0] ? ": " : "", reason);
   wrong_count += verdict == WRONG;
}

/* Returns the exit status. */
static int
end_checks(void)
{
   if (is_json)
      puts("\n}");
   else if (wrong_count == 0)
      puts("  All agree.");
   else
      printf("  WRONG: %u\n", wrong_count);
   return wrong_count > 0;
}

/* No check follows a failure. */
static void
end_after_failure(const char *why)
{
   verdict = RIGHT; /* whatever the check found before */
   judge_check(WRONG, "%s", why);
   end_check();
   exit(end_checks());
}

static void
run_check(const struct check *check)
{
   /* If the GPU hangs, the last line names the check. */
   printf(is_json ? ",\n  \"%s\": { \"verdict\": " : "  %-16s", check->name);
   fflush(stdout);
   verdict = RIGHT;
   reason[0] = '\0';
   if (context.scene_count == 0)
      load_scenes(&context);
   scene_prepare(&context.scenes[1]);
   check->run();
   check_gl(check->name);
   end_check();
}

int
check_queries(bool wants_json)
{
   const char *why_not = open_driver(API_GL, &context, &queries);

   if (!why_not && context.timestamp_bits == 0)
      why_not = "the driver's GL_TIMESTAMP has no bits";
   if (why_not) {
      fprintf(stderr, "pitot-demo: %s\n", why_not);
      return EXIT_UNCHECKED;
   }
   at_failure = end_after_failure;
   is_json = wants_json;
   make_plain(context.renderer);
   make_plain(context.version);
   if (is_json)
      printf("{\n  \"renderer\": \"%s\",\n  \"version\": \"%s\",\n"
             "  \"simulated\": %s",
             context.renderer, context.version,
             simulated_prefix()[0] ? "true" : "false");
   else
      printf("%s\n%s\n", context.renderer, context.version);
   for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
      run_check(&checks[i]);
   context_close();
   return end_checks();
}
