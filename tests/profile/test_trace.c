/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The writer of traces: every byte.
 */

#include "trace_fixture.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "wrapped.h"

static const struct pitot_trace_track gpu = { .process = 0, .thread = 1 };

/* Asserts that a slice of this name is written as that JSON string. */
static void
assert_name(const char *name, const char *string)
{
   struct pitot_trace *trace = trace_create();
   char expected[512];

   trace_add_slice(trace, name);
   assert_int_equal(pitot_trace_close(trace), 0);
   snprintf(expected, sizeof(expected),
            "[\n{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":1.500,"
            "\"cat\":\"draw\",\"name\":%s}\n]\n",
            string);
   assert_string_equal(trace_contents(), expected);
}

TRACE_TEST(a_trace_of_nothing_is_an_array)
{
   assert_int_equal(pitot_trace_close(trace_create()), 0);
   assert_string_equal(trace_contents(), "[\n]\n");
}

TRACE_TEST(an_older_file_is_replaced)
{
   FILE *out = fopen(trace_path, "w");

   fputs("an older and longer file\n", out);
   fclose(out);
   assert_int_equal(pitot_trace_close(trace_create()), 0);
   assert_string_equal(trace_contents(), "[\n]\n");
}

TRACE_TEST(each_event_is_a_line)
{
   struct pitot_trace *trace = trace_create();
   const struct pitot_trace_value values[] = {
      { "samples passed", .number = 0x1p53 },
      { "overdraw", .number = 0.1 },
      { "program", .string = "water" },
   };
   const struct pitot_trace_slice slice = {
      .track = { .process = 12, .thread = 13 },
      .category = "call",
      .name = "draw",
      .begin_ns = 1234567890123456789,
      .end_ns = 1234567890123456790,
      .flow = 7,
      .values = values,
      .value_count = 3,
   };
   struct pitot_trace_slice execution = slice;

   execution.track = gpu;
   execution.value_count = 0;
   pitot_trace_name_track(trace, gpu, "GPU", "context 1");
   pitot_trace_slice(trace, &slice);
   pitot_trace_slice(trace, &execution);
   pitot_trace_counter(trace, 5, &values[0]);
   pitot_trace_counter(trace, 5, &values[1]);
   pitot_trace_mark(trace, 6, "reset", values, 1);
   pitot_trace_mark(trace, 7, "step", NULL, 0);
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_string_equal(
      trace_contents(),
      "[\n"
      "{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"process_name\","
      "\"args\":{\"name\":\"GPU\"}},\n"
      "{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"thread_name\","
      "\"args\":{\"name\":\"context 1\"}},\n"
      "{\"ph\":\"X\",\"pid\":12,\"tid\":13,\"ts\":1234567890123456.789,"
      "\"dur\":0.001,\"cat\":\"call\",\"name\":\"draw\",\"args\":{"
      "\"samples passed\":9007199254740992,"
      "\"overdraw\":0.100000,\"program\":\"water\"}},\n"
      "{\"ph\":\"s\",\"pid\":12,\"tid\":13,\"ts\":1234567890123456.789,"
      "\"bp\":\"e\",\"id\":7,\"cat\":\"flow\",\"name\":\"execution\"},\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1234567890123456.789,"
      "\"dur\":0.001,\"cat\":\"call\",\"name\":\"draw\"},\n"
      "{\"ph\":\"f\",\"pid\":0,\"tid\":1,\"ts\":1234567890123456.789,"
      "\"bp\":\"e\",\"id\":7,\"cat\":\"flow\",\"name\":\"execution\"},\n"
      "{\"ph\":\"C\",\"pid\":0,\"tid\":0,\"ts\":0.005,"
      "\"name\":\"samples passed\",\"args\":{\"value\":"
      "9007199254740992}},\n"
      "{\"ph\":\"C\",\"pid\":0,\"tid\":0,\"ts\":0.005,"
      "\"name\":\"overdraw\",\"args\":{\"value\":0.100000}},\n"
      "{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":0.006,\"s\":\"p\","
      "\"name\":\"reset\",\"args\":{\"samples passed\":"
      "9007199254740992}},\n"
      "{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":0.007,\"s\":\"p\","
      "\"name\":\"step\"}\n"
      "]\n");
}

TRACE_TEST(a_slice_never_ends_before_it_begins)
{
   struct pitot_trace *trace = trace_create();
   const struct pitot_trace_slice slice = {
      .track = gpu, .category = "draw", .name = "", .begin_ns = 9
   };

   pitot_trace_slice(trace, &slice);
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_non_null(strstr(trace_contents(), "\"ts\":0.009,\"dur\":0.000,"));
}

TRACE_TEST(strings_are_escaped)
{
   assert_name("\"C:\\dir\"", "\"\\\"C:\\\\dir\\\"\"");
   assert_name("a\tb\nc\x01\x7f", "\"a\\u0009b\\u000ac\\u0001\\u007f\"");
   assert_name("", "\"\"");
}

