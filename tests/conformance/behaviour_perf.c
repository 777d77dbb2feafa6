/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>

#include "../gl/script_perf.h"
#include "../test.h"
#include "behaviours.h"
#include "egl.h"
#include "measure.h"
#include "real_gl.h"

#define MAX_RECORD_B 4096

static GLuint
find_set(const char *name)
{
   GLuint set = 0;

   glGetPerfQueryIdByNameINTEL((char *)name, &set);
   return set;
}

static GLuint
create(const char *set_name)
{
   GLuint handle = 0;

   glCreatePerfQueryINTEL(find_set(set_name), &handle);
   assert_int_not_equal(handle, 0);
   return handle;
}

/* Waits for the record of a session, and returns a counter of it. */
static uint64_t
value_of(GLuint handle, const char *set_name, const char *counter)
{
   uint8_t record[MAX_RECORD_B];
   GLuint written_B = 0;

   glGetPerfQueryDataINTEL(handle, GL_PERFQUERY_WAIT_INTEL, sizeof(record),
                           record, &written_B);
   assert_int_not_equal(written_B, 0);
   return script_counter_value(&real_gl_perf_ops, NULL, find_set(set_name),
                               counter, record);
}

static uint64_t
vertices_of(GLuint handle)
{
   return value_of(handle, "Pipeline Statistics", "Vertices Submitted");
}

void
performance_queries_are_there(const struct entry_points *gl)
{
   static const char *const names[] = {
      "glGetFirstPerfQueryIdINTEL",  "glGetNextPerfQueryIdINTEL",
      "glGetPerfQueryIdByNameINTEL", "glGetPerfQueryInfoINTEL",
      "glGetPerfCounterInfoINTEL",   "glCreatePerfQueryINTEL",
      "glDeletePerfQueryINTEL",      "glBeginPerfQueryINTEL",
      "glEndPerfQueryINTEL",         "glGetPerfQueryDataINTEL",
   };

   (void)gl;
   assert_true(epoxy_has_gl_extension("GL_INTEL_performance_query"));
   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++)
      assert_non_null(eglGetProcAddress(names[i]));
   assert_no_error();
}

/* The set counts generated primitives as well. */
void
statistics_overflow_nothing(const struct entry_points *gl)
{
   const GLuint handle = create("Pipeline Statistics"), id = generate(gl);

   glBeginPerfQueryINTEL(handle);
   gl->BeginQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW, id);
   real_gl_draw_points(3);
   gl->EndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
   glEndPerfQueryINTEL(handle);
   assert_int_equal(result_of(gl, id), 0);
   glDeletePerfQueryINTEL(handle);
   assert_no_error();
}

void
lengths_are_told(const struct entry_points *gl)
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

   (void)gl;
   for (unsigned i = 0; i < ARRAY_LENGTH(lengths); i++) {
      GLint length = 0;

      glGetIntegerv(lengths[i].pname, &length);
      assert_int_equal(length, lengths[i].expected);
   }
   glGetBooleanv(GL_PERFQUERY_GPA_EXTENDED_COUNTERS_INTEL, &has_extended);
   assert_in_range(has_extended, GL_FALSE, GL_TRUE);
   assert_no_error();
}

/* Each counter beside the query of the same draws. */
void
statistics_are_those_of_queries(const struct entry_points *gl)
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
      const GLuint id = generate(gl);

      gl->BeginQuery(pairs[i].target, id);
      glBeginPerfQueryINTEL(session);
      real_gl_draw_points(9);
      glFinish();
      glEndPerfQueryINTEL(session);
      gl->EndQuery(pairs[i].target);
      assert_int_equal(value_of(session, "Pipeline Statistics",
                                pairs[i].counter),
                       result_of(gl, id));
   }
   assert_int_equal(vertices_of(session), 9);
   assert_no_error();
}

/* As long as the query inside of it, or longer, but no longer than the CPU
 * had to wait for it all.
 */
void
gpu_time_is_that_of_queries(const struct entry_points *gl)
{
   const GLuint session = create("GPU Time"), id = generate(gl);

   glFinish();
   const uint64_t begin_ns = cpu_time_ns();
   glBeginPerfQueryINTEL(session);
   gl->BeginQuery(GL_TIME_ELAPSED, id);
   for (unsigned i = 0; i < 50; i++)
      real_gl_draw_points(256);
   gl->EndQuery(GL_TIME_ELAPSED);
   glEndPerfQueryINTEL(session);
   glFinish();
   const uint64_t waited_ns = cpu_time_ns() - begin_ns;

   const uint64_t elapsed_ns =
      value_of(session, "GPU Time", "GPU Time Elapsed");
   assert_in_range(elapsed_ns, result64_of(gl, id), waited_ns);
   assert_int_equal(value_of(session, "GPU Time", "GPU Disjoint"), 0);
   assert_int_equal(value_of(session, "GPU Time", "GPU Time End") -
                       value_of(session, "GPU Time", "GPU Time Begin"),
                    elapsed_ns);
   assert_no_error();
}

