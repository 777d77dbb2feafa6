/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The binding of a query buffer, which with glthread (a thread that executes
 * the application's calls) Mesa stores twice.
 */

#include "behaviour.h"

#define UNTOUCHED    99
#define RESULT       7
#define ODD_OFFSET_B 5

static GLuint
bind_buffer(void)
{
   static const GLuint untouched[] = { UNTOUCHED, UNTOUCHED, UNTOUCHED };

   return gl_make_buffer(GL_QUERY_BUFFER, sizeof(untouched), untouched,
                         GL_STREAM_READ);
}

static void
deleted_buffer_is_not_bound(void)
{
   const GLuint id = measure_new(GL_SAMPLES_PASSED, RESULT);
   const GLuint buffer = bind_buffer();
   GLint bound = UNTOUCHED;

   glDeleteBuffers(1, &buffer);
   assert_int_equal(result_of(id), RESULT);
   glGetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
   assert_int_equal(bound, 0);
}

/* ES has no QUERY_BUFFER. */
static void
refused_buffer_is_not_bound(void)
{
   const GLuint id = measure_new(GL_ANY_SAMPLES_PASSED, RESULT);

   if (real_gl_kind()->has_no_errors)
      return;
   bind_buffer();
   assert_error(GL_INVALID_ENUM);
   assert_int_equal(result_of(id), GL_TRUE);
}

/* glthread may take the name for a buffer until GL rejects it.  A result that
 * comes later would overwrite the application's memory.
 */
static void
refused_name_takes_no_result(void)
{
   const GLuint id = measure_new(GL_SAMPLES_PASSED, RESULT);
   GLuint result = UNTOUCHED;

   if (real_gl_kind()->has_no_errors)
      return;
   glBindBuffer(GL_QUERY_BUFFER, 4711);
   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT, &result);
   assert_int_equal(result, RESULT);
   assert_error(GL_INVALID_OPERATION);
}

/* The GPU may store both, or the CPU one: no GPU stores at this offset. */
static void
available_result_is_there(void)
{
   const GLuint id = measure_new(GL_SAMPLES_PASSED, RESULT);
   GLuint available, result;

   bind_buffer();
   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT_AVAILABLE, NULL);
   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT_NO_WAIT, (void *)ODD_OFFSET_B);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(available), &available);
   glGetBufferSubData(GL_QUERY_BUFFER, ODD_OFFSET_B, sizeof(result), &result);
   assert_true(available <= 1);
   if (available)
      assert_int_equal(result, RESULT);
   assert_no_error();
}

/* The draw keeps the buffer busy: to replace its memory would leave the map
 * behind.
 */
static void
result_is_in_the_map(void)
{
   static const GLenum targets[] = { GL_SAMPLES_PASSED, GL_TIME_ELAPSED };
   static const GLuint64 zero;
   const GLbitfield flags =
      GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;

   if (!epoxy_has_gl_extension("GL_ARB_buffer_storage"))
      return;
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      const GLuint id = measure_new(targets[i], RESULT);
      const GLuint64 result = result64_of(id);
      GLuint buffer;

      glGenBuffers(1, &buffer);
      glBindBuffer(GL_QUERY_BUFFER, buffer);
      glBufferStorage(GL_QUERY_BUFFER, sizeof(zero), &zero, flags);
      const GLuint64 *map =
         glMapBufferRange(GL_QUERY_BUFFER, 0, sizeof(zero), flags);
      glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
      glDrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, NULL);
      gl.GetQueryObjectui64v(id, GL_QUERY_RESULT, NULL);
      glBindBuffer(GL_QUERY_BUFFER, 0);
      wait_for_fence();
      assert_int_equal(*map, result);
      glDeleteBuffers(1, &buffer);
   }
}

/* u_threaded_context writes at once to memory that nothing has written. */
static void
write_comes_after_result(void)
{
   static const GLuint written = UNTOUCHED;
   GLuint found;

   const GLuint id = generate();
   const GLuint buffer =
      gl_make_buffer(GL_QUERY_BUFFER, sizeof(written), NULL, GL_STREAM_READ);
   measure_points(GL_SAMPLES_PASSED, id, RESULT);
   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT, NULL);
   glBufferSubData(GL_QUERY_BUFFER, 0, sizeof(written), &written);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(found), &found);
   assert_int_equal(found, UNTOUCHED);
   glDeleteBuffers(1, &buffer);
}

const struct behaviour behaviours_of_buffers[] = {
   { "buffer: a deleted buffer is not bound", GL46 "6.2", IN_DESKTOP, "bind",
     deleted_buffer_is_not_bound },
   { "buffer: a result is there if its availability is", GL46 "4.2.3",
     IN_DESKTOP, "bind", available_result_is_there },
   { "buffer: a result is in a persistent map", GL46 "6.3", IN_CORE, "bind",
     result_is_in_the_map },
   { "buffer: a write comes after a result", GL46 "5.1.1", IN_DESKTOP, "bind",
     write_comes_after_result },
   { "buffer: a binding that is refused", AQBO, IN_ES, "ANY_SAMPLES_PASSED",
     refused_buffer_is_not_bound },
   { "buffer: a name that is refused takes no result", GL46 "6.1", IN_CORE,
     "bind", refused_name_takes_no_result },
   { .name = NULL },
};
