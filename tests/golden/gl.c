/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Has a Mesa driver make a query of each kind, each by itself, and prints
 * what they counted: a line "KIND VALUE" each, or "KIND -" for a kind that
 * there is not.  On a simulated GPU, its log then has what the driver emitted
 * for it between two marks.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "kinds.h"

#define BUFFER_B 4096

/* Of the simulator that is preloaded. */
static void (*set_mark)(const char *text);

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
mark(const char *what, const char *name)
{
   char text[80];

   glFinish();
   if (set_mark == NULL)
      return;
   snprintf(text, sizeof(text), "%s %s", what, name);
   set_mark(text);
}

static void
attach(GLuint program, GLenum stage, const char *source)
{
   const GLuint shader = glCreateShader(stage);

   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
}

static GLuint
make_draw_program(void)
{
   static const char *const varyings[] = { "gl_Position" };
   const GLuint program = glCreateProgram();

   attach(program, GL_VERTEX_SHADER, vertex_source);
   attach(program, GL_FRAGMENT_SHADER, fragment_source);
   glTransformFeedbackVaryings(program, 1, varyings, GL_INTERLEAVED_ATTRIBS);
   glLinkProgram(program);
   return program;
}

static GLuint
make_compute_program(void)
{
   const GLuint program = glCreateProgram();

   attach(program, GL_COMPUTE_SHADER, compute_source);
   glLinkProgram(program);
   return program;
}

static void
make_buffer(GLenum target)
{
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBufferBase(target, 0, buffer);
   glBufferData(target, BUFFER_B, NULL, GL_STATIC_DRAW);
}

static void
make_target(void)
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

static bool
open_context(void)
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

static void
work(enum golden_work work, GLuint draw_program, GLuint compute_program)
{
   glUseProgram(work == GOLDEN_DISPATCH ? compute_program : draw_program);
   if (work == GOLDEN_FEEDBACK)
      glBeginTransformFeedback(GL_TRIANGLES);
   for (unsigned i = 0; i < GOLDEN_DRAWS; i++) {
      if (work == GOLDEN_DISPATCH)
         glDispatchCompute(1, 1, 1);
      else
         glDrawArrays(GL_TRIANGLES, 0, 3);
   }
   if (work == GOLDEN_FEEDBACK)
      glEndTransformFeedback();
}

static void
measure(const struct golden_kind *kind, GLuint draw_program,
        GLuint compute_program)
{
   const char *name = pitot_kind_info(kind->kind)->name;
   const bool is_instant = pitot_kind_info(kind->kind)->is_instant;
   GLint bits = 0;
   GLuint query;
   GLuint64 value;

   glGetQueryiv(kind->target, GL_QUERY_COUNTER_BITS, &bits);
   if (glGetError() != GL_NO_ERROR || bits == 0) {
      printf("%s -\n", name);
      return;
   }

   glGenQueries(1, &query);
   mark("begin", name);
   if (!is_instant)
      glBeginQuery(kind->target, query);
   work(kind->work, draw_program, compute_program);
   if (is_instant)
      glQueryCounter(query, kind->target);
   else
      glEndQuery(kind->target);
   mark("end", name);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
   printf("%s %llu\n", name, (unsigned long long)value);
   glDeleteQueries(1, &query);
}

static void
measure_statistics(GLuint draw_program, GLuint compute_program)
{
   GLuint queries[PITOT_KIND_COUNT];

   glGenQueries(PITOT_KIND_COUNT, queries);
   mark("begin", GOLDEN_STATISTICS);
   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (golden_is_statistic(&golden_kinds[i]))
         glBeginQuery(golden_kinds[i].target, queries[i]);
   }
   work(GOLDEN_DRAW, draw_program, compute_program);
   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (golden_is_statistic(&golden_kinds[i]))
         glEndQuery(golden_kinds[i].target);
   }
   mark("end", GOLDEN_STATISTICS);
   glDeleteQueries(PITOT_KIND_COUNT, queries);
}

int
main(void)
{
   *(void **)&set_mark = dlsym(RTLD_DEFAULT, "pitot_sim_mark");
   if (!open_context()) {
      fprintf(stderr, "no context of OpenGL 4.3\n");
      return EXIT_FAILURE;
   }
   fprintf(stderr, "%s\n", glGetString(GL_RENDERER));
   make_target();
   make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER);
   make_buffer(GL_SHADER_STORAGE_BUFFER);

   const GLuint draw_program = make_draw_program();
   const GLuint compute_program = make_compute_program();

   /* A driver emits its initial state now, before anything is recorded. */
   work(GOLDEN_DRAW, draw_program, compute_program);
   work(GOLDEN_FEEDBACK, draw_program, compute_program);
   work(GOLDEN_DISPATCH, draw_program, compute_program);
   for (unsigned i = 0; i < golden_kind_count; i++)
      measure(&golden_kinds[i], draw_program, compute_program);
   measure_statistics(draw_program, compute_program);
   return glGetError() == GL_NO_ERROR ? EXIT_SUCCESS : EXIT_FAILURE;
}
