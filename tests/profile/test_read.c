/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Traces as they are read.
 */

#include "report_fixture.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Each slice's descendants follow it directly. */
static void
check_ranges(const struct pitot_report *report)
{
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
}

/* Reads the trace, which must have these slices: each is a line, indented by
 * its depth.
 */
static void
assert_slices(const char *slices, size_t bad_line_count)
{
   static char text[1 << 14];
   FILE *out = fmemopen(text, sizeof(text), "w");
   struct pitot_report *report = trace_read_back();

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *s = &report->slices[i];
      char *values =
         s->values ? json_dumps(s->values, JSON_ENSURE_ASCII) : NULL;

      fprintf(out, "%*s%s '%s' %lu+%lu", (int)s->depth, "",
              pitot_report_category_names[s->category], s->name,
              (unsigned long)s->begin_ns, (unsigned long)pitot_report_ns(s));
      if (s->flow)
         fprintf(out, " #%lu", (unsigned long)s->flow);
      fprintf(out, "%s%s\n", values ? " " : "", values ? values : "");
      free(values);
   }
   fclose(out);
   if (strcmp(text, slices) != 0 || report->bad_line_count != bad_line_count)
      fail_msg("%zu bad lines, and\n%sof\n%s", report->bad_line_count, text,
               trace_contents());
   check_ranges(report);
   pitot_report_free(report);
}

#define BEGIN "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":1.000"

static const struct read_case {
   const char *name, *events, *slices;
   size_t bad_line_count;
} cases[] = {
   /* On the GPU, a slice comes after the slices around it. */
   { "slices nest",
     "0/1 frame F1 0.100 0.100\n"
     "0/1 group G1 0.100 0.080\n"
     "0/2 pass other 0.090 0.210\n"
     "0/1 group G2 0.100 0.080\n"
     "0/1 pass P1 0.100 0.050\n"
     "0/1 draw D1 0.100 0.050\n"
     "0/1 draw D2 0.150 0.000\n"
     "0/1 pass P2 0.150 0.000\n"
     "0/1 clear C1 0.150 0.000\n"
     "0/1 pass P3 0.150 0.030\n"
     "0/1 blit B1 0.150 0.000\n"
     "0/1 pass P4 0.180 0.020\n"
     "0/1 frame F2 0.200 0.000\n"
     "0/1 pass P5 0.200 0.000\n"
     "0/1 pass alone 0.250 0.010\n"
     "9/1 wait inner 0.020 0.010\n"
     "9/1 call outer 0.010 0.030\n"
     "9/1 call next 0.040 0.010\n",
     "frame 'F1' 100+100\n"
     " group 'G1' 100+80\n"
     "  group 'G2' 100+80\n"
     "   pass 'P1' 100+50\n"
     "    draw 'D1' 100+50\n"
     "    draw 'D2' 150+0\n"
     "   pass 'P2' 150+0\n"
     "    clear 'C1' 150+0\n"
     "   pass 'P3' 150+30\n"
     "    blit 'B1' 150+0\n"
     " pass 'P4' 180+20\n"
     "frame 'F2' 200+0\n"
     " pass 'P5' 200+0\n"
     "pass 'alone' 250+10\n"
     "pass 'other' 90+210\n"
     "call 'outer' 10+30\n"
     " wait 'inner' 20+10\n"
     "call 'next' 40+10\n",
     0 },
   /* After years of uptime a double has no nanoseconds. */
   { "a large number is read",
     "9/1 call N 9007199254740993.001 9007199254740993.003 "
     "{\"most\":9007199254740993,\"part\":0.5,\"less\":-1}\n",
     "call 'N' 9007199254740993001+9007199254740993003 {\"most\": "
     "9007199254740993, \"part\": 0.5, \"less\": -1}\n",
     0 },
   /* Another program may have added to a trace. */
   { "an unknown event, member and category is skipped",
     "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":1.000,\"name\":\"x\"},\n"
     "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_sort_index\","
     "\"args\":{\"sort_index\":1}},\n" BEGIN
     ",\"other\":[],\"tts\":1.5e3,\"cname\":\"\\/"
     "good\",\"cat\":\"?\",\"args\":{}}\n",
     "call '' 1000+1000 {}\n", 0 },
   /* Its slice is damaged: it does not belong to the slice before. */
   { "an arrow of another time is left out",
     "0/1 call N 1.000 1.000 #7\n"
     "{\"ph\":\"f\",\"pid\":0,\"tid\":1,\"ts\":2.000,\"id\":8},\n",
     "call 'N' 1000+1000 #7\n", 1 },
   { "an arrow of another thread is left out",
     "0/1 call N 1.000 1.000 #7\n"
     "{\"ph\":\"f\",\"pid\":0,\"tid\":2,\"ts\":1.000,\"id\":8},\n",
     "call 'N' 1000+1000 #7\n", 1 },
   { "an arrow of another process is left out",
     "0/1 call N 1.000 1.000 #7\n"
     "{\"ph\":\"f\",\"pid\":1,\"tid\":1,\"ts\":1.000,\"id\":8},\n",
     "call 'N' 1000+1000 #7\n", 1 },
};

