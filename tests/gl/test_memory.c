/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Failing allocations that no script can cause.
 */

#include <errno.h>

#include <GL/gl.h>

#include "fail_memory.h"
#include "host.h"

HOST_TEST(no_memory_makes_no_label)
{
   host_run(host, "gen a; fail memory");
   assert_null(pitot_gl_query_label(host->gl, 1));
   assert_non_null(pitot_gl_query_label(host->gl, 1));
}

TEST(no_context_is_destroyed)
{
   pitot_gl_destroy(NULL);
}

HOST_TEST(no_memory_makes_no_context)
{
   struct pitot_gl *gl = NULL;
   unsigned failures = 0;

   while (!gl) {
      fail_memory = failures + 1;
      const int status = pitot_gl_create(&host->info, &gl);
      fail_memory = 0;
      assert_int_equal(status, gl ? 0 : -ENOMEM);
      failures += !gl;
   }
   assert_true(failures > 1);
   pitot_gl_destroy(gl);
}

/* Names generated before memory ran out are unused again. */
HOST_TEST(no_memory_makes_no_names)
{
   uint32_t ids[2000];

   fail_memory = 3;
   pitot_gl_gen_queries(host->gl, ARRAY_LENGTH(ids), ids);
   assert_int_equal(host_take_error(host), GL_OUT_OF_MEMORY);
   pitot_gl_gen_queries(host->gl, 1, ids);
   assert_int_equal(ids[0], 1);
}

/* "[...] an OUT_OF_MEMORY error is generated, and the location pointed by
 * queryHandle returns NULL", whichever allocation fails.
 */
HOST_TEST(no_memory_makes_no_perf_query)
{
   unsigned failures = 0;
   uint32_t handle = 0;

   host_run(host, "first a; info a");
   while (!handle) {
      uint32_t instances;

      handle = UINT32_MAX;
      fail_memory = failures + 1;
      pitot_perf_intel_create_query(&host->perf, 1, &handle);
      fail_memory = 0;
      pitot_perf_intel_get_query_info(&host->perf, 1, 0, NULL, NULL, NULL,
                                      &instances, NULL);
      assert_int_equal(instances, handle ? 1 : 0);
      assert_int_equal(host_take_error(host),
                       handle ? GL_NO_ERROR : GL_OUT_OF_MEMORY);
      failures += !handle;
   }
   assert_true(failures > 0);
}

/* Deleted handles are used again first, also if they need several pages. */
HOST_TEST(handles_are_used_again)
{
   static const uint32_t deleted[] = { 1098, 3, 5 };
   static const uint32_t next[] = { 3, 5, 1098, 1101 };
   uint32_t handle, instances;

   for (unsigned i = 1; i <= 1100; i++) {
      pitot_perf_intel_create_query(&host->perf, 1, &handle);
      assert_int_equal(handle, i);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(deleted); i++)
      pitot_perf_intel_delete_query(&host->perf, deleted[i]);
   for (unsigned i = 0; i < ARRAY_LENGTH(next); i++) {
      pitot_perf_intel_create_query(&host->perf, 1, &handle);
      assert_int_equal(handle, next[i]);
   }
   pitot_perf_intel_get_query_info(&host->perf, 1, 0, NULL, NULL, NULL,
                                   &instances, NULL);
   assert_int_equal(instances, 1101);
   assert_int_equal(host_take_error(host), GL_NO_ERROR);
}
