/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "behaviour.h"

static void
set_label(GLuint id, const char *label)
{
   if (real_gl_kind()->is_es)
      glObjectLabelKHR(GL_QUERY, id, -1, label);
   else
      glObjectLabel(GL_QUERY, id, -1, label);
}

static void
get_label(GLuint id, GLsizei size, char *label_out)
{
   if (real_gl_kind()->is_es)
      glGetObjectLabelKHR(GL_QUERY, id, size, NULL, label_out);
   else
      glGetObjectLabel(GL_QUERY, id, size, NULL, label_out);
}

static void
label_of_an_active_query(void)
{
   char label[32] = "";

   const GLuint id = begin(GL_TIME_ELAPSED);
   set_label(id, "frame");
   gl.EndQuery(GL_TIME_ELAPSED);
   get_label(id, sizeof(label), label);
   assert_string_equal(label, "frame");
   assert_no_error();

   gl.DeleteQueries(1, &id);
   set_label(id, "frame");
   assert_error(GL_INVALID_VALUE);
   get_label(id, sizeof(label), label);
   assert_error(GL_INVALID_VALUE);
}

static void
label_by_the_older_extension(void)
{
   char label[32] = "";

   const GLuint id = begin(GL_TIME_ELAPSED);
   glLabelObjectEXT(GL_QUERY_OBJECT_EXT, id, 0, "frame");
   glGetObjectLabelEXT(GL_QUERY_OBJECT_EXT, id, sizeof(label), NULL, label);
   assert_string_equal(label, "frame");
   gl.EndQuery(GL_TIME_ELAPSED);
   assert_no_error();

   gl.DeleteQueries(1, &id);
   glLabelObjectEXT(GL_QUERY_OBJECT_EXT, id, 0, "frame");
   assert_error(GL_INVALID_OPERATION);
   glGetObjectLabelEXT(GL_QUERY_OBJECT_EXT, id, sizeof(label), NULL, label);
   assert_error(GL_INVALID_OPERATION);
}

/*
 * Calls that must not wait
 */

void
prepare_big_triangle(void)
{
   enum { SIZE = 256 };
   static const GLubyte corners[] = { 0, 15, 240 };

   gl_make_framebuffer(GL_RGBA4, SIZE);
   gl_make_buffer(GL_ELEMENT_ARRAY_BUFFER, sizeof(corners), corners,
                  GL_STATIC_DRAW);
}

void
measure_big_triangles(GLuint id, unsigned count)
{
   gl.BeginQuery(GL_ANY_SAMPLES_PASSED, id);
   glDrawElementsInstanced(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, NULL, count);
   gl.EndQuery(GL_ANY_SAMPLES_PASSED);
}

static void
delete_query(GLuint id)
{
   gl.DeleteQueries(1, &id);
}

/* More often than a driver sets queries in flight aside. */
static void
begin_again(GLuint id)
{
   for (unsigned i = 0; i < 100; i++)
      measure_points(GL_ANY_SAMPLES_PASSED, id, 0);
}

static GLuint draw_program, compute_program;

static void
dispatch_after_a_timer(GLuint id)
{
   GLuint timer = generate();

   (void)id;
   gl.QueryCounter(timer, GL_TIMESTAMP);
   gl.DeleteQueries(1, &timer);
   glUseProgram(compute_program);
   glDispatchCompute(1, 1, 1);
   glUseProgram(draw_program);
}

#define MIN_BUSY_NS 5000000
#define MAX_DRAWS   40000

/* The call takes less than half of the GPU's remaining time.  If that is too
 * short to compare, the next round draws more.
 */
static bool
is_short(bool is_flushed, unsigned *draws, void (*call)(GLuint id))
{
   const GLuint id = generate();

   measure_big_triangles(id, *draws);
   if (is_flushed)
      glFlush();
   const uint64_t before_ns = cpu_time_ns();
   call(id);
   const uint64_t call_ns = cpu_time_ns() - before_ns;
   glFinish();
   const uint64_t busy_ns = cpu_time_ns() - before_ns;

   gl.DeleteQueries(1, &id);
   assert_no_error();
   const bool is_short = busy_ns >= MIN_BUSY_NS && call_ns < busy_ns / 2;
   if (!is_short && *draws < MAX_DRAWS)
      *draws *= 2;
   return is_short;
}

