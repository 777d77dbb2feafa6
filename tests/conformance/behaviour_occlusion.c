/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "behaviour.h"

static void
clears_do_not_count(void)
{
   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);

   glClear(GL_COLOR_BUFFER_BIT);
   glEnable(GL_SCISSOR_TEST);
   glScissor(2, 2, 3, 3);
   glClear(GL_COLOR_BUFFER_BIT);
   glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
   glClear(GL_COLOR_BUFFER_BIT);
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 0);
}

static void
many_begins_in_flight(void)
{
   const GLuint id = generate();

   for (unsigned i = 0; i <= 100; i++)
      measure_points(GL_ANY_SAMPLES_PASSED, id, i % 2);
   assert_int_equal(result_of(id), 0);
}

/* The earlier measurement of each may still be in flight. */
static void
many_begin_again_in_flight(void)
{
   enum { MANY = 200 };
   GLuint ids[MANY];

   gl.GenQueries(MANY, ids);
   for (unsigned count = 256; count > 0; count /= 16) {
      for (unsigned i = 0; i < MANY; i++)
         measure_points(GL_SAMPLES_PASSED, ids[i], count);
      glFlush();
   }
   for (unsigned i = 0; i < MANY; i++)
      assert_int_equal(result_of(ids[i]), 1);
}

static void
many_queries_in_one_pass(void)
{
   enum { MANY = 35000 };
   GLuint *ids = malloc(MANY * sizeof(*ids));

   gl.GenQueries(MANY, ids);
   for (unsigned i = 0; i < MANY; i++)
      measure_points(GL_ANY_SAMPLES_PASSED, ids[i], i % 100 == 0);
   for (unsigned i = 0; i < MANY; i++)
      assert_int_equal(result_of(ids[i]), i % 100 == 0);
   gl.DeleteQueries(MANY, ids);
   assert_no_error();
   free(ids);
}

static void
framebuffer_goes_before_the_result(void)
{
   GLuint ids[16];

   gl.GenQueries(ARRAY_LENGTH(ids), ids);
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++) {
      const struct egl_framebuffer framebuffer = egl_make_framebuffer();

      measure_points(GL_ANY_SAMPLES_PASSED, ids[i], i % 2);
      glDeleteFramebuffers(1, &framebuffer.framebuffer);
      glDeleteRenderbuffers(1, &framebuffer.renderbuffer);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(ids); i++)
      assert_int_equal(result_of(ids[i]), i % 2);
}

static void
query_spans_framebuffers(void)
{
   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);

   real_gl_draw_points(1);
   for (unsigned i = 0; i < 8; i++) {
      egl_make_framebuffer();
      glClear(GL_COLOR_BUFFER_BIT);
      glFinish();
   }
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 1);
}

/* If each render pass has a counter, their memory must suffice, and must not
 * overlap other queries'.
 */
static void
query_spans_many_framebuffers(void)
{
   enum { MANY = 1200, LONG = 4, COUNT = 8 };
   struct egl_framebuffer framebuffers[2];
   GLuint ids[COUNT];

   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++)
      framebuffers[i] = egl_make_framebuffer();
   for (unsigned i = 0; i < COUNT; i++)
      ids[i] = measure_new(GL_SAMPLES_PASSED, 1);
   assert_int_equal(result_of(ids[COUNT - 1]), 1);

   for (unsigned i = 0; i < COUNT; i++)
      if (i != LONG)
         measure_points(GL_SAMPLES_PASSED, ids[i], 2);
   gl.BeginQuery(GL_SAMPLES_PASSED, ids[LONG]);
   for (unsigned i = 0; i < MANY; i++) {
      glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i % 2].framebuffer);
      real_gl_draw_points(1);
      if (i % 64 == 63) /* otherwise u_threaded_context may deadlock */
         glFinish();
   }
   gl.EndQuery(GL_SAMPLES_PASSED);
   glFinish();
   for (unsigned i = 0; i < COUNT; i++)
      assert_int_equal(result_of(ids[i]), i == LONG ? MANY : 2);
}

/* A texture with 8 bits per channel: drivers have fast paths for it. */
static GLuint
make_texture_framebuffer(void)
{
   GLuint texture, framebuffer;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          texture, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   return framebuffer;
}

static void
draw_rectangle(void)
{
   static const GLfloat corners[6][2] = {
      { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, 1 }, { -1, -1 }, { 1, -1 },
   };

   gl_make_buffer(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glDrawArrays(GL_TRIANGLES, 0, ARRAY_LENGTH(corners));
}

/* Only the first framebuffer has samples: the draw into the second is
 * scissored away, and the query ends in the third.
 */
static void
rectangles_count_in_all_framebuffers(void)
{
   GLuint framebuffers[3];

   for (unsigned i = 0; i < ARRAY_LENGTH(framebuffers); i++)
      framebuffers[i] = make_texture_framebuffer();

   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
   draw_rectangle();
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, 0, 0);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
   draw_rectangle();
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[2]);
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 1);
}

static void
polls_come_to_an_end(void)
{
   const GLuint id = measure_new(GL_ANY_SAMPLES_PASSED, 1);

   poll_result(id);
   assert_int_equal(result_of(id), 1);
}

