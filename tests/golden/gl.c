/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Plays all scenes on a Mesa driver, and prints "NAME<tab>VALUE" for each:
 * the result of the query, the stored value, or "-" if the query is not
 * supported.  A simulated GPU logs each scene between "begin NAME" and "end
 * NAME".
 *
 * With --buffered, stderr is buffered, for a driver that writes hundreds of
 * thousands of messages; a crash loses the last ones.
 */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gl_setup.h"
#include "scenes.h"

#define BUFFER_B  4096
#define MAX_KINDS 32
#define NS_PER_S  UINT64_C(1000000000)
#define SLOWNESS  1000

/* The buffer's content if nothing was stored. */
#define UNTOUCHED UINT64_C(0xa5a5a5a5a5a5a5a5)

static GLuint draw_program, compute_program, query_buffer;

/* Of the preloaded simulator. */
static void (*set_mark)(const char *text);

/* Slows the drivers' clock to a thousandth.  They keep a freed buffer for a
 * second, so the ioctls of a scene would depend on how busy the machine is.
 */
int
clock_gettime(clockid_t clock_id, struct timespec *time_out)
{
   static int (*_Atomic next)(clockid_t, struct timespec *);
   static time_t first_s;

   if (!next)
      next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT,
                                                          "clock_gettime");
   const int status = next(clock_id, time_out);

   if (status == 0 && clock_id == CLOCK_MONOTONIC) {
      if (first_s == 0)
         first_s = time_out->tv_sec;
      const uint64_t passed_ns =
         ((time_out->tv_sec - first_s) * NS_PER_S + time_out->tv_nsec) /
         SLOWNESS;

      time_out->tv_sec = first_s + passed_ns / NS_PER_S;
      time_out->tv_nsec = passed_ns % NS_PER_S;
   }
   return status;
}

static void
mark(const char *what, const char *name)
{
   char text[GOLDEN_NAME_SIZE + 8];

   glFinish();
   snprintf(text, sizeof(text), "%s %s", what, name);
   set_mark(text);
}

static void
use_program(const struct golden_kind *kind)
{
   glUseProgram(kind->work == TARGET_DISPATCH ? compute_program
                                              : draw_program);
}

static void
work(const struct golden_kind *kind, enum golden_size size)
{
   if (kind->work == TARGET_DISPATCH)
      glDispatchCompute(size, 1, 1);
   else
      glDrawArrays(GL_TRIANGLES, 0, size);
}

static void
counted_work(const struct golden_kind *kind, bool is_in_two_batches)
{
   if (kind->work == TARGET_FEEDBACK)
      glBeginTransformFeedback(GL_TRIANGLES);
   for (unsigned i = 0; i < GOLDEN_DRAWS; i++) {
      if (is_in_two_batches && i == GOLDEN_DRAWS_BEFORE_FLUSH)
         glFlush();
      work(kind, GOLDEN_COUNTED);
   }
   if (kind->work == TARGET_FEEDBACK)
      glEndTransformFeedback();
}

static void
measure(const struct golden_kind *kind, GLuint query, bool is_in_two_batches)
{
   const bool is_instant = pitot_kind_info(kind->kind)->is_instant;

   if (!is_instant)
      glBeginQuery(kind->target, query);
   counted_work(kind, is_in_two_batches);
   if (is_instant)
      glQueryCounter(query, kind->target);
   else
      glEndQuery(kind->target);
}

static void
store(const struct golden_then *then, GLuint query)
{
   glBindBuffer(GL_QUERY_BUFFER, query_buffer);
   if (then->size_B == sizeof(uint64_t))
      glGetQueryObjectui64v(query, then->parameter, NULL);
   else
      glGetQueryObjectuiv(query, then->parameter, NULL);
   glBindBuffer(GL_QUERY_BUFFER, 0);
}

static void
take_step(const struct golden_kind *kind, const struct golden_then *then,
          GLuint query)
{
   switch (then->step) {
   case GOLDEN_NO_STEP:
      break;
   case GOLDEN_STORE:
      store(then, query);
      break;
   case GOLDEN_CONDITION:
      glBeginConditionalRender(query, then->parameter);
      work(kind, GOLDEN_COUNTED);
      glEndConditionalRender();
      break;
   }
}

static uint64_t
read_value(const struct golden_then *then, GLuint query)
{
   GLuint64 value = 0;

   if (then->step == GOLDEN_STORE)
      glGetNamedBufferSubData(query_buffer, 0, then->size_B, &value);
   else
      glGetQueryObjectui64v(query, GL_QUERY_RESULT, &value);
   return value;
}