/* The document's third example. */
void
a_thousand_draws(const struct entry_points *gl)
{
   enum { COUNT = 1000 };
   GLuint *sessions = calloc(COUNT, sizeof(*sessions));

   (void)gl;
   for (unsigned i = 0; i < COUNT; i++)
      sessions[i] = create("Pipeline Statistics");
   for (unsigned i = 0; i < COUNT; i++) {
      glBeginPerfQueryINTEL(sessions[i]);
      real_gl_draw_points(i % 17);
      glEndPerfQueryINTEL(sessions[i]);
   }
   for (unsigned i = 0; i < COUNT; i++)
      assert_int_equal(vertices_of(sessions[i]), i % 17);
   for (unsigned i = 0; i < COUNT; i++)
      glDeletePerfQueryINTEL(sessions[i]);
   free(sessions);
   assert_no_error();
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

   glBeginPerfQueryINTEL(session);
   real_gl_draw_points(9);
   glEndPerfQueryINTEL(session);
   flush();
   for (unsigned i = 0; i < MAX_POLLS && !written_B; i++)
      glGetPerfQueryDataINTEL(session, GL_PERFQUERY_DONOT_FLUSH_INTEL,
                              sizeof(record), record, &written_B);
   assert_int_not_equal(written_B, 0);
   assert_no_error();
}

void
data_come_after_a_fence(const struct entry_points *gl)
{
   (void)gl;
   check_data_after("Pipeline Statistics", wait_for_fence);
   check_data_after("GPU Time", wait_for_fence);
}

void
data_come_after_reading_pixels(const struct entry_points *gl)
{
   (void)gl;
   check_data_after("Pipeline Statistics", read_a_pixel);
   check_data_after("GPU Time", read_a_pixel);
}

/* What nobody has flushed does not come. */
void
looks_do_not_flush(const struct entry_points *gl)
{
   const GLuint session = create("GPU Time");
   uint8_t record[MAX_RECORD_B];
   GLuint written_B = 0;

   (void)gl;
   glBeginPerfQueryINTEL(session);
   real_gl_draw_points(9);
   glEndPerfQueryINTEL(session);
   for (unsigned i = 0; i < 1000; i++) {
      glGetPerfQueryDataINTEL(session, GL_PERFQUERY_DONOT_FLUSH_INTEL,
                              sizeof(record), record, &written_B);
      assert_int_equal(written_B, 0);
   }
   assert_int_not_equal(value_of(session, "GPU Time", "GPU Time End"), 0);
   assert_no_error();
}

void
sessions_measure_their_context(const struct entry_points *gl)
{
   const GLuint session = create("Pipeline Statistics");

   (void)gl;
   glBeginPerfQueryINTEL(session);
   real_gl_draw_points(3);

   struct egl_context *other = egl_push_context();
   real_gl_init_drawing();
   const GLuint other_session = create("Pipeline Statistics");
   glBeginPerfQueryINTEL(other_session);
   real_gl_draw_points(16);
   glEndPerfQueryINTEL(other_session);
   assert_int_equal(vertices_of(other_session), 16);
   assert_no_error();
   egl_pop_context(other);

   real_gl_draw_points(4);
   glEndPerfQueryINTEL(session);
   assert_int_equal(vertices_of(session), 7);
   assert_no_error();
}

/* GL puts several bitmaps together, and draws them later. */
static void
draw_bitmap(void)
{
   static const GLubyte bits[8 * 4] = { 0xff, 0,    0, 0, 0xff, 0,   0,
                                        0,    0xff, 0, 0, 0,    0xff };

   glBitmap(8, 4, 0, 0, 0, 0, bits);
}

void
bitmaps_are_measured_where_they_are(const struct entry_points *gl)
{
   const GLuint session = create("Pipeline Statistics");
   static const unsigned bitmaps_inside[] = { 0, 1 };

   (void)gl;
   glUseProgram(0);
   glColor3f(1, 1, 1);
   glRasterPos2f(-1, -1);
   for (unsigned i = 0; i < ARRAY_LENGTH(bitmaps_inside); i++) {
      draw_bitmap();
      glBeginPerfQueryINTEL(session);
      if (bitmaps_inside[i])
         draw_bitmap();
      glEndPerfQueryINTEL(session);
      draw_bitmap();
      assert_int_equal(vertices_of(session), 4 * bitmaps_inside[i]);
   }
   assert_no_error();
}
