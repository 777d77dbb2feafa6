/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results become available: eventually, in order, and after waits.
 */

#include <epoxy/egl.h>

#include "behaviour.h"

/* A query without draws follows one of the same object or name that counted.
 * zink defers begins to the first draw: the second query never begins there.
 */
static void
count_nothing_again(GLenum target)
{
   for (unsigned i = 0; i < 8; i++) {
      GLuint id = measure_new(target, 3);

      poll_result(id);
      if (i % 2) {
         gl.DeleteQueries(1, &id);
         id = generate();
      }
      measure_points(target, id, 0);
      poll_result(id);
      assert_int_equal(result_of(id), 0);
      gl.DeleteQueries(1, &id);
   }
   assert_no_error();
}

static void
nothing_is_counted_again(void)
{
   count_nothing_again(GL_ANY_SAMPLES_PASSED);
   if (real_gl_kind()->is_es)
      return;
   count_nothing_again(GL_SAMPLES_PASSED);
   count_nothing_again(GL_PRIMITIVES_GENERATED);
}

/* A flush splits the query into two segments; the second counts nothing. */
static void
all_parts_are_counted(void)
{
   for (unsigned i = 0; i < 20; i++) {
      const GLuint id = begin(GL_ANY_SAMPLES_PASSED);

      real_gl_draw_points(3);
      glFlush();
      glEnable(GL_SCISSOR_TEST);
      glScissor(0, 0, 0, 0);
      real_gl_draw_points(3);
      gl.EndQuery(GL_ANY_SAMPLES_PASSED);
      glDisable(GL_SCISSOR_TEST);
      poll_result(id);
      assert_int_equal(result_of(id), 1);
      gl.DeleteQueries(1, &id);
   }
}

/* Another name reuses the driver query of a timestamp that was replaced,
 * before the driver thread has executed its flush.
 */
static void
timestamps_come_in_the_end(void)
{
   for (unsigned i = 0; i < 200; i++) {
      GLuint ids[2];

      gl.GenQueries(ARRAY_LENGTH(ids), ids);
      gl.QueryCounter(ids[0], GL_TIMESTAMP);
      gl.QueryCounter(ids[0], GL_TIMESTAMP);
      const uint64_t first_ns = result64_of(ids[0]);
      glFlush();
      gl.QueryCounter(ids[1], GL_TIMESTAMP);
      poll_result(ids[1]);
      assert_true(first_ns <= result64_of(ids[1]));
      gl.DeleteQueries(ARRAY_LENGTH(ids), ids);
   }
}

/* Enough to keep the driver thread busy marking them as flushed. */
enum { MANY = 3000 };

static void
measure_many(const GLuint ids[MANY])
{
   for (unsigned i = 0; i < MANY; i++)
      measure_points(GL_ANY_SAMPLES_PASSED, ids[i], i % 100 == 0);
}

static void
assert_available_after(void (*wait)(void))
{
   GLuint ids[MANY];

   gl.GenQueries(MANY, ids);
   for (unsigned round = 0; round < 20; round++) {
      measure_many(ids);
      wait();
      for (unsigned i = 0; i < MANY; i++)
         assert_true(is_available(ids[i]));
   }
   gl.DeleteQueries(MANY, ids);
   assert_no_error();
}

static void
finished_is_available(void)
{
   assert_available_after(gl.Finish);
}

static void
fenced_is_available(void)
{
   assert_available_after(wait_for_fence);
}

/* After that many queries zink reuses the fence's batch before the fence
 * knows its batch.
 */
static void
fences_are_signalled_in_the_end(void)
{
   const EGLDisplay display = eglGetCurrentDisplay();
   GLuint ids[MANY];

   gl.GenQueries(MANY, ids);
   for (unsigned round = 0; round < 3; round++) {
      measure_many(ids);
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
   gl.DeleteQueries(MANY, ids);
}

/* A pointer that is not a sync object is an error, and writes nothing. */
static void
mistaken_fences_write_nothing(void)
{
   GLsizei length = 5;

   glGetSynciv((GLsync)&length, GL_SYNC_STATUS, 1, &length, NULL);
   assert_error(GL_INVALID_VALUE);
   assert_int_equal(length, 5);
   glClientWaitSync((GLsync)&length, 0, 0);
   assert_error(GL_INVALID_VALUE);
}

/* A boolean is TRUE for any count: the lowest byte of 256 is 0. */
static void
any_count_is_true(void)
{
   static const unsigned counts[] = { 1, 255, 256 };

   for (unsigned i = 0; i < ARRAY_LENGTH(counts); i++) {
      for (unsigned round = 0; round < 20; round++) {
         const GLuint id = measure_new(GL_ANY_SAMPLES_PASSED, counts[i]);

         poll_result(id);
         assert_int_equal(result_of(id), 1);
         gl.DeleteQueries(1, &id);
      }
   }
}

/* Occlusion targets are one type, whose results become available in order. */
static void
earlier_is_available(void)
{
   for (unsigned i = 0; i < 50; i++) {
      const GLuint ids[] = {
         measure_new(GL_ANY_SAMPLES_PASSED, 256),
         measure_new(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, i % 2),
      };

      poll_result(ids[1]);
      assert_true(is_available(ids[0]));
      assert_int_equal(result_of(ids[0]), 1);
      assert_int_equal(result_of(ids[1]), i % 2);
      gl.DeleteQueries(2, ids);
   }
}

const struct behaviour behaviours_of_availability[] = {
   { "available: nothing, counted after something", GL46 "4.2.3", IN_ALL,
     "ANY_SAMPLES_PASSED", nothing_is_counted_again },
   { "available: polled, after a flush in the middle", GL46 "4.2.3", IN_ALL,
     "ANY_SAMPLES_PASSED", all_parts_are_counted },
   { "available: timestamps of names that are used again", GL46 "4.2.3",
     IN_ALL, "TIMESTAMP", timestamps_come_in_the_end },
   { "available: all of many, after a finish", GL46 "2.3.2", IN_ALL,
     "ANY_SAMPLES_PASSED", finished_is_available },
   { "available: all of many, after a fence", GL46 "4.1", IN_ALL,
     "ANY_SAMPLES_PASSED fence", fenced_is_available },
   { "available: a fence that is only looked at", "EGL_KHR_fence_sync",
     IN_ALL, "ANY_SAMPLES_PASSED", fences_are_signalled_in_the_end },
   { "available: no fence is an error", GL46 "4.1.3", IN_ALL, "fence",
     mistaken_fences_write_nothing },
   { "available: polled, any count is true", GL46 "4.2.1", IN_ALL,
     "ANY_SAMPLES_PASSED", any_count_is_true },
   { "available: in order, whatever the target", GL46 "4.2.3", IN_ALL,
     "ANY_SAMPLES_PASSED ANY_SAMPLES_PASSED_CONSERVATIVE",
     earlier_is_available },
   { .name = NULL },
};
