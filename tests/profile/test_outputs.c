/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
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

#include "wrapped.h"

#define DRAWS TRACES "/draws.json"

static void
write_output(const char *trace, enum pitot_report_format format,
             uint64_t frame)
{
   char output[sizeof(trace_path) + 8];

   snprintf(output, sizeof(output), "%s.out", trace_path);
   assert_int_equal(pitot_report_write(trace, format, output, frame), 0);
   assert_int_equal(rename(output, trace_path), 0);
}

/*
 * Whole outputs: a picture is folded, so that its file has no lines that
 * differ in numbers only
 */

static char expected[1 << 20];

/* Letters and marks of a line, which has a size. */
struct shape {
   char text[1024];
};

static struct shape
shape_of(const char *line, size_t size_B)
{
   struct shape shape = { "" };
   size_t count = 0;

   for (size_t i = 0; i < size_B && count < sizeof(shape.text) - 1; i++) {
      if (!strchr("0123456789. ", line[i]))
         shape.text[count++] = line[i];
   }
   return shape;
}

/* Writes lines as they are, or how many they are and a hash (FNV-1a). */
static void
put_alike(FILE *out, const char *begin, const char *end, unsigned count)
{
   uint32_t hash = 0x811c9dc5;

   if (count < 3) {
      fwrite(begin, 1, (size_t)(end - begin), out);
      return;
   }
   while (begin < end)
      hash = (hash ^ (uint8_t)*begin++) * 0x01000193;
   fprintf(out, "... %u more, %08x\n", count, hash);
}

/* Copies a file.  Replaces lines of the style sheet, and those of the same
 * shape as one of the two lines before, unless it is to be whole.
 */
static void
fold(const char *from, const char *to, bool is_whole)
{
   const char *line = trace_contents_of(from), *alike = line, *next;
   struct shape last = { "" }, last_but_one = { "" };
   FILE *out = fopen(to, "w");
   bool is_style = false;
   unsigned count = 0;

   assert_non_null(out);
   for (; *line; line = next) {
      next = strchr(line, '\n') + 1;
      const struct shape shape = shape_of(line, (size_t)(next - line));

      is_style &= strncmp(line, "</style>", 8) != 0;
      if (!is_whole && (is_style || strcmp(shape.text, last.text) == 0 ||
                        strcmp(shape.text, last_but_one.text) == 0)) {
         count++;
      } else {
         put_alike(out, alike, line, count);
         fwrite(line, 1, (size_t)(next - line), out);
         alike = next;
         count = 0;
      }
      is_style |= strncmp(line, "<style>", 7) == 0;
      last_but_one = last;
      last = shape;
   }
   put_alike(out, alike, line, count);
   assert_int_equal(fclose(out), 0);
}

/* Fails with the first different line, and leaves the output. */
static void
assert_same(const char *output, const char *path)
{
   const char *is, *should = expected;

   strcpy(expected, trace_contents_of(path));
   is = trace_contents_of(output);
   for (unsigned line = 1; *is || *should; line++) {
      const size_t is_B = strcspn(is, "\n"), should_B = strcspn(should, "\n");

      if (is_B != should_B || memcmp(is, should, is_B) != 0)
         fail_msg("line %u of %s is\n%.*s\nand in %s\n%.*s", line, output,
                  (int)is_B, is, path, (int)should_B, should);
      is += is_B + (is[is_B] != 0);
      should += should_B + (should[should_B] != 0);
   }
   assert_int_equal(unlink(output), 0);
}

static const struct trace_file {
   const char *name;
   uint64_t frame; /* in the flame chart */
} files[] = {
   { "draws.json", 0 },  /* some of everything; its picture is not folded */
   { "frames.json", 0 }, /* frames without measurements */
   { "no_frames.json", 0 },  /* passes, but no end of a frame */
   { "labels.json", 0 },     /* all special characters */
   { "parts.json", 0 },      /* one frame, which never ends */
   { "contexts.json", 0 },   /* three contexts; one ends no frame */
   { "many.repeat", 3 },     /* more than tables and charts show */
   { "zero.json", 0 },       /* zero durations */
   { "unmeasured.json", 0 }, /* calls that are in no slice */
   { "cut.repeat", 0 },      /* no end, and bad lines */
   { "nothing.json", 0 },
};

/* The outputs of a trace are the files next to it.  Cells have no limits that
 * many slices would show.
 */
