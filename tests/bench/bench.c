/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The CPU time of calls about queries.  Prints a line for each: nanoseconds
 * of one, the least of several rounds, and its name.
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <epoxy/gl.h>

#include "../conformance/egl.h"
#include "../test.h"

#define ROUNDS 9
#define CALLS  6400
#define IDS    64

static GLuint ids[IDS];
static GLuint many[CALLS];

static double
now_ns(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * 1e9 + now.tv_nsec;
}

static void
prepare_nothing(void)
{
}

/* Every query has a result, and it has been read. */
static void
prepare_results(void)
{
   GLuint result;

   for (unsigned i = 0; i < IDS; i++) {
      glBeginQuery(GL_SAMPLES_PASSED, ids[i]);
      glEndQuery(GL_SAMPLES_PASSED);
   }
   for (unsigned i = 0; i < IDS; i++)
      glGetQueryObjectuiv(ids[i], GL_QUERY_RESULT, &result);
}

static void
begin_end(void)
{
   for (unsigned i = 0; i < CALLS; i++) {
      glBeginQuery(GL_SAMPLES_PASSED, ids[i % IDS]);
      glEndQuery(GL_SAMPLES_PASSED);
   }
}

static void
begin_end_read(void)
{
   for (unsigned i = 0; i < CALLS / IDS; i++)
      prepare_results();
}

static void
read_known(void)
{
   GLuint result;

   for (unsigned i = 0; i < CALLS; i++)
      glGetQueryObjectuiv(ids[i % IDS], GL_QUERY_RESULT, &result);
}

static void
poll_known(void)
{
   GLint is_available;

   for (unsigned i = 0; i < CALLS; i++)
      glGetQueryObjectiv(ids[i % IDS], GL_QUERY_RESULT_AVAILABLE,
                         &is_available);
}

static void
read_clock(void)
{
   GLint64 time_ns;

   for (unsigned i = 0; i < CALLS; i++)
      glGetInteger64v(GL_TIMESTAMP, &time_ns);
}

static void
generate_delete(void)
{
   glGenQueries(CALLS, many);
   glDeleteQueries(CALLS, many);
}

static const struct {
   const char *name;
   void (*prepare)(void);
   void (*run)(void);
} benches[] = {
   { "begin and end, reading nothing", prepare_nothing, begin_end },
   { "begin, end and read", prepare_nothing, begin_end_read },
   { "read a known result", prepare_results, read_known },
   { "poll a known result", prepare_results, poll_known },
   { "read the clock", prepare_nothing, read_clock },
   { "generate and delete", prepare_nothing, generate_delete },
};

static double
least_ns(void (*prepare)(void), void (*run)(void))
{
   double least = 1e30;

   for (unsigned i = 0; i < ROUNDS; i++) {
      prepare();
      glFinish();
      const double start_ns = now_ns();
      run();
      const double round_ns = now_ns() - start_ns;
      least = round_ns < least ? round_ns : least;
   }
   return least / CALLS;
}

/* A GPU that is simulated takes no time for its work then. */
static void
leave_time_to_the_cpu(void)
{
   bool (*sim_set)(const char *name, uint64_t value);

   *(void **)&sim_set = dlsym(RTLD_DEFAULT, "pitot_sim_set");
   if (sim_set)
      sim_set("is_live", false);
}

int
main(void)
{
   const struct gl_context_kind *kind = gl_context_kind_find("core");

   if (!egl_open(kind) || !egl_make_context(kind)) {
      fprintf(stderr, "pitot-bench: no GL on EGL's surfaceless platform; run "
                      "it with src/mesa/run\n");
      return 1;
   }
   leave_time_to_the_cpu();
   glGenQueries(IDS, ids);
   for (unsigned i = 0; i < ARRAY_LENGTH(benches); i++)
      printf("%.1f %s\n", least_ns(benches[i].prepare, benches[i].run),
             benches[i].name);
   egl_destroy_context();
   return 0;
}
