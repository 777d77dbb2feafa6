/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * AMD_performance_monitor: cases that no script can express; types, ranges
 * and values of counters.
 */

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "host.h"

/* NULL lists do nothing; a name listed twice is deleted once. */
HOST_TEST(lists_of_names_may_be_odd)
{
   uint32_t names[2];

   pitot_perf_amd_gen_monitors(&host->perf, 3, NULL);
   pitot_perf_amd_delete_monitors(&host->perf, 3, NULL);
   pitot_perf_amd_gen_monitors(&host->perf, 1, names);
   assert_int_equal(names[0], 1);
   names[1] = names[0];
   pitot_perf_amd_delete_monitors(&host->perf, 2, names);
   assert_int_equal(host_take_error(host), GL_NO_ERROR);
   pitot_perf_amd_delete_monitors(&host->perf, 1, names);
   assert_int_equal(host_take_error(host), GL_INVALID_VALUE);
}

/* Counters past the end of a list are not read. */
HOST_TEST(lists_of_counters_have_an_end)
{
   static const uint32_t counters[] = { 0, UINT32_MAX };
   uint32_t monitor;

   pitot_perf_amd_gen_monitors(&host->perf, 1, &monitor);
   pitot_perf_amd_select_counters(&host->perf, monitor, true, 0, 1, counters);
   assert_int_equal(host_take_error(host), GL_NO_ERROR);
   host_run(host, "monitor 1; results 1 = 16");
}

HOST_TEST(lengths_may_be_left_out)
{
   char text[16] = "";

   pitot_perf_amd_get_group_string(&host->perf, 3, sizeof(text), NULL, text);
   assert_string_equal(text, "GPU Time");
   pitot_perf_amd_get_group_string(&host->perf, 3, 0, NULL, NULL);
   assert_int_equal(host_take_error(host), GL_NO_ERROR);
}

HOST_TEST(no_memory_makes_no_monitors)
{
   uint32_t names[40];
   unsigned failures = 0, error;

   do {
      fail_memory = failures + 1;
      pitot_perf_amd_gen_monitors(&host->perf, ARRAY_LENGTH(names), names);
      fail_memory = 0;
      error = host_take_error(host);
      failures += error == GL_OUT_OF_MEMORY;
   } while (error == GL_OUT_OF_MEMORY);
   assert_int_equal(error, GL_NO_ERROR);
   assert_true(failures >= ARRAY_LENGTH(names));
   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++)
      assert_int_equal(names[i], i + 1);
}

/* Fails each allocation once and runs a check.  Returns the failures. */
static unsigned
begin_without_memory(struct host *host, const char *check)
{
   unsigned failures = 0, error;

   do {
      fail_memory = failures + 1;
      pitot_perf_amd_begin_monitor(&host->perf, 1);
      fail_memory = 0;
      error = host_take_error(host);
      failures += error == GL_OUT_OF_MEMORY;
      if (error)
         host_run(host, check);
   } while (error == GL_OUT_OF_MEMORY);
   assert_int_equal(error, GL_NO_ERROR);
   return failures;
}

/* If a begin lacks memory, results stay, and the next begin works. */
HOST_TEST(no_memory_begins_nothing)
{
   host_run(host, "group a Pipeline_Statistics; member a c "
                  "Vertices_Submitted; group b GPU_Time; member b d "
                  "GPU_Time_End; monitors m; select m a c; select m b d");
   assert_true(begin_without_memory(host, "ready 1 = 0") > 4);
   host_run(host, "points 3; unwatch 1; results 1 = 32; seen 2 0 = 3;"
                  "fail end; watch 1 ! OUT_OF_MEMORY");
   assert_true(
      begin_without_memory(host,
                           "ready 1 = 1; results 1 = 32; seen 2 0 = 3") > 2);
   host_run(host, "points 2; unwatch 1; results 1 = 32; seen 2 0 = 2");
}

