/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>

#include "defects.h"

/* Draws and dispatches.  Returns the submissions and their fence waits. */
static uint64_t
count_orders(bool is_measured)
{
   const uint64_t before =
      sim_get("submit_count") + sim_get("fence_wait_count");

   if (is_measured)
      begin(GL_TIME_ELAPSED);
   for (unsigned i = 0; i < 4; i++) {
      draw_point();
      glDispatchCompute(1, 1, 1);
   }
   if (is_measured)
      glEndQuery(GL_TIME_ELAPSED);
   glFinish(); /* radeonsi submits in another thread */
   return sim_get("submit_count") + sim_get("fence_wait_count") - before;
}

/* Draws with a query each, or without. */
static uint64_t
count_ioctls(unsigned draws, bool is_measured)
{
   const uint64_t before = sim_get("ioctl_count");

   for (unsigned i = 0; i < draws; i++) {
      const GLuint query =
         is_measured ? measure(GL_SAMPLES_PASSED, 1) : generate();

      draw_point();
      glFinish();
      if (is_measured)
         result64_of(query);
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
         draw_point();
         if (is_read)
            glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
      }
      (void)result64_of(query);
      for (unsigned k = 0; k < 50 && is_read; k++)
         glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
      gl.DeleteQueries(1, &query);
   }
   glFinish();
   return sim_get(counter) - before;
}

/* Reads take one ioctl per flush, or two if each ring has its own hardware
 * context, and one for what came before the first.
 */
void
disjoint_reads_ask_little(void)
{
   const unsigned expected = DISJOINT_FRAMES + 1;

   (void)count_frames("ioctl_count", true);
   const uint64_t without = count_frames("ioctl_count", false);
   const uint64_t with = count_frames("ioctl_count", true);

   expect_about(with - without, expected, expected);
}

/* A sync ends a batch of u_threaded_context; 20 batches cause a flush. */
void
disjoint_reads_submit_nothing(void)
{
   (void)count_frames("submit_count", true);
   const uint64_t without = count_frames("submit_count", false);
   expect(count_frames("submit_count", true), without);
}

/* After however many, a query takes no ioctl but three per new buffer. */
void
late_queries_ask_nothing(void)
{
   count_ioctls(200, true);
   const uint64_t measured = count_ioctls(64, true);
   expect_most(measured, count_ioctls(64, false) + 4);
}

/* Measuring the time of two rings must not make one wait for the other. */
void
times_order_nothing(void)
{
   use_compute_program();
   count_orders(false);
   const uint64_t unmeasured = count_orders(false);
   expect(count_orders(true), unmeasured);
}

/* A query of many empty batches decides a draw.  Returns submissions. */
static uint64_t
count_submissions(bool is_conditional, uint64_t samples)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = begin(GL_SAMPLES_PASSED);

   glEnable(GL_RASTERIZER_DISCARD);
   for (unsigned i = 0; i < 12; i++) {
      draw_point();
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
   expect(result64_of(drawn), samples);
   return submitted;
}

/* No batch is submitted only to get the result. */
void
conditions_submit_nothing(void)
{
   const uint64_t unconditional = count_submissions(false, 1);
   expect(count_submissions(true, 0), unconditional);
}

static const GLenum stored_targets[] = {
   GL_SAMPLES_PASSED,
   GL_TIME_ELAPSED,
   GL_VERTICES_SUBMITTED,
};

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

/* A store submits no batch. */
void
stores_submit_nothing(void)
{
   for (size_t i = 0; i < ARRAY_LENGTH(stored_targets); i++) {
      const GLenum target = stored_targets[i];
      const uint64_t unstored = count_store_submissions(target, false);

      expect(count_store_submissions(target, true), unstored);
   }
}

/* The CPU does not wait for the GPU to store a result. */
void
stores_wait_for_nothing(void)
{
   uint64_t waits = 0;

   gl_make_buffer(GL_QUERY_BUFFER, sizeof(uint64_t), NULL, GL_DYNAMIC_READ);
   for (size_t i = 0; i < ARRAY_LENGTH(stored_targets); i++) {
      const GLuint query = measure(stored_targets[i], 1);
      const uint64_t before = sim_get("blocked_count");

      glGetQueryObjectui64v(query, GL_QUERY_RESULT, NULL);
      waits += sim_get("blocked_count") - before;
   }
   expect(waits, 0);
}

/* Two statistics that end apart, one stored.  Returns the submissions. */
static uint64_t
count_sum_submissions(bool is_stored)
{
   const uint64_t before = sim_get("submit_count");

   gl_make_buffer(GL_QUERY_BUFFER, sizeof(uint64_t), NULL, GL_DYNAMIC_READ);
   begin(GL_VERTICES_SUBMITTED);
   const GLuint second = begin(GL_PRIMITIVES_SUBMITTED);
   draw_point();
   glEndQuery(GL_VERTICES_SUBMITTED);
   draw_point();
   glEndQuery(GL_PRIMITIVES_SUBMITTED);
   if (is_stored)
      glGetQueryObjectui64v(second, GL_QUERY_RESULT, NULL);
   draw_point();
   glFinish(); /* radeonsi submits in another thread */
   glBindBuffer(GL_QUERY_BUFFER, 0);
   return sim_get("submit_count") - before;
}

