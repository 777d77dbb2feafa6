/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "report_fixture.h"

#include <errno.h>
#include <string.h>

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
static void
a_trace_that_is_cut_off_is_read_up_to_there(void **state)
{
   (void)state;
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

static void
a_file_that_is_no_trace_is_an_error(void **state)
{
   (void)state;
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
static void
a_broken_line_is_left_out(void **state)
{
   (void)state;
#define BEGIN "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":1.000"
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

/* Another program may have added to a trace. */
static void
unknown_events_and_members_are_skipped(void **state)
{
   (void)state;
   struct pitot_report *report = trace_read_text(
      "[\n"
      "{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":1.000,\"name\":\"x\"},\n"
      "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_sort_index\","
      "\"args\":{\"sort_index\":1}},\n" BEGIN
      ",\"other\":[],\"tts\":1.5e3,\"cname\":\"\\/"
      "good\",\"cat\":\"?\",\"args\":{}}\n"
      "]\n");

   assert_int_equal(report->bad_line_count, 0);
   assert_int_equal(report->slice_count, 1);
   assert_int_equal(report->slices[0].category, PITOT_REPORT_CALL);
   assert_string_equal(report->slices[0].name, "");
   pitot_report_free(report);
}

/* An arrow whose slice is damaged does not belong to the previous slice. */
static void
an_arrow_of_no_slice_is_left_out(void **state)
{
   (void)state;
   static const char *const arrows[] = {
      "\"pid\":0,\"tid\":1,\"ts\":2.000",
      "\"pid\":0,\"tid\":2,\"ts\":1.000",
      "\"pid\":1,\"tid\":1,\"ts\":1.000",
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(arrows); i++) {
      char file[512];

      snprintf(file, sizeof(file),
               "[\n" BEGIN "},\n"
               "{\"ph\":\"f\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"id\":7},\n"
               "{\"ph\":\"f\",%s,\"id\":8}\n]\n",
               arrows[i]);

      struct pitot_report *report = trace_read_text(file);

      assert_int_equal(report->bad_line_count, 1);
      assert_int_equal(report->slices[0].flow, 7);
      pitot_report_free(report);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      trace_case(a_trace_that_is_cut_off_is_read_up_to_there),
      trace_case(a_file_that_is_no_trace_is_an_error),
      trace_case(a_broken_line_is_left_out),
      trace_case(an_arrow_of_no_slice_is_left_out),
      trace_case(unknown_events_and_members_are_skipped),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
