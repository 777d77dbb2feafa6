/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The output for people, as text.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sum.h"
#include "table.h"
#include "text.h"

/* Times of which a table shows the lowest, median, ... */
struct times {
   uint64_t *ns;
   size_t count;
};

static void
put_times(FILE *out, const char *name, struct times *times)
{
   if (times->count == 0)
      return;
   pitot_sum_sort(times->ns, times->count);
   pitot_table_name(out, name, 0, PITOT_TABLE_NAME_WIDTH);
   for (unsigned i = 0; i < PITOT_RANK_COUNT; i++)
      pitot_table_time(out, pitot_sum_rank(times->ns, times->count, i));
   fputc('\n', out);
}

enum {
   FRAME_GPU,
   FRAME_OWN,
   FRAME_BUSY,
   FRAME_APART,
   FRAME_COST,
   FRAME_LINES
};

/* Returns whether a frame has the time of a line of the table, and it. */
static bool
frame_time(const struct pitot_report *report, size_t frame, size_t previous,
           unsigned line, uint64_t *ns_out)
{
   static const char *const values[FRAME_LINES] = {
      [FRAME_OWN] = "own_ns", [FRAME_COST] = "profile_cpu_ns"
   };
   const struct pitot_report_slice *slice = &report->slices[frame];

   switch (line) {
   case FRAME_GPU:
      *ns_out = pitot_report_ns(slice);
      return true;
   case FRAME_BUSY:
      *ns_out = pitot_sum_busy_ns(report, frame);
      return slice->after > frame + 1;
   case FRAME_APART:
      if (previous == PITOT_REPORT_NONE ||
          slice->begin_ns < report->slices[previous].begin_ns)
         return false;
      *ns_out = slice->begin_ns - report->slices[previous].begin_ns;
      return true;
   default:
      *ns_out = pitot_report_u64(report, slice->values, values[line]);
      return pitot_report_value(report, slice->values, values[line]) != NULL;
   }
}

static int
write_frames(const struct pitot_report *report, FILE *out)
{
   static const char *const heads[] = { "lowest", "median", "95 %", "99 %",
                                        "highest" };
   static const char *const names[FRAME_LINES] = {
      [FRAME_GPU] = "GPU, from begin to end",
      [FRAME_OWN] = "GPU, by timestamps of the frame's own",
      [FRAME_BUSY] = "GPU, at work: the sum of all in it",
      [FRAME_APART] = "from one begin to the next",
      [FRAME_COST] = "CPU, in the profile itself",
   };
   struct times times = {
      calloc(pitot_report_frames(report) + 1, sizeof(uint64_t)), 0
   };

   if (!times.ns)
      return -ENOMEM;
   if (pitot_report_frames(report) > 0)
      pitot_table_heads(out,
                        report->frame_count > 0 ? "frames"
                                                : "parts of frames",
                        heads, PITOT_RANK_COUNT);
   for (unsigned line = 0; line < FRAME_LINES; line++) {
      size_t previous = PITOT_REPORT_NONE;

      times.count = 0;
      for (size_t i = 0; i < report->slice_count; i++) {
         if (!pitot_report_is_frame(report, i))
            continue;
         if (previous != PITOT_REPORT_NONE &&
             report->slices[previous].track != report->slices[i].track)
            previous = PITOT_REPORT_NONE;
         times.count +=
            frame_time(report, i, previous, line, &times.ns[times.count]);
         previous = i;
      }
      put_times(out, names[line], &times);
   }
   free(times.ns);
   return 0;
}

/* The first and the last moment of the GPU's work, and the time of it all. */
struct extent {
   uint64_t begin_ns, end_ns, busy_ns;
};

static struct extent
find_extent(const struct pitot_report *report)
{
   struct extent extent = { .begin_ns = UINT64_MAX };

   for (size_t i = 0; i < report->slice_count; i = report->slices[i].after) {
      const struct pitot_report_slice *slice = &report->slices[i];

      if (!pitot_report_is_gpu(report, slice))
         continue;
      if (extent.begin_ns > slice->begin_ns)
         extent.begin_ns = slice->begin_ns;
      if (extent.end_ns < slice->end_ns)
         extent.end_ns = slice->end_ns;
      extent.busy_ns += pitot_sum_busy_ns(report, i);
   }
   if (extent.begin_ns > extent.end_ns)
      extent.begin_ns = extent.end_ns;
   return extent;
}

static void
write_program(const struct pitot_report *report,
              struct pitot_report_values values, FILE *out)
{
   pitot_table_text(out, pitot_report_text(report, values, "program"));
   fputs(" on ", out);
   pitot_table_text(out, pitot_report_text(report, values, "device"));
   fputs(", profiled by ", out);
   pitot_table_text(out, pitot_report_text(report, values, "level"));
   fputc('\n', out);
}

/* Returns how many frames have no time: all in them was lost. */
static size_t
count_lost_frames(const struct pitot_report *report)
{
   size_t count = 0;

   for (size_t i = 0; i < report->slice_count; i++)
      count += pitot_report_is_frame(report, i) &&
               pitot_report_ns(&report->slices[i]) == 0;
   return count;
}

