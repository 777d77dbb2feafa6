/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>

#include "defects.h"

/* Draws and dispatches.  Returns the submissions and their fence waits. */
static uint64_t
count_orders(bool is_measured)
{
   const uint64_t before =
      sim_get("submit_count") + sim_get("fence_wait_count");
   const GLuint query = make_query();

   if (is_measured)
      glBeginQuery(GL_TIME_ELAPSED, query);
   for (unsigned i = 0; i < 4; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glDispatchCompute(1, 1, 1);
   }
   if (is_measured)
      glEndQuery(GL_TIME_ELAPSED);
   glFinish(); /* radeonsi submits in another thread */
   glDeleteQueries(1, &query);
   return sim_get("submit_count") + sim_get("fence_wait_count") - before;
}

/* Draws with a query each, or without. */
static uint64_t
count_ioctls(unsigned draws, bool is_measured)
{
   const uint64_t before = sim_get("ioctl_count");

   for (unsigned i = 0; i < draws; i++) {
      const GLuint query =
         is_measured ? measure(GL_SAMPLES_PASSED, 1) : make_query();

      glDrawArrays(GL_POINTS, 0, 1);
      glFinish();
      if (is_measured)
         read_query(query);
      glDeleteQueries(1, &query);
   }
   return sim_get("ioctl_count") - before;
}

#define DISJOINT_FRAMES 20

/* Draws frames with a timer each, and reads GPU_DISJOINT after each draw and
 * after the timer, or never.  Returns by how much the counter grew.
 */
static uint64_t
count_frames(const char *counter, bool is_read)
{
   const uint64_t before = sim_get(counter);
   GLint disjoint;

   for (unsigned i = 0; i < DISJOINT_FRAMES; i++) {
      const GLuint query = measure(GL_TIME_ELAPSED, 1);

      for (unsigned k = 0; k < 50; k++) {
         glDrawArrays(GL_POINTS, 0, 1);
         if (is_read)
            glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
      }
      (void)read_query(query);
      for (unsigned k = 0; k < 50 && is_read; k++)
         glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
      glDeleteQueries(1, &query);
   }
   glFinish();
   return sim_get(counter) - before;
}

/* Reads take one ioctl per flush, or two if each ring has its own hardware
 * context, and one for what came before the first.
 */
bool
disjoint_reads_ask_little(void)
{
   const unsigned expected = DISJOINT_FRAMES + 1;

   open_es_context_with(EGL_NO_RESET_NOTIFICATION);
   (void)count_frames("ioctl_count", true);
   const uint64_t without = count_frames("ioctl_count", false);
   const uint64_t with = count_frames("ioctl_count", true);

   return is_about(with - without, expected, expected);
}

/* A sync ends a batch of u_threaded_context; 20 batches cause a flush. */
bool
disjoint_reads_submit_nothing(void)
{
   open_es_context_with(EGL_NO_RESET_NOTIFICATION);
   (void)count_frames("submit_count", true);
   const uint64_t without = count_frames("submit_count", false);

   return is_about(count_frames("submit_count", true), without, 0);
}

/* After however many, a query takes no ioctl but three per new buffer. */
bool
late_queries_ask_nothing(void)
{
   open_context();
   count_ioctls(200, true);
   const uint64_t measured = count_ioctls(64, true);
   const uint64_t unmeasured = count_ioctls(64, false);

   return measured <= unmeasured + 4 || is_about(measured, unmeasured, 4);
}

/* Measuring the time of two rings must not make one wait for the other. */
bool
times_order_nothing(void)
{
   open_context();
   use_compute_program();
   sim_set("is_delayed", true);
   count_orders(false);
   const uint64_t unmeasured = count_orders(false);
   return is_about(count_orders(true), unmeasured, 0);
}

/* A query of many empty batches decides a draw.  Returns submissions. */
static uint64_t
count_submissions(bool is_conditional, uint64_t samples)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, query);
   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < 12; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glFlush();
   }
   glDisable(GL_RASTERIZER_DISCARD);
   glEndQuery(GL_SAMPLES_PASSED);
   if (is_conditional)
      glBeginConditionalRender(query, GL_QUERY_WAIT);
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   if (is_conditional)
      glEndConditionalRender();
   glFinish(); /* radeonsi submits in another thread */
   const uint64_t submitted = sim_get("submit_count") - before;
   return is_about(read_query(drawn), samples, 0) ? submitted : 0;
}

