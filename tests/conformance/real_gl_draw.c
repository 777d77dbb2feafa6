/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <epoxy/gl.h>

#include "../test.h"
#include "real_gl.h"

static GLuint
compile(GLenum type, const char *body)
{
   const struct gl_context_kind *kind = real_gl_kind();
   const char *const sources[] = {
      kind->is_es       ? "#version 100\n"
      : kind->is_compat ? "#version 110\n"
                        : "#version 150\n"
                          "#define attribute in\n"
                          "#define gl_FragColor color\n",
      body,
   };
   const GLuint shader = glCreateShader(type);
   GLint ok;

   glShaderSource(shader, 2, sources, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   assert_true(ok);
   return shader;
}

GLuint
real_gl_make_program(const char *captured)
{
   const GLuint program = glCreateProgram();
   GLint ok;

   glAttachShader(program,
                  compile(GL_VERTEX_SHADER,
                          "attribute vec2 position;\n"
                          "void main()\n"
                          "{\n"
                          "   gl_Position = vec4(position, 0.0, 1.0);\n"
                          "   gl_PointSize = 1.0;\n"
                          "}\n"));
   glAttachShader(program,
                  compile(GL_FRAGMENT_SHADER, "#ifdef gl_FragColor\n"
                                              "out vec4 color;\n"
                                              "#endif\n"
                                              "void main()\n"
                                              "{\n"
                                              "   gl_FragColor = vec4(1.0);\n"
                                              "}\n"));
   glBindAttribLocation(program, 0, "position");
   if (captured)
      glTransformFeedbackVaryings(program, 1, &captured,
                                  GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   assert_true(ok);
   return program;
}

GLuint
real_gl_make_buffer(GLenum target, GLsizeiptr size_B, const void *bytes,
                    GLenum usage)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(target, buffer);
   glBufferData(target, size_B, bytes, usage);
   return buffer;
}

/* A point for each pixel, in attribute 0. */
static void
bind_points(void)
{
   GLfloat points[16 * 16][2];
   const struct gl_context_kind *kind = real_gl_kind();
   GLuint array = 0;

   for (unsigned i = 0; i < ARRAY_LENGTH(points); i++) {
      points[i][0] = (i % 16 + 0.5f) / 8 - 1;
      points[i][1] = (i / 16 + 0.5f) / 8 - 1;
   }
   if (!kind->is_es || kind->major > 2) {
      glGenVertexArrays(1, &array);
      glBindVertexArray(array);
   }
   real_gl_make_buffer(GL_ARRAY_BUFFER, sizeof(points), points,
                       GL_STATIC_DRAW);
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
