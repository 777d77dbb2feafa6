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

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "../gl_setup.h"

#define THREAD_COUNT 3
#define ROUND_COUNT  4  /* contexts per thread, in sequence */
#define QUERY_COUNT  20 /* per context */
#define SIZE         16

static const struct gl_context_kind *kind;
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
   EGLContext context = egl_create_context(kind, first);

   if (!context)
      fail("there is no context");
   return context;
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
   egl_bind_api(kind);
   for (unsigned round = 0; round < ROUND_COUNT; round++) {
      EGLContext context = create_context();

      if (!egl_use_context(context))
         fail("a context cannot be made current");
      gl_make_framebuffer(GL_RGBA8, SIZE);
      glGenQueries(1, &active);
      glBeginQuery(GL_PRIMITIVES_GENERATED, active);
      for (unsigned i = 0; i < QUERY_COUNT; i++)
         measure(i, &stamp_ns);
      egl_delete_context(context);
   }
   return NULL;
}

int
main(void)
{
   pthread_t threads[THREAD_COUNT];

   kind = gl_context_kind_find("compat"); /* with GL 1 */
   if (!egl_open(kind))
      fail("there is no GL");
   first = create_context();
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      if (pthread_create(&threads[i], NULL, run, NULL))
         fail("a thread cannot be created");
   }
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      pthread_join(threads[i], NULL);
   egl_delete_context(first);
   printf("%u queries, %u wrong\n", query_count, wrong_count);
   return wrong_count > 0;
}
