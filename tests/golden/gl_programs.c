/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "gl_programs.h"
#include "gl_setup.h"

static const char *const vertex_source =
   "#version 430\n"
   "void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0, "
   "1);"
   " }\n";

static const char *const fragment_source =
   "#version 430\n"
   "layout(location = 0) out vec4 color;\n"
   "void main() { color = vec4(1); }\n";

static const char *const compute_source =
   "#version 430\n"
   "layout(local_size_x = 1) in;\n"
   "layout(std430, binding = 0) buffer Block { uint written; };\n"
   "void main() { written = 1u; }\n";

GLuint
gl_make_draw_program(void)
{
   static const char *const varyings[] = { "gl_Position" };
   const GLuint program = glCreateProgram();

   gl_attach(program, GL_VERTEX_SHADER, vertex_source);
   gl_attach(program, GL_FRAGMENT_SHADER, fragment_source);
   glTransformFeedbackVaryings(program, 1, varyings, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(program);
   return program;
}

GLuint
gl_make_compute_program(void)
{
   const GLuint program = glCreateProgram();

   gl_attach(program, GL_COMPUTE_SHADER, compute_source);
   glLinkProgram(program);
   return program;
}

GLuint
gl_make_buffer(GLenum target)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBufferBase(target, 0, buffer);
   glBufferData(target, GL_BUFFER_B, NULL, GL_STATIC_DRAW);
   return buffer;
}