/* Each set is ended even if the first end fails; then results are 0. */
HOST_TEST(each_end_is_made)
{
   host_run(host, "group a Pipeline_Statistics; member a c "
                  "Vertices_Submitted; group b GPU_Time; member b d "
                  "GPU_Time_End; monitors m; select m a c; select m b d;"
                  "time 100; watch m; points 3; fail end;"
                  "unwatch m ! OUT_OF_MEMORY; await m;"
                  "results m = 32 ! INVALID_OPERATION; seen a c = 0;"
                  "seen b d = 0; watch m; points 3; fail end 2;"
                  "unwatch m ! OUT_OF_MEMORY; await m;"
                  "results m = 32 ! INVALID_OPERATION; seen a c = 0;"
                  "seen b d = 0; monitor m 3; results m = 32; seen a c = 3;"
                  "seen b d = 100");
}

HOST_TEST(waits_for_monitors_are_reported)
{
   host->context_flags = PITOT_GL_CONTEXT_DEBUG;
   host->time_step_ns = 2500000;
   host_run(host, "group b GPU_Time; member b d GPU_Time_End; monitors m;"
                  "select m b d; hold; monitor m; results m = 16;"
                  "results m = 16");
   assert_int_equal(host->performance_count, 1);
   assert_string_equal(host->performance,
                       "glGetPerfMonitorCounterDataAMD stalled 2.500 ms "
                       "waiting for performance monitor 1 "
                       "(AMD_performance_monitor); poll its availability, or "
                       "read it a frame later");
}

TEST(calls_are_traced)
{
   static const char expected[] =
      "pitot: glGetPerfMonitorGroupsAMD groupsSize=1024\n"
      "pitot: glGetPerfMonitorCountersAMD group=0 countersSize=1024\n"
      "pitot: glGetPerfMonitorGroupStringAMD group=0\n"
      "pitot: glGetPerfMonitorCounterStringAMD group=0 counter=1\n"
      "pitot: glGetPerfMonitorCounterInfoAMD group=0 counter=1\n"
      "pitot: glGenPerfMonitorsAMD n=1\n"
      "pitot: glSelectPerfMonitorCountersAMD monitor=1 enable=1 group=0 "
      "numCounters=1\n"
      "pitot: glBeginPerfMonitorAMD monitor=1\n"
      "pitot: glBeginPerfMonitorAMD monitor=1\n"
      "pitot: glBeginPerfMonitorAMD: error 0x0502, already active\n"
      "pitot: glEndPerfMonitorAMD monitor=1\n"
      "pitot: glGetPerfMonitorCounterDataAMD monitor=1 pname=0x8bc5 "
      "dataSize=4\n"
      "pitot: glGetPerfMonitorCounterDataAMD = 4 bytes\n"
      "pitot: glDeletePerfMonitorsAMD n=1\n";
   struct host host;
   char *text = NULL;
   size_t size;
   FILE *trace = open_memstream(&text, &size);

   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   host.info.trace = trace;
   host_remake(&host);
   host_run(&host, "groups; members 0; grouptext 0; membertext 0 1;"
                   "memberinfo 0 1 COUNTER_TYPE_AMD; monitors m;"
                   "select m 0 1; watch m; watch m ! INVALID_OPERATION;"
                   "unwatch m; size m = 16; forget m");
   host_finish(&host);
   fclose(trace);
   assert_string_equal(text, expected);
   free(text);
}

