/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Draws frames of known work for a profile: three passes in groups, uploads,
 * a readback, and queries.  Prints JSON with each frame's CPU times and the
 * queries' results.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <X11/Xlib.h>

#include "../gl_setup.h"
#include "../test.h"

#define SIZE         128
#define TEXTURE_SIZE 64

/* A cell of a strip is two triangles.  The strip covers the target once. */
static const char vertex[] =
   "uniform float cells;\n"
   "in float zero;\n"
   "void main()\n"
   "{\n"
   "   float x = float(gl_VertexID / 6) + float(gl_VertexID % 6 % 2);\n"
   "   float y = gl_VertexID % 6 > 1 && gl_VertexID % 6 < 5 ? 1.0 : 0.0;\n"
   "   gl_Position = vec4(vec2(x / cells, y) * 2.0 - 1.0, zero, 1.0);\n"
   "}\n";

static const char fragment[] =
   "uniform sampler2D image;\n"
   "void main()\n"
   "{\n"
   "   vec2 shade = gl_FragCoord.xy / 128.0;\n"
   "   for (int i = 0; i < 8; i++)\n"
   "      shade = fract(shade.yx * 1.7 + shade * 0.9);\n"
   "   painted = texture(image, shade);\n"
   "}\n";

/* 40 draws.  The last pass draws to the window, if there is one. */
static const struct pass {
   const char *name; /* the framebuffer's label */
   const char *group;
   unsigned draws;
   unsigned cells;
} passes[] = {
   { "shadow map", "shadows", 10, 1 },
   { "scene", "opaque", 28, 8 },
   { "final", "post", 2, 1 },
};

#define PASSES ARRAY_LENGTH(passes)

static const struct target {
   GLenum target;
   const char *name;
} targets[] = {
   { GL_TIME_ELAPSED, "TIME_ELAPSED" },
   { GL_SAMPLES_PASSED, "SAMPLES_PASSED" },
   { GL_PRIMITIVES_GENERATED, "PRIMITIVES_GENERATED" },
   { GL_VERTICES_SUBMITTED_ARB, "VERTICES_SUBMITTED" },
   { GL_PRIMITIVES_SUBMITTED_ARB, "PRIMITIVES_SUBMITTED" },
   { GL_VERTEX_SHADER_INVOCATIONS_ARB, "VERTEX_SHADER_INVOCATIONS" },
   { GL_FRAGMENT_SHADER_INVOCATIONS_ARB, "FRAGMENT_SHADER_INVOCATIONS" },
   { GL_CLIPPING_INPUT_PRIMITIVES_ARB, "CLIPPING_INPUT_PRIMITIVES" },
   { GL_CLIPPING_OUTPUT_PRIMITIVES_ARB, "CLIPPING_OUTPUT_PRIMITIVES" },
};

static struct {
   Display *x11;
   EGLDisplay display;
   EGLSurface surface;
} window;

static GLuint framebuffers[PASSES], queries[ARRAY_LENGTH(targets)];
static GLuint texture, buffer, zero_buffer;
static GLint cells_location, zero_location;
static bool has_client_arrays; /* for every second draw */

/* Vertices of a draw. */
static const GLfloat zeros[6 * 8];

static _Noreturn void
quit(const char *problem)
{
   fprintf(stderr, "frames: %s\n", problem);
   exit(1);
}

static void
open_window(const EGLint *attributes)
{
   static const EGLint any[] = { EGL_SURFACE_TYPE, EGL_WINDOW_BIT,
                                 EGL_RED_SIZE, 8, EGL_NONE };
   EGLConfig config;
   EGLint count;

   window.x11 = XOpenDisplay(NULL);
   if (!window.x11)
      quit("no display");
   const Window made =
      XCreateSimpleWindow(window.x11, DefaultRootWindow(window.x11), 0, 0,
                          SIZE, SIZE, 0, 0, 0);
   XMapWindow(window.x11, made);
   XSync(window.x11, False);
   window.display = eglGetDisplay((EGLNativeDisplayType)window.x11);
   if (!eglInitialize(window.display, NULL, NULL) ||
       !eglBindAPI(EGL_OPENGL_API) ||
       !eglChooseConfig(window.display, any, &config, 1, &count) || !count)
      quit("no EGL in a window");
   const EGLContext context =
      eglCreateContext(window.display, config, EGL_NO_CONTEXT, attributes);
   window.surface =
      eglCreateWindowSurface(window.display, config, made, NULL);
   if (!eglMakeCurrent(window.display, window.surface, window.surface,
                       context))
      quit("no context in a window");
   eglSwapInterval(window.display, 0);
}

static void
make_framebuffer(unsigned pass)
{
   GLuint image;

   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA,
                GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &framebuffers[pass]);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[pass]);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          image, 0);
   glObjectLabel(GL_FRAMEBUFFER, framebuffers[pass], -1, passes[pass].name);
}

static void
make_program(void)
{
   const GLuint program =
      gl_link(gl_start_program("#version 150\n", vertex, fragment));

   glObjectLabel(GL_PROGRAM, program, -1, "strips");
   cells_location = glGetUniformLocation(program, "cells");
   zero_location = glGetAttribLocation(program, "zero");
   glUseProgram(program);
}

