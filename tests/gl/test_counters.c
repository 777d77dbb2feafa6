/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Types, ranges and values of counters of AMD_performance_monitor.
 */

#include <float.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "host.h"

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