/* From the second store on: the first shows Pitot that they are stored. */
void
stores_of_overlapping_statistics_submit_nothing(void)
{
   count_sum_submissions(true);
   sim_set("is_delayed", true);
   const uint64_t unstored = count_sum_submissions(false);
   expect(count_sum_submissions(true), unstored);
}

/* Stores a dispatch's result where it read.  Returns the submissions. */
static uint64_t
count_dispatch_submissions(GLuint buffer)
{
   const uint64_t before = sim_get("submit_count");
   const GLuint query = begin(GL_COMPUTE_SHADER_INVOCATIONS);

   glDispatchCompute(1, 1, 1);
   glEndQuery(GL_COMPUTE_SHADER_INVOCATIONS);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glGetQueryObjectui64v(query, GL_QUERY_RESULT, NULL);
   glBindBuffer(GL_QUERY_BUFFER, 0);
   glFinish();
   return sim_get("submit_count") - before;
}

/* The compute ring stores its result, and waits there for earlier readers of
 * the buffer: the render ring must not be involved.
 */
void
stores_of_dispatches_leave_draws_alone(void)
{
   const GLuint buffer = gl_make_buffer_at(GL_UNIFORM_BUFFER, 0, 16);

   gl_make_buffer_at(GL_SHADER_STORAGE_BUFFER, 0, 16);
   glUseProgram(gl_make_compute_program(
      "local_size_x = 1",
      "layout(std140) uniform Source { uvec4 source; };\n"
      "layout(std430) buffer Target { uvec4 target; };\n",
      "target = source;"));
   (void)count_dispatch_submissions(buffer);
   sim_set("is_delayed", true);
   expect(count_dispatch_submissions(buffer), 1);
}

/* Many batches are in flight, with samples in several buffers. */
void
stores_add_up_all_batches(void)
{
   enum { BATCHES = 100 };
   const GLuint samples = begin(GL_SAMPLES_PASSED);
   const GLuint vertices = begin(GL_VERTICES_SUBMITTED);

   for (unsigned i = 0; i < BATCHES; i++) {
      draw_point();
      glFlush();
   }
   glEndQuery(GL_VERTICES_SUBMITTED);
   glEndQuery(GL_SAMPLES_PASSED);
   expect(read_by_buffer(samples, GL_QUERY_RESULT), BATCHES);
   expect(read_by_buffer(vertices, GL_QUERY_RESULT), BATCHES);
}

/* A wait for an old batch may fail with ENOMEM, and then must not count as
 * done.  It is this ioctl of the begin and the draw.
 */
static void
count_despite_failed_wait(unsigned ioctl_number)
{
   enum { BATCHES = 64 }; /* the number that Pitot remembers */
   GLuint first = 0;

   for (unsigned i = 0; i < BATCHES; i++) {
      const GLuint query = measure(GL_SAMPLES_PASSED, 5);

      first = i == 0 ? query : first;
      glFlush();
   }
   sim_set("fail_errno", ENOMEM);
   sim_set("fail_ioctl_on", sim_get("ioctl_count") + ioctl_number);
   begin(GL_SAMPLES_PASSED);
   draw_point();
   sim_set("fail_ioctl_on", 0);
   glEndQuery(GL_SAMPLES_PASSED);
   expect(result64_of(first), 5);
}

void
failed_waits_lose_no_counts(void)
{
   count_despite_failed_wait(1);
}

/* This driver submits its batches first. */
void
failed_waits_after_submissions_lose_no_counts(void)
{
   count_despite_failed_wait(2);
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
void
begins_wait_for_nothing(void)
{
   enum { BATCHES = 100 };
   GLuint queries[BATCHES];
   uint64_t waits = 0;

   for (unsigned i = 0; i < BATCHES; i++) {
      const uint64_t before = sim_get("blocked_count");

      queries[i] = measure(GL_SAMPLES_PASSED, i % 7 + 1);
      waits += sim_get("blocked_count") - before;
      submit();
   }
   for (unsigned i = 0; i < BATCHES; i++)
      expect(result64_of(queries[i]), i % 7 + 1);
   expect(waits, 0);
}

/* The simulated kernel preempts between any two of Pitot's packets, and runs
 * contexts that draw nothing and change registers.
 */
void
preempted_queries_count(void)
{
   for (unsigned seed = 1; seed <= 40; seed++) {
      sim_set("schedule", seed);
      const GLuint samples = measure(GL_SAMPLES_PASSED, 3);
      const GLuint vertices = measure(GL_VERTICES_SUBMITTED, 2);

      expect(read_by_buffer(vertices, GL_QUERY_RESULT), 2);
      expect(result64_of(samples), 3);
   }
}
