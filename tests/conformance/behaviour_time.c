/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <limits.h>

#include "behaviour.h"
#include "suspend.h"

/* An elapsed time is at least least_ns and at most what the CPU waited. */
static void
assert_elapsed_since(GLuint id, uint64_t begin_ns, uint64_t least_ns)
{
   const uint64_t elapsed_ns = result64_of(id);

   assert_in_range(elapsed_ns, least_ns, cpu_time_ns() - begin_ns);
}

/* No draw has used the framebuffer yet. */
static void
first_time_is_short(void)
{
   egl_make_framebuffer();
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 32, 32);
   const uint64_t begin_ns = cpu_time_ns();
   const GLuint id = begin(GL_TIME_ELAPSED);
   real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   assert_elapsed_since(id, begin_ns, 1);
}

static void
timestamps_go_on(void)
{
   GLuint ids[32];
   uint64_t last_ns = 0;

   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      ids[i] = make_timestamp();
      real_gl_draw_points(16);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      const uint64_t time_ns = result64_of(ids[i]);

      assert_true(time_ns > last_ns);
      last_ns = time_ns;
   }
}

/* The elapsed time is at most the difference of timestamps around it. */
static void
elapsed_agrees_with_timestamps(void)
{
   const GLuint before = make_timestamp();
   const GLuint elapsed = begin(GL_TIME_ELAPSED);
   for (unsigned i = 0; i < 50; i++)
      real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   const GLuint after = make_timestamp();

   const uint64_t apart_ns = result64_of(after) - result64_of(before);
   assert_in_range(result64_of(elapsed), 1, apart_ns);
}

static void
now_is_the_clock_of_timestamps(void)
{
   GLint64 before_ns, after_ns;

   gl.GetInteger64v(GL_TIMESTAMP, &before_ns);
   const uint64_t time_ns = result64_of(make_timestamp());
   gl.GetInteger64v(GL_TIMESTAMP, &after_ns);
   assert_no_error();
   assert_in_range(time_ns, before_ns, after_ns);
}

static void
now_goes_on(void)
{
   GLint64 before_ns = 0, after_ns = 0;

   gl.GetInteger64v(GL_TIMESTAMP, &before_ns);
   real_gl_draw_points(256);
   gl.GetInteger64v(GL_TIMESTAMP, &after_ns);
   assert_true(before_ns > 0 && after_ns > before_ns);
}

/* "the nearest value representable": after two seconds of uptime not 32 bits.
 */
static void
now_in_each_type(void)
{
   GLint64 before_ns = 0, after_ns = 0;
   GLboolean as_boolean = GL_FALSE;
   GLint as_integer = 0;
   GLfloat as_float = 0;

   gl.GetInteger64v(GL_TIMESTAMP, &before_ns);
   glGetBooleanv(GL_TIMESTAMP, &as_boolean);
   glGetIntegerv(GL_TIMESTAMP, &as_integer);
   glGetFloatv(GL_TIMESTAMP, &as_float);
   gl.GetInteger64v(GL_TIMESTAMP, &after_ns);
   assert_no_error();
   assert_true(before_ns > INT_MAX);
   assert_int_equal(as_boolean, GL_TRUE);
   assert_int_equal(as_integer, INT_MAX);
   assert_true(as_float >= (GLfloat)before_ns &&
               as_float <= (GLfloat)after_ns);
}

static void
timestamp_in_32_bits(void)
{
   const GLuint id = make_timestamp();
   GLint as_integer = 0;

   gl.GetQueryObjectiv(id, GL_QUERY_RESULT, &as_integer);
   assert_true(result64_of(id) > UINT_MAX);
   assert_int_equal(as_integer, INT_MAX);
   assert_int_equal(result_of(id), UINT_MAX);
}

/* Stored before the CPU knows the result, and afterwards. */
static void
timestamp_in_32_bits_of_a_buffer(void)
{
   GLuint stored[4] = { 0 };
   const GLuint buffer =
      gl_make_buffer(GL_ARRAY_BUFFER, sizeof(stored), stored, GL_STREAM_READ);
   const GLuint id = make_timestamp();

   gl.GetQueryBufferObjectiv(id, buffer, GL_QUERY_RESULT, 0);
   gl.GetQueryBufferObjectuiv(id, buffer, GL_QUERY_RESULT, 4);
   assert_true(result64_of(id) > UINT_MAX);
   gl.GetQueryBufferObjectiv(id, buffer, GL_QUERY_RESULT, 8);
   gl.GetQueryBufferObjectuiv(id, buffer, GL_QUERY_RESULT, 12);
   glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(stored), stored);
   for (unsigned i = 0; i < ARRAY_LENGTH(stored); i++)
      assert_int_equal(stored[i], i % 2 ? UINT_MAX : INT_MAX);
}

