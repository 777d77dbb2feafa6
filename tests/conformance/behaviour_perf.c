/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>

#include "behaviour.h"

#define MAX_RECORD_B 4096

static GLuint
find_set(const char *name)
{
   GLuint set = 0;

   gl.GetPerfQueryIdByName((char *)name, &set);
   return set;
}

static GLuint
create(const char *set_name)
{
   GLuint handle = 0;

   gl.CreatePerfQuery(find_set(set_name), &handle);
   assert_int_not_equal(handle, 0);
   return handle;
}

static bool
read_record(GLuint handle, GLenum flags, uint8_t record_out[MAX_RECORD_B])
{
   GLuint written_B = 0;

   gl.GetPerfQueryData(handle, flags, MAX_RECORD_B, record_out, &written_B);
   return written_B != 0;
}

static void
count_points(GLuint handle, unsigned count)
{
   gl.BeginPerfQuery(handle);
   real_gl_draw_points(count);
   gl.EndPerfQuery(handle);
}

static uint64_t
value_of(GLuint handle, const char *set_name, const char *counter)
{
   uint8_t record[MAX_RECORD_B];

   assert_true(read_record(handle, GL_PERFQUERY_WAIT_INTEL, record));
   return script_counter_value(&gl, find_set(set_name), counter, record);
}

static uint64_t
vertices_of(GLuint handle)
{
   return value_of(handle, "Pipeline Statistics", "Vertices Submitted");
}

static void
performance_queries_are_there(void)
{
   static const char *const names[] = {
      "glGetFirstPerfQueryIdINTEL",  "glGetNextPerfQueryIdINTEL",
      "glGetPerfQueryIdByNameINTEL", "glGetPerfQueryInfoINTEL",
      "glGetPerfCounterInfoINTEL",   "glCreatePerfQueryINTEL",
      "glDeletePerfQueryINTEL",      "glBeginPerfQueryINTEL",
      "glEndPerfQueryINTEL",         "glGetPerfQueryDataINTEL",
   };

   assert_true(epoxy_has_gl_extension("GL_INTEL_performance_query"));
   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++)
      assert_non_null(eglGetProcAddress(names[i]));
}

/* Even if the set counts generated primitives, overflow queries work. */
static void
statistics_overflow_nothing(void)
{
   const GLuint handle = create("Pipeline Statistics");

   gl.BeginPerfQuery(handle);
   const GLuint id = measure_new(GL_TRANSFORM_FEEDBACK_OVERFLOW, 3);
   gl.EndPerfQuery(handle);
   assert_int_equal(result_of(id), 0);
   gl.DeletePerfQuery(handle);
}

static void
lengths_are_reported(void)
{
   static const struct {
      GLenum pname;
      GLint expected;
   } lengths[] = {
      { GL_PERFQUERY_QUERY_NAME_LENGTH_MAX_INTEL, 256 },
      { GL_PERFQUERY_COUNTER_NAME_LENGTH_MAX_INTEL, 256 },
      { GL_PERFQUERY_COUNTER_DESC_LENGTH_MAX_INTEL, 1024 },
   };
   GLboolean has_extended = 0xaa;

   for (unsigned i = 0; i < ARRAY_LENGTH(lengths); i++) {
      GLint length = 0;

      glGetIntegerv(lengths[i].pname, &length);
      assert_int_equal(length, lengths[i].expected);
   }
   glGetBooleanv(GL_PERFQUERY_GPA_EXTENDED_COUNTERS_INTEL, &has_extended);
   assert_in_range(has_extended, GL_FALSE, GL_TRUE);
}

/* A counter and a query of the same draws have equal results. */
static void
check_counter(GLuint perf_query, GLenum target, const char *counter)
{
   const GLuint id = begin(target);

   gl.BeginPerfQuery(perf_query);
   real_gl_draw_points(9);
   glFinish();
   gl.EndPerfQuery(perf_query);
   gl.EndQuery(target);
   assert_int_equal(value_of(perf_query, "Pipeline Statistics", counter),
                    result_of(id));
}