TRACE_ROWS(const struct trace_file *file, outputs_are_files, files)
{
   static const char *const endings[] = { "csv", "svg", "txt" };
   char path[512], output[sizeof(trace_path) + 8];

   for (unsigned i = strcmp(file->name, "many.repeat") == 0;
        i < ARRAY_LENGTH(endings); i++) {
      snprintf(path, sizeof(path), "%s/%s", TRACES, file->name);
      trace_write_text(trace_contents_of(path));
      strcpy(strrchr(path, '.') + 1, endings[i]);
      snprintf(output, sizeof(output), "%s.is", trace_path);
      write_output(trace_path, pitot_report_format_of(path), file->frame);
      fold(trace_path, output, i == 0 || file == files);
      assert_same(output, path);
   }
}

/*
 * Parts of outputs
 */

#define TXT PITOT_REPORT_TXT
#define CSV PITOT_REPORT_CSV
#define SVG PITOT_REPORT_SVG

/* A pass that begins when its call does. */
#define ONE_PASS(DURATION, VALUES)                                           \
   "0/1 pass P 1.000 " DURATION " #7 {" VALUES "}\n"                         \
   "9/1 call C 1.000 0.000 #7\n"                                             \
   "{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":1.000,\"name\":\"clock\","      \
   "\"args\":{\"error_ns\":1}},\n"

/* So many frames, which last so many seconds, and less and less. */
#define FRAMES(COUNT)                                                        \
   "repeat " #COUNT "\n"                                                     \
   "0/1 frame F $(1+1000)000000.000 $(" #COUNT "+-1)000000.000\nend\n"

/* A value whose name has a character in the middle. */
#define NAMED(AROUND, HEX) "\"" AROUND "\\u" HEX AROUND "\":1"