TEST(errors_have_reasons)
{
   static const char *const cases[][2] = {
      { "groups -1 ! INVALID_VALUE", "glGetPerfMonitorGroupsAMD(size)" },
      { "members 99 ! INVALID_VALUE", "glGetPerfMonitorCountersAMD(group)" },
      { "grouptext 0 -1 ! INVALID_VALUE",
        "glGetPerfMonitorGroupStringAMD(size)" },
      { "membertext 0 99 ! INVALID_VALUE",
        "glGetPerfMonitorCounterStringAMD(counter)" },
      { "memberinfo 0 0 TRIANGLES ! INVALID_ENUM",
        "glGetPerfMonitorCounterInfoAMD(pname)" },
      { "memberinfo 0 0 NULL ! INVALID_OPERATION",
        "glGetPerfMonitorCounterInfoAMD(data is NULL)" },
      { "monitors -1 ! INVALID_VALUE", "glGenPerfMonitorsAMD(size)" },
      { "forget 9 ! INVALID_VALUE", "glDeletePerfMonitorsAMD(monitor)" },
      { "monitors m; select m 0 99 ! INVALID_VALUE",
        "glSelectPerfMonitorCountersAMD(counter)" },
      { "group a GPU_Time; monitors m; select m a 3;"
        "select m a 4 ! INVALID_VALUE",
        "glSelectPerfMonitorCountersAMD(counter)" },
      { "monitors m; select m 0 0; select m 1 0;"
        "watch m ! INVALID_OPERATION",
        "glBeginPerfMonitorAMD(counters conflict with each other or an "
        "active query)" },
      { "monitors m; unwatch m ! INVALID_OPERATION",
        "glEndPerfMonitorAMD(not active)" },
      { "monitors m; ready m NULL ! INVALID_OPERATION",
        "glGetPerfMonitorCounterDataAMD(data is NULL)" },
      { "monitors m; ask m TRIANGLES ! INVALID_ENUM",
        "glGetPerfMonitorCounterDataAMD(pname)" },
      { "monitors m; select m 0 0; watch m; fail end;"
        "unwatch m ! OUT_OF_MEMORY; results m = 16 ! INVALID_OPERATION",
        "glGetPerfMonitorCounterDataAMD(the results are lost)" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct host host;

      host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
      host_run(&host, cases[i][0]);
      assert_string_equal(host.message, cases[i][1]);
      host_finish(&host);
   }
}

/* Two sets that are measured as a whole. */
static void
split_first_set(struct host *host, unsigned first_count)
{
   struct pitot_perf_set *sets = host->sets.base.sets;
   struct pitot_perf_counter *rest = host->sets.counters + first_count;

   sets[0].group = "Split";
   sets[0].group_set_count = 2;
   sets[0].is_common = false;
   sets[0].counter_count = first_count;
   sets[1] = sets[0];
   sets[1].counters = rest;
   sets[1].counter_count = PITOT_PERF_STATISTIC_COUNT - first_count;
   pitot_perf_layout_record(rest, sets[1].counter_count);
   host->sets.base.has_selections = false;
}

/* A group has its sets' counters, and its first set's number of active. */
HOST_TEST(split_groups_are_measured_by_sets)
{
   static const char *const names[] = { "0", "5", "6", "11" };

   host_run(host, "first a");
   split_first_set(host, 6);
   host_run(host, "groups = 3; grouptext 0 = Split; members 0 = 16;"
                  "most 0 = 6; monitors m; select m 0 0 5 6 11; watch m");
   for (unsigned i = 0; i < PITOT_PERF_STATISTIC_COUNT; i++)
      host->null.counters[host->sets.counters[i].source][0] += 100 + i;
   host_run(host, "unwatch 1; results 1 = 64");
   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
      char script[96];

      snprintf(script, sizeof(script), "results 1 = 64; seen 0 %s = %u",
               names[i], 100 + (unsigned)strtoul(names[i], NULL, 10));
      host_run(host, script);
   }
   host_run(host, "select 1 0 1 2 3; watch 1 ! INVALID_OPERATION");
}

/* A type of the first counter, with values and ranges as bits. */
struct counter_case {
   enum pitot_perf_counter_type type;
   enum pitot_perf_data_type data_type;
   uint64_t raw_max;
   uint64_t value;
   unsigned expected_type;
   uint64_t expected;
   uint64_t expected_max;
};

static uint64_t
bits_of_float(float number)
{
   uint32_t bits;

   memcpy(&bits, &number, sizeof(bits));
   return bits;
}

static uint64_t
bits_of_double(double number)
{
   uint64_t bits;

   memcpy(&bits, &number, sizeof(bits));
   return bits;
}

