/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs every rule in its kinds of contexts, and tests that are no scripts.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "host.h"
#include "rules/rules.h"

/* Features that ES never has. */
#define DESKTOP_FEATURES                                                     \
   (PITOT_GL_OCCLUSION | PITOT_GL_OVERFLOW | PITOT_GL_STATISTICS |           \
    PITOT_GL_QUERY_BUFFER | PITOT_GL_QUERY_TARGET)

static const struct api {
   const char *name;
   unsigned bit;
   enum pitot_gl_api api;
   unsigned features;
} apis[] = {
   { "compat", IN_COMPAT, PITOT_GL_COMPAT, HOST_ALL_FEATURES },
   { "core", IN_CORE, PITOT_GL_CORE, HOST_ALL_FEATURES },
   { "es2", IN_ES2, PITOT_GL_ES,
     HOST_ALL_FEATURES & ~(DESKTOP_FEATURES | PITOT_GL_OCCLUSION_ALIAS) },
   { "es3", IN_ES3, PITOT_GL_ES, HOST_ALL_FEATURES & ~DESKTOP_FEATURES },
};

struct rule_case {
   const struct rule *rule;
   const struct api *api;
   struct listed_test listed;
};

static void
run_rule(void **state)
{
   const struct rule_case *test = *state;
   struct host host;

   host_init(&host, test->api->api,
             test->api->features & ~MISSING(test->rule->where));
   host_run(&host, test->rule->script);
   host_finish(&host);
}