static void
contexts_count_for_themselves(void)
{
   enum { CONTEXTS = 8, PASSES = 5 };
   EGLContext contexts[CONTEXTS];
   GLuint ids[CONTEXTS];

   for (unsigned c = 0; c < CONTEXTS; c++) {
      contexts[c] = egl_push_context();
      real_gl_init_drawing();
      ids[c] = begin(GL_ANY_SAMPLES_PASSED);
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
      assert_int_equal(end(GL_ANY_SAMPLES_PASSED, ids[c]), c % 2);
      assert_no_error();
   }
   for (unsigned c = 0; c < CONTEXTS; c++)
      egl_pop_context(contexts[c]);
}

/* Another context is current for some time. */
static void
query_survives_a_switch(void)
{
   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);

   real_gl_draw_points(1);
   egl_pop_context(egl_push_context());
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 1);
}

static void
query_goes_round_framebuffers(void)
{
   const GLuint id = generate();

   for (unsigned i = 0; i < 16; i++) {
      const struct egl_framebuffer framebuffer = egl_make_framebuffer();

      measure_points(GL_ANY_SAMPLES_PASSED, id, i % 2);
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glDeleteFramebuffers(1, &framebuffer.framebuffer);
      glDeleteRenderbuffers(1, &framebuffer.renderbuffer);
   }
   assert_int_equal(result_of(id), 1);
}

static void
many_clears_do_not_count(void)
{
   glEnable(GL_SCISSOR_TEST);
   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);
   for (unsigned i = 0; i < 35000; i++) {
      glScissor(i % 16, i % 13, 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
   }
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 0);
}

/* The copies change the format: a driver may have to draw. */
static void
copies_do_not_count(void)
{
   GLuint texture;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);
   glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 8, 8, 0);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 2, 2, 1, 1, 4, 4);
   glGenerateMipmap(GL_TEXTURE_2D);
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 0);
}

/* Blits that copy, flip, and scale. */
static void
blits_do_not_count(void)
{
   const struct egl_framebuffer from = egl_make_framebuffer();

   egl_make_framebuffer();
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from.framebuffer);
   const GLuint id = begin(GL_ANY_SAMPLES_PASSED);
   glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBlitFramebuffer(0, 0, 16, 16, 0, 16, 16, 0, GL_COLOR_BUFFER_BIT,
                     GL_NEAREST);
   glBlitFramebuffer(0, 0, 16, 16, 4, 4, 9, 9, GL_COLOR_BUFFER_BIT,
                     GL_LINEAR);
   assert_int_equal(end(GL_ANY_SAMPLES_PASSED, id), 0);
}

const struct behaviour behaviours_of_occlusion[] = {
   { "occlusion: clears do not count", ANGLE_R "MaskedClearNotCounted",
     IN_ALL, "ANY_SAMPLES_PASSED", clears_do_not_count },
   { "occlusion: 100 begins in flight", ANGLE_R "ManyQueriesInFlight", IN_ALL,
     "ANY_SAMPLES_PASSED", many_begins_in_flight },
   { "occlusion: 200 queries begun again in flight", GL46 "4.2.3", IN_DESKTOP,
     "SAMPLES_PASSED", many_begin_again_in_flight },
   { "occlusion: 35000 queries in one pass",
     ANGLE_R "ExcessiveNumberOfQueries", IN_ALL, "ANY_SAMPLES_PASSED",
     many_queries_in_one_pass },
   { "occlusion: a framebuffer that goes before the result",
     ANGLE_R "DeleteFBOWithPendingQuery", IN_ALL, "ANY_SAMPLES_PASSED",
     framebuffer_goes_before_the_result },
   { "occlusion: a query over several framebuffers",
     ANGLE_R "FramebufferBindingChange", IN_ALL, "ANY_SAMPLES_PASSED",
     query_spans_framebuffers },
   { "occlusion: a query over many framebuffers", GL46 "4.2.3", IN_DESKTOP,
     "SAMPLES_PASSED", query_spans_many_framebuffers },
   { "occlusion: rectangles in several framebuffers", GL46 "4.2.3", IN_ALL,
     "ANY_SAMPLES_PASSED", rectangles_count_in_all_framebuffers },
   { "occlusion: polling comes to an end", GL46 "4.2.3", IN_ALL,
     "ANY_SAMPLES_PASSED", polls_come_to_an_end },
   { "occlusion: eight contexts take turns", ANGLE_R "MultiContext", IN_ALL,
     "ANY_SAMPLES_PASSED", contexts_count_for_themselves },
   { "occlusion: another context comes between",
     ANGLE_R "SwitchingContextsWithQuery", IN_ALL, "ANY_SAMPLES_PASSED",
     query_survives_a_switch },
   { "occlusion: one query for 16 framebuffers",
     ANGLE_R "QueryReuseWithMultipleFBOs", IN_ALL, "ANY_SAMPLES_PASSED",
     query_goes_round_framebuffers },
   { "occlusion: 35000 clears do not count",
     ANGLE_R "ManyScissoredClearsInsideQuery", IN_ALL, "ANY_SAMPLES_PASSED",
     many_clears_do_not_count },
   { "occlusion: copies do not count", ANGLE_R "CopyNotCounted", IN_ALL,
     "ANY_SAMPLES_PASSED", copies_do_not_count },
   { "occlusion: blits do not count", ANGLE_R "BlitNotCounted", IN_ALL,
     "ANY_SAMPLES_PASSED blit", blits_do_not_count },
   { .name = NULL },
};
