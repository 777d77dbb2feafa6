/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <stdlib.h>

#include "host.h"

struct message_case {
   bool is_debugging;
   uint64_t waited_ns;
   const char *script;
   unsigned message_count;
};

/* Counts the messages of a script; "before" runs first. */
static void
check_messages(const struct message_case *test, const char *before,
               const char *message)
{
   struct host host;
   char script[256];

   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   host.context_flags = test->is_debugging ? PITOT_GL_CONTEXT_DEBUG : 0;
   host.time_step_ns = test->waited_ns;
   snprintf(script, sizeof(script), "%s %s", before, test->script);
   const uint64_t began_ns = host.time_ns;
   host_run(&host, script);
   if (!test->is_debugging)
      assert_int_equal(host.time_ns, began_ns); /* no clock is read */
   assert_int_equal(host.performance_count, test->message_count);
   if (test->message_count)
      assert_string_equal(host.performance, message);
   host_finish(&host);
}

/* KHR_debug reports each long wait with its duration, and nothing else. */
TEST(long_wait_sends_message)
{
   static const struct message_case cases[] = {
      { true, 2500000, "hold; counter a TIMESTAMP; get a QUERY_RESULT = 0",
        1 },
      { true, 1000, "hold; counter a TIMESTAMP; get a QUERY_RESULT = 0", 0 },
      { true, 2500000,
        "hold; counter a TIMESTAMP; get a QUERY_RESULT_AVAILABLE = 0", 0 },
      { true, 2500000,
        "counter a TIMESTAMP; get a QUERY_RESULT_AVAILABLE = 1;"
        "get a QUERY_RESULT = 0",
        0 },
      { false, 2500000, "hold; counter a TIMESTAMP; get a QUERY_RESULT = 0",
        0 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      check_messages(
         &cases[i], "gen a;",
         "glGetQueryObjectui64v stalled 2.500 ms waiting for query 1 "
         "(timestamp); poll its availability, or read it a frame later");
}

/* The same for INTEL_performance_query. */
TEST(waits_for_perf_queries_are_reported)
{
   static const struct message_case cases[] = {
      { true, 2500000, "data s WAIT = record", 1 },
      { true, 2500000, "data s WAIT = record; again s WAIT", 1 },
      { true, 1000, "data s WAIT = record", 0 },
      { true, 2500000, "data s FLUSH = 0", 0 },
      { true, 2500000, "data s DONOT_FLUSH = 0", 0 },
      { true, 2500000, "release; data s FLUSH = record; again s WAIT", 0 },
      { false, 2500000, "data s WAIT = record", 0 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      check_messages(
         &cases[i], "perf GPU_Time s; hold; count s;",
         "glGetPerfQueryDataINTEL stalled 2.500 ms waiting for "
         "performance query 1 (GPU Time); poll its availability, or "
         "read it a frame later");
}

/* A query that failed to begin. */
TEST(failures_are_reported)
{
   static const struct {
      struct message_case test;
      const char *message;
   } cases[] = {
      { { true, 0, "fail begin; begin TIME_ELAPSED a ! OUT_OF_MEMORY", 1 },
        "glBeginQuery failed to start query 1 (time-elapsed): out of "
        "memory" },
      { { true, 0, "fail end; counter a TIMESTAMP ! OUT_OF_MEMORY", 1 },
        "glQueryCounter failed to start query 1 (timestamp): driver error" },
      { { false, 0, "fail end; counter a TIMESTAMP ! OUT_OF_MEMORY", 0 },
        NULL },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      check_messages(&cases[i].test, "gen a;", cases[i].message);
}

/* Counters that this user may not read: one message when sets are listed. */
HOST_TEST(hidden_counters_are_reported)
{
   host->sets.base.advice = "let everybody count";
   host_run(host, "first a; first a");
   assert_int_equal(host->performance_count, 0);
   host->context_flags = PITOT_GL_CONTEXT_DEBUG;
   host_run(host, "first a; next a b; first a");
   assert_int_equal(host->performance_count, 1);
   assert_string_equal(host->performance, "let everybody count");
}

static const char *const listing_scripts[] = {
   "set a GPU_Time; set a GPU_Time",
   "groups; groups",
};

/* The message also comes when sets are found by name or listed as groups. */
HOST_TEST_EACH(hidden_counters_are_reported_everywhere, i,
               ARRAY_LENGTH(listing_scripts))
{
   host->sets.base.advice = "let everybody count";
   host->context_flags = PITOT_GL_CONTEXT_DEBUG;
   host_run(host, listing_scripts[i]);
   assert_int_equal(host->performance_count, 1);
   assert_string_equal(host->performance, "let everybody count");
}

HOST_TEST(nothing_is_hidden)
{
   host->context_flags = PITOT_GL_CONTEXT_DEBUG;
   host_run(host, "first a; next a b");
   assert_int_equal(host->performance_count, 0);
}

/* A time clamped to 32 bits looks like a clock that stands still. */
HOST_TEST(clamped_result_sends_message)
{
   host->context_flags = PITOT_GL_CONTEXT_DEBUG;
   host_run(host, "gen a; time 5000000000; counter a TIMESTAMP;"
                  "get a QUERY_RESULT uint64 = 5000000000");
   assert_int_equal(host->performance_count, 0);
   host_run(host, "get 1 QUERY_RESULT uint = 4294967295");
   assert_int_equal(host->performance_count, 1);
   assert_string_equal(
      host->performance,
      "glGetQueryObjectuiv cannot represent the result of query "
      "1 (timestamp), 5000000000; read it with "
      "glGetQueryObjectui64v");
}

/* PITOT_DEBUG=trace: a line for each call, with its result or error. */
TEST(calls_are_traced)
{
   static const char *const expected =
      "pitot: glGenQueries: error 0x0505, out of memory\n"
      "pitot: glGenQueries n=1 id=1\n"
      "pitot: glBeginQuery time-elapsed index=0 id=1\n"
      "pitot: glEndQuery time-elapsed index=0\n"
      "pitot: glGetQueryObjectui64v id=1 available = 1\n"
      "pitot: glGetQueryObjectui64v id=1 result = 0\n"
      "pitot: glEndQuery time-elapsed index=0\n"
      "pitot: glEndQuery: error 0x0502, target is not active\n"
      "pitot: glBeginQuery (no target) index=0 id=1\n"
      "pitot: glBeginQuery: error 0x0500, target\n"
      "pitot: glCreateQueries n=2 id=2 and so on\n"
      "pitot: glBeginConditionalRender id=2 mode=0x8e13\n"
      "pitot: glEndConditionalRender\n"
      "pitot: glGetQueryBufferObjectuiv id=2 result to a buffer at 8\n"
      "pitot: glGetQueryiv samples-passed index=0 pname=0x8864 = 64\n"
      "pitot: glGetQueryiv samples-passed index=0 pname=0x8865 = 0\n"
      "pitot: glGenQueries n=0 id=0\n"
      "pitot: glGenQueries n=1 id=4\n"
      "pitot: glQueryCounter timestamp id=4\n"
      "pitot: glGetQueryObjectui64v id=4 result-no-wait = unknown, 0\n"
      "pitot: TIMESTAMP = 7\n"
      "pitot: GPU_DISJOINT = 0\n"
      "pitot: glDeleteQueries n=1 id=1\n"
      "pitot: glGetFirstPerfQueryIdINTEL\n"
      "pitot: glGetNextPerfQueryIdINTEL queryId=1\n"
      "pitot: glGetPerfQueryIdByNameINTEL \"GPU Time\"\n"
      "pitot: glCreatePerfQueryINTEL queryId=4\n"
      "pitot: glBeginPerfQueryINTEL queryHandle=1\n"
      "pitot: glEndPerfQueryINTEL queryHandle=1\n"
      "pitot: glGetPerfQueryInfoINTEL queryId=4\n"
      "pitot: glGetPerfQueryDataINTEL queryHandle=1 flags=0x83fb\n"
      "pitot: glGetPerfQueryDataINTEL = 32 bytes\n"
      "pitot: glGetPerfCounterInfoINTEL queryId=1 counterId=1\n"
      "pitot: glDeletePerfQueryINTEL queryHandle=1\n";
   struct host host;
   char *text = NULL;
   size_t size;
   FILE *trace = open_memstream(&text, &size);

   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   host.info.trace = trace;
   host_remake(&host);
   host_run(&host,
            "fail memory; gen a ! OUT_OF_MEMORY;"
            "gen a; begin TIME_ELAPSED a; end TIME_ELAPSED;"
            "get a QUERY_RESULT_AVAILABLE = 1; get a QUERY_RESULT = 0;"
            "end TIME_ELAPSED ! INVALID_OPERATION;"
            "begin TRIANGLES a ! INVALID_ENUM; create SAMPLES_PASSED b c;"
            "condition b QUERY_WAIT; endcondition;"
            "put b QUERY_RESULT uint 8 = 0; bits SAMPLES_PASSED = 64;"
            "active SAMPLES_PASSED = 0; gen; gen d;"
            "hold; counter d TIMESTAMP;"
            "get d QUERY_RESULT_NO_WAIT = untouched; release; time 7;"
            "now = 7; disjoint = 0; delete a; first e; next e f; perf "
            "GPU_Time s; count s; data "
            "s WAIT = record; counterinfo e 1;"
            "drop s");
   host_finish(&host);
   fclose(trace);
   assert_string_equal(text, expected);
   free(text);
}

static const struct {
   const char *script;
   const char *message;
} messages[] = {
   { "gen -1 ! INVALID_VALUE", "glGenQueries(n < 0)" },
   { "create SAMPLES_PASSED -1 ! INVALID_VALUE", "glCreateQueries(n < 0)" },
   { "create TRIANGLES a ! INVALID_ENUM", "glCreateQueries(target)" },
   { "create 0 a ! INVALID_ENUM", "glCreateQueries(target)" },
   { "delete -1 ! INVALID_VALUE", "glDeleteQueries(n < 0)" },
   { "begin TIME_ELAPSED 0 ! INVALID_OPERATION", "glBeginQuery(id is 0)" },
   { "gen a; begin PRIMITIVES_GENERATED a;"
     "begin PRIMITIVES_GENERATED a 1 ! INVALID_OPERATION",
     "glBeginQuery(id is active)" },
   { "create SAMPLES_PASSED a; condition a QUERY_WAIT;"
     "begin SAMPLES_PASSED a ! INVALID_OPERATION",
     "glBeginQuery(id is in use for conditional rendering)" },
   { "create SAMPLES_PASSED a; begin TIME_ELAPSED a ! INVALID_OPERATION",
     "glBeginQuery(target mismatch)" },
   { "begin TIME_ELAPSED 9 ! INVALID_OPERATION",
     "glBeginQuery(id not generated)" },
   { "end SAMPLES_PASSED ! INVALID_OPERATION",
     "glEndQuery(target is not active)" },
   { "gen a; counter a TIME_ELAPSED ! INVALID_ENUM",
     "glQueryCounter(target)" },
   { "query TIME_ELAPSED QUERY_RESULT ! INVALID_ENUM",
     "glGetQueryiv(pname)" },
   { "get 9 QUERY_RESULT ! INVALID_OPERATION",
     "glGetQueryObjectui64v(id is not a query object)" },
   { "create SAMPLES_PASSED a; put a QUERY_RESULT uint 64 "
     "! INVALID_OPERATION",
     "glGetQueryBufferObjectuiv(beyond the end of the buffer)" },
   { "condition 9 QUERY_WAIT ! INVALID_VALUE",
     "glBeginConditionalRender(id is not a query object)" },
   { "create TIME_ELAPSED a; condition a QUERY_WAIT ! INVALID_OPERATION",
     "glBeginConditionalRender(target mismatch)" },
   { "gen a; begin SAMPLES_PASSED a;"
     "condition a QUERY_WAIT ! INVALID_OPERATION",
     "glBeginConditionalRender(id is active)" },
   { "endcondition ! INVALID_OPERATION",
     "glEndConditionalRender(not active)" },
   { "gen a; fail memory; begin TIME_ELAPSED a ! OUT_OF_MEMORY",
     "glBeginQuery(out of memory)" },
   { "nosets; first a = 0 ! INVALID_OPERATION",
     "glGetFirstPerfQueryIdINTEL(no queries supported)" },
   { "next 0 b = 0 ! INVALID_VALUE", "glGetNextPerfQueryIdINTEL(queryId)" },
   { "set a Nothing = 0 ! INVALID_VALUE",
     "glGetPerfQueryIdByNameINTEL(queryName)" },
   { "info 0 ! INVALID_VALUE", "glGetPerfQueryInfoINTEL(queryId)" },
   { "first a; counterinfo a 0 ! INVALID_VALUE",
     "glGetPerfCounterInfoINTEL(counterId)" },
   { "first a; perf a NULL ! INVALID_VALUE",
     "glCreatePerfQueryINTEL(a pointer is NULL)" },
   { "drop 9 ! INVALID_VALUE", "glDeletePerfQueryINTEL(queryHandle)" },
   { "first a; perf a s; start s; start s ! INVALID_OPERATION",
     "glBeginPerfQueryINTEL(already active)" },
   { "set a Alone; perf a s; perf a t; start s;"
     "start t ! INVALID_OPERATION",
     "glBeginPerfQueryINTEL(conflicts with an active query)" },
   { "first a; perf a s; stop s ! INVALID_OPERATION",
     "glEndPerfQueryINTEL(not active)" },
   { "first a; perf a s; start s; stop s; data s 0 = 0 ! INVALID_VALUE",
     "glGetPerfQueryDataINTEL(flags)" },
   { "first a; perf a s; data s WAIT = 0 ! INVALID_OPERATION",
     "glGetPerfQueryDataINTEL(query never began)" },
};

/* Every error names its command and the reason. */
HOST_TEST_EACH(errors_have_a_message, i, ARRAY_LENGTH(messages))
{
   host_run(host, messages[i].script);
   assert_string_equal(host->message, messages[i].message);
}
