/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "gl_setup.h"

bool
gl_open_api(EGLenum api, const EGLint *attributes)
{
   EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                               EGL_DEFAULT_DISPLAY, NULL);

   if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(api))
      return false;
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR,
                                         EGL_NO_CONTEXT, attributes);
   return context != EGL_NO_CONTEXT &&
          eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

bool
gl_open(const EGLint *attributes)
{
   return gl_open_api(EGL_OPENGL_API, attributes);
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

void
gl_attach(GLuint program, GLenum stage, const char *source)
{
   const GLuint shader = glCreateShader(stage);

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
}
