/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "report_fixture.h"

#include <stdbool.h>
#include <string.h>

/* Times in nanoseconds. */
static void
slice(struct pitot_trace *trace, struct pitot_trace_track track,
      const char *category, const char *name, uint64_t begin_ns,
      uint64_t end_ns)
{
   const struct pitot_trace_slice event = {
      .track = track,
      .category = category,
      .name = name,
      .begin_ns = begin_ns,
      .end_ns = end_ns,
   };

   pitot_trace_slice(trace, &event);
}

static const struct pitot_trace_track gpu = { 0, 1 }, other_gpu = { 0, 2 },
                                      thread = { 10, 11 };

/* Asserts the names from the root to a slice, "frame > pass". */
static void
assert_path(const struct pitot_report *report, const char *name,
            const char *path)
{
   for (size_t i = 0; i < report->slice_count; i++) {
      char names[256] = "";

      if (strcmp(report->slices[i].name, name) != 0)
         continue;
      for (const struct pitot_report_slice *s = report->slices[i].parent; s;
           s = s->parent) {
         char rest[256];

         memcpy(rest, names, sizeof(rest));
         snprintf(names, sizeof(names), "%s>%.200s", s->name, rest);
      }
      assert_string_equal(names, path);
      return;
   }
   fail_msg("there is no slice \"%s\"", name);
}

static void
all_values_come_back(void **state)
{
   (void)state;
   struct pitot_trace *trace = trace_create();
   const struct pitot_trace_value values[] = {
      { "samples", .number = 0x1p53 },
      { "load \"%\"", .number = -0.1 },
      { "label", .string = "\t\"\\\x7f\xc3\xa4/" },
      { "bad", .string = "\xff" },
      { "none", .number = 1e308 * 10 },
      { "pixels", .number = 300 },
   };
   const struct pitot_trace_slice event = {
      .track = gpu,
      .category = "draw",
      .name = "a\nb",
      .begin_ns = 1234567890123456789,
      .end_ns = 1234567890123456790,
      .flow = 7,
      .values = values,
      .value_count = ARRAY_LENGTH(values),
   };

   pitot_trace_name_track(trace, gpu, "GPU", "context \"1\"");
   pitot_trace_slice(trace, &event);
   pitot_trace_counter(trace, 0, values);
   pitot_trace_mark(trace, 99, "clock", values, 2);
   assert_int_equal(pitot_trace_close(trace), 0);

   struct pitot_report *report = trace_read_back();
   const struct pitot_report_slice *s = &report->slices[0];

   assert_int_equal(report->bad_line_count, 0);
   assert_false(report->is_cut);
   assert_int_equal(report->slice_count, 1);
   assert_string_equal(s->name, event.name);
   assert_int_equal(s->category, PITOT_REPORT_DRAW);
   assert_true(s->begin_ns == event.begin_ns && s->end_ns == event.end_ns);
   assert_int_equal(s->flow, 7);
   assert_true(pitot_report_u64(s->values, "samples") == UINT64_C(1) << 53);
   assert_true(json_number_value(json_object_get(s->values, "load \"%\"")) ==
               -0.1);
   assert_string_equal(pitot_report_text(s->values, "label"),
                       values[2].string);
   assert_string_equal(pitot_report_text(s->values, "bad"), "\xef\xbf\xbd");
   assert_true(json_is_null(json_object_get(s->values, "none")));
   assert_string_equal(pitot_report_text(s->values, "samples"), "?");
   assert_null(json_object_get(s->values, "no such"));

   assert_int_equal(report->track_count, 1);
   assert_string_equal(s->track->process, "GPU");
   assert_string_equal(s->track->thread, "context \"1\"");
   const json_t *mark = json_object_get(report->marks, "clock");
   assert_int_equal(json_object_size(report->marks), 1);
   assert_int_equal(json_object_size(json_object_get(mark, "values")), 2);

   assert_int_equal(report->counter_count, 2);
   assert_string_equal(report->counters[0].name, "samples");
   assert_string_equal(report->counters[1].name, "load \"%\"");
   pitot_report_free(report);
}

static void
write_nested(void)
{
   struct pitot_trace *trace = trace_create();

   slice(trace, gpu, "frame", "F1", 100, 200);
   slice(trace, gpu, "group", "G1", 100, 180);
   slice(trace, other_gpu, "pass", "other", 90, 300);
   slice(trace, gpu, "group", "G2", 100, 180);
   slice(trace, gpu, "pass", "P1", 100, 150);
   slice(trace, gpu, "draw", "D1", 100, 150);
   slice(trace, gpu, "draw", "D2", 150, 150);
   slice(trace, gpu, "pass", "P2", 150, 150);
   slice(trace, gpu, "clear", "C1", 150, 150);
   slice(trace, gpu, "pass", "P3", 150, 180);
   slice(trace, gpu, "blit", "B1", 150, 150);
   slice(trace, gpu, "pass", "P4", 180, 200);
   slice(trace, gpu, "frame", "F2", 200, 200);
   slice(trace, gpu, "pass", "P5", 200, 200);
   slice(trace, gpu, "pass", "alone", 250, 260);
   slice(trace, thread, "wait", "inner wait", 20, 30);
   slice(trace, thread, "call", "outer call", 10, 40);
   slice(trace, thread, "call", "next call", 40, 50);
   assert_int_equal(pitot_trace_close(trace), 0);
}