static void
statistics_are_those_of_queries(void)
{
   const GLuint perf_query = create("Pipeline Statistics");

   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (!real_gl_obstacle(statistics[i].name))
         check_counter(perf_query, statistics[i].target,
                       statistics[i].counter);
   }
   /* Older AMD GPUs lack the counter, since it breaks overflow queries. */
   if (script_has_counter(&gl, find_set("Pipeline Statistics"),
                          "Primitives Generated"))
      check_counter(perf_query, GL_PRIMITIVES_GENERATED,
                    "Primitives Generated");
   assert_int_equal(vertices_of(perf_query), 9);
}

/* "GPU Time" is at least the inner query's time, at most the CPU's wait. */
static void
gpu_time_is_that_of_queries(void)
{
   const GLuint perf_query = create("GPU Time"), id = generate();

   glFinish();
   const uint64_t begin_ns = cpu_time_ns();
   gl.BeginPerfQuery(perf_query);
   gl.BeginQuery(GL_TIME_ELAPSED, id);
   for (unsigned i = 0; i < 50; i++)
      real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   gl.EndPerfQuery(perf_query);
   glFinish();
   const uint64_t waited_ns = cpu_time_ns() - begin_ns;

   const uint64_t elapsed_ns =
      value_of(perf_query, "GPU Time", "GPU Time Elapsed");
   assert_in_range(elapsed_ns, result64_of(id), waited_ns);
   assert_int_equal(value_of(perf_query, "GPU Time", "GPU Disjoint"), 0);
   assert_int_equal(value_of(perf_query, "GPU Time", "GPU Time End") -
                       value_of(perf_query, "GPU Time", "GPU Time Begin"),
                    elapsed_ns);
}

/* The third example of the extension's specification. */
static void
a_thousand_draws(void)
{
   enum { COUNT = 1000 };
   GLuint *queries = calloc(COUNT, sizeof(*queries));

   for (unsigned i = 0; i < COUNT; i++)
      queries[i] = create("Pipeline Statistics");
   for (unsigned i = 0; i < COUNT; i++) {
      count_points(queries[i], i % 17);
   }
   for (unsigned i = 0; i < COUNT; i++)
      assert_int_equal(vertices_of(queries[i]), i % 17);
   for (unsigned i = 0; i < COUNT; i++)
      gl.DeletePerfQuery(queries[i]);
   free(queries);
}

static void
read_a_pixel(void)
{
   GLubyte pixel[4];

   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
}

/* "The use case for this is when a flush of outstanding 3D commands to GPU
 * has already been ensured with other OpenGL API calls."
 */
static void
check_data_after(const char *set_name, void (*flush)(void))
{
   const GLuint perf_query = create(set_name);
   uint8_t record[MAX_RECORD_B];
   bool is_read = false;

   count_points(perf_query, 9);
   flush();
   for (unsigned i = 0; i < MAX_POLLS && !is_read; i++)
      is_read =
         read_record(perf_query, GL_PERFQUERY_DONOT_FLUSH_INTEL, record);
   assert_true(is_read);
   assert_no_error();
}

static void
data_come_after_a_fence(void)
{
   check_data_after("Pipeline Statistics", wait_for_fence);
   check_data_after("GPU Time", wait_for_fence);
}

static void
data_come_after_reading_pixels(void)
{
   check_data_after("Pipeline Statistics", read_a_pixel);
   check_data_after("GPU Time", read_a_pixel);
}

/* Without a flush the result never comes. */
static void
looks_do_not_flush(void)
{
   const GLuint perf_query = create("GPU Time");
   uint8_t record[MAX_RECORD_B];

   count_points(perf_query, 9);
   for (unsigned i = 0; i < 1000; i++)
      assert_false(
         read_record(perf_query, GL_PERFQUERY_DONOT_FLUSH_INTEL, record));
   assert_int_not_equal(value_of(perf_query, "GPU Time", "GPU Time End"), 0);
}

static void
perf_queries_measure_their_context(void)
{
   const GLuint perf_query = create("Pipeline Statistics");

   gl.BeginPerfQuery(perf_query);
   real_gl_draw_points(3);

   EGLContext other = egl_push_context();
   real_gl_init_drawing();
   const GLuint other_query = create("Pipeline Statistics");
   count_points(other_query, 16);
   assert_int_equal(vertices_of(other_query), 16);
   assert_no_error();
   egl_pop_context(other);

   real_gl_draw_points(4);
   gl.EndPerfQuery(perf_query);
   assert_int_equal(vertices_of(perf_query), 7);
}

