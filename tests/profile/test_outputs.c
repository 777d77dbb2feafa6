/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The outputs of the traces in tests/profile/traces, compared with the files
 * next to them.
 */

#include "report_fixture.h"

#include <errno.h>
#include <glob.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
   const char *name;
   uint64_t frame; /* in the flame chart */
} traces[] = {
   { "draws", 0 },      /* some of everything */
   { "cut", 0 },        /* a damaged line, and no end */
   { "frames", 0 },     /* frames without measurements */
   { "no_frames", 0 },  /* passes, but no end of a frame */
   { "labels", 0 },     /* all special characters */
   { "parts", 0 },      /* one frame, which never ends */
   { "contexts", 0 },   /* three contexts; one ends no frame */
   { "many", 3 },       /* more than tables and charts show */
   { "zero", 0 },       /* zero durations */
   { "unmeasured", 0 }, /* calls that are in no slice */
   { "nothing", 0 },
};

static char other[1 << 20];

static const char *
path_of(const char *trace, const char *ending)
{
   static char path[2][512];
   static unsigned i;

   i = !i;
   snprintf(path[i], sizeof(path[i]), TRACES "/%s%s", trace, ending);
   return path[i];
}

static void
read_other(const char *path)
{
   FILE *in = fopen(path, "r");

   if (!in)
      fail_msg("no file %s", path);
   other[fread(other, 1, sizeof(other) - 1, in)] = 0;
   fclose(in);
}

/* Fails with the first different line. */
static void
assert_same(const char *path)
{
   const char *is = trace_contents(), *should = other;

   read_other(path);
   for (unsigned line = 1; *is || *should; line++) {
      const size_t is_B = strcspn(is, "\n"), should_B = strcspn(should, "\n");

      if (is_B != should_B || memcmp(is, should, is_B) != 0)
         fail_msg("line %u is\n%.*s\nand in %s\n%.*s", line, (int)is_B, is,
                  path, (int)should_B, should);
      is += is_B + (is[is_B] != 0);
      should += should_B + (should[should_B] != 0);
   }
}

static void
write_output(const char *trace, enum pitot_report_format format,
             uint64_t frame)
{
   char output[sizeof(trace_path) + 8];

   snprintf(output, sizeof(output), "%s.out", trace_path);
   assert_int_equal(pitot_report_write(trace, format, output, frame), 0);
   assert_int_equal(rename(output, trace_path), 0);
}

static void
outputs_are_as_before(void **state)
{
   (void)state;
   static const char *const endings[] = { ".txt", ".csv", ".svg" };

   for (unsigned i = 0; i < ARRAY_LENGTH(traces); i++) {
      for (unsigned k = 0; k < ARRAY_LENGTH(endings); k++) {
         const char *path = path_of(traces[i].name, endings[k]);

         write_output(path_of(traces[i].name, ".json"),
                      pitot_report_format_of(path), traces[i].frame);
         assert_same(path);
      }
   }
}

static void
a_frame_is_drawn_by_its_number(void **state)
{
   (void)state;
   for (unsigned frame = 1; frame <= 3; frame++) {
      char head[64];

      snprintf(head, sizeof(head), "frame %u: %s on the GPU", frame,
               frame == 1   ? "100 us"
               : frame == 2 ? "150 us"
                            : "200 us");
      write_output(path_of("draws", ".json"), PITOT_REPORT_SVG, frame);
      assert_non_null(strstr(trace_contents(), head));
   }
}

/* Of a trace with a single pass on the GPU, at 1 us, with these values. */
static const char *
output_of_pass(const char *duration_us, const char *values,
               enum pitot_report_format format)
{
   char trace[1024];

   snprintf(trace, sizeof(trace),
            "[\n{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,"
            "\"dur\":%s,\"cat\":\"pass\",\"name\":\"P\",\"args\":{%s}},\n"
            "{\"ph\":\"f\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"id\":7},\n"
            "{\"ph\":\"X\",\"pid\":9,\"tid\":1,\"ts\":1.000,"
            "\"dur\":0.000,\"cat\":\"call\",\"name\":\"C\"},\n"
            "{\"ph\":\"s\",\"pid\":9,\"tid\":1,\"ts\":1.000,\"id\":7},\n"
            "{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":1.000,"
            "\"name\":\"clock\",\"args\":{\"error_ns\":1}}\n]\n",
            duration_us, values);
   struct pitot_report *report = trace_read_text(trace);