/* Each begin and end flushes, so that draws stay on their side of it. */
TEST(edges_flush)
{
   static const struct {
      const char *script;
      unsigned flushes;
   } edges[] = {
      { "gen a; is a = 0; query TIME_ELAPSED CURRENT_QUERY = 0", 0 },
      { "gen a; begin TIME_ELAPSED a", 1 },
      { "gen a; begin TIME_ELAPSED a; end TIME_ELAPSED", 2 },
      { "gen a; counter a TIMESTAMP; get a QUERY_RESULT = 0", 1 },
      { "create SAMPLES_PASSED a; condition a QUERY_WAIT; endcondition", 2 },
      { "gen a; begin SAMPLES_PASSED a; delete a", 2 },
      { "create SAMPLES_PASSED a; put a QUERY_RESULT uint 0 = 0", 1 },
      { "begin TIME_ELAPSED 0 ! INVALID_OPERATION;"
        "end TIME_ELAPSED ! INVALID_OPERATION",
        0 },
      { "now = 0; disjoint = 0", 0 },
      { "first a; perf a s; info a; start s", 1 },
      { "first a; perf a s; start s; stop s", 2 },
      { "first a; perf a s; count s; data s WAIT = record; drop s", 2 },
      { "first a; perf a s; stop s ! INVALID_OPERATION; drop s;"
        "start s ! INVALID_VALUE; stop s ! INVALID_VALUE",
        0 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(edges); i++) {
      struct host host;

      host_init(&host, PITOT_GL_COMPAT, HOST_ALL_FEATURES);
      host_run(&host, edges[i].script);
      if (host.flushes != edges[i].flushes)
         fail_msg("%s: %u flushes", edges[i].script, host.flushes);
      host_finish(&host);
   }
}

/* KHR_debug: a label belongs to the object and is deleted with it. */
HOST_TEST(labels_belong_to_queries)
{
   uint32_t id;

   assert_null(pitot_gl_query_label(host->gl, 0));
   assert_null(pitot_gl_query_label(host->gl, 5));
   pitot_gl_gen_queries(host->gl, 1, &id);

   char **label = pitot_gl_query_label(host->gl, id);
   assert_non_null(label);
   *label = strdup("occluder");
   assert_false(pitot_gl_is_query(host->gl, id));
   host_run(host, "is 1 = 0; result 1 ! INVALID_OPERATION;"
                  "condition 1 QUERY_WAIT ! INVALID_VALUE; draw = 1");
   pitot_gl_begin_query(host->gl, "glBeginQuery", GL_SAMPLES_PASSED, 0, id);
   assert_string_equal(*pitot_gl_query_label(host->gl, id), "occluder");
   pitot_gl_delete_queries(host->gl, 1, &id);
   assert_null(pitot_gl_query_label(host->gl, id));
}

static const struct {
   const char *mode;
   unsigned expected;
} modes[] = {
   { "QUERY_WAIT", PITOT_CONDITION_WAIT },
   { "QUERY_NO_WAIT", PITOT_CONDITION_NO_WAIT },
   { "QUERY_BY_REGION_WAIT", PITOT_CONDITION_BY_REGION },
   { "QUERY_BY_REGION_NO_WAIT",
     PITOT_CONDITION_BY_REGION | PITOT_CONDITION_NO_WAIT },
   { "QUERY_WAIT_INVERTED", PITOT_CONDITION_INVERTED },
   { "QUERY_NO_WAIT_INVERTED",
     PITOT_CONDITION_INVERTED | PITOT_CONDITION_NO_WAIT },
   { "QUERY_BY_REGION_WAIT_INVERTED",
     PITOT_CONDITION_INVERTED | PITOT_CONDITION_BY_REGION },
   { "QUERY_BY_REGION_NO_WAIT_INVERTED", PITOT_CONDITION_INVERTED |
                                            PITOT_CONDITION_BY_REGION |
                                            PITOT_CONDITION_NO_WAIT },
};

HOST_TEST_EACH(condition_modes_reach_the_driver, i, ARRAY_LENGTH(modes))
{
   char script[96];

   snprintf(script, sizeof(script), "create SAMPLES_PASSED a; condition a %s",
            modes[i].mode);
   host_run(host, script);
   assert_non_null(host->null.condition);
   assert_int_equal(host->null.condition_mode, modes[i].expected);
}

static const char *const failing_modes[] = { "QUERY_WAIT",
                                             "QUERY_WAIT_INVERTED" };

/* The last result still decides about draws, in the driver and the CPU. */
HOST_TEST_EACH(condition_on_a_failed_begin, i,
               2 * ARRAY_LENGTH(failing_modes))
{
   char script[96];
   uint64_t value;

   snprintf(script, sizeof(script),
            "gen a; measure SAMPLES_PASSED a %u; result a = %u", i / 2 * 5,
            i / 2 * 5);
   host_run(host, script);
   host->null.fail[PITOT_NULL_BEGIN] = 1;
   host_run(host, "begin SAMPLES_PASSED 1 ! OUT_OF_MEMORY");

   /* Twice: the first condition may leave state behind. */
   for (unsigned round = 0; round < 2; round++) {
      snprintf(script, sizeof(script), "condition 1 %s",
               failing_modes[i % 2]);
      host_run(host, script);
      host->null.base.ops->query_result(&host->null.base,
                                        host->null.condition, true, &value);
      assert_int_equal((value == 0) == !!(host->null.condition_mode &
                                          PITOT_CONDITION_INVERTED),
                       pitot_gl_condition_passes(host->gl));
      host_run(host, "endcondition");
   }
}

HOST_TEST(streams_are_the_hosts)
{
   host->info.stream_count = 2;
   host_remake(host);
   host_run(host, "gen a; begin PRIMITIVES_GENERATED a 2 ! INVALID_VALUE;"
                  "begin PRIMITIVES_GENERATED a 1");
}

/* While no samples are counted, a host may replace draws by other means. */
HOST_TEST(samples_are_being_counted)
{
   assert_false(pitot_gl_is_counting_samples(host->gl));
   host_run(host, "gen a; begin ANY_SAMPLES_PASSED a");
   assert_true(pitot_gl_is_counting_samples(host->gl));
   host_run(host, "end ANY_SAMPLES_PASSED");
   assert_false(pitot_gl_is_counting_samples(host->gl));
}

/* "If the number of query counter bits for target is zero, the result is
 * returned as [...] the value zero" (EXT_disjoint_timer_query): Pitot does it
 * for a driver without a clock.
 */
static unsigned
no_bits(struct pitot_driver *driver, enum pitot_kind kind)
{
   (void)driver;
   (void)kind;
   return 0;
}

TEST(no_clock_has_no_bits)
{
   struct pitot_driver_ops ops;
   struct host host;

   host_init(&host, PITOT_GL_ES, HOST_ALL_FEATURES);
   ops = *host.null.base.ops;
   ops.counter_bits = no_bits;
   ops.timestamp_ns = NULL;
   host.null.base.ops = &ops;
   host_run(&host,
            "query TIME_ELAPSED QUERY_COUNTER_BITS = 0;"
            "query TIMESTAMP QUERY_COUNTER_BITS = 0; now = 0; gen a b;"
            "begin TIME_ELAPSED a; end TIME_ELAPSED; counter b TIMESTAMP;"
            "get a QUERY_RESULT_AVAILABLE uint = 1; get a QUERY_RESULT = 0;"
            "get b QUERY_RESULT_AVAILABLE uint = 1; get b QUERY_RESULT = 0;"
            "disjoint = 0");
   host_finish(&host);
}

/* Without these functions, or if the driver cannot store, Pitot does both. */
TEST(a_driver_may_leave_it_to_pitot)
{
   static const char script[] =
      "gen a b; hold; measure SAMPLES_PASSED a 3; measure SAMPLES_PASSED b;"
      "put a QUERY_RESULT_AVAILABLE uint 0 = 0;"
      "put a QUERY_RESULT_NO_WAIT uint 8 = untouched;"
      "put a QUERY_RESULT uint 0 = 3; put a QUERY_RESULT_NO_WAIT uint 8 = 3;"
      "drawif a QUERY_WAIT = 1; drawif b QUERY_WAIT = 0";

   for (unsigned has_functions = 0; has_functions < 2; has_functions++) {
      struct pitot_driver_ops ops;
      struct host host;

      host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
      host.null.can_store = false;
      ops = *host.null.base.ops;
      if (!has_functions) {
         ops.query_store = NULL;
         ops.render_condition = NULL;
      }
      host.null.base.ops = &ops;
      host_remake(&host);
      host_run(&host, script);
      assert_null(host.null.condition);
      host_finish(&host);
   }
}

/* In the order of the enums pitot_perf_counter_type and _data_type. */
HOST_TEST(types_of_counters_have_tokens)
{
   static const uint32_t types[] = {
      GL_PERFQUERY_COUNTER_EVENT_INTEL,
      GL_PERFQUERY_COUNTER_DURATION_NORM_INTEL,
      GL_PERFQUERY_COUNTER_DURATION_RAW_INTEL,
      GL_PERFQUERY_COUNTER_THROUGHPUT_INTEL,
      GL_PERFQUERY_COUNTER_RAW_INTEL,
      GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL,
   };
   static const uint32_t data_types[] = {
      GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL,
      GL_PERFQUERY_COUNTER_DATA_UINT32_INTEL,
      GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL,
      GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL,
      GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL,
   };

   host_run(host, "first a"); /* lists the counters */
   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      const unsigned d = i % ARRAY_LENGTH(data_types);
      uint32_t type, data_type;

      host->sets.counters[0].type = i;
      host->sets.counters[0].data_type = d;
      pitot_perf_intel_get_counter_info(&host->perf, 1, 1, 0, NULL, 0, NULL,
                                        NULL, NULL, &type, &data_type, NULL);
      assert_int_equal(type, types[i]);
      assert_int_equal(data_type, data_types[d]);
   }
}

static void
list_rule(const struct rule *rule, const struct api *api)
{
   static int count;
   struct rule_case *test = calloc(1, sizeof(*test));
   char *name;

   if (asprintf(&name, "%s: %s (%s)", api->name, rule->name, rule->source) <
       0)
      abort();
   *test = (struct rule_case){
      .rule = rule,
      .api = api,
      .listed = {
         .test = { .name = name, .test_func = run_rule,
                   .initial_state = test },
         .file = "", /* before the others */
         .line = count++,
      },
   };
   list_test(&test->listed);
}

int
main(void)
{
   for (size_t a = 0; a < ARRAY_LENGTH(apis); a++) {
      for (size_t r = 0; r < rule_count; r++) {
         if (rules[r].where & apis[a].bit)
            list_rule(&rules[r], &apis[a]);
      }
   }
   return run_listed_tests();
}
