/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "../test.h"
#include "behaviours.h"
#include "egl.h"
#include "measure.h"
#include "real_gl.h"

void
nothing_after_something(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   for (unsigned i = 0; i < 6; i++) {
      measure_points(gl, id, i % 2);
      assert_int_equal(result_of(gl, id), i % 2);
   }
   assert_no_error();
}

void
clears_do_not_count(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(2, 2, 3, 3);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   glClear(GL_COLOR_BUFFER_BIT);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}

void
many_begins_in_flight(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   for (unsigned i = 0; i <= 100; i++)
      measure_points(gl, id, i % 2);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}

void
many_queries_in_one_pass(const struct entry_points *gl)
{
   enum { MANY = 35000 };
   GLuint *ids = malloc(MANY * sizeof(*ids));

   gl->GenQueries(MANY, ids);
   for (unsigned i = 0; i < MANY; i++)
      measure_points(gl, ids[i], i % 100 == 0);
   for (unsigned i = 0; i < MANY; i++)
      assert_int_equal(result_of(gl, ids[i]), i % 100 == 0);
   gl->DeleteQueries(MANY, ids);
   assert_no_error();
   free(ids);
}

void
framebuffer_goes_before_the_result(const struct entry_points *gl)
{
   GLuint ids[16];

   gl->GenQueries(ARRAY_LENGTH(ids), ids);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      const struct egl_framebuffer framebuffer = egl_make_framebuffer();

      measure_points(gl, ids[i], i % 2);
      glDeleteFramebuffers(1, &framebuffer.framebuffer);
      glDeleteRenderbuffers(1, &framebuffer.renderbuffer);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++)
      assert_int_equal(result_of(gl, ids[i]), i % 2);
   assert_no_error();
}

void
query_spans_framebuffers(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   real_gl_draw_points(1);
   for (unsigned i = 0; i < 8; i++) {
      egl_make_framebuffer();
      glClear(GL_COLOR_BUFFER_BIT);
      glFinish();
   }
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 1);
   assert_no_error();
}

void
polls_come_to_an_end(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   measure_points(gl, id, 1);
   poll_result(gl, id);
   assert_int_equal(result_of(gl, id), 1);
}

void
contexts_count_for_themselves(const struct entry_points *gl)
{
   enum { CONTEXTS = 8, PASSES = 5 };
   struct egl_context *contexts[CONTEXTS];
   GLuint ids[CONTEXTS];

   for (unsigned c = 0; c < CONTEXTS; c++) {
      contexts[c] = egl_push_context();
      real_gl_init_drawing();
      ids[c] = generate(gl);
      gl->BeginQuery(GL_ANY_SAMPLES_PASSED, ids[c]);
   }
   for (unsigned pass = 0; pass < PASSES; pass++) {
      for (unsigned c = 0; c < CONTEXTS; c++) {
         egl_use_context(contexts[c]);
         if (c % 2 && pass == c % PASSES)
            real_gl_draw_points(1);
      }
   }
   for (unsigned c = 0; c < CONTEXTS; c++) {
      egl_use_context(contexts[c]);
      gl->EndQuery(GL_ANY_SAMPLES_PASSED);
      assert_int_equal(result_of(gl, ids[c]), c % 2);
      assert_no_error();
   }
   for (unsigned c = 0; c < CONTEXTS; c++)
      egl_pop_context(contexts[c]);
}

/* The context of the test, while another one was current. */
void
query_survives_a_switch(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   real_gl_draw_points(1);
   egl_pop_context(egl_push_context());
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 1);
   assert_no_error();
}

void
query_survives_flushes(const struct entry_points *gl)
{
   const GLuint early = generate(gl), late = generate(gl);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, early);
   real_gl_draw_points(1);
   glFlush();
   glClear(GL_COLOR_BUFFER_BIT);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);

   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, late);
   glFlush();
   glFinish();
   real_gl_draw_points(1);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, early), 1);
   assert_int_equal(result_of(gl, late), 1);
   assert_no_error();
}

/* One query, begun again before each of its results is there. */
void
only_the_last_begin_counts(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   measure_points(gl, id, 256);
   measure_points(gl, id, 0);
   assert_int_equal(result_of(gl, id), 0);
   measure_points(gl, id, 0);
   glFlush();
   measure_points(gl, id, 3);
   assert_int_equal(result_of(gl, id), 1);
   assert_no_error();
}

void
query_goes_round_framebuffers(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   for (unsigned i = 0; i < 16; i++) {
      const struct egl_framebuffer framebuffer = egl_make_framebuffer();

      measure_points(gl, id, i % 2);
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glDeleteFramebuffers(1, &framebuffer.framebuffer);
      glDeleteRenderbuffers(1, &framebuffer.renderbuffer);
   }
   assert_int_equal(result_of(gl, id), 1);
   assert_no_error();
}

void
many_clears_do_not_count(const struct entry_points *gl)
{
   const GLuint id = generate(gl);

   glEnable(GL_SCISSOR_TEST);
   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   for (unsigned i = 0; i < 35000; i++) {
      glScissor(i % 16, i % 13, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
   }
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}

/* Copies of another format, which a driver may have to draw. */
void
copies_do_not_count(const struct entry_points *gl)
{
   const GLuint id = generate(gl);
   GLuint texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 8, 8, 0);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 1, 1, 4, 4);
   glGenerateMipmap(GL_TEXTURE_2D);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}

/* Blits that copy, turn upside down, and scale. */
void
blits_do_not_count(const struct entry_points *gl)
{
   const GLuint id = generate(gl);
   const struct egl_framebuffer from = egl_make_framebuffer();

   egl_make_framebuffer();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
   gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBlitFramebuffer(0, 0, 16, 16, 0, 16, 16, 0, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBlitFramebuffer(0, 0, 16, 16, 4, 4, 9, 9, GL_COLOR_BUFFER_BIT,
                     GL_LINEAR);
   gl->EndQuery(GL_ANY_SAMPLES_PASSED);
   assert_int_equal(result_of(gl, id), 0);
   assert_no_error();
}
