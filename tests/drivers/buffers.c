/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* The query before this one is still being measured. */
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

/* 100 s: 36 bits of nanoseconds are 68.7 s. */
bool
timestamps_in_buffers_are_whole(void)
{
   sim_set("now_ticks", UINT64_C(100) * 19200000);
   open_context();
   const GLuint query = make_query();

   glQueryCounter(query, GL_TIMESTAMP);
   const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);
   return is_about(stored_ns, read_query(query), 0);
}

bool
times_in_buffers_are_exact(void)
{
   open_context();
   sim_set("draw.ticks", UINT64_C(12345678));
   const GLuint query = measure(GL_TIME_ELAPSED, 1);
   const uint64_t stored_ns = read_by_buffer(query, GL_QUERY_RESULT);

   return is_about(stored_ns, read_query(query), 0);
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