/* The first and last character of each length, and invalid bytes. */
TRACE_TEST(only_utf8_is_written)
{
   static const char *const good[] = {
      "\xc2\x80",         "\xdf\xbf",         "\xe0\xa0\x80",
      "\xec\xbf\xbf",     "\xed\x9f\xbf",     "\xee\x80\x80",
      "\xef\xbf\xbf",     "\xf0\x90\x80\x80", "\xf3\xbf\xbf\xbf",
      "\xf4\x8f\xbf\xbf", "\xe1\x80\x80",     "\xf1\x80\x80\x80",
   };
   static const struct {
      const char *bytes, *string;
   } bad[] = {
      { "\x80z", "\"\\ufffdz\"" },
      { "\xbfz", "\"\\ufffdz\"" },
      { "\xc1\xbf", "\"\\ufffd\\ufffd\"" }, /* overlong encoding */
      { "\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"" },
      { "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" }, /* a surrogate */
      { "\xf0\x8f\xbf\xbf", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
      { "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
      { "\xf5z", "\"\\ufffdz\"" },
      { "\xffz", "\"\\ufffdz\"" },
      { "\xc3", "\"\\ufffd\"" }, /* truncated */
      { "\xe2\x82", "\"\\ufffd\\ufffd\"" },
      { "\xe2\x82(", "\"\\ufffd\\ufffd(\"" },
      { "\xed(\x80", "\"\\ufffd(\\ufffd\"" },
      { "\xf0\x9f\x98\xc0", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(good); i++) {
      char quoted[16];

      snprintf(quoted, sizeof(quoted), "\"%s\"", good[i]);
      assert_name(good[i], quoted);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(bad); i++)
      assert_name(bad[i].bytes, bad[i].string);
}

TRACE_TEST(numbers_are_exact)
{
   static const struct {
      double number;
      const char *text;
   } cases[] = {
      { 0, "0" },
      { -0.0, "-0" },
      { -1.5, "-1.5" },
      { 1e-6, "0.000001" },
      { 16.683333, "16.683333" },
      { 9007199254.740992, "9007199254.740992" },
      { 9007199254.7409935, "9007199254.7409935" },
      { 1.0 / 3, "0.33333333333333331" },
      { 1e22, "1e+22" },
      { 1e300, "1.0000000000000001e+300" },
      { 5e-324, "4.9406564584124654e-324" },
      { (double)NAN, "null" },
      { (double)INFINITY, "null" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct pitot_trace *trace = trace_create();
      const struct pitot_trace_value value = { "n",
                                               .number = cases[i].number };
      char expected[64];

      pitot_trace_counter(trace, 0, &value);
      assert_int_equal(pitot_trace_close(trace), 0);
      snprintf(expected, sizeof(expected), "{\"value\":%s}}\n]\n",
               cases[i].text);
      assert_non_null(strstr(trace_contents(), expected));
   }
}

/* Also of times from 0 on, and of repeated times. */
TRACE_TEST(all_digits_are_written)
{
   for (unsigned n = 0; n <= 12000; n = n < 1100 ? n + 1 : n * 3 / 2) {
      struct pitot_trace *trace = trace_create();
      const struct pitot_trace_value value = { "n", .number = n };
      char expected[256];

      pitot_trace_counter(trace, n, &value);
      pitot_trace_counter(trace, n, &value);
      pitot_trace_counter(trace, n + 1, &value);
      assert_int_equal(pitot_trace_close(trace), 0);
      snprintf(expected, sizeof(expected),
               "\"ts\":%u.%03u,\"name\":\"n\",\"args\":{\"value\":%u}},",
               n / 1000, n % 1000, n);
      const char *first = strstr(trace_contents(), expected);
      assert_non_null(first);
      assert_non_null(strstr(first + 1, expected));
      snprintf(expected, sizeof(expected), "\"ts\":%u.%03u,", (n + 1) / 1000,
               (n + 1) % 1000);
      assert_non_null(strstr(trace_contents(), expected));
   }
}

/* Simulates a locale with a decimal point of two bytes, which few systems
 * have installed.
 */
static bool has_wide_point;

WRAPPED(int, snprintf, (char *out, size_t size_B, const char *format, ...))
{
   va_list args;
   int length;
   char *point;

   va_start(args, format);
   length = vsnprintf(out, size_B, format, args);
   va_end(args);
   point = has_wide_point ? strchr(out, '.') : NULL;
   if (point && strcmp(format, "%.17g") == 0) {
      assert_true((size_t)length + 2 <= size_B);
      memmove(point + 2, point + 1, strlen(point));
      memcpy(point, "\xd9\xab", 2);
      length++;
   }
   return length;
}

TRACE_TEST(no_locale_changes_a_number)
{
   struct pitot_trace *trace = trace_create();
   const struct pitot_trace_value value = { "n", .number = 2.5e-7 };

   has_wide_point = true;
   pitot_trace_counter(trace, 1234567, &value);
   has_wide_point = false;
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_non_null(strstr(trace_contents(), "\"ts\":1234.567,"));
   assert_non_null(
      strstr(trace_contents(), "{\"value\":2.4999999999999999e-07}"));
}