   assert_int_equal(report->bad_line_count, 0);
   pitot_report_free(report);
   write_output(trace_path, format, 0);
   return trace_contents();
}

static void
assert_has(const char *text, const char *part)
{
   if (!strstr(text, part))
      fail_msg("there is no \"%s\" in\n%s", part, text);
}

/* At least half of the values do not exceed the median, and so on. */
static void
ranks_are_the_nearest_values_above(void **state)
{
   static const struct {
      unsigned count;
      const char *row;
   } cases[] = {
      { 1, "   1.00 s     1.00 s     1.00 s     1.00 s     1.00 s\n" },
      { 5, "   1.00 s     3.00 s     5.00 s     5.00 s     5.00 s\n" },
      { 12, /* 95 % are 11.4 values */
        "   1.00 s     6.00 s     12.0 s     12.0 s     12.0 s\n" },
      { 100, "   1.00 s     50.0 s     95.0 s     99.0 s      100 s\n" },
   };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      FILE *out = fopen(trace_path, "w");

      assert_non_null(out);
      fputs("[\n", out);
      for (unsigned k = 0; k < cases[i].count; k++)
         fprintf(out,
                 "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":%u000000.000,"
                 "\"dur\":%u000000.000,\"cat\":\"frame\"},\n",
                 k * k + 1, cases[i].count - k);
      fputs("]\n", out);
      assert_int_equal(fclose(out), 0);
      write_output(trace_path, PITOT_REPORT_TXT, 0);
      assert_has(trace_contents(), cases[i].row);
   }
}

/* One row more than a table shows is summed up, even without time. */
static void
the_last_row_is_a_line(void **state)
{
   FILE *out = fopen(trace_path, "w");

   (void)state;
   assert_non_null(out);
   fputs("[\n", out);
   for (unsigned i = 0; i < 22; i++)
      fprintf(out,
              "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,"
              "\"dur\":0.000,\"cat\":\"pass\",\"name\":\"P%u\"},\n",
              i);
   fputs("]\n", out);
   assert_int_equal(fclose(out), 0);
   write_output(trace_path, PITOT_REPORT_TXT, 0);
   assert_has(trace_contents(), "\nand 2 more ");
   assert_has(strstr(trace_text, "and 2 more"), "0 ns\n\nnotes\n");
}

/* One nanosecond, one pixel and an error of one nanosecond are shown. */
static void
the_least_is_shown(void **state)
{
   (void)state;
   const char *values = "\"pixels\":1,\"samples passed\":42";
   const char *text = output_of_pass("0.001", values, PITOT_REPORT_TXT);

   assert_has(text, "the GPU worked for 1 ns of that (100 %)");
   assert_has(text, "CPU and GPU times agree to about 1 ns.");
   assert_has(text, " 42\n"); /* overdraw, in the pass's line */

   text = output_of_pass("0.001", values, PITOT_REPORT_SVG);
   assert_has(text, "The GPU's work in all frames, 1 ns");
}

/* If the GPU did not work, shares are 0 %. */
static void
a_share_is_of_the_gpu_s_time(void **state)
{
   (void)state;
   struct pitot_report *report =
      trace_read_text("[\n{\"ph\":\"X\",\"pid\":9,\"tid\":1,\"ts\":1.000,"
                      "\"dur\":2.000,\"cat\":\"pass\",\"name\":\"P\"}\n]\n");

   pitot_report_free(report);
   write_output(trace_path, PITOT_REPORT_TXT, 0);
   assert_has(trace_contents(), "      0.0 %          1    2.00 us ");
}

/* Control characters and noncharacters are replaced. */
static void
names_are_lines(void **state)
{
   (void)state;
   static const enum pitot_report_format formats[] = { PITOT_REPORT_TXT,
                                                       PITOT_REPORT_CSV };

   for (unsigned i = 0; i < ARRAY_LENGTH(formats); i++)
      assert_has(output_of_pass("1.000",
                                "\"a\x7f"
                                "b\\n\xef\xbf\xbd\xef\xbf\xbe\":1",
                                formats[i]),
                 "a b \xef\xbf\xbd?");
}