/* Later draws take vertices from the buffer, or from the program's memory. */
static void
set_array(bool is_client)
{
   glBindBuffer(GL_ARRAY_BUFFER, is_client ? 0 : zero_buffer);
   glVertexAttribPointer((GLuint)zero_location, 1, GL_FLOAT, GL_FALSE, 0,
                         is_client ? zeros : NULL);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
}

/* Client arrays need the default vertex array, and reach the driver only if
 * glthread does not upload them: with synchronous debug output.
 */
static void
make_arrays(void)
{
   if (has_client_arrays)
      glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   else
      gl_bind_vertex_array();
   zero_buffer =
      gl_make_buffer(GL_ARRAY_BUFFER, sizeof(zeros), zeros, GL_STATIC_DRAW);
   glEnableVertexAttribArray((GLuint)zero_location);
   set_array(false);
}

static void
make_objects(void)
{
   static const uint8_t pixels[TEXTURE_SIZE][TEXTURE_SIZE][4];

   for (unsigned pass = 0; pass < PASSES; pass++) {
      if (pass < PASSES - 1 || !window.surface)
         make_framebuffer(pass);
   }
   make_program();
   make_arrays();
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glObjectLabel(GL_TEXTURE, texture, -1, "bricks");
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, TEXTURE_SIZE, TEXTURE_SIZE, 0,
                GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   buffer = gl_make_buffer(GL_ARRAY_BUFFER, sizeof(pixels), pixels,
                           GL_DYNAMIC_DRAW);
   glGenQueries(ARRAY_LENGTH(targets), queries);
   glViewport(0, 0, SIZE, SIZE);
}

/* Before every second frame, reads a pixel of the last one, so that the GPU
 * idles until the CPU continues.
 */
static void
move_data(unsigned frame)
{
   static uint8_t pixels[TEXTURE_SIZE][TEXTURE_SIZE][4];

   if (frame % 2 == 0)
      glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, TEXTURE_SIZE, TEXTURE_SIZE,
                   GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(pixels), pixels);
}

static void
draw_pass(unsigned index)
{
   const struct pass *pass = &passes[index];

   glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[index]);
   glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, index, -1, pass->group);
   glClear(GL_COLOR_BUFFER_BIT);
   glUniform1f(cells_location, (GLfloat)pass->cells);
   for (unsigned i = 0; i < pass->draws; i++) {
      if (has_client_arrays)
         set_array(i % 2);
      glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(6 * pass->cells));
   }
   glPopDebugGroup();
}

static void
draw_frame(void)
{
   glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 100, -1, "world");
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++)
      glBeginQuery(targets[i].target, queries[i]);
   for (unsigned i = 0; i < PASSES; i++)
      draw_pass(i);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++)
      glEndQuery(targets[i].target);
   glPopDebugGroup();
   if (window.surface)
      eglSwapBuffers(window.display, window.surface);
   else
      glFlush();
}

/* Returns the time at which the frame was finished. */
static uint64_t
run_frame(unsigned frame, uint64_t begin_ns)
{
   move_data(frame);
   draw_frame();
   glFinish();

   const uint64_t end_ns = cpu_time_ns();
   printf("{\"frame\": %u, \"begin_ns\": %" PRIu64 ", \"end_ns\": %" PRIu64,
          frame, begin_ns, end_ns);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      GLuint64 result;

      glGetQueryObjectui64v(queries[i], GL_QUERY_RESULT, &result);
      printf(", \"%s\": %" PRIu64, targets[i].name, (uint64_t)result);
   }
   printf("}\n");
   fflush(stdout);
   return end_ns;
}

int
main(int argc, char **argv)
{
   uint64_t time_ns = cpu_time_ns();
   bool has_window = false;

   for (int i = 2; i < argc; i++) {
      has_window |= strcmp(argv[i], "--window") == 0;
      has_client_arrays |= strcmp(argv[i], "--client-arrays") == 0;
   }
   if (argc != 2 + has_window + has_client_arrays) {
      fprintf(stderr, "Usage: frames COUNT [--window] [--client-arrays]\n");
      return 2;
   }

   const struct gl_context_kind *kind =
      gl_context_kind_find(has_client_arrays ? "compat" : "core");
   const EGLint profile = has_client_arrays
                             ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                             : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT;
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION,
                                 3,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 2,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 profile,
                                 EGL_NONE };

   if (has_window)
      open_window(attributes);
   else if (!egl_open(kind) ||
            !egl_use_context(egl_create_context(kind, EGL_NO_CONTEXT)))
      quit("no context");
   make_objects();
   for (unsigned frame = 1; frame <= (unsigned)atoi(argv[1]); frame++)
      time_ns = run_frame(frame, time_ns);
   const bool is_right = glGetError() == GL_NO_ERROR;

   /* Destroying a context completes its profile. */
   const EGLDisplay display = eglGetCurrentDisplay();
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return is_right ? 0 : 1;
}
