/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include <epoxy/gl.h>

#include "../test.h"
#include "real_gl.h"
#include "suspend.h"

struct entry_points gl;

static const struct gl_context_kind *context_kind;
static unsigned color;

/* Simulated GPUs draw no pixels. */
static bool renders_nothing;

const struct gl_context_kind *
real_gl_kind(void)
{
   return context_kind;
}

/* Whether a clear with a new color changes the pixel. */
static bool
draw_pixels(void)
{
   GLubyte pixel[4];

   color = (color + 1) % 15;
   glClearColor(color / 15.0f, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   return pixel[0] == color * 17;
}

/* Whether a point is counted: replaces pixels on simulated GPUs. */
static bool
draw_samples(void)
{
   const GLenum target =
      context_kind->is_es ? GL_ANY_SAMPLES_PASSED : GL_SAMPLES_PASSED;
   GLuint id, samples = 99;

   gl.GenQueries(1, &id);
   gl.BeginQuery(target, id);
   real_gl_draw_points(1);
   gl.EndQuery(target);
   gl.GetQueryObjectuiv(id, GL_QUERY_RESULT, &samples);
   gl.DeleteQueries(1, &id);
   return samples == 1;
}

static bool
is_drawn(void)
{
   return renders_nothing ? draw_samples() : draw_pixels();
}

void
real_gl_look_for_pixels(void)
{
   renders_nothing = !draw_pixels();
}

bool
real_gl_renders(void)
{
   return !renders_nothing;
}

static void
draw_points(uint64_t count, unsigned target)
{
   (void)target;
   real_gl_draw_points(count);
}

static void
draw_immediately(unsigned count)
{
   glBegin(GL_POINTS);
   for (unsigned i = 0; i < count; i++)
      glVertex2f(0, 0);
   glEnd();
}

static void
bind_buffer(bool is_bound)
{
   glBindBuffer(GL_QUERY_BUFFER, is_bound ? real_gl.buffer : 0);
}

static void
map_buffer(bool is_mapped)
{
   glBindBuffer(GL_COPY_READ_BUFFER, real_gl.buffer);
   if (is_mapped)
      glMapBufferRange(GL_COPY_READ_BUFFER, 0, SCRIPT_BUFFER_SIZE_B,
                       GL_MAP_READ_BIT);
   else
      glUnmapBuffer(GL_COPY_READ_BUFFER);
}

static void
read_buffer(unsigned offset_B, unsigned size_B, void *data_out)
{
   glBindBuffer(GL_COPY_READ_BUFFER, real_gl.buffer);
   glGetBufferSubData(GL_COPY_READ_BUFFER, offset_B, size_B, data_out);
}

static const char *
error_message(void)
{
   return "glGetError";
}

struct script_gl real_gl = {
   .entry_points = &gl,
   .bind_buffer = bind_buffer,
   .map_buffer = map_buffer,
   .read_buffer = read_buffer,
   .draw_points = draw_points,
   .draw_immediately = draw_immediately,
   .is_drawn = is_drawn,
   .suspend = suspend_system,
   .error_message = error_message,
};

void
real_gl_init(const struct gl_context_kind *kind, const char *suffix)
{
   uint8_t untouched[SCRIPT_BUFFER_SIZE_B];

   context_kind = kind;
   color = 0;
   real_gl.has_no_errors = kind->has_no_errors;
   entry_points_load(&gl, kind->is_es && !suffix[0] ? "EXT" : suffix);
   memset(untouched, SCRIPT_UNTOUCHED_BYTE, sizeof(untouched));
   real_gl.buffer =
      gl_make_buffer(GL_ARRAY_BUFFER, sizeof(untouched), untouched,
                     kind->is_es ? GL_STREAM_DRAW : GL_STREAM_READ);
   real_gl_init_drawing();
   assert_int_equal(glGetError(), GL_NO_ERROR);
}

GLuint
real_gl_make_program(const char *captured)
{
   const GLuint program =
      gl_start_program(real_gl_kind()->glsl,
                       "in vec2 position;\n"
                       "void main()\n"
                       "{\n"
                       "   gl_Position = vec4(position, 0.0, 1.0);\n"
                       "   gl_PointSize = 1.0;\n"
                       "}\n",
                       GL_WHITE);

   if (captured)
      glTransformFeedbackVaryings(program, 1, &captured,
                                  GL_INTERLEAVED_ATTRIBS);
   return gl_link(program);
}

/* A point for each pixel, in attribute 0. */
static void
bind_points(void)
{
   GLfloat points[16 * 16][2];
   const struct gl_context_kind *kind = real_gl_kind();

   for (unsigned i = 0; i < ARRAY_LENGTH(points); i++) {
      points[i][0] = (i % 16 + 0.5f) / 8 - 1;
      points[i][1] = (i / 16 + 0.5f) / 8 - 1;
   }
   if (!kind->is_es || kind->major > 2)
      gl_bind_vertex_array();
   gl_make_buffer(GL_ARRAY_BUFFER, sizeof(points), points, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
}

void
real_gl_init_drawing(void)
{
   glUseProgram(real_gl_make_program(NULL));
   bind_points();
}

void
real_gl_draw_points(unsigned count)
{
   glDrawArrays(GL_POINTS, 0, count);
}