/* The first slice may be work that a call submitted. */
static void
arrows_are_drawn(void **state)
{
   (void)state;
   assert_has(output_of_pass("9.000", "\"a\":1", PITOT_REPORT_SVG),
              "<line class=\"flow\"");
}

#define PASS(BEGIN_US, NAME, FLOW)                                           \
   "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":" BEGIN_US                      \
   ",\"dur\":1.000,\"cat\":\"pass\",\"name\":\"" NAME "\"},\n"               \
   "{\"ph\":\"f\",\"pid\":0,\"tid\":1,\"ts\":" BEGIN_US ",\"id\":" FLOW      \
   "},\n"
#define FRAME(BEGIN_US, NUMBER)                                              \
   "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":" BEGIN_US                      \
   ",\"dur\":5.000,\"cat\":\"frame\",\"name\":\"F\",\"args\":{"              \
   "\"frame\":" NUMBER "}},\n"
#define CALL(BEGIN_US, FLOW)                                                 \
   "{\"ph\":\"X\",\"pid\":9,\"tid\":1,\"ts\":" BEGIN_US                      \
   ",\"dur\":0.000,\"cat\":\"call\",\"name\":\"C\"},\n"                      \
   "{\"ph\":\"s\",\"pid\":9,\"tid\":1,\"ts\":" BEGIN_US ",\"id\":" FLOW      \
   "},\n"

/* Arrows of other frames, and of passes after the frame, are not drawn. */
static void
arrows_are_those_of_the_frame(void **state)
{
   static const char trace[] = "[\n" FRAME("10.000", "1")
      PASS("11.000", "P", "7") PASS("13.000", "Q", "9") CALL("9.000", "7")
         CALL("9.500", "9") CALL("30.000", "8") FRAME("15.000", "2")
            PASS("15.000", "R", "10") CALL("10.000", "10") "]\n";
   const char *at;
   unsigned count = 0;

   (void)state;
   pitot_report_free(trace_read_text(trace));
   write_output(trace_path, PITOT_REPORT_SVG, 1);
   for (at = trace_contents(); (at = strstr(at, "class=\"flow\"")); at++)
      count++;
   assert_int_equal(count, 2);
}

/* A group and a pass may have the same name. */
static void
slices_are_added_by_name_and_category(void **state)
{
   static const char trace[] = "[\n" PASS("1.000", "A", "1")
      PASS("2.000", "A", "2") "{\"ph\":\"X\",\"pid\":0,\"tid\":1,"
                              "\"ts\":4.000,\"dur\":1.000,"
                              "\"cat\":\"group\",\"name\":\"A\"}\n]\n";
   struct pitot_summary summary;

   (void)state;
   trace_write_file(trace, strlen(trace));
   assert_int_equal(pitot_summary_read(trace_path, &summary), 0);
   assert_int_equal(summary.tree.child_count, 2);
   assert_int_equal(summary.tree.children[0]->count, 2);
   assert_int_equal(summary.tree.children[1]->count, 1);
   pitot_summary_finish(&summary);
}

/* A program without complete frames may have written a part of one. */
static void
a_part_is_no_frame(void **state)
{
   static const char trace[] =
      "[\n{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":1.000,"
      "\"cat\":\"frame\",\"name\":\"F\",\"args\":{\"frame\":1,\"part\":1}}"
      "\n]\n";

   (void)state;
   trace_write_file(trace, strlen(trace));
   write_output(trace_path, PITOT_REPORT_TXT, 0);
   assert_has(trace_contents(), "1 parts of frames in 1.00 us;");
}