/* An interrupt may delay a call, but not in each of 100 rounds. */
static void
assert_short(void (*call)(GLuint id))
{
   prepare_big_triangle();
   for (unsigned is_flushed = 0; is_flushed < 2; is_flushed++) {
      unsigned draws = 300;

      assert_once(is_short(is_flushed, &draws, call));
   }
}

static void
delete_does_not_wait(void)
{
   assert_short(delete_query);
}

static void
begin_does_not_wait(void)
{
   assert_short(begin_again);
}

static void
dispatch_does_not_wait(void)
{
   draw_program = real_gl_make_program(NULL);
   glUseProgram(draw_program);
   compute_program = gl_make_compute_program("local_size_x = 1", "", "");
   assert_short(dispatch_after_a_timer);
}

/* Vertices are in the application's memory: GL copies those with an index. */
static void
bind_vertices_of_the_application(void)
{
   enum { COUNT = 8 };
   static GLfloat points[COUNT][2];

   /* Only the last one is inside the view. */
   for (unsigned i = 0; i < COUNT; i++)
      points[i][0] = points[i][1] = i == COUNT - 1 ? -0.95f : 5;
   glBindVertexArray(0);
   glBindBuffer(GL_ARRAY_BUFFER, 0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, points);
   glEnableVertexAttribArray(0);
}

static void
buffer_of_indices_changes(void)
{
   const GLuint id = measure_new(GL_SAMPLES_PASSED, 7);
   GLuint buffer;

   bind_vertices_of_the_application();
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);

   /* In flight in the first round, available in the second. */
   for (unsigned i = 0; i < 2; i++) {
      static const GLuint zero[2] = { 0 };

      glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(zero), zero,
                   GL_DYNAMIC_DRAW);
      glClear(GL_COLOR_BUFFER_BIT);
      glDrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, NULL);
      gl.GetQueryBufferObjectuiv(id, buffer, GL_QUERY_RESULT, 0);
      glDrawElements(GL_POINTS, 1, GL_UNSIGNED_INT, NULL);
      assert_red(255);
      assert_int_equal(result_of(id), 7);
   }
}

/*
 * The CPU writes to a buffer of results.  While the GPU uses the buffer, a
 * driver may stage the bytes and copy them later.
 */

#define WRITTEN       0x5a
#define BUFFER_B      64
#define EARLY_B       8 /* offset of the 64-bit result */
#define LATE_B        44
#define SOURCE_MORE_B 5

static void
write_by_subdata(GLintptr offset_B, GLsizeiptr size_B, GLbitfield flags)
{
   GLubyte bytes[BUFFER_B];

   (void)flags;
   memset(bytes, WRITTEN, sizeof(bytes));
   glBufferSubData(GL_ARRAY_BUFFER, offset_B, size_B, bytes);
}

static void
write_by_map(GLintptr offset_B, GLsizeiptr size_B, GLbitfield flags)
{
   void *bytes = glMapBufferRange(GL_ARRAY_BUFFER, offset_B, size_B,
                                  GL_MAP_WRITE_BIT | flags);

   assert_non_null(bytes);
   memset(bytes, WRITTEN, (size_t)size_B);
   if (flags & GL_MAP_FLUSH_EXPLICIT_BIT)
      glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, size_B);
   assert_true(glUnmapBuffer(GL_ARRAY_BUFFER));
}

static void
write_by_clear(GLintptr offset_B, GLsizeiptr size_B, GLbitfield flags)
{
   const GLubyte byte = WRITTEN;

   (void)flags;
   glClearBufferSubData(GL_ARRAY_BUFFER, GL_R8UI, offset_B, size_B,
                        GL_RED_INTEGER, GL_UNSIGNED_BYTE, &byte);
}

static void
write_by_copy(GLintptr offset_B, GLsizeiptr size_B, GLbitfield flags)
{
   GLubyte bytes[BUFFER_B + SOURCE_MORE_B];

   (void)flags;
   memset(bytes, WRITTEN, sizeof(bytes));
   memset(bytes, 0, SOURCE_MORE_B);
   const GLuint source = gl_make_buffer(GL_COPY_READ_BUFFER, sizeof(bytes),
                                        bytes, GL_STATIC_DRAW);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, SOURCE_MORE_B,
                       offset_B, size_B);
   glDeleteBuffers(1, &source);
}

