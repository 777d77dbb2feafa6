/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-contexts: GL contexts that share objects, each on its own thread, are
 * created and destroyed with queries active and in flight.
 *
 * Prints "N queries, N wrong"; the exit status is 1 if a result was wrong.
 */

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define THREAD_COUNT 3
#define ROUND_COUNT  4  /* contexts per thread, in sequence */
#define QUERY_COUNT  20 /* per context */
#define SIZE         16

static EGLDisplay display;
static EGLContext first;
static atomic_uint query_count, wrong_count;

static void
fail(const char *message)
{
   fprintf(stderr, "pitot-contexts: %s\n", message);
   exit(2);
}

static void
check(bool is_right)
{
   if (!is_right)
      atomic_fetch_add(&wrong_count, 1);
}

static EGLContext
create_context(void)
{
   /* GL 3.0 includes GL 1. */
   static const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE,
   };
   EGLContext context =
      eglCreateContext(display, EGL_NO_CONFIG_KHR, first, attributes);

   if (!context)
      fail("there is no context");
   return context;
}

static void
make_framebuffer(void)
{
   GLuint framebuffer, renderbuffer;

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, renderbuffer);
   glViewport(0, 0, SIZE, SIZE);
}

/* Polls or waits; the result must come. */
static GLuint64
result_of(GLuint query, bool is_polled)
{
   GLuint64 result = 0;
   GLuint is_available = !is_polled;

   while (!is_available)
      glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &is_available);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &result);
   atomic_fetch_add(&query_count, 1);
   return result;
}

/* Measures samples and time of a draw, and a timestamp. */
static void
measure(unsigned i, GLuint64 *stamp_ns)
{
   GLuint queries[3];

   glGenQueries(3, queries);
   glBeginQuery(GL_TIME_ELAPSED, queries[0]);
   glBeginQuery(GL_SAMPLES_PASSED, queries[1]);
   glRectf(-1, -1, 1, 1);
   glEndQuery(GL_SAMPLES_PASSED);
   glQueryCounter(queries[2], GL_TIMESTAMP);
   glEndQuery(GL_TIME_ELAPSED);
   if (i % 3 == 0)
      glFlush();
   check(result_of(queries[1], i % 2) == SIZE * SIZE);

   const GLuint64 now_ns = result_of(queries[2], i % 2);
   check(now_ns >= *stamp_ns);
   *stamp_ns = now_ns;
   glDeleteQueries(i % 4 ? 3 : 2, queries); /* some are destroyed in flight */
}

static void *
run(void *data)
{
   GLuint64 stamp_ns = 0;
   GLuint active;

   (void)data;
   eglBindAPI(EGL_OPENGL_API);
   for (unsigned round = 0; round < ROUND_COUNT; round++) {
      EGLContext context = create_context();

      if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
         fail("a context cannot be made current");
      make_framebuffer();
      glGenQueries(1, &active);
      glBeginQuery(GL_PRIMITIVES_GENERATED, active);
      for (unsigned i = 0; i < QUERY_COUNT; i++)
         measure(i, &stamp_ns);
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display, context);
   }
   return NULL;
}

int
main(void)
{
   pthread_t threads[THREAD_COUNT];

   display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                      EGL_DEFAULT_DISPLAY, NULL);
   if (!display || !eglInitialize(display, NULL, NULL) ||
       !eglBindAPI(EGL_OPENGL_API))
      fail("there is no GL");
   first = create_context();
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      if (pthread_create(&threads[i], NULL, run, NULL))
         fail("a thread cannot be created");
   }
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      pthread_join(threads[i], NULL);
   eglDestroyContext(display, first);
   eglTerminate(display);
   printf("%u queries, %u wrong\n", query_count, wrong_count);
   return wrong_count > 0;
}