/* Four to twelve ticks, at multiples of 1, 2 or 5. */
static void
axes_have_few_ticks(void **state)
{
   (void)state;
   static const struct {
      const char *duration_us;
      unsigned count; /* with the tick at 0 */
   } cases[] = {
      { "12.000", 13 },
      { "12.500", 7 },
      { "24.000", 13 },
      { "24.500", 5 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      const char *text =
         output_of_pass(cases[i].duration_us, "\"a\":1", PITOT_REPORT_SVG);
      unsigned count = 0;

      for (; (text = strstr(text, "class=\"tick\"")); text++)
         count++;
      assert_int_equal(count, cases[i].count);
   }
}

/* Each context numbers its own frames. */
static void
the_longest_frame_of_a_number_is_drawn(void **state)
{
   (void)state;
   static const struct {
      const char *from, *to;
   } others[] = {
      { "\"ts\":30.000,\"dur\":2.000", "\"ts\":30.000,\"dur\":9.000" },
      { "\"ts\":5.000,\"dur\":4.000", "\"ts\":5.000,\"dur\":4.500" },
   };
   static const char *const heads[] = { "frame 1: 9.00 us on the GPU",
                                        "frame 1: 4.50 us on the GPU" };

   for (unsigned i = 0; i < ARRAY_LENGTH(others); i++) {
      read_other(path_of("contexts", ".json"));
      char *at = strstr(other, others[i].from);
      assert_non_null(at);
      memcpy(at, others[i].to, strlen(others[i].to));
      trace_write_file(other, strlen(other));
      write_output(trace_path, PITOT_REPORT_SVG, 1);
      assert_non_null(strstr(trace_contents(), heads[i]));
   }
}

/* A spreadsheet would evaluate a name that looks like a formula. */
static void
a_name_is_no_formula(void **state)
{
   static const char *const names[] = { "=1+1", "+1", "-1", "@SUM(A1)" };

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
      char trace[512], cell[32], group[32];

      snprintf(trace, sizeof(trace),
               "[\n{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,"
               "\"dur\":1.000,\"cat\":\"group\",\"name\":\"%s\","
               "\"args\":{\"%s\":1}}\n]\n",
               names[i], names[i]);
      trace_write_file(trace, strlen(trace));
      write_output(trace_path, PITOT_REPORT_CSV, 0);
      snprintf(cell, sizeof(cell), ",\"'%s\"", names[i]);
      snprintf(group, sizeof(group), ",\"'%s/\"", names[i]);
      const char *heads = strstr(trace_contents(), cell);
      assert_non_null(heads);
      assert_has(strchr(heads, '\n'), cell);
      assert_has(trace_text, group);
   }
}

/* Control characters could hide text, or control the terminal. */
static void
names_are_characters_of_a_line(void **state)
{
   static const struct {
      const char *name, *line;
   } cases[] = {
      { "a\\u001bb", "a b" },
      { "a\\u0085b", "a b" },
      { "a\\u009bb", "a b" },
      { "a\\u00a0b", "a\xc2\xa0"
                     "b" },
      { "a\\u2028b", "a b" },
      { "a\\u2029b", "a b" },
      { "a\\u200eb", "a?b" },
      { "a\\u202eb", "a?b" },
      { "a\\u2066b", "a?b" },
      { "a\\u061cb", "a?b" },
      { "a\\u200fb", "a?b" },
      { "a\\u2010b", "a\xe2\x80\x90"
                     "b" },
      { "a\\u202fb", "a\xe2\x80\xaf"
                     "b" },
      { "a\\u061bb", "a\xd8\x9b"
                     "b" },
      { "a\\uffffb", "a?b" },
      { "a\\uff01b", "a\xef\xbc\x81"
                     "b" },
      { "a\\u2065b", "a\xe2\x81\xa5"
                     "b" },
      { "a\\u206ab", "a\xe2\x81\xaa"
                     "b" },
   };
   char values[64], part[64];

   (void)state;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      snprintf(values, sizeof(values), "\"%s\":1", cases[i].name);
      snprintf(part, sizeof(part), "\n%s ", cases[i].line);
      assert_has(output_of_pass("1.000", values, PITOT_REPORT_TXT), part);
   }
}

