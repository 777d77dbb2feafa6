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

/* Waits for the record of a session, and returns a counter of it. */
static uint64_t
value_of(GLuint handle, const char *set_name, const char *counter)
{
   uint8_t record[MAX_RECORD_B];
   GLuint written_B = 0;

   gl.GetPerfQueryData(handle, GL_PERFQUERY_WAIT_INTEL, sizeof(record),
                       record, &written_B);
   assert_int_not_equal(written_B, 0);
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

/* The set counts generated primitives as well. */
static void
statistics_overflow_nothing(void)
{
   const GLuint handle = create("Pipeline Statistics"), id = generate();

   gl.BeginPerfQuery(handle);
   gl.BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, id);
   real_gl_draw_points(3);
   gl.EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
   gl.EndPerfQuery(handle);
   assert_int_equal(result_of(id), 0);
   gl.DeletePerfQuery(handle);
}

static void
lengths_are_told(void)
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

/* Each counter beside the query of the same draws. */
static void
statistics_are_those_of_queries(void)
{
   static const struct {
      const char *target_name;
      GLenum target;
      const char *counter;
   } pairs[] = {
      { "VERTICES_SUBMITTED", GL_VERTICES_SUBMITTED, "Vertices Submitted" },
      { "PRIMITIVES_SUBMITTED", GL_PRIMITIVES_SUBMITTED,
        "Primitives Submitted" },
      { "VERTEX_SHADER_INVOCATIONS", GL_VERTEX_SHADER_INVOCATIONS,
        "Vertex Shader Invocations" },
      { "TESS_CONTROL_SHADER_PATCHES", GL_TESS_CONTROL_SHADER_PATCHES,
        "Tessellation Control Patches" },
      { "TESS_EVALUATION_SHADER_INVOCATIONS",
        GL_TESS_EVALUATION_SHADER_INVOCATIONS,
        "Tessellation Evaluation Invocations" },
      { "GEOMETRY_SHADER_INVOCATIONS", GL_GEOMETRY_SHADER_INVOCATIONS,
        "Geometry Shader Invocations" },
      { "GEOMETRY_SHADER_PRIMITIVES_EMITTED",
        GL_GEOMETRY_SHADER_PRIMITIVES_EMITTED, "Geometry Shader Primitives" },
      { "FRAGMENT_SHADER_INVOCATIONS", GL_FRAGMENT_SHADER_INVOCATIONS,
        "Fragment Shader Invocations" },
      { "COMPUTE_SHADER_INVOCATIONS", GL_COMPUTE_SHADER_INVOCATIONS,
        "Compute Shader Invocations" },
      { "CLIPPING_INPUT_PRIMITIVES", GL_CLIPPING_INPUT_PRIMITIVES,
        "Clipping Input Primitives" },
      { "CLIPPING_OUTPUT_PRIMITIVES", GL_CLIPPING_OUTPUT_PRIMITIVES,
        "Clipping Output Primitives" },
      { "PRIMITIVES_GENERATED", GL_PRIMITIVES_GENERATED,
        "Primitives Generated" },
   };
   const GLuint session = create("Pipeline Statistics");

   for (unsigned i = 0; i < ARRAY_LENGTH(pairs); i++) {
      if (real_gl_obstacle(pairs[i].target_name))
         continue;
      const GLuint id = generate();

      gl.BeginQuery(pairs[i].target, id);
      gl.BeginPerfQuery(session);
      real_gl_draw_points(9);
      glFinish();
      gl.EndPerfQuery(session);
      gl.EndQuery(pairs[i].target);
      assert_int_equal(value_of(session, "Pipeline Statistics",
                                pairs[i].counter),
                       result_of(id));
   }
   assert_int_equal(vertices_of(session), 9);
}

/* As long as the query inside of it, or longer, but no longer than the CPU
 * had to wait for it all.
 */
static void
gpu_time_is_that_of_queries(void)
{
   const GLuint session = create("GPU Time"), id = generate();

   glFinish();
   const uint64_t begin_ns = cpu_time_ns();
   gl.BeginPerfQuery(session);
   gl.BeginQuery(GL_TIME_ELAPSED, id);
   for (unsigned i = 0; i < 50; i++)
      real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   gl.EndPerfQuery(session);
   glFinish();
   const uint64_t waited_ns = cpu_time_ns() - begin_ns;

   const uint64_t elapsed_ns =
      value_of(session, "GPU Time", "GPU Time Elapsed");
   assert_in_range(elapsed_ns, result64_of(id), waited_ns);
   assert_int_equal(value_of(session, "GPU Time", "GPU Disjoint"), 0);
   assert_int_equal(value_of(session, "GPU Time", "GPU Time End") -
                       value_of(session, "GPU Time", "GPU Time Begin"),
                    elapsed_ns);
}