static void
slices_nest(void **state)
{
   (void)state;
   write_nested();

   struct pitot_report *report = trace_read_back();

   assert_path(report, "F1", "");
   assert_path(report, "G1", "F1>");
   assert_path(report, "G2", "F1>G1>");
   assert_path(report, "P1", "F1>G1>G2>");
   assert_path(report, "D1", "F1>G1>G2>P1>");
   assert_path(report, "D2", "F1>G1>G2>P1>");
   assert_path(report, "P2", "F1>G1>G2>");
   assert_path(report, "C1", "F1>G1>G2>P2>");
   assert_path(report, "B1", "F1>G1>G2>P3>");
   assert_path(report, "P4", "F1>");
   assert_path(report, "F2", "");
   assert_path(report, "P5", "F2>");
   assert_path(report, "alone", "");
   assert_path(report, "other", "");
   assert_path(report, "inner wait", "outer call>");
   assert_path(report, "next call", "");
   pitot_report_free(report);
}

/* Each slice's descendants follow it directly. */
static void
slices_are_in_ranges(void **state)
{
   (void)state;
   write_nested();

   struct pitot_report *report = trace_read_back();

   const struct pitot_report_slice *end =
      report->slices + report->slice_count;
   for (const struct pitot_report_slice *s = report->slices; s < end; s++) {
      assert_true(s->after > s && s->after <= end);
      for (const struct pitot_report_slice *t = report->slices; t < end;
           t++) {
         const struct pitot_report_slice *up = t->parent;

         while (up && up != s)
            up = up->parent;
         assert_int_equal(up == s, t > s && t < s->after);
      }
      assert_true(s->after[-1].track == s->track);
   }
   pitot_report_free(report);
}

static void
counters_add_up(void **state)
{
   (void)state;
   struct pitot_report *report = trace_read_text(
      "[\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":9.000,"
      "\"cat\":\"frame\",\"name\":\"F\",\"args\":{\"own\":7}},\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":9.000,"
      "\"cat\":\"pass\",\"name\":\"P\"},\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":4.000,"
      "\"cat\":\"draw\",\"name\":\"D\",\"args\":{\"samples\":5,\"own\":1}},\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":5.000,\"dur\":5.000,"
      "\"cat\":\"draw\",\"name\":\"E\",\"args\":{\"samples\":1.5}},\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":10.000,\"dur\":5.000,"
      "\"cat\":\"pass\",\"name\":\"E\",\"args\":{\"draws\":8}}\n"
      "]\n");
   const struct pitot_report_slice *slices = report->slices;
   double sum;

   assert_true(pitot_report_count(&slices[0], "samples", &sum));
   assert_true(sum == 6.5);
   assert_true(pitot_report_count(&slices[1], "own", &sum));
   assert_true(sum == 1);
   assert_true(pitot_report_count(&slices[0], "own", &sum));
   assert_true(sum == 7);
   assert_false(pitot_report_count(&slices[4], "samples", &sum));
   assert_true(sum == 0);
   assert_ptr_equal(pitot_report_around(&slices[3], PITOT_REPORT_FRAME),
                    slices);
   assert_ptr_equal(pitot_report_around(&slices[0], PITOT_REPORT_FRAME),
                    slices);
   assert_null(pitot_report_around(&slices[4], PITOT_REPORT_FRAME));
   pitot_report_free(report);
}

/* After years of uptime a double has no nanoseconds. */
static void
large_numbers_are_read(void **state)
{
   (void)state;
   struct pitot_report *report = trace_read_text(
      "[\n"
      "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":9007199254740993.001,"
      "\"dur\":9007199254740993.003,\"args\":{"
      "\"most\":9007199254740993,\"part\":0.5,\"less\":-1}}\n]\n");
   const struct pitot_report_slice *s = report->slices;

   assert_int_equal(report->bad_line_count, 0);
   assert_true(s->begin_ns == UINT64_C(9007199254740993001));
   assert_true(pitot_report_ns(s) == UINT64_C(9007199254740993003));
   assert_true(pitot_report_u64(s->values, "most") ==
               UINT64_C(9007199254740993));
   assert_int_equal(pitot_report_u64(s->values, "part"), 0);
   assert_int_equal(pitot_report_u64(s->values, "less"), 0);
   pitot_report_free(report);
}

static void
count_batch(void *data, struct pitot_report *report)
{
   unsigned *count = data;

   assert_int_equal(report->slice_count, *count == 0 ? 1030 : 22);
   assert_string_equal(report->slices[0].name, *count == 0 ? "N0" : "N30");
   ++*count;
}

/* Instant events are kept for later batches. */
static void
a_batch_ends_with_a_frame(void **state)
{
   (void)state;
   struct pitot_trace *trace = trace_create();
   struct pitot_report *report;
   unsigned count = 0;

   for (unsigned i = 0; i < 1052; i++) {
      const bool is_frame = i % 10 == 0;
      const struct pitot_trace_value error = { "error_ns", .number = i };
      char name[8];

      if (i % 832 == 195)
         pitot_trace_mark(trace, i, "clock", &error, 1);
      snprintf(name, sizeof(name), "N%u", i % 50);
      slice(trace, gpu, is_frame ? "frame" : "group", name, i,
            i + (is_frame ? 10 : 1));
   }
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_int_equal(pitot_report_read(trace_path, count_batch, &count,
                                      &report),
                    0);
   assert_int_equal(count, 2);
   assert_int_equal(
      pitot_report_u64(json_object_get(report->marks, "clock"), "count"), 2);
   assert_int_equal(report->error_ns, 1027);
   pitot_report_free(report);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      trace_case(all_values_come_back), trace_case(slices_nest),
      trace_case(slices_are_in_ranges), trace_case(counters_add_up),
      trace_case(large_numbers_are_read),
      trace_case(a_batch_ends_with_a_frame),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
