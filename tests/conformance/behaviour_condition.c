/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "behaviour.h"

static void
condition_outlives_its_name(void)
{
   const GLuint id = measure_new(GL_ANY_SAMPLES_PASSED, 1);

   gl.BeginConditionalRender(id, GL_QUERY_WAIT);
   gl.DeleteQueries(1, &id);
   for (unsigned i = 0; i < 3; i++) {
      real_gl_draw_points(1);
      assert_true(real_gl.is_drawn());
   }
   gl.EndConditionalRender();
}

/* GL itself buffers draws in immediate mode only. */
static void
drawn_before_the_condition(void)
{
   const GLuint id = measure_new(GL_ANY_SAMPLES_PASSED, 0);
   GLubyte pixel[4];

   glUseProgram(0);
   glColor3f(1, 0, 0);
   glRectf(-1, -1, 1, 1);
   glBeginConditionalRender(id, GL_QUERY_WAIT);
   glColor3f(0, 1, 0);
   glRectf(-1, -1, 1, 1);
   glEndConditionalRender();
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   assert_int_equal(pixel[0], 255);
   assert_int_equal(pixel[1], 0);
}

/* Reading the pixel waits for the clear. */
static void
clear_to_black(void)
{
   glClear(GL_COLOR_BUFFER_BIT);
   assert_red(0);
}

static void
begin_leaving_out(void)
{
   gl.BeginConditionalRender(measure_new(GL_ANY_SAMPLES_PASSED, 0),
                             GL_QUERY_WAIT);
}

static void
draws_are_left_out(void)
{
   static const GLubyte indices[] = { 0, 1, 2 };

   gl_make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices,
                  GL_STATIC_DRAW);
   clear_to_black();
   begin_leaving_out();
   real_gl_draw_points(1);
   glDrawElements(GL_POINTS, ARRAY_LENGTH(indices), GL_UNSIGNED_BYTE, NULL);
   assert_red(0);
   gl.EndConditionalRender();
   glDrawElements(GL_POINTS, ARRAY_LENGTH(indices), GL_UNSIGNED_BYTE, NULL);
   assert_red(255);
}

/* Skipping a later clear does not undo an earlier one. */
static void
cleared_before_the_condition(void)
{
   real_gl_draw_points(256);
   assert_red(255);
   glClearColor(0, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   begin_leaving_out();
   glClearColor(1, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   gl.EndConditionalRender();
   assert_red(0);
}

static void
clears_of_buffers_are_left_out(void)
{
   static const GLfloat red[4] = { 1 };

   clear_to_black();
   begin_leaving_out();
   glClearBufferfv(GL_COLOR, 0, red);
   assert_red(0);
   gl.EndConditionalRender();
   glClearBufferfv(GL_COLOR, 0, red);
   assert_red(255);
}

static void
blits_are_left_out(void)
{
   const struct egl_framebuffer from = egl_make_framebuffer();

   real_gl_draw_points(256);
   const struct egl_framebuffer to = egl_make_framebuffer();
   for (unsigned i = 0; i < 2; i++) {
      if (i == 0)
         begin_leaving_out();
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
      glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
      if (i == 0)
         gl.EndConditionalRender();
      glBindFramebuffer(GL_READ_FRAMEBUFFER, to.framebuffer);
      assert_red(i ? 255 : 0);
   }
}

/* Dispatches after point_count points, skipped by a condition and not. */
static void
assert_dispatches_are_left_out(unsigned point_count)
{
   const GLuint zero = 0;
   GLuint count = 99;

   begin_leaving_out();
   if (point_count)
      real_gl_draw_points(point_count);
   glUseProgram(gl_make_compute_program(
      "local_size_x = 1", "layout(std430) buffer Counter { uint count; };\n",
      "atomicAdd(count, 1u);"));
   gl_make_buffer_at(GL_SHADER_STORAGE_BUFFER, 0, sizeof(zero));
   glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(zero), &zero);
   glDispatchCompute(5, 1, 1);
   gl.EndConditionalRender();
   glDispatchCompute(3, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(count), &count);
   assert_int_equal(count, 3);
}

static void
dispatches_are_left_out(void)
{
   assert_dispatches_are_left_out(0);
}

static void
dispatches_after_draws_are_left_out(void)
{
   assert_dispatches_are_left_out(1);
}

/* With MESA_COMPUTE_PBO, Mesa reads a texture by a dispatch. */
static void
read_texture(unsigned point_count)
{
   static const GLubyte red[] = { 255, 0, 0, 255 };
   static const GLfloat black[4];
   GLfloat pixel[4] = { 0 };
   GLuint texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, red);
   gl_make_buffer(GL_PIXEL_PACK_BUFFER, sizeof(black), black, GL_STREAM_READ);
   begin_leaving_out();
   if (point_count)
      real_gl_draw_points(point_count);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, NULL);
   gl.EndConditionalRender();
   glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof(pixel), pixel);
   assert_int_equal(pixel[0], 1);
}