/* No recursion: traces nest without limit. */
static void
groups_may_nest_without_end(void **state)
{
   FILE *out = fopen(trace_path, "w");
   char trace[sizeof(trace_path) + 8];

   (void)state;
   assert_non_null(out);
   fputs("[\n", out);
   for (unsigned i = 0; i < 200000; i++)
      fputs("{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":1.000,\"dur\":1.000,"
            "\"cat\":\"group\",\"name\":\"G\"},\n",
            out);
   assert_int_equal(fclose(out), 0);
   snprintf(trace, sizeof(trace), "%s.json", trace_path);
   assert_int_equal(rename(trace_path, trace), 0);
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++)
      assert_int_equal(pitot_report_write(trace, i, "/dev/null", 0), 0);
   assert_int_equal(unlink(trace), 0);
}

/* Frames with draws that have different names, or the same one. */
static void
write_frames(const char *path, unsigned count, bool has_names)
{
   FILE *out = fopen(path, "w");

   assert_non_null(out);
   fputs("[\n", out);
   for (unsigned i = 0; i < count; i++) {
      fprintf(out,
              "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":%u.000,\"dur\":9.000,"
              "\"cat\":\"frame\",\"name\":\"F\"},\n",
              10 * i);
      for (unsigned k = 0; k < 9; k++)
         fprintf(out,
                 "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":%u.000,"
                 "\"dur\":1.000,\"cat\":\"group\",\"name\":\"G%u\","
                 "\"args\":{\"draws\":2,\"samples passed\":3}},\n",
                 10 * i + k, has_names ? i : 0);
   }
   fputs("]\n", out);
   assert_int_equal(fclose(out), 0);
}

/* Sanitizers have their own malloc(). */
extern size_t
__sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t
used_memory_B(void)
{
   if (__sanitizer_get_current_allocated_bytes)
      return __sanitizer_get_current_allocated_bytes();

   const struct mallinfo2 info = mallinfo2();

   return info.uordblks + info.hblkhd;
}

struct batches {
   size_t slice_count;
   size_t most_B; /* memory in use after any batch, at most */
};

static void
count_batch(void *data, struct pitot_report *report)
{
   struct batches *batches = data;
   const size_t used_B = used_memory_B();

   batches->slice_count += report->slice_count;
   if (batches->most_B < used_B)
      batches->most_B = used_B;
}

/* A trace is read in batches. */
static void
memory_does_not_grow_with_a_trace(void **state)
{
   struct batches batches = { 0 };
   struct pitot_report *report;

   (void)state;
   write_frames(trace_path, 20000, false);
   const size_t before_B = used_memory_B();

   assert_int_equal(pitot_report_read(trace_path, count_batch, &batches,
                                      &report),
                    0);
   pitot_report_free(report);
   assert_int_equal(batches.slice_count, 200000);
   assert_in_range(batches.most_B - before_B, 1, 4 << 20);
}

/* The CPU time of all outputs of a trace with that many names. */
static double
time_of_names(unsigned count)
{
   char trace[sizeof(trace_path) + 8];

   snprintf(trace, sizeof(trace), "%s.json", trace_path);
   write_frames(trace, count, true);
   const clock_t begin = clock();
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++)
      assert_int_equal(pitot_report_write(trace, i, "/dev/null", 0), 0);
   const clock_t end = clock();
   assert_int_equal(unlink(trace), 0);
   return (double)(end - begin);
}

/* Eight times as many take 64 times as long if all are compared. */
static void
names_may_be_as_many_as_frames(void **state)
{
   (void)state;
   assert_true(time_of_names(8000) < 24 * time_of_names(1000));
}