TRACE_ROWS(const struct read_case *c, events_are_slices, cases)
{
   char text[4096];

   snprintf(text, sizeof(text), "[\n%s]\n", c->events);
   trace_write_text(text);
   assert_slices(c->slices, c->bad_line_count);
}

static const struct pitot_trace_track gpu = { .process = 0, .thread = 1 };

TRACE_TEST(all_values_come_back)
{
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

TRACE_TEST(counters_add_up)
{
   struct pitot_report *report =
      trace_read_text("[\n"
                      "0/1 frame F 1.000 9.000 {\"own\":7}\n"
                      "0/1 pass P 1.000 9.000\n"
                      "0/1 draw D 1.000 4.000 {\"samples\":5,\"own\":1}\n"
                      "0/1 draw E 5.000 5.000 {\"samples\":1.5}\n"
                      "0/1 pass E 10.000 5.000 {\"draws\":8}\n"
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

static void
count_batch(void *data, struct pitot_report *report)
{
   unsigned *count = data;

   assert_int_equal(report->slice_count, *count == 0 ? 1030 : 22);
   assert_string_equal(report->slices[0].name, *count == 0 ? "N0" : "N30");
   ++*count;
}

/* Instant events are kept for later batches. */
TRACE_TEST(a_batch_ends_with_a_frame)
{
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
      pitot_trace_slice(trace, &(struct pitot_trace_slice){
                                  .track = gpu,
                                  .category = is_frame ? "frame" : "group",
                                  .name = name,
                                  .begin_ns = i,
                                  .end_ns = i + (is_frame ? 10 : 1),
                               });
   }
   assert_int_equal(pitot_trace_close(trace), 0);
   assert_int_equal(pitot_report_read(trace_path, count_batch, &count,
                                      &report),
                    0);
   assert_int_equal(count, 2);
   assert_int_equal(pitot_report_u64(json_object_get(report->marks, "clock"),
                                     "count"),
                    2);
   assert_int_equal(report->error_ns, 1027);
   pitot_report_free(report);
}

static void
write_some(void)
{
   const struct pitot_trace_track gpu = { 0, 1 };
   const struct pitot_trace_value value = { "samples", .number = 1.25 };
   struct pitot_trace *trace = trace_create();

   pitot_trace_name_track(trace, gpu, "GPU", "context 1");
   trace_add_slice(trace, "first");
   pitot_trace_mark(trace, 1, "mark", &value, 1);
   trace_add_slice(trace, "second");
   assert_int_equal(pitot_trace_close(trace), 0);
}

/* The program may die at any byte.  All lines before it are read. */
TRACE_TEST(a_trace_that_is_cut_off_is_read_up_to_there)
{
   static char all[8192];
   size_t size_B;

   write_some();
   size_B = strlen(trace_contents());
   memcpy(all, trace_text, size_B);

   /* The last event needs neither comma nor newline. */
   const size_t first_B = (size_t)(strstr(all, "first") - all) + 7;
   const size_t second_B = (size_t)(strstr(all, "second") - all) + 8;

   for (size_t cut_B = 2; cut_B < size_B; cut_B++) {
      const size_t whole = (cut_B >= first_B) + (cut_B >= second_B);

      trace_write_file(all, cut_B);

      struct pitot_report *report = trace_read_back();

      assert_int_equal(report->slice_count, whole);
      assert_int_equal(report->is_cut, cut_B < size_B - 1);
      assert_true(report->bad_line_count <= 1);
      pitot_report_free(report);
   }
}

TRACE_TEST(a_file_that_is_no_trace_is_an_error)
{
   static const char *const files[] = { "", "\n", "hello\n", "{\"a\":1}\n",
                                        "\177ELF" };
   struct pitot_report *report = NULL;

   for (unsigned i = 0; i < ARRAY_LENGTH(files); i++) {
      trace_write_file(files[i], strlen(files[i]));
      assert_int_equal(pitot_report_read(trace_path, NULL, NULL, &report),
                       -ENODATA);
   }
   assert_int_equal(pitot_report_read("/nowhere", NULL, NULL, &report),
                    -ENOENT);
   assert_int_equal(pitot_report_read("/tmp", NULL, NULL, &report), -EISDIR);
   assert_null(report);
}

/* Lines that the writer never writes are counted and ignored. */
TRACE_TEST(a_broken_line_is_left_out)
{
   static const char *const lines[] = {
      "hello",
      "{}",
      "{\"pid\":0}",
      "{\"ph\":\"X\",\"pid\":-1}",
      "{\"ph\":\"X\",\"pid\":4294967296}",
      "{\"ph\":\"X\",\"ts\":1}",
      "{\"ph\":\"X\",\"ts\":1.00}",
      "{\"ph\":\"X\",\"ts\":1.0000}",
      "{\"ph\":\"X\",\"ts\":18446744073709552.000}",
      "{\"ph\":\"X\",\"ts\":18446744073709551616.000}",
      "{\"ph\":\"X\",\"ts\":18446744073709550.000,\"dur\":2.000}",
      "{\"ph\":\"X\",\"ts\":1.000,\"dur\":1}",
      "{\"ph\":\"X\",\"ts\":1.000,\"dur\":-1.000}",
      BEGIN,
      BEGIN ",",
      BEGIN "} ",
      BEGIN "},,",
      BEGIN ",\"name\":3}",
      BEGIN ",\"name\":\"a}",
      BEGIN ",\"name\":\"\\u0000\"}",
      BEGIN ",\"name\":\"\377\"}",
      BEGIN ",\"args\":{\"a\":}}",
      BEGIN ",\"args\":{\"a\":1e999}}",
      BEGIN ",\"id\":1.5}",
      BEGIN ",\"id\":18446744073709551616}",
      BEGIN ",\"tid\":1.5}",
      "{\"ph\":\"X\", \"ts\":1.000}",
      "{\"ph\":\"X\",\"ts\":\"1.000\"}",
      "{\"ph\":\"X\",\"ts\":-1.000}",
      "{\"ph\":\"X\",\"ts\":1.000e1}",
      "[1]",
      "{\"ph\":\"M\",\"pid\":0,\"tid\":1,\"name\":\"thread_name\"}",
      "{\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"a\":1}}",
      "{\"ph\":\"s\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"id\":1}",
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(lines); i++) {
      char file[512];

      snprintf(file, sizeof(file), "[\n%s\n" BEGIN "}\n]\n", lines[i]);

      struct pitot_report *report = trace_read_text(file);

      if (report->bad_line_count != 1 || report->slice_count != 1)
         fail_msg("%zu bad lines, %zu slices of %s", report->bad_line_count,
                  report->slice_count, lines[i]);
      pitot_report_free(report);
   }
}
