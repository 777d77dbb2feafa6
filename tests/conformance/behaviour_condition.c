/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "../test.h"
#include "behaviours.h"
#include "egl.h"
#include "measure.h"
#include "real_gl.h"

void
condition_outlives_its_name(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   measure_points(gl, id, 1);
   real_gl_ops.condition(NULL, id, GL_QUERY_WAIT);
   gl->DeleteQueries(1, &id);
   for (unsigned i = 0; i < 3; i++) {
      real_gl_draw_points(1);
      assert_true(real_gl_ops.draw(NULL));
   }
   real_gl_ops.endcondition(NULL);
   assert_no_error();
}

/* Only immediate mode is held back by the GL itself. */
void
drawn_before_the_condition(const struct entry_points *gl)
{
   const GLuint id = generate(gl);
   GLubyte pixel[4];

   measure_points(gl, id, 0);
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
   assert_no_error();
}

/* Black is there before, not only on its way. */
static void
clear_to_black(void)
{
   glClear(GL_COLOR_BUFFER_BIT);
   assert_red(0);
}

/* Begins to render only if nothing were something. */
static void
begin_leaving_out(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   measure_points(gl, id, 0);
   real_gl_ops.condition(NULL, id, GL_QUERY_WAIT);
}

static void
end_leaving_out(void)
{
   real_gl_ops.endcondition(NULL);
}

void
draws_are_left_out(const struct entry_points *gl)
{
   static const GLubyte indices[] = { 0, 1, 2 };
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices,
                GL_STATIC_DRAW);
   clear_to_black();
   begin_leaving_out(gl);
   real_gl_draw_points(1);
   glDrawElements(GL_POINTS, ARRAY_LENGTH(indices), GL_UNSIGNED_BYTE, NULL);
   assert_red(0);
   end_leaving_out();
   glDrawElements(GL_POINTS, ARRAY_LENGTH(indices), GL_UNSIGNED_BYTE, NULL);
   assert_red(255);
   assert_no_error();
}

/* A clear that is left out takes none with it that came before. */
void
cleared_before_the_condition(const struct entry_points *gl)
{
   real_gl_draw_points(256);
   assert_red(255);
   glClearColor(0, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   begin_leaving_out(gl);
   glClearColor(1, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   end_leaving_out();
   assert_red(0);
   assert_no_error();
}

void
clears_of_buffers_are_left_out(const struct entry_points *gl)
{
   static const GLfloat red[4] = { 1 };

   clear_to_black();
   begin_leaving_out(gl);
   glClearBufferfv(GL_COLOR, 0, red);
   assert_red(0);
   end_leaving_out();
   glClearBufferfv(GL_COLOR, 0, red);
   assert_red(255);
   assert_no_error();
}

void
blits_are_left_out(const struct entry_points *gl)
{
   const struct egl_framebuffer from = egl_make_framebuffer();

   real_gl_draw_points(256);
   const struct egl_framebuffer to = egl_make_framebuffer();
   for (unsigned i = 0; i < 2; i++) {
      if (i == 0)
         begin_leaving_out(gl);
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
      glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
      if (i == 0)
         end_leaving_out();
      glBindFramebuffer(GL_READ_FRAMEBUFFER, to.framebuffer);
      assert_red(i ? 255 : 0);
   }
   assert_no_error();
}

static GLuint
make_counting_program(void)
{
   static const char *const source =
      "#version 150\n"
      "#extension GL_ARB_compute_shader : require\n"
      "#extension GL_ARB_shader_storage_buffer_object : require\n"
      "layout(local_size_x = 1) in;\n"
      "layout(std430) buffer Counter { uint count; };\n"
      "void main() { atomicAdd(count, 1u); }\n";

   return glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);
}

void
dispatches_are_left_out(const struct entry_points *gl)
{
   static const GLuint zero = 0;
   GLuint buffer, count = 99;

   begin_leaving_out(gl);
   glUseProgram(make_counting_program());
   glGenBuffers(1, &buffer);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer);
   glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof(zero), &zero,
                GL_DYNAMIC_DRAW);
   glDispatchCompute(5, 1, 1);
   end_leaving_out();
   glDispatchCompute(3, 1, 1);
   glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
   glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof(count), &count);
   assert_int_equal(count, 3);
   assert_no_error();
}