static const struct output_case {
   const char *name;
   enum pitot_report_format format;
   const char *events; /* or NULL: those of draws.json */
   uint64_t frame;
   const char *parts[7]; /* of the output, in this order */
   const char *element;  /* of a picture, and how many there are */
   unsigned count;
} output_cases[] = {
   /* At least half of the values do not exceed the median, and so on. */
   { "ranks of 1 value", TXT, FRAMES(1),
     .parts = { "   1.00 s     1.00 s     1.00 s     1.00 s     1.00 s\n" } },
   { "ranks of 5 values", TXT, FRAMES(5),
     .parts = { "   1.00 s     3.00 s     5.00 s     5.00 s     5.00 s\n" } },
   { "ranks of 12 values, 95 % of which are 11.4", TXT, FRAMES(12),
     .parts = { "   1.00 s     6.00 s     12.0 s     12.0 s     12.0 s\n" } },
   { "ranks of 100 values", TXT, FRAMES(100),
     .parts = { "   1.00 s     50.0 s     95.0 s     99.0 s      100 s\n" } },
   { "a part is no frame", TXT,
     "0/1 frame F 1.000 1.000 {\"frame\":1,\"part\":1}\n",
     .parts = { "1 parts of frames in 1.00 us;" } },
   { "a share is of the GPU's time, which may be nothing", TXT,
     "9/1 pass P 1.000 2.000\n",
     .parts = { "      0.0 %          1    2.00 us " } },
   { "one row more than a table shows is a line, even without time", TXT,
     "repeat 22\n0/1 pass P$(0+1) 1.000 0.000\nend\n",
     .parts = { "\nand 2 more ", "0 ns\n\nnotes\n" } },
   { "a nanosecond, a pixel and an error are in the text", TXT,
     ONE_PASS("0.001", "\"pixels\":1,\"samples passed\":42"),
     .parts = { "the GPU worked for 1 ns of that (100 %)",
                " 42\n" /* overdraw */,
                "CPU and GPU times agree to about 1 ns." } },
   { "a nanosecond is in the picture", SVG, ONE_PASS("0.001", ""),
     .parts = { "The GPU's work in all frames, 1 ns" } },

   { "the frame of a number", SVG, NULL,
     .parts = { "frame 1: 100 us on the GPU" }, .frame = 1 },
   { "the frame of another number", SVG, NULL,
     .parts = { "frame 2: 150 us on the GPU" }, .frame = 2 },
   { "the frame of the last number", SVG, NULL,
     .parts = { "frame 3: 200 us on the GPU" }, .frame = 3 },
   /* Each context numbers its own frames. */
   { "the longest frame of a number, the last one", SVG,
     "0/1 frame frame_1 1.000 4.000 {\"frame\":1}\n"
     "0/1 frame frame_2 10.000 9.500 {\"frame\":2}\n"
     "0/1 frame frame_1 30.000 9.000 {\"frame\":1}\n",
     .parts = { "frame 1: 9.00 us on the GPU" }, .frame = 1 },
   { "the longest frame of a number, the first one", SVG,
     "0/1 frame frame_1 1.000 4.500 {\"frame\":1}\n"
     "0/1 frame frame_2 10.000 4.000 {\"frame\":2}\n"
     "0/1 frame frame_1 30.000 2.000 {\"frame\":1}\n",
     .parts = { "frame 1: 4.50 us on the GPU" }, .frame = 1 },
   { "an arrow from the first slice", SVG, ONE_PASS("9.000", ""),
     .element = "flow", .count = 1 },
   { "no arrow of another frame, nor of a pass after the frame", SVG,
     "0/1 frame frame_1 10.000 5.000 {\"frame\":1}\n"
     "0/1 pass P 11.000 1.000 #7\n"
     "0/1 pass Q 13.000 1.000 #9\n"
     "9/1 call C 9.000 0.000 #7\n"
     "9/1 call C 9.500 0.000 #9\n"
     "9/1 call C 30.000 0.000 #8\n"
     "0/1 frame frame_2 15.000 5.000 {\"frame\":2}\n"
     "0/1 pass R 15.000 1.000 #10\n"
     "9/1 call C 10.000 0.000 #10\n",
     .element = "flow", .count = 2, .frame = 1 },
   { "a group and a pass of the same name are two", SVG,
     "0/1 pass A 1.000 1.000 #1\n"
     "0/1 pass A 2.000 1.000 #2\n"
     "0/1 group A 4.000 1.000\n",
     .parts = { "<title>frame all frames: 3.00 us", "<title>pass A: 2.00 us",
                "<title>group A: 1.00 us" } },
   /* Four to twelve ticks and the one at 0, at multiples of 1, 2 or 5. */
   { "ticks of 12 us", SVG, ONE_PASS("12.000", ""), .element = "tick",
     .count = 13 },
   { "ticks of 12.5 us", SVG, ONE_PASS("12.500", ""), .element = "tick",
     .count = 7 },
   { "ticks of 24 us", SVG, ONE_PASS("24.000", ""), .element = "tick",
     .count = 13 },
   { "ticks of 24.5 us", SVG, ONE_PASS("24.500", ""), .element = "tick",
     .count = 5 },

   { "a name is no formula", CSV,
     "0/1 group =1+1 1.000 1.000 {\"=1+1\":1}\n"
     "0/1 group +1 1.000 1.000 {\"+1\":1}\n"
     "0/1 group -1 1.000 1.000 {\"-1\":1}\n"
     "0/1 group @SUM(A1) 1.000 1.000 {\"@SUM(A1)\":1}\n",
     .parts = { ",copies,\"'=1+1\",\"'+1\",\"'-1\",\"'@SUM(A1)\"\n",
                "\"'=1+1/\",\"\",group,\"'=1+1\",",
                "\"'=1+1/+1/\",\"\",group,\"'+1\",",
                "\"'=1+1/+1/-1/\",\"\",group,\"'-1\",",
                "\"'=1+1/+1/-1/@SUM(A1)/\",\"\",group,\"'@SUM(A1)\"," } },
   { "no control character and noncharacter in a cell", CSV,
     ONE_PASS("1.000", "\"a\x7f"
                       "b\\n\xef\xbf\xbd\xef\xbf\xbe\":1"),
     .parts = { "a b \xef\xbf\xbd?" } },
   { "no control character and noncharacter in the text", TXT,
     ONE_PASS("1.000", "\"a\x7f"
                       "b\\n\xef\xbf\xbd\xef\xbf\xbe\":1"),
     .parts = { "a b \xef\xbf\xbd?" } },
   /* They could hide text, or control the terminal. */
   { "a character that controls the terminal is a blank", TXT,
     ONE_PASS("1.000",
              NAMED("1", "001b") "," NAMED("2", "0085") "," NAMED(
                 "3", "009b") "," NAMED("4", "2028") "," NAMED("5", "2029")),
     .parts = { "\n1 1 ", "\n2 2 ", "\n3 3 ", "\n4 4 ", "\n5 5 " } },
   { "a character that turns text is a question mark", TXT,
     ONE_PASS(
        "1.000",
        NAMED("1", "200e") "," NAMED("2", "202e") "," NAMED(
           "3",
           "2066") "," NAMED("4",
                             "061c") "," NAMED("5",
                                               "200f") "," NAMED("6",
                                                                 "ffff")),
     .parts = { "\n1?1 ", "\n2?2 ", "\n3?3 ", "\n4?4 ", "\n5?5 ",
                "\n6?6 " } },
   { "a character next to those is itself", TXT,
     ONE_PASS(
        "1.000",
        NAMED("1", "00a0") "," NAMED("2", "2010") "," NAMED("3", "202f") "," NAMED(
           "4",
           "061b") "," NAMED("5",
                             "ff01") "," NAMED("6",
                                               "2065") "," NAMED("7",
                                                                 "206a")),
     .parts = { "\n1\u00a01 ", "\n2\u20102 ", "\n3\u202f3 ", "\n4\u061b4 ",
                "\n5\uff015 ", "\n6\u20656 ", "\n7\u206a7 " } },
};

