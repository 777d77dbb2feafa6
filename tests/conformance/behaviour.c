/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "behaviour.h"

#define HANG_GUARD_NS (3600 * UINT64_C(1000000000))

GLuint
generate(void)
{
   GLuint id;

   gl.GenQueries(1, &id);
   return id;
}

GLuint
begin(GLenum target)
{
   const GLuint id = generate();

   gl.BeginQuery(target, id);
   return id;
}

GLuint
end(GLenum target, GLuint id)
{
   gl.EndQuery(target);
   return result_of(id);
}

void
measure_points(GLenum target, GLuint id, unsigned count)
{
   gl.BeginQuery(target, id);
   if (count)
      real_gl_draw_points(count);
   gl.EndQuery(target);
}

GLuint
measure_new(GLenum target, unsigned count)
{
   const GLuint id = generate();

   measure_points(target, id, count);
   return id;
}

GLuint
make_timestamp(void)
{
   const GLuint id = generate();

   gl.QueryCounter(id, GL_TIMESTAMP);
   return id;
}

bool
is_available(GLuint id)
{
   GLuint answer = GL_FALSE;

   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT_AVAILABLE, &answer);
   return answer;
}

void
poll_result(GLuint id)
{
   for (unsigned i = 0; i < MAX_POLLS; i++) {
      if (is_available(id))
         return;
   }
   fail_msg("query %u never has a result", id);
}

GLuint
result_of(GLuint id)
{
   GLuint result = 0;

   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT, &result);
   return result;
}

uint64_t
result64_of(GLuint id)
{
   GLuint64 result = 0;

   gl.GetQueryObjectui64v(id, GL_QUERY_RESULT, &result);
   return result;
}

void
wait_for_fence(void)
{
   const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
   const GLenum status =
      glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, HANG_GUARD_NS);

   assert_true(status == GL_ALREADY_SIGNALED ||
               status == GL_CONDITION_SATISFIED);
   glDeleteSync(fence);
}

void
assert_no_error(void)
{
   assert_int_equal(glGetError(), GL_NO_ERROR);
}

void
assert_error(GLenum error)
{
   assert_int_equal(glGetError(),
                    real_gl_kind()->has_no_errors ? GL_NO_ERROR : error);
}

void
assert_red(unsigned red)
{
   GLubyte pixel[4];

   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   assert_int_equal(pixel[0], red);
}

void
assert_red_if_rendered(unsigned red)
{
   if (real_gl_renders())
      assert_red(red);
}