static void
write_title(const struct pitot_report *report, FILE *out)
{
   const struct extent extent = find_extent(report);
   const uint64_t time_ns = extent.end_ns - extent.begin_ns;
   const size_t lost_count = count_lost_frames(report);
   char time[PITOT_TIME_TEXT_B], busy[PITOT_TIME_TEXT_B];

   for (size_t i = 0; i < report->mark_count; i++) {
      if (strcmp(report->marks[i].name, "profile") == 0)
         write_program(report, report->marks[i].values, out);
   }
   if (report->frame_count == 0 && report->part_count > 0)
      fprintf(out, "%zu parts of ", report->part_count);
   else
      fprintf(out, "%zu ", report->frame_count);
   fprintf(out, "frame%s", report->frame_count == 1 ? "" : "s");
   if (lost_count > 0)
      fprintf(out, " (%zu not measured)", lost_count);
   fprintf(out, " in %s; the GPU worked for %s of that",
           pitot_time_text(time, time_ns),
           pitot_time_text(busy, extent.busy_ns));
   if (time_ns > 0)
      fprintf(out, " (%.0f %%)",
              100 * (double)extent.busy_ns / (double)time_ns);
   fputc('\n', out);
}

/* Marks of the same name are one line, with the last one's values. */
static void
write_mark(const struct pitot_report *report, size_t mark, FILE *out)
{
   const struct pitot_report_mark *marks = report->marks;
   size_t count = 1;

   for (size_t i = mark + 1; i < report->mark_count; i++) {
      if (marks[i].name == marks[mark].name)
         return;
   }
   for (size_t i = 0; i < mark; i++)
      count += marks[i].name == marks[mark].name;
   pitot_table_text(out, marks[mark].name);
   fprintf(out, ", %zu time%s", count, count == 1 ? "" : "s");
   for (unsigned i = 0; i < marks[mark].values.count; i++) {
      const struct pitot_trace_value *value =
         &report->values[marks[mark].values.first + i];

      fputs(i == 0 ? ", last: " : ", ", out);
      pitot_table_text(out, value->name);
      fputc(' ', out);
      if (value->type == PITOT_TRACE_STRING)
         pitot_table_text(out, value->string);
      else if (value->type == PITOT_TRACE_U64)
         fprintf(out, "%" PRIu64, value->u64);
      else
         fprintf(out, "%g", value->number);
   }
   fputc('\n', out);
}

/* Returns how many calls are in no slice.  Marks also tell of calls outside
 * of frames, and of those in flight at the end.
 */
static uint64_t
count_unmeasured(const struct pitot_report *report)
{
   uint64_t in_frames = 0, in_marks = 0;

   for (size_t i = 0; i < report->slice_count; i++)
      in_frames +=
         pitot_report_u64(report, report->slices[i].values, "unmeasured");
   for (size_t i = 0; i < report->mark_count; i++) {
      if (strcmp(report->marks[i].name, "not measured") == 0)
         in_marks +=
            pitot_report_u64(report, report->marks[i].values, "calls");
   }
   return in_marks > in_frames ? in_marks : in_frames;
}

/* Everything that a reader of the numbers has to know. */
static void
write_notes(const struct pitot_report *report, FILE *out)
{
   uint64_t disjoint = 0, error_ns = 0;
   char text[PITOT_TIME_TEXT_B];

   for (size_t i = 0; i < report->slice_count; i++)
      disjoint +=
         pitot_report_u64(report, report->slices[i].values, "disjoint") != 0;
   fprintf(out, "\nnotes\n-----\n");
   fprintf(out, "Not measured: %" PRIu64 " calls.\n",
           count_unmeasured(report));
   if (disjoint > 0)
      fprintf(out,
              "Slices whose times may be worthless (disjoint): %" PRIu64
              ".\n",
              disjoint);
   for (size_t i = 0; i < report->mark_count; i++) {
      const uint64_t bound_ns =
         pitot_report_u64(report, report->marks[i].values, "error_ns");

      if (error_ns < bound_ns)
         error_ns = bound_ns;
   }
   if (error_ns > 0)
      fprintf(out, "CPU and GPU times are apart by %s at most.\n",
              pitot_time_text(text, error_ns));
   if (report->is_cut)
      fprintf(out,
              "The trace has no end: the program died, or still runs.\n");
   if (report->bad_line_count > 0)
      fprintf(out, "Lines of the trace that could not be read: %zu.\n",
              report->bad_line_count);
   for (size_t i = 0; i < report->mark_count; i++) {
      if (strcmp(report->marks[i].name, "profile") != 0)
         write_mark(report, i, out);
   }
}

int
pitot_report_write_text(const struct pitot_report *report, FILE *out)
{
   int error;

   write_title(report, out);
   error = write_frames(report, out);
   if (error == 0)
      error = pitot_text_work(report, out);
   if (error == 0)
      error = pitot_text_stalls(report, out);
   write_notes(report, out);
   return error;
}
