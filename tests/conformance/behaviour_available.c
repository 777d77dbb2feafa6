/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * When a result is available: in the end, in order, and after whatever
 * waited for it.
 */

#include <stdlib.h>

#include <epoxy/egl.h>

#include "../test.h"
#include "behaviours.h"
#include "measure.h"
#include "real_gl.h"

static bool
is_available(const struct entry_points *gl, GLuint id)
{
   GLuint answer = GL_FALSE;

   gl->GetQueryObjectuiv(id, GL_QUERY_RESULT_AVAILABLE, &answer);
   return answer;
}

static void
measure_target(const struct entry_points *gl, GLenum target, GLuint id,
               unsigned count)
{
   gl->BeginQuery(target, id);
   if (count)
      real_gl_draw_points(count);
   gl->EndQuery(target);
}

/* A query that counts nothing, after one of the same name, or of the same
 * object, that counted something.  zink defers a query to the first draw, so
 * that this one never begins.
 */
static void
count_nothing_again(const struct entry_points *gl, GLenum target)
{
   for (unsigned i = 0; i < 8; i++) {
      GLuint id = generate(gl);

      measure_target(gl, target, id, 3);
      poll_result(gl, id);
      if (i % 2) {
         gl->DeleteQueries(1, &id);
         id = generate(gl);
      }
      measure_target(gl, target, id, 0);
      poll_result(gl, id);
      assert_int_equal(result_of(gl, id), 0);
      gl->DeleteQueries(1, &id);
   }
   assert_no_error();
}

void
nothing_is_counted_again(const struct entry_points *gl)
{
   count_nothing_again(gl, GL_ANY_SAMPLES_PASSED);
   if (real_gl_kind()->is_es)
      return;
   count_nothing_again(gl, GL_SAMPLES_PASSED);
   count_nothing_again(gl, GL_PRIMITIVES_GENERATED);
}

/* A query that a flush splits into two for the driver, of which the second
 * one counts nothing.
 */
void
all_parts_are_counted(const struct entry_points *gl)
{
   for (unsigned i = 0; i < 20; i++) {
      GLuint id = generate(gl);

      gl->BeginQuery(GL_ANY_SAMPLES_PASSED, id);
      real_gl_draw_points(3);
      glFlush();
      glEnable(GL_SCISSOR_TEST);
      glScissor(0, 0, 0, 0);
      real_gl_draw_points(3);
      gl->EndQuery(GL_ANY_SAMPLES_PASSED);
      glDisable(GL_SCISSOR_TEST);
      poll_result(gl, id);
      assert_int_equal(result_of(gl, id), 1);
      gl->DeleteQueries(1, &id);
   }
   assert_no_error();
}

/* The first time of a name is never read: what measured it measures for
 * another name, while a thread of the driver still has a flush of the first
 * time to execute.
 */
void
timestamps_come_in_the_end(const struct entry_points *gl)
{
   for (unsigned i = 0; i < 200; i++) {
      GLuint ids[2];

      gl->GenQueries(ARRAY_LENGTH(ids), ids);
      gl->QueryCounter(ids[0], GL_TIMESTAMP);
      gl->QueryCounter(ids[0], GL_TIMESTAMP);
      const uint64_t first_ns = result64_of(gl, ids[0]);
      glFlush();
      gl->QueryCounter(ids[1], GL_TIMESTAMP);
      poll_result(gl, ids[1]);
      assert_true(first_ns <= result64_of(gl, ids[1]));
      gl->DeleteQueries(ARRAY_LENGTH(ids), ids);
   }
   assert_no_error();
}

/* So many that a driver's thread is not at once done with telling who is
 * flushed.
 */
enum { MANY = 3000 };

static void
assert_available_after(const struct entry_points *gl, void (*wait)(void))
{
   GLuint *ids = malloc(MANY * sizeof(*ids));

   gl->GenQueries(MANY, ids);
   for (unsigned round = 0; round < 20; round++) {
      for (unsigned i = 0; i < MANY; i++)
         measure_points(gl, ids[i], i % 100 == 0);
      wait();
      for (unsigned i = 0; i < MANY; i++)
         assert_true(is_available(gl, ids[i]));
   }
   gl->DeleteQueries(MANY, ids);
   free(ids);
   assert_no_error();
}

static void
finish(void)
{
   glFinish();
}

void
finished_is_available(const struct entry_points *gl)
{
   assert_available_after(gl, finish);
}

void
fenced_is_available(const struct entry_points *gl)
{
   assert_available_after(gl, wait_for_fence);
}

/* Looks at a fence without waiting for it, after so many queries that zink
 * has used the batch of the fence again before it tells the fence which one
 * that was.
 */
void
fences_are_signalled_in_the_end(const struct entry_points *gl)
{
   const EGLDisplay display = eglGetCurrentDisplay();
   GLuint *ids = malloc(MANY * sizeof(*ids));

   gl->GenQueries(MANY, ids);
   for (unsigned round = 0; round < 3; round++) {
      for (unsigned i = 0; i < MANY; i++)
         measure_points(gl, ids[i], i % 100 == 0);

      const EGLSyncKHR fence =
         eglCreateSyncKHR(display, EGL_SYNC_FENCE_KHR, NULL);
      EGLint status = EGL_TIMEOUT_EXPIRED_KHR;

      assert_ptr_not_equal(fence, EGL_NO_SYNC_KHR);
      glFlush();
      for (unsigned i = 0; i < MAX_POLLS && status == EGL_TIMEOUT_EXPIRED_KHR;
           i++)
         status = eglClientWaitSyncKHR(display, fence, 0, 0);
      assert_int_equal(status, EGL_CONDITION_SATISFIED_KHR);
      eglDestroySyncKHR(display, fence);
   }
   gl->DeleteQueries(MANY, ids);
   free(ids);
   assert_no_error();
}

/* A sync object that is none: GL reports it, and writes nothing. */
void
mistaken_fences_write_nothing(const struct entry_points *gl)
{
   GLsizei length = 5;

   (void)gl;
   glGetSynciv((GLsync)&length, GL_SYNC_STATUS, 1, &length, NULL);
   assert_error(GL_INVALID_VALUE);
   assert_int_equal(length, 5);
   glClientWaitSync((GLsync)&length, 0, 0);
   assert_error(GL_INVALID_VALUE);
}

/* A polled boolean, of counts of which the last one has a lowest byte of 0.
 */
void
any_count_is_true(const struct entry_points *gl)
{
   static const unsigned counts[] = { 1, 255, 256 };

   for (unsigned i = 0; i < ARRAY_LENGTH(counts); i++) {
      for (unsigned round = 0; round < 20; round++) {
         GLuint id = generate(gl);

         measure_points(gl, id, counts[i]);
         poll_result(gl, id);
         assert_int_equal(result_of(gl, id), 1);
         gl->DeleteQueries(1, &id);
      }
   }
   assert_no_error();
}

/* The three targets of occlusion queries are one type. */
void
earlier_is_available(const struct entry_points *gl)
{
   for (unsigned i = 0; i < 50; i++) {
      GLuint ids[2];

      gl->GenQueries(2, ids);
      measure_target(gl, GL_ANY_SAMPLES_PASSED, ids[0], 256);
      measure_target(gl, GL_ANY_SAMPLES_PASSED_CONSERVATIVE, ids[1], i % 2);
      poll_result(gl, ids[1]);
      assert_true(is_available(gl, ids[0]));
      assert_int_equal(result_of(gl, ids[0]), 1);
      assert_int_equal(result_of(gl, ids[1]), i % 2);
      gl->DeleteQueries(2, ids);
   }
   assert_no_error();
}
