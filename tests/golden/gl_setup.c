/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

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

static void
attach(GLuint program, GLenum stage, const char *source)
{
   const GLuint shader = glCreateShader(stage);

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
}

GLuint
gl_make_draw_program(void)
{
   static const char *const varyings[] = { "gl_Position" };
   const GLuint program = glCreateProgram();

   attach(program, GL_VERTEX_SHADER, vertex_source);
   attach(program, GL_FRAGMENT_SHADER, fragment_source);
   glTransformFeedbackVaryings(program, 1, varyings, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(program);
   return program;
}

GLuint
gl_make_compute_program(void)
{
   const GLuint program = glCreateProgram();

   attach(program, GL_COMPUTE_SHADER, compute_source);
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

void
gl_make_target(void)
{
   const GLsizei size = 16;
   GLuint framebuffer, renderbuffer, vertex_array;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size, size);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, renderbuffer);
   glViewport(0, 0, size, size);
   glGenVertexArrays(1, &vertex_array);
   glBindVertexArray(vertex_array);
}

bool
gl_open(void)
{
   static const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE,
   };
   EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                               EGL_DEFAULT_DISPLAY, NULL);

   if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
      return false;
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR,
                                         EGL_NO_CONTEXT, attributes);
   return context != EGL_NO_CONTEXT &&
          eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}
