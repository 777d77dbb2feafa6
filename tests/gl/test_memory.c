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
#include "test.h"

static void
no_memory_makes_no_label(void **state)
{
   struct host host;

   (void)state;
   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   host_run(&host, "gen a; fail memory");
   assert_null(pitot_gl_query_label(host.gl, 1));
   assert_non_null(pitot_gl_query_label(host.gl, 1));
   host_finish(&host);
}

static void
no_context_is_destroyed(void **state)
{
   (void)state;
   pitot_gl_destroy(NULL);
}

static void
no_memory_makes_no_context(void **state)
{
   struct host host;
   struct pitot_gl *gl = NULL;
   unsigned failures = 0;

   (void)state;
   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   while (!gl) {
      fail_memory = failures + 1;
      const int status = pitot_gl_create(&host.info, &gl);
      fail_memory = 0;
      assert_int_equal(status, gl ? 0 : -ENOMEM);
      failures += !gl;
   }
   assert_true(failures > 1);
   pitot_gl_destroy(gl);
   host_finish(&host);
}

/* Names generated before memory ran out are unused again. */
static void
no_memory_makes_no_names(void **state)
{
   struct host host;
   uint32_t ids[2000];

   (void)state;
   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   fail_memory = 3;
   pitot_gl_gen_queries(host.gl, ARRAY_LENGTH(ids), ids);
   assert_int_equal(host_take_error(&host), GL_OUT_OF_MEMORY);
   pitot_gl_gen_queries(host.gl, 1, ids);
   assert_int_equal(ids[0], 1);
   host_finish(&host);
}

/* "[...] an OUT_OF_MEMORY error is generated, and the location pointed by
 * queryHandle returns NULL", whichever allocation fails.
 */
static void
no_memory_makes_no_perf_query(void **state)
{
   struct host host;
   unsigned failures = 0;
   uint32_t handle = 0;

   (void)state;
   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   host_run(&host, "first a; info a");
   while (!handle) {
      uint32_t instances;

      handle = UINT32_MAX;
      fail_memory = failures + 1;
      pitot_perf_intel_create_query(&host.perf, 1, &handle);
      fail_memory = 0;
      pitot_perf_intel_get_query_info(&host.perf, 1, 0, NULL, NULL, NULL,
                                      &instances, NULL);
      assert_int_equal(instances, handle ? 1 : 0);
      assert_int_equal(host_take_error(&host),
                       handle ? GL_NO_ERROR : GL_OUT_OF_MEMORY);
      failures += !handle;
   }
   assert_true(failures > 0);
   host_finish(&host);
}

/* Deleted handles are used again first, also if they need several pages. */
static void
handles_are_used_again(void **state)
{
   static const uint32_t deleted[] = { 1098, 3, 5 };
   static const uint32_t next[] = { 3, 5, 1098, 1101 };
   struct host host;
   uint32_t handle, instances;

   (void)state;
   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   for (unsigned i = 1; i <= 1100; i++) {
      pitot_perf_intel_create_query(&host.perf, 1, &handle);
      assert_int_equal(handle, i);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(deleted); i++)
      pitot_perf_intel_delete_query(&host.perf, deleted[i]);
   for (unsigned i = 0; i < ARRAY_LENGTH(next); i++) {
      pitot_perf_intel_create_query(&host.perf, 1, &handle);
      assert_int_equal(handle, next[i]);
   }
   pitot_perf_intel_get_query_info(&host.perf, 1, 0, NULL, NULL, NULL,
                                   &instances, NULL);
   assert_int_equal(instances, 1101);
   assert_int_equal(host_take_error(&host), GL_NO_ERROR);
   host_finish(&host);
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_memory_makes_no_label),
      cmocka_unit_test(no_context_is_destroyed),
      cmocka_unit_test(no_memory_makes_no_context),
      cmocka_unit_test(no_memory_makes_no_names),
      cmocka_unit_test(no_memory_makes_no_perf_query),
      cmocka_unit_test(handles_are_used_again),
   };

   return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
