/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Draws while another context replaces the label of the program, also during
 * the debug callback for an error in a label of this context.
 */

#include <pthread.h>
#include <stdatomic.h>

#include "../gl_setup.h"

#define DRAW_COUNT 6000

static EGLContext other;
static GLuint program;
static atomic_bool is_over;
static atomic_uint label_count;
static bool is_reported;

static void *
replace_label(void *display)
{
   static const char *const labels[] = {
      "the first label of a program, of so many characters",
      "the other label of a program, of no fewer characters",
   };

   if (!eglBindAPI(EGL_OPENGL_API) ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, other))
      return NULL;
   for (unsigned i = 0; !is_over; i++) {
      glObjectLabel(GL_PROGRAM, program, -1, labels[i % 2]);
      label_count++;
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, other);
   return display;
}

/* Waits as if the other thread needed a lock that is held here. */
static void GLAPIENTRY
wait_for_label(GLenum source, GLenum type, GLuint id, GLenum severity,
               GLsizei length, const GLchar *message, const void *data)
{
   const unsigned count = label_count;

   (void)source, (void)type, (void)id, (void)severity;
   (void)length, (void)message, (void)data;
   while (label_count < count + 2)
      ;
   is_reported = true;
}

static void
draw_much(void)
{
   while (label_count == 0)
      ;
   glEnable(GL_DEBUG_OUTPUT);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageCallback(wait_for_label, NULL);
   glObjectLabel(GL_PROGRAM, program + 1000, -1, "of no program");
   glDisable(GL_DEBUG_OUTPUT);
   for (unsigned i = 0; i < DRAW_COUNT; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      if (i % 1000 == 999)
         glFinish();
   }
}

int
main(void)
{
   const EGLint attributes[] = { EGL_NONE };
   pthread_t thread;
   void *result;

   if (!gl_open(attributes))
      return 2;
   gl_make_target();
   program = glCreateProgram();
   gl_attach(program, GL_VERTEX_SHADER,
             "void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }");
   gl_attach(program, GL_FRAGMENT_SHADER,
             "void main() { gl_FragColor = vec4(1.0); }");
   glLinkProgram(program);
   glUseProgram(program);
   glFinish();

   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext context = eglGetCurrentContext();

   other = eglCreateContext(display, EGL_NO_CONFIG_KHR, context, attributes);
   if (other == EGL_NO_CONTEXT ||
       pthread_create(&thread, NULL, replace_label, display) != 0)
      return 3;
   draw_much();
   is_over = true;
   pthread_join(thread, &result);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   return !result || !is_reported;
}