/* Gives the first counter the type of a case, and reads it. */
static void
check_counter(const struct counter_case *test)
{
   static const uint32_t first = 0;
   struct host host;
   struct pitot_perf_gl *amd = &host.perf;
   uint32_t type, monitor, data[4] = { 0 };
   uint64_t range[2] = { 99, 99 }, max = 0, value = 0;
   int32_t written_B;

   host_init(&host, PITOT_GL_CORE, HOST_ALL_FEATURES);
   pitot_perf_amd_get_groups(amd, NULL, 0, NULL); /* lists the counters */
   host.sets.counters[0].type = test->type;
   host.sets.counters[0].data_type = test->data_type;
   host.sets.counters[0].raw_max = test->raw_max;
   pitot_perf_amd_get_counter_info(amd, 0, 0, GL_COUNTER_TYPE_AMD, &type);
   assert_int_equal(type, test->expected_type);

   const unsigned size_B = type == GL_UNSIGNED_INT64_AMD ? 8 : 4;
   pitot_perf_amd_get_counter_info(amd, 0, 0, GL_COUNTER_RANGE_AMD, range);
   memcpy(&max, (uint8_t *)range + size_B, size_B);
   assert_int_equal(max, test->expected_max);

   pitot_perf_amd_gen_monitors(amd, 1, &monitor);
   pitot_perf_amd_select_counters(amd, monitor, true, 0, 1, &first);
   pitot_perf_amd_begin_monitor(amd, monitor);
   host.null.counters[host.sets.counters[0].source][0] += test->value;
   pitot_perf_amd_end_monitor(amd, monitor);
   pitot_perf_amd_get_counter_data(amd, monitor, GL_PERFMON_RESULT_AMD,
                                   sizeof(data), data, &written_B);
   assert_int_equal(written_B, 8 + size_B);
   memcpy(&value, &data[2], size_B);
   assert_int_equal(value, test->expected);
   host_finish(&host);
}

#define NORM PITOT_PERF_COUNTER_DURATION_NORM
#define RAW  PITOT_PERF_COUNTER_RAW
#define F(X) bits_of_float(X)
#define D(X) bits_of_double(X)

/* "If type value returned is PERCENTAGE_AMD, then this describes a float
 * value that is in the range [0.0 .. 100.0]."
 */
TEST(values_have_their_types)
{
   const struct counter_case cases[] = {
      { RAW, PITOT_PERF_DATA_BOOL32, 0, 1, GL_UNSIGNED_INT, 1, 1 },
      { RAW, PITOT_PERF_DATA_UINT32, 0, 7, GL_UNSIGNED_INT, 7, UINT32_MAX },
      { RAW, PITOT_PERF_DATA_UINT32, 9, 7, GL_UNSIGNED_INT, 7, 9 },
      { RAW, PITOT_PERF_DATA_UINT32, UINT64_MAX, 7, GL_UNSIGNED_INT, 7,
        UINT32_MAX },
      { RAW, PITOT_PERF_DATA_UINT64, 0, UINT64_MAX, GL_UNSIGNED_INT64_AMD,
        UINT64_MAX, UINT64_MAX },
      { RAW, PITOT_PERF_DATA_UINT64, 9, 7, GL_UNSIGNED_INT64_AMD, 7, 9 },
      { RAW, PITOT_PERF_DATA_FLOAT, 0, F(-2.5f), GL_FLOAT, F(-2.5f),
        F(FLT_MAX) },
      { RAW, PITOT_PERF_DATA_FLOAT, 9, F(2.5f), GL_FLOAT, F(2.5f), F(9) },
      { RAW, PITOT_PERF_DATA_DOUBLE, 9, D(2.5), GL_FLOAT, F(2.5f), F(9) },
      { NORM, PITOT_PERF_DATA_FLOAT, 1, F(0.5f), GL_FLOAT, F(0.5f), F(1) },
      { NORM, PITOT_PERF_DATA_FLOAT, 100, F(12.5f), GL_PERCENTAGE_AMD,
        F(12.5f), F(100) },
      { NORM, PITOT_PERF_DATA_FLOAT, 0, F(-1), GL_PERCENTAGE_AMD, F(0),
        F(100) },
      { NORM, PITOT_PERF_DATA_DOUBLE, 0, D(100.5), GL_PERCENTAGE_AMD, F(100),
        F(100) },
      { NORM, PITOT_PERF_DATA_UINT64, 100, 55, GL_PERCENTAGE_AMD, F(55),
        F(100) },
      { NORM, PITOT_PERF_DATA_UINT64, 0, 101, GL_PERCENTAGE_AMD, F(100),
        F(100) },
      { NORM, PITOT_PERF_DATA_UINT32, 0, 99, GL_PERCENTAGE_AMD, F(99),
        F(100) },
      { NORM, PITOT_PERF_DATA_BOOL32, 0, 1, GL_PERCENTAGE_AMD, F(1), F(100) },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      check_counter(&cases[i]);
}