/* No batch is submitted only to get the result. */
bool
conditions_submit_nothing(void)
{
   open_context();
   sim_set("is_delayed", true);
   const uint64_t unconditional = count_submissions(false, 1);
   return is_about(count_submissions(true, 0), unconditional, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* Measures, and stores the result if is_stored.  Returns the submissions. */
static uint64_t
count_store_submissions(GLenum target, bool is_stored)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = measure(target, 1);

   if (is_stored)
      read_by_buffer(query, GL_QUERY_RESULT);
   glFinish(); /* radeonsi submits in another thread */
   return sim_get("submit_count") - before;
}

/* A store submits no batch.  The first result shows which backends exist. */
bool
stores_submit_nothing(void)
{
   static const GLenum targets[] = {
      GL_SAMPLES_PASSED,
      GL_TIME_ELAPSED,
      GL_VERTICES_SUBMITTED_ARB,
   };

   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("is_delayed", true);
   for (size_t i = 0; i < LENGTH(targets); i++) {
      const uint64_t unstored = count_store_submissions(targets[i], false);

      if (!is_about(count_store_submissions(targets[i], true), unstored, 0))
         return false;
   }
   return true;
}

/* The CPU does not wait for the GPU to store a result. */
bool
stores_wait_for_nothing(void)
{
   static const GLenum targets[] = {
      GL_SAMPLES_PASSED,
      GL_VERTICES_SUBMITTED_ARB,
      GL_TIME_ELAPSED,
   };
   GLuint buffer;
   uint64_t waits = 0;

   setenv("GALLIUM_THREAD", "0", 1);
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(uint64_t), NULL, GL_DYNAMIC_READ);
   sim_set("is_delayed", true);
   for (size_t i = 0; i < LENGTH(targets); i++) {
      const GLuint query = measure(targets[i], 1);
      const uint64_t before = sim_get("blocked_count");

      glGetQueryObjectui64v(query, GL_QUERY_RESULT, NULL);
      waits += sim_get("blocked_count") - before;
   }
   return is_about(waits, 0, 0);
}

/* Two statistics that end apart, one stored.  Returns the submissions. */
static uint64_t
count_sum_submissions(bool is_stored)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint first = make_query(), second = make_query();
   GLuint buffer;

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(uint64_t), NULL, GL_DYNAMIC_READ);
   glBeginQuery(GL_VERTICES_SUBMITTED_ARB, first);
   glBeginQuery(GL_PRIMITIVES_SUBMITTED_ARB, second);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(GL_VERTICES_SUBMITTED_ARB);
   glDrawArrays(GL_POINTS, 0, 1);
   glEndQuery(GL_PRIMITIVES_SUBMITTED_ARB);
   if (is_stored)
      glGetQueryObjectui64v(second, GL_QUERY_RESULT, NULL);
   glDrawArrays(GL_POINTS, 0, 1);
   glFinish(); /* radeonsi submits in another thread */
   glBindBuffer(GL_QUERY_BUFFER, 0);
   return sim_get("submit_count") - before;
}

/* From the second store on: the first shows Pitot that they are stored. */
bool
stores_of_overlapping_statistics_submit_nothing(void)
{
   open_context();
   count_sum_submissions(true);
   sim_set("is_delayed", true);
   const uint64_t unstored = count_sum_submissions(false);
   return is_about(count_sum_submissions(true), unstored, 0);
}

/* The compute program reads a buffer. */
static void
use_reading_program(GLuint buffer)
{
   static const char *const source =
      "#version 330\n"
      "#extension GL_ARB_compute_shader : require\n"
      "#extension GL_ARB_shader_storage_buffer_object : require\n"
      "layout(local_size_x = 1) in;\n"
      "layout(std140) uniform Source { uvec4 source; };\n"
      "layout(std430) buffer Target { uvec4 target; };\n"
      "void main() { target = source; }\n";
   GLuint target;

   glUseProgram(glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source));
   glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
   glGenBuffers(1, &target);
   glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, target);
   glBufferData(GL_SHADER_STORAGE_BUFFER, 16, NULL, GL_DYNAMIC_READ);
}

/* Stores a dispatch's result where it read.  Returns the submissions. */
static uint64_t
count_dispatch_submissions(GLuint buffer)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = make_query();

   glBeginQuery(GL_COMPUTE_SHADER_INVOCATIONS_ARB, query);
   glDispatchCompute(1, 1, 1);
   glEndQuery(GL_COMPUTE_SHADER_INVOCATIONS_ARB);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, NULL);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   glFinish();
   return sim_get("submit_count") - before;
}

