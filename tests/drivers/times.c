/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "defects.h"

/* Stock times go back by up to 2.9 s every 2^32 ticks (3 to 6 minutes). */
bool
timestamps_do_not_go_back(void)
{
   uint64_t last_ns = 0;

   sim_set("now_ticks", (UINT64_C(1) << 32) - 60000);
   sim_set("draw.ticks", 1000);
   open_context();
   for (unsigned i = 0; i < 100; i++) {
      const GLuint query = make_query();
      GLint64 now_ns;

      glDrawArrays(GL_POINTS, 0, 1);
      glQueryCounter(query, GL_TIMESTAMP);
      const uint64_t time_ns = read_query(query);
      glGetInteger64v(GL_TIMESTAMP, &now_ns);
      if (time_ns < last_ns || (uint64_t)now_ns < time_ns) {
         printf("# %" PRIu64 ", %" PRIu64 ", %" PRId64 "\n", last_ns, time_ns,
                now_ns);
         return false;
      }
      last_ns = time_ns;
      glDeleteQueries(1, &query);
   }
   return true;
}

/* Timestamps around a draw that begins 60,000 ticks before a limit. */
static bool
timestamps_outlast(uint64_t limit_ticks)
{
   sim_set("now_ticks", limit_ticks - 60000);
   open_context();
   const GLuint before = make_query(), after = make_query();

   glQueryCounter(before, GL_TIMESTAMP);
   sim_set("draw.ticks", 100000);
   glDrawArrays(GL_POINTS, 0, 1);
   glQueryCounter(after, GL_TIMESTAMP);
   const uint64_t before_ns = read_query(before);
   const uint64_t after_ns = read_query(after);
   if (after_ns < before_ns)
      printf("# %" PRIu64 ", %" PRIu64 "\n", before_ns, after_ns);
   return after_ns > before_ns;
}

/* 36 bits of ticks last about an hour; timestamps have 64 bits. */
bool
timestamps_outlast_the_counter(void)
{
   return timestamps_outlast(UINT64_C(1) << 36);
}

/* 2^64 / 10^6 ticks: 51.2 h at 100 MHz. */
bool
timestamps_outlast_51_hours(void)
{
   return timestamps_outlast(UINT64_MAX / 1000000);
}

/* 5 * 10^9 ticks: 50 s at 100 MHz. */
bool
times_have_more_than_32_bits(void)
{
   open_context();
   const uint64_t short_ns = read_query(measure(GL_TIME_ELAPSED, 1));

   sim_set("draw.ticks", UINT64_C(500000000));
   const uint64_t ten_ns = read_query(measure(GL_TIME_ELAPSED, 10));
   sim_set("draw.ticks", UINT64_C(50000000));
   const uint64_t tenth_ns = read_query(measure(GL_TIME_ELAPSED, 10));
   return is_about(ten_ns, 10 * tenth_ns, 20 * short_ns);
}

static uint64_t
time_dispatch(uint64_t ticks)
{
   const GLuint query = make_query();

   sim_set("dispatch.ticks", ticks);
   glBeginQuery(GL_TIME_ELAPSED, query);
   glDispatchCompute(1, 1, 1);
   glEndQuery(GL_TIME_ELAPSED);
   return read_query(query);
}

/* Some drivers have their own batch for dispatches. */
bool
dispatches_take_time(void)
{
   open_context();
   use_compute_program();
   const uint64_t short_ns = time_dispatch(1000);
   const uint64_t long_ns = time_dispatch(1000000);

   if (long_ns < 100 * short_ns)
      printf("# %" PRIu64 ", %" PRIu64 "\n", short_ns, long_ns);
   return long_ns >= 100 * short_ns;
}

bool
counts_have_more_than_32_bits(void)
{
   const uint64_t samples = UINT64_C(200000000000); /* of several backends */

   open_context();
   sim_set("draw.samples", samples / 2);
   return is_about(read_query(measure(GL_SAMPLES_PASSED, 2)), samples, 0);
}
