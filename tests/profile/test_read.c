/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The reader of a trace: all that the writer wrote, and files that are cut
 * off or broken.
 */

#include "trace_fixture.h"

#include <stdbool.h>
#include <string.h>

/* The begin and the end of a slice, in nanoseconds. */
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

/* Asserts the path of names down to a slice, "frame > pass". */
static void
assert_path(const struct pitot_report *report, const char *name,
            const char *path)
{
   for (size_t i = 0; i < report->slice_count; i++) {
      char names[256] = "";

      if (strcmp(report->slices[i].name, name) != 0)
         continue;
      for (size_t k = report->slices[i].parent; k != PITOT_REPORT_NONE;
           k = report->slices[k].parent) {
         char rest[256];

         memcpy(rest, names, sizeof(rest));
         snprintf(names, sizeof(names), "%s>%.200s", report->slices[k].name,
                  rest);
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
      { "samples", PITOT_TRACE_U64, { .u64 = UINT64_MAX } },
      { "load \"%\"", PITOT_TRACE_DOUBLE, { .number = -0.1 } },
      { "label", PITOT_TRACE_STRING, { .string = "\t\"\\\x7f\xc3\xa4/" } },
      { "bad", PITOT_TRACE_STRING, { .string = "\xff" } },
      { "none", PITOT_TRACE_DOUBLE, { .number = 1e308 * 10 } },
      { "pixels", PITOT_TRACE_U64, { .u64 = 300 } },
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
   pitot_trace_counters(trace, 0, 0, values, 1);
   pitot_trace_mark(trace, 0, 99, "clock", values, 2);
   assert_int_equal(pitot_trace_close(trace), 0);

   struct pitot_report *report = trace_read_back();
   const struct pitot_report_slice *s = &report->slices[0];

   assert_int_equal(report->bad_line_count, 0);
   assert_false(report->is_cut);
   assert_int_equal(report->slice_count, 1);
   assert_string_equal(s->name, "a b");
   assert_int_equal(s->category, PITOT_REPORT_DRAW);
   assert_true(s->begin_ns == event.begin_ns && s->end_ns == event.end_ns);
   assert_int_equal(s->flow, 7);
   assert_true(pitot_report_u64(report, s->values, "samples") == UINT64_MAX);
   assert_true(pitot_report_value(report, s->values, "load \"%\"")->number ==
               -0.1);
   assert_string_equal(pitot_report_value(report, s->values, "label")->string,
                       " \"\\ \xc3\xa4/");
   assert_string_equal(pitot_report_value(report, s->values, "bad")->string,
                       "\xef\xbf\xbd");
   assert_int_equal(pitot_report_value(report, s->values, "none")->type,
                    PITOT_TRACE_STRING);
   assert_null(pitot_report_value(report, s->values, "no such"));

   assert_int_equal(report->track_count, 1);
   assert_string_equal(report->tracks[0].process, "GPU");
   assert_string_equal(report->tracks[0].thread, "context \"1\"");
   assert_int_equal(report->mark_count, 1);
   assert_string_equal(report->marks[0].name, "clock");
   assert_int_equal(report->marks[0].time_ns, 99);
   assert_int_equal(report->marks[0].values.count, 2);

   assert_int_equal(report->counter_count, 2);
   assert_string_equal(report->counters[0], "samples");
   assert_string_equal(report->counters[1], "load \"%\"");
   pitot_report_free(report);
}

/* Escapes are characters of one to three bytes, up to those next to the
 * halves of larger ones.
 */
static void
escapes_are_characters(void **state)
{
   (void)state;
   static const struct {
      const char *escape, *character;
   } cases[] = {
      { "\\u007e", "~" },
      { "\\u00a0", "\xc2\xa0" },
      { "\\u07ff", "\xdf\xbf" },
      { "\\u0800", "\xe0\xa0\x80" },
      { "\\ud7ff", "\xed\x9f\xbf" },
      { "\\ue000", "\xee\x80\x80" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      char file[256];

      snprintf(file, sizeof(file),
               "[\n{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,"
               "\"dur\":1.000,\"name\":\"%s\"}\n]\n",
               cases[i].escape);

      struct pitot_report *report = trace_read_text(file);

      assert_int_equal(report->slice_count, 1);
      assert_string_equal(report->slices[0].name, cases[i].character);
      pitot_report_free(report);
   }
}

/* Of several slices with more values than there was room for. */
static void
many_values_come_back(void **state)
{
   (void)state;
   struct pitot_trace *trace = trace_create();
   struct pitot_trace_value values[40];
   struct pitot_trace_slice event = {
      .track = gpu, .category = "draw", .name = "D", .values = values
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(values); i++)
      values[i] = (struct pitot_trace_value){ .name = i % 2 ? "odd" : "even",
                                              .u64 = i };
   for (event.value_count = 1; event.value_count < 40; event.value_count++)
      pitot_trace_slice(trace, &event);
   assert_int_equal(pitot_trace_close(trace), 0);

   struct pitot_report *report = trace_read_back();

   assert_int_equal(report->slice_count, 39);
   for (unsigned i = 0; i < report->slice_count; i++) {
      const struct pitot_report_values is = report->slices[i].values;

      assert_int_equal(is.count, i + 1);
      for (unsigned k = 0; k < is.count; k++)
         assert_int_equal(report->values[is.first + k].u64, k);
   }
   pitot_report_free(report);
}

/* The trace of the cases below. */
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

   assert_int_equal(report->frame_count, 2);
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

/* Each slice ends before the next one that is not in it. */
static void
slices_are_in_ranges(void **state)
{
   (void)state;
   write_nested();

   struct pitot_report *report = trace_read_back();

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *s = &report->slices[i];
      const struct pitot_report_track *track = &report->tracks[s->track];

      assert_true(s->after > i && s->after <= track->end);
      for (size_t k = track->begin; k < track->end; k++) {
         size_t up = report->slices[k].parent;

         while (up != PITOT_REPORT_NONE && up != i)
            up = report->slices[up].parent;
         assert_int_equal(up == i, k > i && k < s->after);
      }
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
   double sum;

   assert_true(pitot_report_count(report, 0, "samples", &sum));
   assert_true(sum == 6.5);
   assert_true(pitot_report_count(report, 1, "own", &sum));
   assert_true(sum == 1);
   assert_true(pitot_report_count(report, 0, "own", &sum));
   assert_true(sum == 7);
   assert_false(pitot_report_count(report, 4, "samples", &sum));
   assert_true(sum == 0);
   assert_int_equal(pitot_report_calls(report, 0, PITOT_REPORT_DRAW), 2);
   assert_int_equal(pitot_report_calls(report, 2, PITOT_REPORT_DRAW), 1);
   assert_int_equal(pitot_report_calls(report, 4, PITOT_REPORT_DRAW), 8);
   assert_int_equal(pitot_report_calls(report, 0, PITOT_REPORT_BLIT), 0);
   assert_int_equal(pitot_report_around(report, 3, PITOT_REPORT_FRAME), 0);
   assert_int_equal(pitot_report_around(report, 0, PITOT_REPORT_FRAME), 0);
   assert_true(pitot_report_around(report, 4, PITOT_REPORT_FRAME) ==
               PITOT_REPORT_NONE);
   pitot_report_free(report);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      trace_case(all_values_come_back),   trace_case(many_values_come_back),
      trace_case(escapes_are_characters), trace_case(slices_nest),
      trace_case(slices_are_in_ranges),   trace_case(counters_add_up),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
