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

static const struct gl_context_kind *kind;

#define DRAW_COUNT 6000

static EGLContext other;
static GLuint program;
static atomic_bool is_over;
static atomic_uint label_count;
static bool is_reported;

static void *
replace_label(void *data)
{
   static const char *const labels[] = {
      "the first label of a program, of so many characters",
      "the other label of a program, of no fewer characters",
   };

   egl_bind_api(kind);
   if (!egl_use_context(other))
      return NULL;
   for (unsigned i = 0; !is_over; i++) {
      glObjectLabel(GL_PROGRAM, program, -1, labels[i % 2]);
      label_count++;
   }
   egl_delete_context(other);
   return data;
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
   pthread_t thread;
   void *result;

   kind = gl_context_kind_find("compat");
   if (!egl_open(kind) || !egl_make_context(kind))
      return 2;
   program = gl_link(gl_start_program(
      kind->glsl, "void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }",
      GL_WHITE));
   glUseProgram(program);
   gl_bind_vertex_array();
   glFinish();

   other = egl_create_context(kind, eglGetCurrentContext());
   if (other == EGL_NO_CONTEXT ||
       pthread_create(&thread, NULL, replace_label, &program) != 0)
      return 3;
   draw_much();
   is_over = true;
   pthread_join(thread, &result);
   egl_destroy_context();
   return !result || !is_reported;
}
