/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "defects.h"
#include "gl_setup.h"

/* A driver that hangs polls: no test takes a quarter of this CPU time. */
#define MAX_CPU_S 3

#define VERTEX   "void main() { gl_Position = vec4(0, 0, 0, 1); }\n"
#define FRAGMENT "out mediump vec4 color; void main() { color = vec4(1); }\n"

static void
make_scene(bool is_es)
{
   const GLuint program = glCreateProgram();

   gl_make_target();
   gl_attach(program, GL_VERTEX_SHADER,
             is_es ? "#version 300 es\n" VERTEX
                   : "#version 330 core\n" VERTEX);
   gl_attach(program, GL_FRAGMENT_SHADER,
             is_es ? "#version 300 es\n" FRAGMENT
                   : "#version 330 core\n" FRAGMENT);
   glLinkProgram(program);
   glUseProgram(program);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish();
}

static void
open_api(EGLenum api, EGLint reset_strategy)
{
   const bool is_es = api == EGL_OPENGL_ES_API;
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,
      3,
      EGL_CONTEXT_MINOR_VERSION,
      is_es ? 0 : 3,
      EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
      reset_strategy,
      EGL_NONE,
   };

   if (!gl_open_api(api, attributes)) {
      fprintf(stderr, "no context\n");
      exit(2);
   }
   make_scene(is_es);
}

void
open_context_with(EGLint reset_strategy)
{
   open_api(EGL_OPENGL_API, reset_strategy);
}

void
open_es_context_with(EGLint reset_strategy)
{
   open_api(EGL_OPENGL_ES_API, reset_strategy);
}

void
open_context(void)
{
   open_context_with(EGL_LOSE_CONTEXT_ON_RESET);
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
   static const char *const source =
      "#version 330\n"
      "#extension GL_ARB_compute_shader : require\n"
      "layout(local_size_x = 1) in;\n"
      "void main() { }\n";
   const GLuint program =
      glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);

   glUseProgram(program);
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

GLuint
make_query(void)
{
   GLuint query;

   glGenQueries(1, &query);
   return query;
}

uint64_t
read_query(GLuint query)
{
   GLuint64 value = 0;

   glGetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
   return value;
}

uint64_t
read_by_buffer(GLuint query, GLenum parameter)
{
   GLuint buffer;
   GLuint64 value = UINT64_MAX;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(value), &value, GL_DYNAMIC_READ);
   glGetQueryObjectui64v(query, parameter, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(value), &value);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   glDeleteBuffers(1, &buffer);
   return value;
}

GLuint
measure(GLenum target, unsigned draws)
{
   const GLuint query = make_query();

   glBeginQuery(target, query);
   glDrawArrays(GL_POINTS, 0, 1);
   for (unsigned i = 1; i < draws; i++)
      glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(target);
   return query;
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
   const GLuint query = make_query();

   glBeginQuery(GL_COMPUTE_SHADER_INVOCATIONS_ARB, query);
   dispatch();
   glEndQuery(GL_COMPUTE_SHADER_INVOCATIONS_ARB);
   return query;
}

bool
is_about(uint64_t value, uint64_t expected, uint64_t error)
{
   const bool is_right =
      value >= expected - error && value <= expected + error;

   if (!is_right)
      printf("# %" PRIu64 " rather than %" PRIu64 "\n", value, expected);
   return is_right;
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