static void
write_events(const char *events)
{
   char text[8192];

   snprintf(text, sizeof(text), "[\n%s]\n", events);
   trace_write_text(text);
}

TRACE_ROWS(const struct output_case *c, outputs_have_parts, output_cases)
{
   const char *at;
   char element[32];
   unsigned count = 0;

   if (c->events)
      write_events(c->events);
   write_output(c->events ? trace_path : DRAWS, c->format, c->frame);
   at = trace_contents();
   for (unsigned i = 0; i < ARRAY_LENGTH(c->parts) && c->parts[i]; i++) {
      at = strstr(at, c->parts[i]);
      if (!at)
         fail_msg("there is no \"%s\" in\n%s", c->parts[i], trace_text);
   }
   if (!c->element)
      return;
   snprintf(element, sizeof(element), "class=\"%s\"", c->element);
   for (at = trace_text; (at = strstr(at, element)); at++)
      count++;
   assert_int_equal(count, c->count);
}

/*
 * Large traces
 */

/* No recursion: traces nest without limit. */
TRACE_TEST(groups_may_nest_without_end)
{
   write_events("repeat 200000\n"
                "0/1 group G 1.000 1.000\nend\n");
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++)
      assert_int_equal(pitot_report_write(trace_path, i, "/dev/null", 0), 0);
}

/* Frames with draws that have different names, or the same one. */
static void
write_frames(unsigned count, bool has_names)
{
   char text[1024];

   snprintf(text, sizeof(text),
            "repeat %u\n0/1 frame F $(0+10).000 9.000\n"
            "0/1 group G$(0+%u) $(0+10).000 1.000 "
            "{\"draws\":18,\"samples passed\":3}\nend\n",
            count, has_names);
   write_events(text);
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
TRACE_TEST(memory_does_not_grow_with_a_trace)
{
   struct batches batches = { 0 };
   struct pitot_report *report;

   write_frames(100000, false);
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
   write_frames(count, true);
   const clock_t begin = clock();
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++)
      assert_int_equal(pitot_report_write(trace_path, i, "/dev/null", 0), 0);
   return (double)(clock() - begin);
}

/* Eight times as many take 64 times as long if all are compared. */
TRACE_TEST(names_may_be_as_many_as_frames)
{
   assert_true(time_of_names(32000) < 24 * time_of_names(4000));
}

TRACE_TEST(the_ending_of_a_name_is_its_format)
{
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

TRACE_TEST(an_output_that_cannot_be_written_is_an_error)
{
   char output[sizeof(trace_path) + 8];

   snprintf(output, sizeof(output), "%s.svg", trace_path);
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++) {
      assert_int_equal(pitot_report_write(DRAWS, i, "/dev/full", 0), -ENOSPC);
      assert_int_equal(pitot_report_write(DRAWS, i, "/nowhere/x", 0),
                       -ENOENT);
      assert_int_equal(pitot_report_write(DRAWS, i, "/tmp", 0), -EISDIR);
      assert_int_equal(pitot_report_write("/nowhere", i, output, 0), -ENOENT);
      assert_int_equal(pitot_report_write(trace_path, i, output, 0),
                       -ENODATA);
   }
   assert_int_equal(access(output, F_OK), -1);
}

static int rename_error; /* of the next rename() */

WRAPPED(int, rename, (const char *old, const char *new))
{
   errno = rename_error;
   return rename_error ? -1 : __real_rename(old, new);
}

static int tmpfile_error; /* of tmpfile(), by its 64-bit name */

WRAPPED(FILE *, tmpfile64, (void))
{
   errno = tmpfile_error;
   return tmpfile_error ? NULL : __real_tmpfile64();
}

/* The old output stays, and the new file is removed. */
TRACE_TEST(an_error_leaves_all_files)
{
   char others[sizeof(trace_path) + 16];
   glob_t found;

   snprintf(others, sizeof(others), "%s.*", trace_path);
   trace_write_file("old", 3);
   rename_error = EBUSY;
   assert_int_equal(pitot_report_write(DRAWS, PITOT_REPORT_TXT, trace_path,
                                       0),
                    -EBUSY);
   rename_error = 0;
   tmpfile_error = EACCES;
   assert_int_equal(pitot_report_write(DRAWS, PITOT_REPORT_SVG, trace_path,
                                       0),
                    -EACCES);
   tmpfile_error = 0;
   assert_string_equal(trace_contents(), "old");
   assert_int_equal(glob(others, 0, NULL, &found), GLOB_NOMATCH);
   globfree(&found);

   /* The file's mode stays. */
   assert_int_equal(chmod(trace_path, 0640), 0);
   assert_int_equal(pitot_report_write(DRAWS, PITOT_REPORT_TXT, trace_path,
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
