/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* Another query, begun before and still active, does not matter. */
void
availability_is_of_this_query(void)
{
   begin(GL_TIME_ELAPSED);
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   glFinish();
   const uint64_t is_ready = read_by_buffer(query, GL_QUERY_RESULT_AVAILABLE);
   glEndQuery(GL_TIME_ELAPSED);
   expect(is_ready, 1);
}

static void
expect_stored(GLuint query)
{
   const uint64_t stored = read_by_buffer(query, GL_QUERY_RESULT);
   expect(stored, result64_of(query));
}

void
timestamps_in_buffers_are_whole(void)
{
   expect_stored(make_timestamp());
}

/* Times are exact to the nanosecond up to a second, to 1 ppb beyond. */
void
times_in_buffers_are_exact(void)
{
   static const uint64_t ticks[] = { 0,
                                     1,
                                     2,
                                     3,
                                     123,
                                     12345,
                                     1234567,
                                     8191999,
                                     11111111,
                                     11999000,
                                     12345678,
                                     1 << 23,
                                     UINT64_C(1) << 33 };

   for (size_t i = 0; i < ARRAY_LENGTH(ticks); i++) {
      sim_set("draw.ticks", ticks[i]);
      const GLuint query = measure(GL_TIME_ELAPSED, 1);
      const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);
      const uint64_t read_ns = result64_of(query);

      expect_about(stored_ns, read_ns, read_ns / NS_PER_S);
   }
}

/* OpenGL 4.6 core, 4.2.3: "the nearest value representable". */
void
counts_in_buffers_are_clamped(void)
{
   GLuint value = 0;

   sim_set("draw.samples", UINT64_C(6000000000));
   const GLuint query = measure(GL_SAMPLES_PASSED, 1);
   gl_make_buffer(GL_QUERY_BUFFER, sizeof(value), &value, GL_DYNAMIC_READ);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, NULL);
   glGetBufferSubData(GL_QUERY_BUFFER, 0, sizeof(value), &value);
   expect(value, UINT32_MAX);
}

/* Gen8 counts each fragment four times. */
void
fragments_in_buffers_have_more_than_32_bits(void)
{
   const uint64_t fragments = UINT64_C(6000000000);

   count(GL_FRAGMENT_SHADER_INVOCATIONS, 1);
   sim_set("draw.samples", fragments);
   const GLuint query = measure(GL_FRAGMENT_SHADER_INVOCATIONS, 1);
   expect(read_by_buffer(query, GL_QUERY_RESULT), fragments);
}

/* A store without wait may use predication: it must restore the condition. */
void
stores_keep_conditions(void)
{
   const GLuint stored = measure(GL_SAMPLES_PASSED, 1);
   const GLuint condition = measure_nothing();

   glBeginConditionalRender(condition, GL_QUERY_WAIT);
   read_by_buffer(stored, GL_QUERY_RESULT_NO_WAIT);
   const GLuint drawn = measure(GL_SAMPLES_PASSED, 1);
   glEndConditionalRender();
   expect(result64_of(drawn), 0);
}

/* The pipeline writes samples after the command streamer went on: a store
 * must wait for them in each order that the simulator can choose.
 */
void
stores_wait_for_samples(void)
{
   enum { SEEDS = 50 };

   for (unsigned seed = 1; seed <= SEEDS; seed++) {
      sim_set("schedule", seed);
      const GLuint query = measure(GL_SAMPLES_PASSED, 1);

      expect(read_by_buffer(query, GL_QUERY_RESULT), 1);
      glDeleteQueries(1, &query);
   }
}

/* From GFX9 on the shader waits for samples: it must give up on backends that
 * never write.
 */
void
stores_of_missing_samples_end(void)
{
   if (sim_get("generation") < 90)
      return;
   sim_set("fault.lost_backends", UINT32_MAX);
   expect(read_by_buffer(measure(GL_SAMPLES_PASSED, 1), GL_QUERY_RESULT), 0);
}

/* A cache may hold the old content of reused memory, which a wait at the
 * start of a batch must not take for the new samples.
 */
void
waits_look_at_new_samples(void)
{
   enum { QUERIES = 1200, FIRST_SEED = 400 };

   for (unsigned i = 0; i < QUERIES; i++) {
      if (i >= FIRST_SEED)
         sim_set("schedule", i);
      const GLuint query = make_timestamp();

      expect_stored(query);
      glDeleteQueries(1, &query);
   }
}

/* A backend may write after the end of the pipe: a result that GL waits for
 * must include it.
 */
void
results_of_late_backends(void)
{
   sim_set("delays_backends", true);
   sim_set("is_delayed", true);
   expect(read_by_buffer(measure(GL_SAMPLES_PASSED, 5), GL_QUERY_RESULT), 5);
}

/* Gives the submission thread work after the GPU is done: a buffer each. */
static void
use_many_buffers(void)
{
   enum { COUNT = 2000 };
   static GLuint buffers[COUNT];

   for (unsigned i = 0; i < COUNT; i++)
      buffers[i] =
         gl_make_buffer(GL_COPY_WRITE_BUFFER, 256, NULL, GL_STATIC_DRAW);
   for (unsigned i = 1; i < COUNT; i++) {
      glBindBuffer(GL_COPY_READ_BUFFER, buffers[i - 1]);
      glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[i]);
      glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0,
                          256);
   }
   glDeleteBuffers(COUNT, buffers);
}

/* The driver's own query, which its shaders count. */
void
results_are_there_after_finish(void)
{
   for (unsigned i = 0; i < 40; i++) { /* a race, on stock */
      use_many_buffers();
      const GLuint query =
         measure(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 1);
      glFinish();
      expect(is_available(query), true);
   }
}
