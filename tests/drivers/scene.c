/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "defects.h"

/* A driver that hangs polls: no test takes a quarter of this CPU time. */
#define MAX_CPU_S 3

void
open_context(const struct defect *defect)
{
   static struct gl_context_kind kind;

   kind = *gl_context_kind_find(defect->is_es ? "es3" : "core");
   kind.is_robust = !defect->is_es && !defect->survives;
   if (!egl_open(&kind) || !egl_make_context(&kind)) {
      fprintf(stderr, "no context\n");
      exit(2);
   }
   real_gl_init(&kind, "");
   draw_point();
   glFinish();
}

void
open_new_context(void)
{
   open_context(&(struct defect){ .name = NULL });
}

static GLuint
current_program(void)
{
   GLint program;

   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   return (GLuint)program;
}

void
use_compute_program(void)
{
   glUseProgram(gl_make_compute_program("local_size_x = 1", "", ""));
}

void
draw_point(void)
{
   real_gl_draw_points(1);
}

void
dispatch(void)
{
   static GLuint program;
   const GLuint draw_program = current_program();

   if (program)
      glUseProgram(program);
   else
      use_compute_program();
   program = current_program();
   glDispatchCompute(1, 1, 1);
   glUseProgram(draw_program);
}

uint64_t
read_by_buffer(GLuint query, GLenum parameter)
{
   GLuint64 value = UINT64_MAX;
   const GLuint buffer =
      gl_make_buffer(GL_QUERY_BUFFER, sizeof(value), &value, GL_DYNAMIC_READ);

   glGetQueryObjectui64v(query, parameter, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(value), &value);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   glDeleteBuffers(1, &buffer);
   return value;
}

GLuint
measure(GLenum target, unsigned draws)
{
   const GLuint query = begin(target);

   for (unsigned i = 0; i < draws; i++)
      draw_point();
   gl.EndQuery(target);
   return query;
}

uint64_t
count(GLenum target, unsigned draws)
{
   return result64_of(measure(target, draws));
}

GLuint
measure_nothing(void)
{
   glEnable(GL_RASTERIZER_DISCARD);
   glEnable(GL_SCISSOR_TEST);
   glScissor(0, 0, 0, 0);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glDisable(GL_SCISSOR_TEST);
   glDisable(GL_RASTERIZER_DISCARD);
   return query;
}

GLuint
measure_dispatch(void)
{
   const GLuint query = begin(GL_COMPUTE_SHADER_INVOCATIONS);

   dispatch();
   gl.EndQuery(GL_COMPUTE_SHADER_INVOCATIONS);
   return query;
}

static void
expect_range(uint64_t value, uint64_t least, uint64_t most, const char *word,
             uint64_t expected)
{
   if (value >= least && value <= most)
      return;
   printf("# %" PRIu64 " rather than %s%" PRIu64 "\nwrong\n", value, word,
          expected);
   fflush(stdout);
   _exit(0);
}

void
expect_about(uint64_t value, uint64_t expected, uint64_t error)
{
   expect_range(value, expected - error, expected + error, "", expected);
}

void
expect(uint64_t value, uint64_t expected)
{
   expect_range(value, expected, expected, "", expected);
}

void
expect_least(uint64_t value, uint64_t least)
{
   expect_range(value, least, UINT64_MAX, "at least ", least);
}

void
expect_most(uint64_t value, uint64_t most)
{
   expect_range(value, 0, most, "at most ", most);
}

static void
wait_for_ever(int signal)
{
   static const char text[] = "# waits for ever\nwrong\n";

   (void)signal;
   _exit(write(STDOUT_FILENO, text, sizeof(text) - 1) < 0 ? 2 : 0);
}

/* The guard of defects.c, an alarm, stays for calls that do not even poll. */
void
open_watch(void)
{
   const struct itimerval limit = { .it_value.tv_sec = MAX_CPU_S };

   signal(SIGALRM, wait_for_ever);
   signal(SIGPROF, wait_for_ever);
   setitimer(ITIMER_PROF, &limit, NULL);
}