/* GL draws several bitmaps together, later. */
static void
draw_bitmap(void)
{
   static const GLubyte bits[8 * 4] = { 0xff, 0,    0, 0, 0xff, 0,   0,
                                        0,    0xff, 0, 0, 0,    0xff };

   glBitmap(8, 4, 0, 0, 0, 0, bits);
}

static void
bitmaps_are_measured_where_they_are(void)
{
   const GLuint perf_query = create("Pipeline Statistics");
   static const unsigned bitmaps_inside[] = { 0, 1 };

   glUseProgram(0);
   glColor3f(1, 1, 1);
   glRasterPos2f(-1, -1);
   for (unsigned i = 0; i < ARRAY_LENGTH(bitmaps_inside); i++) {
      draw_bitmap();
      gl.BeginPerfQuery(perf_query);
      if (bitmaps_inside[i])
         draw_bitmap();
      gl.EndPerfQuery(perf_query);
      draw_bitmap();
      assert_int_equal(vertices_of(perf_query), 4 * bitmaps_inside[i]);
   }
}

struct measured {
   GLuint handle;
   GLuint record_B;
};

static struct measured
measure_by(GLuint set)
{
   struct measured measured = { 0 };
   char name[256];

   gl.GetPerfQueryInfo(set, sizeof(name), name, &measured.record_B, NULL,
                       NULL, NULL);
   gl.CreatePerfQuery(set, &measured.handle);
   count_points(measured.handle, 9);
   assert_no_error();
   return measured;
}

/* Reads a whole record, if measured, and deletes the query. */
static void
finish(struct measured *measured)
{
   GLuint written_B = 0;

   if (measured->handle == 0)
      return;
   uint8_t *record = malloc(measured->record_B);
   gl.GetPerfQueryData(measured->handle, GL_PERFQUERY_WAIT_INTEL,
                       measured->record_B, record, &written_B);
   free(record);
   gl.DeletePerfQuery(measured->handle);
   assert_int_equal(written_B, measured->record_B);
   assert_no_error();
   measured->handle = 0;
}

/* All are in flight before the first is read: batches end inside. */
static void
every_set_measures(void)
{
   struct measured in_flight[64] = { 0 };
   GLuint set = 0;
   unsigned count = 0;

   gl.GetFirstPerfQueryId(&set);
   while (set != 0) {
      struct measured *measured =
         &in_flight[count++ % ARRAY_LENGTH(in_flight)];

      finish(measured);
      *measured = measure_by(set);
      gl.GetNextPerfQueryId(set, &set);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(in_flight); i++)
      finish(&in_flight[i]);
}

const struct behaviour behaviours_of_perf_queries[] = {
   { "performance: it is there, with all entry points", IPQ, IN_ALL, "",
     performance_queries_are_there },
   { "performance: how long names may be", IPQ, IN_ALL, "perf",
     lengths_are_reported },
   { "performance: statistics are those of queries", IPQ, IN_DESKTOP,
     "perf VERTICES_SUBMITTED", statistics_are_those_of_queries },
   { "performance: GPU Time is that of queries", IPQ, IN_ALL,
     "perf TIME_ELAPSED", gpu_time_is_that_of_queries },
   { "performance: every set measures", IPQ, IN_ALL, "perf",
     every_set_measures },
   { "performance: 1000 perf queries around 1000 draws", IPQ, IN_ALL, "perf",
     a_thousand_draws },
   { "performance: data come after a fence", IPQ, IN_ALL, "perf fence",
     data_come_after_a_fence },
   { "performance: data come after reading pixels", IPQ, IN_ALL, "perf",
     data_come_after_reading_pixels },
   { "performance: looks do not flush", IPQ, IN_ALL, "perf unflushed",
     looks_do_not_flush },
   { "performance: statistics overflow nothing", IPQ, IN_DESKTOP,
     "perf TRANSFORM_FEEDBACK_OVERFLOW", statistics_overflow_nothing },
   { "performance: other contexts are not measured", IPQ, IN_ALL, "perf",
     perf_queries_measure_their_context },
   { "performance: bitmaps are measured where they are drawn", IPQ, IN_COMPAT,
     "perf", bitmaps_are_measured_where_they_are },
   { .name = NULL },
};