static void
times_come_while_polling(void)
{
   const uint64_t begin_ns = cpu_time_ns();
   const GLuint elapsed = measure_new(GL_TIME_ELAPSED, 0);
   const GLuint timestamp = make_timestamp();

   poll_result(elapsed);
   poll_result(timestamp);
   assert_elapsed_since(elapsed, begin_ns, 0);
}

static void
textures_take_time(void)
{
   const uint64_t begin_ns = cpu_time_ns();
   GLuint texture;

   const GLuint id = begin(GL_TIME_ELAPSED);
   glClear(GL_COLOR_BUFFER_BIT);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 256, 256, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glGenerateMipmap(GL_TEXTURE_2D);
   glFinish();
   gl.EndQuery(GL_TIME_ELAPSED);
   assert_elapsed_since(id, begin_ns, 1);
}

/* The time of multiview draws is undefined, but there is a result. */
static void
several_views_take_time(void)
{
   GLuint texture, framebuffer;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA8, 16, 16, 2);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTextureMultiviewOVR(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                    texture, 0, 0, 2);
   const uint64_t begin_ns = cpu_time_ns();
   const GLuint id = begin(GL_TIME_ELAPSED);
   glClear(GL_COLOR_BUFFER_BIT);
   gl.EndQuery(GL_TIME_ELAPSED);
   poll_result(id);
   assert_elapsed_since(id, begin_ns, 0);
}

/* Two contexts measure at the same time. */
static void
contexts_measure_for_themselves(void)
{
   const uint64_t begin_ns = cpu_time_ns();

   const GLuint id = begin(GL_TIME_ELAPSED);
   real_gl_draw_points(256);

   EGLContext other = egl_push_context();
   real_gl_init_drawing();
   const uint64_t other_begin_ns = cpu_time_ns();
   const GLuint other_id = begin(GL_TIME_ELAPSED);
   real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   assert_elapsed_since(other_id, other_begin_ns, 1);
   assert_no_error();
   egl_pop_context(other);

   real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   assert_elapsed_since(id, begin_ns, 1);
}

/* One call that keeps the GPU busy and not the CPU. */
static void
draw_for_a_while(void)
{
   glDrawArraysInstanced(GL_POINTS, 0, 256, 2000);
}

/* At least a quarter of the CPU's wait, unless another process ran in
 * between; never more.
 */
static bool
measures_the_wait(GLuint id)
{
   const uint64_t begin_ns = cpu_time_ns();

   gl.BeginQuery(GL_TIME_ELAPSED, id);
   draw_for_a_while();
   gl.EndQuery(GL_TIME_ELAPSED);
   glFinish();
   const uint64_t waited_ns = cpu_time_ns() - begin_ns;
   const uint64_t elapsed_ns = result64_of(id);
   assert_in_range(elapsed_ns, 1, waited_ns);
   return elapsed_ns >= waited_ns / 4;
}

/* The GPU works on vertices and pixels as long as the CPU waits. */
static void
elapsed_is_the_whole_time(void)
{
   const GLuint id = generate();
   draw_for_a_while();
   glFinish();
   assert_once(measures_the_wait(id));
}

static void
draw_big_rectangles(void)
{
   glUseProgram(0);
   for (unsigned i = 0; i < 300; i++)
      glRectf(-1, -1, 1, 1);
}

static void
make_big_framebuffer(void)
{
   enum { SIZE = 128 };

   gl_make_framebuffer(GL_RGBA8, SIZE);
   draw_big_rectangles();
   glFinish();
}

/* The CPU's time for the rectangles; the GPU's in *gpu_ns_out. */
static uint64_t
time_big_rectangles(uint64_t *gpu_ns_out)
{
   const GLuint before = make_timestamp();
   draw_big_rectangles();
   const GLuint after = make_timestamp();
   *gpu_ns_out = result64_of(after) - result64_of(before);

   const uint64_t begin_ns = cpu_time_ns();
   draw_big_rectangles();
   glFinish();
   return cpu_time_ns() - begin_ns;
}

/* GL itself buffers draws in immediate mode only.  The shortest time is
 * without interruption.
 */
static void
drawn_before_a_timestamp(void)
{
   uint64_t cpu_ns = UINT64_MAX, gpu_ns = UINT64_MAX;

   make_big_framebuffer();
   for (unsigned round = 0;
        round < 5 || (round < MAX_ROUNDS && gpu_ns <= cpu_ns / 8); round++) {
      uint64_t round_gpu_ns;
      const uint64_t round_cpu_ns = time_big_rectangles(&round_gpu_ns);

      cpu_ns = round_cpu_ns < cpu_ns ? round_cpu_ns : cpu_ns;
      gpu_ns = round_gpu_ns < gpu_ns ? round_gpu_ns : gpu_ns;
   }
   assert_true(gpu_ns > cpu_ns / 8);
}

#define NS_PER_S UINT64_C(1000000000)

/* The error of times compared with the CPU's clock. */
#define OFF_ERROR_NS (NS_PER_S / 20)

