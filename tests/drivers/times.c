/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* Stock times go back by up to 2.9 s every 2^32 ticks (3 to 6 minutes). */
void
timestamps_do_not_go_back(void)
{
   uint64_t last_ns = 0;

   sim_set("draw.ticks", 1000);
   for (unsigned i = 0; i < 100; i++) {
      GLint64 now_ns;

      draw_point();
      const GLuint query = make_timestamp();
      const uint64_t time_ns = result64_of(query);
      glGetInteger64v(GL_TIMESTAMP, &now_ns);
      expect_least(time_ns, last_ns);
      expect_least((uint64_t)now_ns, time_ns);
      last_ns = time_ns;
      glDeleteQueries(1, &query);
   }
}

/* Timestamps around a draw that begins 60,000 ticks before a limit. */
void
timestamps_outlast(void)
{
   const GLuint before = make_timestamp();
   sim_set("draw.ticks", 100000);
   draw_point();
   const GLuint after = make_timestamp();

   const uint64_t before_ns = result64_of(before);
   expect_least(result64_of(after), before_ns + 1);
}

/* 5 * 10^9 ticks: 50 s at 100 MHz. */
void
times_have_more_than_32_bits(void)
{
   const uint64_t short_ns = count(GL_TIME_ELAPSED, 1);

   sim_set("draw.ticks", UINT64_C(500000000));
   const uint64_t ten_ns = count(GL_TIME_ELAPSED, 10);
   sim_set("draw.ticks", UINT64_C(50000000));
   const uint64_t tenth_ns = count(GL_TIME_ELAPSED, 10);
   expect_about(ten_ns, 10 * tenth_ns, 20 * short_ns);
}

static uint64_t
time_dispatch(uint64_t ticks)
{
   sim_set("dispatch.ticks", ticks);
   const GLuint query = begin(GL_TIME_ELAPSED);
   glDispatchCompute(1, 1, 1);
   glEndQuery(GL_TIME_ELAPSED);
   return result64_of(query);
}

/* Some drivers have their own batch for dispatches. */
void
dispatches_take_time(void)
{
   use_compute_program();
   const uint64_t short_ns = time_dispatch(1000);
   expect_least(time_dispatch(1000000), 100 * short_ns);
}

void
counts_have_more_than_32_bits(void)
{
   const uint64_t samples = UINT64_C(200000000000); /* of several backends */

   sim_set("draw.samples", samples / 2);
   expect(count(GL_SAMPLES_PASSED, 2), samples);
}