/* Reads are not "other rendering commands". */
static void
reads_are_not_left_out(void)
{
   if (strcmp((const char *)glGetString(GL_RENDERER), "softpipe") == 0)
      skip_because("no dispatches of Mesa's own");
   setenv("MESA_COMPUTE_PBO", "1", true);
   EGLContext context = egl_push_context();
   unsetenv("MESA_COMPUTE_PBO");
   real_gl_init_drawing();
   read_texture(0);
   read_texture(1);
   assert_no_error();
   egl_pop_context(context);
}

/* Drivers that rasterize after the call are still busy at the condition. */
static void
seen_without_waiting(void)
{
   const GLuint id = generate();

   prepare_big_triangle();
   measure_big_triangles(id, real_gl_obstacle("behind") ? 1 : 1000);
   glViewport(0, 0, 16, 16);
   gl.BeginConditionalRender(id, GL_QUERY_NO_WAIT);
   real_gl_draw_points(1);
   gl.EndConditionalRender();
   assert_red(255);
}

const struct behaviour behaviours_of_conditions[] = {
   { "condition: deleted, its query still decides", GL46 "10.9", IN_ALL,
     "ANY_SAMPLES_PASSED condition", condition_outlives_its_name },
   { "condition: what was drawn before is drawn", GL46 "10.9", IN_COMPAT,
     "ANY_SAMPLES_PASSED condition rendered", drawn_before_the_condition },
   { "condition: what was cleared before is cleared", GL46 "10.9", IN_ALL,
     "ANY_SAMPLES_PASSED condition rendered", cleared_before_the_condition },
   { "condition: draws are left out", GL46 "10.9", IN_ALL,
     "ANY_SAMPLES_PASSED condition rendered", draws_are_left_out },
   { "condition: clears of a buffer are left out", GL46 "10.9", IN_ALL,
     "ANY_SAMPLES_PASSED condition blit rendered",
     clears_of_buffers_are_left_out },
   { "condition: blits are left out", "NV_conditional_render", IN_ALL,
     "ANY_SAMPLES_PASSED condition blit rendered", blits_are_left_out },
   { "condition: dispatches are left out", GL46 "10.9", IN_DESKTOP,
     "ANY_SAMPLES_PASSED condition COMPUTE_SHADER_INVOCATIONS rendered",
     dispatches_are_left_out },
   { "condition: dispatches after draws are left out", GL46 "10.9",
     IN_DESKTOP,
     "ANY_SAMPLES_PASSED condition COMPUTE_SHADER_INVOCATIONS rendered",
     dispatches_after_draws_are_left_out },
   { "condition: textures are read", GL46 "10.9", IN_DESKTOP,
     "ANY_SAMPLES_PASSED condition COMPUTE_SHADER_INVOCATIONS rendered",
     reads_are_not_left_out },
   { "condition: seen, without waiting for it", GL46 "10.9", IN_CORE | IN_ES3,
     "ANY_SAMPLES_PASSED condition rendered", seen_without_waiting },
   { .name = NULL },
};