/* The first read after a flush may return what an earlier read found. */
static bool
take_disjoint(void)
{
   bool is_disjoint = false;

   for (unsigned i = 0; i < 3; i++) {
      GLint disjoint = 0;

      gl.GetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
      glFinish();
      is_disjoint |= disjoint != 0;
   }
   assert_no_error();
   return is_disjoint;
}

/* An idle GPU is powered off, and its clock restarts at 0: times continue by
 * the CPU's clock.
 */
static void
time_goes_on_without_power(void)
{
   const uint64_t begin_ns = cpu_time_ns();
   const uint64_t before_ns = result64_of(make_timestamp());
   const uint64_t off_ns = suspend_gpu() ? SLEEP_S * NS_PER_S : 0;
   uint64_t last_ns = before_ns;

   for (unsigned i = 0; i < 3; i++) {
      const uint64_t after_ns = result64_of(make_timestamp());
      const uint64_t passed_ns = cpu_time_ns() - begin_ns;
      GLint64 now_ns;

      assert_true(after_ns > last_ns);
      assert_in_range(after_ns - before_ns + OFF_ERROR_NS, off_ns,
                      passed_ns + 2 * OFF_ERROR_NS);
      gl.GetInteger64v(GL_TIMESTAMP, &now_ns);
      assert_in_range(now_ns, after_ns,
                      before_ns + cpu_time_ns() - begin_ns + OFF_ERROR_NS);
      last_ns = after_ns;
   }
   const uint64_t elapsed_begin_ns = cpu_time_ns();
   const GLuint elapsed = begin(GL_TIME_ELAPSED);
   real_gl_draw_points(256);
   gl.EndQuery(GL_TIME_ELAPSED);
   assert_elapsed_since(elapsed, elapsed_begin_ns, 1);
}

/* Powering off is reported once, before or after a result is read. */
static void
powering_off_is_disjoint(void)
{
   for (unsigned is_read = 0; is_read < 2; is_read++) {
      result64_of(make_timestamp());
      (void)take_disjoint();
      const bool is_off = suspend_gpu();
      result64_of(make_timestamp());
      assert_int_equal(take_disjoint(), is_off);
      result64_of(make_timestamp());
      if (is_read)
         result64_of(measure_new(GL_TIME_ELAPSED, 16));
      assert_false(take_disjoint());
   }
}

const struct behaviour behaviours_of_time[] = {
   { "time: the first one, in a new framebuffer", ANGLE_R "TimeElapsed",
     IN_ALL, "TIME_ELAPSED", first_time_is_short },
   { "time: timestamps go on", ANGLE_R "Timestamp", IN_ALL, "TIMESTAMP",
     timestamps_go_on },
   { "time: elapsed is within two timestamps", GL46 "4.3", IN_ALL,
     "TIMESTAMP", elapsed_agrees_with_timestamps },
   { "time: now is the clock of timestamps", ANGLE_R "TimestampGetInteger64",
     IN_ALL, "TIMESTAMP", now_is_the_clock_of_timestamps },
   { "time: now goes on", ANGLE_R "TimestampGetInteger64", IN_ALL,
     "TIMESTAMP", now_goes_on },
   { "time: now, in each type", EDTQ, IN_ALL, "TIMESTAMP", now_in_each_type },
   { "time: a timestamp in 32 bits", GL46 "4.2.3", IN_ALL, "TIMESTAMP",
     timestamp_in_32_bits },
   { "time: a timestamp in 32 bits of a buffer", GL46 "4.2.3", IN_DESKTOP,
     "TIMESTAMP put", timestamp_in_32_bits_of_a_buffer },
   { "time: polling comes to an end", ANGLE_R "TimestampBasic", IN_ALL,
     "TIMESTAMP TIME_ELAPSED", times_come_while_polling },
   { "time: clears, textures and mipmaps take some",
     ANGLE_R "TimeElapsedTextureTest", IN_ALL, "TIME_ELAPSED",
     textures_take_time },
   { "time: several views at once", ANGLE_R "ActiveTimeElapsedQuery", IN_ALL,
     "TIME_ELAPSED multiview", several_views_take_time },
   { "time: another context measures in between",
     ANGLE_R "TimeElapsedMulticontextTest", IN_ALL, "TIME_ELAPSED",
     contexts_measure_for_themselves },
   { "time: elapsed is all that passed", GL46 "4.3", IN_ALL,
     "TIME_ELAPSED instanced rendered", elapsed_is_the_whole_time },
   { "time: what was drawn before a timestamp", GL46 "4.3", IN_COMPAT,
     "TIMESTAMP rendered", drawn_before_a_timestamp },
   { "time: goes on while the GPU is powered off", EDTQ, IN_ALL,
     "TIMESTAMP TIME_ELAPSED", time_goes_on_without_power },
   { "disjoint: set when the GPU was powered off", EDTQ, IN_ES,
     "TIMESTAMP TIME_ELAPSED disjoint", powering_off_is_disjoint },
   { .name = NULL },
};