static void
the_ending_of_a_name_is_its_format(void **state)
{
   (void)state;
   static const struct {
      const char *path;
      enum pitot_report_format format;
   } cases[] = {
      { "a.txt", PITOT_REPORT_TXT },
      { "/a/b.c/d.csv", PITOT_REPORT_CSV },
      { "a.txt.svg", PITOT_REPORT_SVG },
      { "a.json", PITOT_REPORT_FORMAT_COUNT },
      { "a.TXT", PITOT_REPORT_FORMAT_COUNT },
      { "a.svg/b", PITOT_REPORT_FORMAT_COUNT },
      { "svg", PITOT_REPORT_FORMAT_COUNT },
      { "", PITOT_REPORT_FORMAT_COUNT },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      assert_int_equal(pitot_report_format_of(cases[i].path),
                       cases[i].format);
}

static void
an_output_that_cannot_be_written_is_an_error(void **state)
{
   (void)state;
   const char *draws = path_of("draws", ".json");
   char output[sizeof(trace_path) + 8];

   snprintf(output, sizeof(output), "%s.svg", trace_path);
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++) {
      assert_int_equal(pitot_report_write(draws, i, "/dev/full", 0), -ENOSPC);
      assert_int_equal(pitot_report_write(draws, i, "/nowhere/x", 0),
                       -ENOENT);
      assert_int_equal(pitot_report_write(draws, i, "/tmp", 0), -EISDIR);
      assert_int_equal(pitot_report_write("/nowhere", i, output, 0), -ENOENT);
      assert_int_equal(pitot_report_write(trace_path, i, output, 0),
                       -ENODATA);
   }
   assert_int_equal(access(output, F_OK), -1);
}

int
__real_rename(const char *old, const char *new);
int
__wrap_rename(const char *old, const char *new);

static int rename_error; /* of the next rename() */

int
__wrap_rename(const char *old, const char *new)
{
   errno = rename_error;
   return rename_error ? -1 : __real_rename(old, new);
}

static int tmpfile_error; /* of tmpfile(), by its 64-bit name */

FILE *
__real_tmpfile64(void);
FILE *
__wrap_tmpfile64(void);

FILE *
__wrap_tmpfile64(void)
{
   errno = tmpfile_error;
   return tmpfile_error ? NULL : __real_tmpfile64();
}

/* The old output stays, and the new file is removed. */
static void
an_error_leaves_all_files(void **state)
{
   (void)state;
   const char *draws = path_of("draws", ".json");
   char others[sizeof(trace_path) + 16];
   glob_t found;

   snprintf(others, sizeof(others), "%s.*", trace_path);
   trace_write_file("old", 3);
   rename_error = EBUSY;
   assert_int_equal(pitot_report_write(draws, PITOT_REPORT_TXT, trace_path,
                                       0),
                    -EBUSY);
   rename_error = 0;
   tmpfile_error = EACCES;
   assert_int_equal(pitot_report_write(draws, PITOT_REPORT_SVG, trace_path,
                                       0),
                    -EACCES);
   tmpfile_error = 0;
   assert_string_equal(trace_contents(), "old");
   assert_int_equal(glob(others, 0, NULL, &found), GLOB_NOMATCH);
   globfree(&found);

   /* The file's mode stays. */
   assert_int_equal(chmod(trace_path, 0640), 0);
   assert_int_equal(pitot_report_write(draws, PITOT_REPORT_TXT, trace_path,
                                       0),
                    0);
   struct stat status = { 0 };
   assert_int_equal(stat(trace_path, &status), 0);
   assert_int_equal(status.st_mode & 0777, 0640);

   trace_write_file("old", 3);
   assert_int_equal(pitot_report_write("/nowhere", PITOT_REPORT_TXT,
                                       trace_path, 0),
                    -ENOENT);
   assert_string_equal(trace_contents(), "old");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      trace_case(ranks_are_the_nearest_values_above),
      trace_case(a_part_is_no_frame),
      trace_case(a_share_is_of_the_gpu_s_time),
      trace_case(names_are_lines),
      trace_case(the_last_row_is_a_line),
      trace_case(outputs_are_as_before),
      trace_case(a_frame_is_drawn_by_its_number),
      trace_case(the_longest_frame_of_a_number_is_drawn),
      trace_case(the_least_is_shown),
      trace_case(arrows_are_drawn),
      trace_case(arrows_are_those_of_the_frame),
      trace_case(slices_are_added_by_name_and_category),
      trace_case(axes_have_few_ticks),
      trace_case(a_name_is_no_formula),
      trace_case(names_are_characters_of_a_line),
      trace_case(groups_may_nest_without_end),
      trace_case(memory_does_not_grow_with_a_trace),
      trace_case(names_may_be_as_many_as_frames),
      trace_case(the_ending_of_a_name_is_its_format),
      trace_case(an_output_that_cannot_be_written_is_an_error),
      trace_case(an_error_leaves_all_files),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
