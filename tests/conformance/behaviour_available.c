/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * When a result is available: in the end, in order, and after whatever
 * waited for it.
 */

#include <stdlib.h>

#include "../test.h"
#include "behaviours.h"
#include "measure.h"
#include "real_gl.h"

static bool
is_available(const struct entry_points *gl, GLuint id)
{
   GLuint is_available = GL_FALSE;

   gl->GetQueryObjectuiv(id, GL_QUERY_RESULT_AVAILABLE, &is_available);
   return is_available;
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

static void
wait_for_fence(void)
{
   const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   GLenum status;

   do
      status =
         glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000);
   while (status == GL_TIMEOUT_EXPIRED);
   assert_true(status != GL_WAIT_FAILED);
   glDeleteSync(fence);
}

void
fenced_is_available(const struct entry_points *gl)
{
   assert_available_after(gl, wait_for_fence);
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
      gl->DeleteQueries(2, ids);
   }
   assert_no_error();
}
