/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Results in buffers that draws or shaders copy, in one batch. */

#include "defects.h"

/* Drivers copy smaller buffers without a draw. */
#define COPIED_B 256
#define RESULT_B 64

static GLuint
make_buffer(void)
{
   static const GLuint64 zeros[COPIED_B / sizeof(GLuint64)];

   return gl_make_buffer(GL_COPY_WRITE_BUFFER, COPIED_B, zeros,
                         GL_DYNAMIC_COPY);
}

static void
copy_buffer(GLuint from, GLuint to)
{
   glBindBuffer(GL_COPY_READ_BUFFER, from);
   glBindBuffer(GL_COPY_WRITE_BUFFER, to);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                       COPIED_B);
}

static void
store_result(GLuint query, GLuint buffer)
{
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, (GLuint64 *)RESULT_B);
   glBindBuffer(GL_QUERY_BUFFER, 0);
}

static uint64_t
read_result(GLuint buffer)
{
   GLuint64 value = UINT64_MAX;

   glBindBuffer(GL_COPY_READ_BUFFER, buffer);
   glGetBufferSubData(GL_COPY_READ_BUFFER, RESULT_B, sizeof(value), &value);
   return value;
}

/* Measures, and reads the result if the CPU is to know it. */
static GLuint
measure_known(unsigned draws, bool is_known)
{
   const GLuint query = measure(GL_SAMPLES_PASSED, draws);

   if (is_known)
      result64_of(query);
   return query;
}

/* A copy wrote to the same memory before, in the same batch. */
void
results_in_buffers_come_after_copies(void)
{
   for (unsigned is_known = 0; is_known < 2; is_known++) {
      const GLuint query = measure_known(3, is_known);
      const GLuint from = make_buffer(), to = make_buffer();

      copy_buffer(from, to);
      store_result(query, to);
      expect(read_result(to), 3);
   }
}

/* Copies a stored result of 1, stores 2 in its place, and copies that if
 * is_second_copied.
 */
static void
copy_two_results(bool is_second_copied, uint64_t expected)
{
   for (unsigned is_known = 0; is_known < 2; is_known++) {
      const GLuint first = measure_known(1, is_known);
      const GLuint second = measure_known(2, is_known);
      const GLuint from = make_buffer(), to = make_buffer();

      store_result(first, from);
      copy_buffer(from, to);
      store_result(second, from);
      if (is_second_copied)
         copy_buffer(from, to);
      expect(read_result(to), expected);
   }
}

/* An earlier copy read the same memory in the same batch. */
void
copies_have_the_latest_results(void)
{
   copy_two_results(true, 2);
}

/* The same batch stores another result after the copy. */
void
copies_come_before_later_results(void)
{
   copy_two_results(false, 1);
}

/* Samples and results share cache lines, and are used in turn. */
void
stores_have_the_latest_samples(void)
{
   enum { QUERIES = 24 };
   static const GLenum targets[] = { GL_SAMPLES_PASSED,
                                     GL_VERTICES_SUBMITTED };
   GLuint64 values[QUERIES] = { 0 };

   gl_make_buffer(GL_QUERY_BUFFER, sizeof(values), values, GL_DYNAMIC_READ);
   for (GLintptr i = 0; i < QUERIES; i++)
      glGetQueryObjectui64v(measure(targets[i % 2], 1 + i % 3),
                            GL_QUERY_RESULT, (GLuint64 *)(8 * i));
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(values), values);
   for (unsigned i = 0; i < QUERIES; i++)
      expect(values[i], 1 + i % 3);
}