/* The compute ring stores its result, and waits there for earlier readers of
 * the buffer: the render ring must not be involved.
 */
bool
stores_of_dispatches_leave_draws_alone(void)
{
   GLuint buffer;

   open_context();
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, 16, NULL, GL_DYNAMIC_READ);
   use_reading_program(buffer);
   (void)count_dispatch_submissions(buffer);
   sim_set("is_delayed", true);
   return is_about(count_dispatch_submissions(buffer), 1, 0);
}

/* Many batches are in flight, with samples in several buffers. */
bool
stores_add_up_all_batches(void)
{
   enum { BATCHES = 100 };

   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("is_delayed", true);
   const GLuint samples = make_query(), vertices = make_query();

   glBeginQuery(GL_SAMPLES_PASSED, samples);
   glBeginQuery(GL_VERTICES_SUBMITTED_ARB, vertices);
   for (unsigned i = 0; i < BATCHES; i++) {
      glDrawArrays(GL_POINTS, 0, 1);
      glFlush();
   }
   glEndQuery(GL_VERTICES_SUBMITTED_ARB);
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(read_by_buffer(samples, GL_QUERY_RESULT), BATCHES, 0) &&
          is_about(read_by_buffer(vertices, GL_QUERY_RESULT), BATCHES, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* A wait for an old batch may fail with ENOMEM, and then must not count as
 * done.  It is this ioctl of the begin and the draw.
 */
static bool
count_despite_failed_wait(unsigned ioctl_number)
{
   enum { BATCHES = 64 }; /* the number that Pitot remembers */
   GLuint first = 0;

   setenv("GALLIUM_THREAD", "0", 1);
   open_context();
   sim_set("is_delayed", true);
   for (unsigned i = 0; i < BATCHES; i++) {
      const GLuint query = measure(GL_SAMPLES_PASSED, 5);

      first = i == 0 ? query : first;
      glFlush();
   }
   sim_set("fail_errno", ENOMEM);
   sim_set("fail_ioctl_on", sim_get("ioctl_count") + ioctl_number);
   glBeginQuery(GL_SAMPLES_PASSED, make_query());
   glDrawArrays(GL_POINTS, 0, 1);
   sim_set("fail_ioctl_on", 0);
   glEndQuery(GL_SAMPLES_PASSED);
   return is_about(read_query(first), 5, 0);
}

bool
failed_waits_lose_no_counts(void)
{
   return count_despite_failed_wait(1);
}

/* This driver submits its batches first. */
bool
failed_waits_after_submissions_lose_no_counts(void)
{
   return count_despite_failed_wait(2);
}

/* A fence waits for radeonsi's thread, and for the kernel's full queue. */
static void
submit(void)
{
   const EGLDisplay display = eglGetCurrentDisplay();

   eglDestroySyncKHR(display,
                     eglCreateSyncKHR(display, EGL_SYNC_FENCE_KHR, NULL));
}

/* However many batches are in flight. */
bool
begins_wait_for_nothing(void)
{
   enum { BATCHES = 100 };
   GLuint queries[BATCHES];
   uint64_t waits = 0;

   setenv("GALLIUM_THREAD", "0", 1);
   open_context();
   sim_set("is_delayed", true);
   for (unsigned i = 0; i < BATCHES; i++) {
      const uint64_t before = sim_get("blocked_count");

      queries[i] = measure(GL_SAMPLES_PASSED, i % 7 + 1);
      waits += sim_get("blocked_count") - before;
      submit();
   }
   for (unsigned i = 0; i < BATCHES; i++) {
      if (!is_about(read_query(queries[i]), i % 7 + 1, 0))
         return false;
   }
   return is_about(waits, 0, 0);
}

/* The simulated kernel preempts between any two of Pitot's packets, and runs
 * contexts that draw nothing and change registers.
 */
bool
preempted_queries_count(void)
{
   sim_set("preempts", true);
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   for (unsigned seed = 1; seed <= 40; seed++) {
      sim_set("schedule", seed);
      const GLuint samples = measure(GL_SAMPLES_PASSED, 3);
      const GLuint vertices = measure(GL_VERTICES_SUBMITTED_ARB, 2);

      if (!is_about(read_by_buffer(vertices, GL_QUERY_RESULT), 2, 0) ||
          !is_about(read_query(samples), 3, 0))
         return false;
   }
   return is_about(sim_get("violation_count"), 0, 0);
}
