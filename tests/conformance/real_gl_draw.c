/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "../test.h"
#include "real_gl.h"

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