static void
play(const struct golden_kind *kind, const struct golden_then *then)
{
   const uint64_t untouched = UNTOUCHED;
   char name[GOLDEN_NAME_SIZE];
   GLuint query;

   glGenQueries(1, &query);
   glNamedBufferSubData(query_buffer, 0, sizeof(untouched), &untouched);
   golden_scene_name(kind, then, name);
   mark("begin", name);
   work(kind, GOLDEN_BEFORE);
   measure(kind, query, then->is_in_two_batches);
   if (then->is_known)
      read_value(&golden_thens[0], query);
   work(kind, GOLDEN_AFTER);
   take_step(kind, then, query);
   work(kind, GOLDEN_LAST);
   mark("end", name);
   printf("%s\t%" PRIu64 "\n", name, read_value(then, query));
   glDeleteQueries(1, &query);
}

static void
play_all(const struct golden_kind *kind)
{
   GLint bits = 0;

   glGetQueryiv(kind->target, GL_QUERY_COUNTER_BITS, &bits);
   use_program(kind);
   for (unsigned i = 0; i < golden_then_count; i++) {
      char name[GOLDEN_NAME_SIZE];

      if (!golden_has_scene(kind, &golden_thens[i]))
         continue;
      golden_scene_name(kind, &golden_thens[i], name);
      if (glGetError() != GL_NO_ERROR || bits == 0)
         printf("%s\t-\n", name);
      else
         play(kind, &golden_thens[i]);
   }
}

static void
play_statistics(void)
{
   const struct golden_kind *any = &golden_kinds[0];
   GLuint queries[MAX_KINDS];

   glGenQueries(MAX_KINDS, queries);
   use_program(any);
   mark("begin", GOLDEN_STATISTICS);
   work(any, GOLDEN_BEFORE);
   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (golden_is_statistic(&golden_kinds[i]))
         glBeginQuery(golden_kinds[i].target, queries[i]);
   }
   counted_work(any, false);
   for (unsigned i = 0; i < golden_kind_count; i++) {
      if (golden_is_statistic(&golden_kinds[i]))
         glEndQuery(golden_kinds[i].target);
   }
   work(any, GOLDEN_AFTER);
   work(any, GOLDEN_LAST);
   mark("end", GOLDEN_STATISTICS);
   glDeleteQueries(MAX_KINDS, queries);
}

static void
set_up(void)
{
   static const char *const captured = "gl_Position";

   gl_make_framebuffer(GL_RGBA8, 16);
   gl_bind_vertex_array();
   gl_make_buffer_at(GL_TRANSFORM_FEEDBACK_BUFFER, 0, BUFFER_B);
   gl_make_buffer_at(GL_SHADER_STORAGE_BUFFER, 0, BUFFER_B);
   query_buffer =
      gl_make_buffer(GL_QUERY_BUFFER, BUFFER_B, NULL, GL_STATIC_DRAW);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   draw_program = gl_start_program(
      "#version 430\n",
      "void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, "
      "0, 1); }\n",
      GL_WHITE);
   glTransformFeedbackVaryings(draw_program, 1, &captured,
                               GL_INTERLEAVED_ATTRIBS);
   gl_link(draw_program);
   compute_program = gl_make_compute_program(
      "local_size_x = 1", "layout(std430) buffer Block { uint written; };\n",
      "written = 1u;");
}

int
main(int argc, char **argv)
{
   struct gl_context_kind kind = *gl_context_kind_find("core");
   static char messages[1 << 16];

   /* Mesa's decoders write 900,000 lines. */
   if (argc > 1 && strcmp(argv[1], "--buffered") == 0)
      setvbuf(stderr, messages, _IOFBF, sizeof(messages));
   *(void **)&set_mark = dlsym(RTLD_DEFAULT, "pitot_sim_mark");
   if (set_mark == NULL) {
      fprintf(stderr, "no simulator is preloaded\n");
      return EXIT_FAILURE;
   }
   sim_call("count_constants");
   sim_set("is_delayed", true); /* so that nothing in flight completes */
   kind.major = 4;
   kind.minor = 3;
   if (!egl_open(&kind) ||
       !egl_use_context(egl_create_context(&kind, EGL_NO_CONTEXT))) {
      fprintf(stderr, "no context of OpenGL 4.3\n");
      return EXIT_FAILURE;
   }
   fprintf(stderr, "%s\n", glGetString(GL_RENDERER));
   set_up();

   /* Initial state and compiled shaders belong to no scene. */
   for (unsigned i = 0; i < golden_kind_count; i++) {
      use_program(&golden_kinds[i]);
      counted_work(&golden_kinds[i], false);
   }
   for (unsigned i = 0; i < golden_kind_count; i++)
      play_all(&golden_kinds[i]);
   play_statistics();
   return glGetError() == GL_NO_ERROR ? EXIT_SUCCESS : EXIT_FAILURE;
}