static const struct way {
   void (*write)(GLintptr offset_B, GLsizeiptr size_B, GLbitfield flags);
   GLbitfield flags;
} ways[] = {
   { write_by_subdata, 0 },
   { write_by_map, 0 },
   { write_by_map, GL_MAP_INVALIDATE_RANGE_BIT },
   { write_by_map, GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT },
   { write_by_clear, 0 },
   { write_by_copy, 0 },
};

/* First contents, a result, the CPU's bytes, and a later result. */
static void
mix(GLenum usage, GLintptr offset_B, GLsizeiptr size_B, const struct way *way)
{
   const GLuint64 early = 7;
   const GLuint late = 3;
   GLubyte expected[BUFFER_B], seen[BUFFER_B];

   for (unsigned i = 0; i < BUFFER_B; i++)
      expected[i] = (GLubyte)(0x80 + i);
   const GLuint buffer =
      gl_make_buffer(GL_ARRAY_BUFFER, BUFFER_B, expected, usage);

   gl.GetQueryBufferObjectui64v(measure_new(GL_SAMPLES_PASSED, early), buffer,
                                GL_QUERY_RESULT, EARLY_B);
   memcpy(&expected[EARLY_B], &early, sizeof(early));
   way->write(offset_B, size_B, way->flags);
   memset(&expected[offset_B], WRITTEN, (size_t)size_B);
   gl.GetQueryBufferObjectuiv(measure_new(GL_SAMPLES_PASSED, late), buffer,
                              GL_QUERY_RESULT, LATE_B);
   memcpy(&expected[LATE_B], &late, sizeof(late));

   glGetBufferSubData(GL_ARRAY_BUFFER, 0, BUFFER_B, seen);
   assert_memory_equal(seen, expected, BUFFER_B);
   glDeleteBuffers(1, &buffer);
}

static void
buffer_keeps_what_is_written(void)
{
   static const GLenum usages[] = { GL_STATIC_DRAW, GL_STREAM_READ };
   static const struct {
      GLintptr offset_B;
      GLsizeiptr size_B;
   } ranges[] = { { 0, 4 },  { 4, 8 },  { 8, 8 },  { 16, 16 },
                  { 17, 1 }, { 21, 6 }, { 3, 58 }, { 48, 16 } };

   for (unsigned i = 0; i < ARRAY_LENGTH(ways); i++) {
      for (unsigned j = 0; j < ARRAY_LENGTH(ranges); j++) {
         for (unsigned k = 0; k < ARRAY_LENGTH(usages); k++)
            mix(usages[k], ranges[j].offset_B, ranges[j].size_B, &ways[i]);
      }
   }
}

const struct behaviour behaviours_of_objects[] = {
   { "object: the label of an active query", "KHR_debug", IN_ALL,
     "TIME_ELAPSED label", label_of_an_active_query },
   { "object: a label by EXT_debug_label",
     ANGLE_R "TimerQueryObjectLabelsEXT", IN_ALL, "TIME_ELAPSED label-ext",
     label_by_the_older_extension },
   { "object: deleting waits for nothing", EDTQ, IN_ALL,
     "ANY_SAMPLES_PASSED instanced rendered behind", delete_does_not_wait },
   { "object: beginning again waits for nothing", EDTQ, IN_ALL,
     "ANY_SAMPLES_PASSED instanced rendered behind", begin_does_not_wait },
   { "object: a dispatch after a timer waits for nothing", GL46 "4.3",
     IN_DESKTOP,
     "ANY_SAMPLES_PASSED TIMESTAMP COMPUTE_SHADER_INVOCATIONS instanced "
     "rendered behind",
     dispatch_does_not_wait },
   { "object: a result becomes an index", AQBO, IN_COMPAT, "put rendered",
     buffer_of_indices_changes },
   { "object: a buffer has results and what the CPU writes", AQBO, IN_DESKTOP,
     "put", buffer_keeps_what_is_written },
   { .name = NULL },
};
