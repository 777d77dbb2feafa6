/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* Another query, begun before and still active, does not matter. */
bool
availability_is_of_this_query(void)
{
   open_context();
   const GLuint active = make_query();

   glBeginQuery(GL_TIME_ELAPSED, active);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glFinish();
   const uint64_t is_available =
      read_by_buffer(query, GL_QUERY_RESULT_AVAILABLE);
   glEndQuery(GL_TIME_ELAPSED);
   return is_about(is_available, 1, 0);
}

/* 50 minutes are half of 36 bits of ticks, and more than 36 bits of ns. */
bool
timestamps_in_buffers_are_whole(void)
{
   sim_set("now_ticks", UINT64_C(3000) * 19200000 + 11);
   open_context();
   const GLuint query = make_query();

   glQueryCounter(query, GL_TIMESTAMP);
   const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);
   return is_about(stored_ns, read_query(query), 0);
}

/* Times are exact to the nanosecond up to a second, to 1 ppb beyond. */
bool
times_in_buffers_are_exact(void)
{
   static const uint64_t ticks[] = { 0,        1,        2,        3,
                                     123,      12345,    1234567,  8191999,
                                     11111111, 11999000, 12345678, 1 << 23,
                                     UINT64_C(1) << 33 };
   bool is_exact = true;

   open_context();
   for (size_t i = 0; i < sizeof(ticks) / sizeof(ticks[0]); i++) {
      sim_set("draw.ticks", ticks[i]);
      const GLuint query = measure(GL_TIME_ELAPSED, 1);
      const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);
      const uint64_t read_ns = read_query(query);

      is_exact &= is_about(stored_ns, read_ns, read_ns / NS_PER_S);
   }
   return is_exact;
}

/* OpenGL 4.6 core, 4.2.3: "the nearest value representable". */
bool
counts_in_buffers_are_clamped(void)
{
   GLuint buffer, value = 0;

   open_context();
   sim_set("draw.samples", UINT64_C(6000000000));
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_QUERY_BUFFER, buffer);
   glBufferData(GL_QUERY_BUFFER, sizeof(value), &value, GL_DYNAMIC_READ);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(value), &value);
   return is_about(value, UINT32_MAX, 0);
}

/* Gen8 counts each fragment four times. */
bool
fragments_in_buffers_have_more_than_32_bits(void)
{
   const uint64_t fragments = UINT64_C(6000000000);

   open_context();
   read_query(measure(GL_FRAGMENT_SHADER_INVOCATIONS_ARB, 1));
   sim_set("draw.samples", fragments);
   const GLuint query = measure(GL_FRAGMENT_SHADER_INVOCATIONS_ARB, 1);
   return is_about(read_by_buffer(query, GL_QUERY_RESULT), fragments, 0);
}

/* A store without wait may use predication: it must restore the condition. */
bool
stores_keep_conditions(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("is_delayed", true);
   const GLuint stored = measure(GL_SAMPLES_PASSED, 1);
   const GLuint condition = measure_nothing();

   glBeginConditionalRender(condition, GL_QUERY_WAIT);
   read_by_buffer(stored, GL_QUERY_RESULT_NO_WAIT);
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   return is_about(read_query(drawn), 0, 0);
}

/* The pipeline writes samples after the command streamer went on: a store
 * must wait for them in each order that the simulator can choose.
 */
bool
stores_wait_for_samples(void)
{
   enum { SEEDS = 50 };

   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   for (unsigned seed = 1; seed <= SEEDS; seed++) {
      sim_set("schedule", seed);
      const GLuint query = measure(GL_SAMPLES_PASSED, 1);

      if (!is_about(read_by_buffer(query, GL_QUERY_RESULT), 1, 0))
         return false;
      glDeleteQueries(1, &query);
   }
   return true;
}

/* From GFX9 on the shader waits for samples: it must give up on backends that
 * never write.  The first result shows which backends exist.
 */
bool
stores_of_missing_samples_end(void)
{
   if (sim_get("generation") < 90)
      return true;
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("fault.lost_backends", UINT32_MAX);

   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   return is_about(read_by_buffer(query, GL_QUERY_RESULT), 0, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* A cache may hold the old content of reused memory, which a wait at the
 * start of a batch must not take for the new samples.
 */
bool
waits_look_at_new_samples(void)
{
   enum { QUERIES = 1200, FIRST_SEED = 400 };

   open_context();
   for (unsigned i = 0; i < QUERIES; i++) {
      if (i >= FIRST_SEED)
         sim_set("schedule", i);
      const GLuint query = make_query();

      glQueryCounter(query, GL_TIMESTAMP);
      const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);
      if (!is_about(stored_ns, read_query(query), 0))
         return false;
      glDeleteQueries(1, &query);
   }
   return true;
}

/* A backend may write after the end of the pipe: a result that GL waits for
 * must include it.  The first result shows which backends exist.
 */
bool
results_of_late_backends(void)
{
   open_context();
   read_query(measure(GL_SAMPLES_PASSED, 1));
   sim_set("delays_backends", true);
   sim_set("is_delayed", true);

   const GLuint query = measure(GL_SAMPLES_PASSED, 5);
   return is_about(read_by_buffer(query, GL_QUERY_RESULT), 5, 0) &&
          is_about(sim_get("violation_count"), 0, 0);
}

/* Gives the submission thread work after the GPU is done: a buffer each. */
static void
use_many_buffers(void)
{
   enum { COUNT = 2000 };
   static GLuint buffers[COUNT];

   glGenBuffers(COUNT, buffers);
   for (unsigned i = 0; i < COUNT; i++) {
      glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[i]);
      glBufferData(GL_COPY_WRITE_BUFFER, 256, NULL, GL_STATIC_DRAW);
   }
   for (unsigned i = 1; i < COUNT; i++) {
      glBindBuffer(GL_COPY_READ_BUFFER, buffers[i - 1]);
      glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[i]);
      glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                          256);
   }
   glDeleteBuffers(COUNT, buffers);
}

/* The driver's own query, which its shaders count. */
bool
results_are_there_after_finish(void)
{
   open_context();
   for (unsigned i = 0; i < 40; i++) { /* a race, on stock */
      GLuint is_available = 0;

      use_many_buffers();
      const GLuint query =
         measure(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 1);
      glFinish();
      glGetQueryObjectuiv(query, GL_QUERY_RESULT_AVAILABLE, &is_available);
      if (!is_about(is_available, 1, 0))
         return false;
   }
   return true;
}