/* The document's third example. */
static void
a_thousand_draws(void)
{
   enum { COUNT = 1000 };
   GLuint *sessions = calloc(COUNT, sizeof(*sessions));

   for (unsigned i = 0; i < COUNT; i++)
      sessions[i] = create("Pipeline Statistics");
   for (unsigned i = 0; i < COUNT; i++) {
      gl.BeginPerfQuery(sessions[i]);
      real_gl_draw_points(i % 17);
      gl.EndPerfQuery(sessions[i]);
   }
   for (unsigned i = 0; i < COUNT; i++)
      assert_int_equal(vertices_of(sessions[i]), i % 17);
   for (unsigned i = 0; i < COUNT; i++)
      gl.DeletePerfQuery(sessions[i]);
   free(sessions);
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
   const GLuint session = create(set_name);
   uint8_t record[MAX_RECORD_B];
   GLuint written_B = 0;

   gl.BeginPerfQuery(session);
   real_gl_draw_points(9);
   gl.EndPerfQuery(session);
   flush();
   for (unsigned i = 0; i < MAX_POLLS && !written_B; i++)
      gl.GetPerfQueryData(session, GL_PERFQUERY_DONOT_FLUSH_INTEL,
                          sizeof(record), record, &written_B);
   assert_int_not_equal(written_B, 0);
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

/* What nobody has flushed does not come. */
static void
looks_do_not_flush(void)
{
   const GLuint session = create("GPU Time");
   uint8_t record[MAX_RECORD_B];
   GLuint written_B = 0;

   gl.BeginPerfQuery(session);
   real_gl_draw_points(9);
   gl.EndPerfQuery(session);
   for (unsigned i = 0; i < 1000; i++) {
      gl.GetPerfQueryData(session, GL_PERFQUERY_DONOT_FLUSH_INTEL,
                          sizeof(record), record, &written_B);
      assert_int_equal(written_B, 0);
   }
   assert_int_not_equal(value_of(session, "GPU Time", "GPU Time End"), 0);
}

static void
sessions_measure_their_context(void)
{
   const GLuint session = create("Pipeline Statistics");

   gl.BeginPerfQuery(session);
   real_gl_draw_points(3);

   struct egl_context *other = egl_push_context();
   real_gl_init_drawing();
   const GLuint other_session = create("Pipeline Statistics");
   gl.BeginPerfQuery(other_session);
   real_gl_draw_points(16);
   gl.EndPerfQuery(other_session);
   assert_int_equal(vertices_of(other_session), 16);
   assert_no_error();
   egl_pop_context(other);

   real_gl_draw_points(4);
   gl.EndPerfQuery(session);
   assert_int_equal(vertices_of(session), 7);
}

/* GL puts several bitmaps together, and draws them later. */
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
   const GLuint session = create("Pipeline Statistics");
   static const unsigned bitmaps_inside[] = { 0, 1 };

   glUseProgram(0);
   glColor3f(1, 1, 1);
   glRasterPos2f(-1, -1);
   for (unsigned i = 0; i < ARRAY_LENGTH(bitmaps_inside); i++) {
      draw_bitmap();
      gl.BeginPerfQuery(session);
      if (bitmaps_inside[i])
         draw_bitmap();
      gl.EndPerfQuery(session);
      draw_bitmap();
      assert_int_equal(vertices_of(session), 4 * bitmaps_inside[i]);
   }
}

const struct behaviour behaviours_of_perf_queries[] = {
   { "performance: it is there, with all entry points",
     "INTEL_performance_query", IN_ALL, "", performance_queries_are_there },
   { "performance: how long names may be", "INTEL_performance_query", IN_ALL,
     "perf", lengths_are_told },
   { "performance: statistics are those of queries",
     "INTEL_performance_query", IN_DESKTOP, "perf VERTICES_SUBMITTED",
     statistics_are_those_of_queries },
   { "performance: GPU Time is that of queries", "INTEL_performance_query",
     IN_ALL, "perf TIME_ELAPSED", gpu_time_is_that_of_queries },
   { "performance: 1000 sessions around 1000 draws",
     "INTEL_performance_query", IN_ALL, "perf", a_thousand_draws },
   { "performance: data come after a fence", "INTEL_performance_query",
     IN_ALL, "perf fence", data_come_after_a_fence },
   { "performance: data come after reading pixels", "INTEL_performance_query",
     IN_ALL, "perf", data_come_after_reading_pixels },
   { "performance: looks do not flush", "INTEL_performance_query", IN_ALL,
     "perf unflushed", looks_do_not_flush },
   { "performance: statistics overflow nothing", "INTEL_performance_query",
     IN_DESKTOP, "perf TRANSFORM_FEEDBACK_OVERFLOW",
     statistics_overflow_nothing },
   { "performance: other contexts are not measured",
     "INTEL_performance_query", IN_ALL, "perf",
     sessions_measure_their_context },
   { "performance: bitmaps are measured where they are drawn",
     "INTEL_performance_query", IN_COMPAT, "perf",
     bitmaps_are_measured_where_they_are },
   { .name = NULL },
};
