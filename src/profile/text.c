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

#include "table.h"
#include "text.h"

enum {
   FRAME_GPU,
   FRAME_BUSY,
   FRAME_APART,
   FRAME_COST,
   FRAME_LINES
};

/* Times of which a table shows the lowest, median, ... */
struct times {
   uint64_t *ns;
   size_t count, room;
};

/* Frames, or parts of frames. */
struct frames {
   struct times times[FRAME_LINES];
   size_t lost_count; /* without a time: all in them was lost */
   uint64_t *begins;  /* of the latest one of each track; UINT64_MAX: none */
   size_t track_count;
};

/* Facts of all batches that the text shows. */
struct text {
   struct frames frames[PITOT_REPORT_KIND_COUNT];
   /* The first and the last moment of the GPU's work, and the time of it all.
    */
   uint64_t begin_ns, end_ns, busy_ns;
   size_t disjoint_count;
   struct pitot_text_work work;
};

/*
 * Batches
 */

static bool
add_time(struct times *times, uint64_t ns)
{
   if (times->count == times->room) {
      const size_t room = 2 * times->room + 64;
      uint64_t *larger = realloc(times->ns, room * sizeof(*larger));

      if (!larger)
         return false;
      times->ns = larger;
      times->room = room;
   }
   times->ns[times->count++] = ns;
   return true;
}

static bool
add_tracks(struct frames *frames, size_t count)
{
   uint64_t *begins;

   if (count <= frames->track_count)
      return true;
   begins = realloc(frames->begins, count * sizeof(*begins));
   if (!begins)
      return false;
   for (size_t i = frames->track_count; i < count; i++)
      begins[i] = UINT64_MAX;
   frames->begins = begins;
   frames->track_count = count;
   return true;
}

/* Returns whether a frame has the time of a line of the table, and it. */
static bool
frame_time(const struct pitot_report *report, size_t frame,
           uint64_t previous_ns, unsigned line, uint64_t *ns_out)
{
   const struct pitot_report_slice *slice = &report->slices[frame];

   switch (line) {
   case FRAME_GPU:
      *ns_out = pitot_report_ns(slice);
      return true;
   case FRAME_BUSY:
      *ns_out = pitot_sum_busy_ns(report, frame);
      return slice->after > frame + 1;
   case FRAME_APART:
      *ns_out = slice->begin_ns - previous_ns;
      return slice->begin_ns >= previous_ns;
   default:
      *ns_out = pitot_report_u64(report, slice->values, "profile_cpu_ns");
      return pitot_report_value(report, slice->values, "profile_cpu_ns");
   }
}

static bool
add_frame(struct frames *frames, const struct pitot_report *report,
          size_t frame)
{
   const struct pitot_report_slice *slice = &report->slices[frame];
   bool has_memory = add_tracks(frames, report->track_count);

   for (unsigned line = 0; line < FRAME_LINES && has_memory; line++) {
      uint64_t ns;

      if (frame_time(report, frame, frames->begins[slice->track], line, &ns))
         has_memory = add_time(&frames->times[line], ns);
   }
   if (has_memory)
      frames->begins[slice->track] = slice->begin_ns;
   frames->lost_count += pitot_report_ns(slice) == 0;
   return has_memory;
}

static void
add_extent(struct text *text, const struct pitot_report *report, size_t slice)
{
   const struct pitot_report_slice *s = &report->slices[slice];

   if (text->begin_ns > s->begin_ns)
      text->begin_ns = s->begin_ns;
   if (text->end_ns < s->end_ns)
      text->end_ns = s->end_ns;
   text->busy_ns += pitot_sum_busy_ns(report, slice);
}

static int
take_batch(void *data, const struct pitot_report *report)
{
   struct text *text = data;

   for (size_t i = 0; i < report->slice_count; i++) {
      const struct pitot_report_slice *slice = &report->slices[i];
      enum pitot_report_kind kind;

      if (pitot_report_is_frame(report, i, &kind) &&
          !add_frame(&text->frames[kind], report, i))
         return -ENOMEM;
      text->disjoint_count +=
         pitot_report_u64(report, slice->values, "disjoint") != 0;
      if (slice->parent == PITOT_REPORT_NONE &&
          pitot_report_is_gpu(report, slice))
         add_extent(text, report, i);
   }
   return pitot_text_work_add(&text->work, report) ? 0 : -ENOMEM;
}

/*
 * The text
 */

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

static void
write_frames(struct text *text, const struct pitot_report *report, FILE *out)
{
   static const char *const heads[] = { "lowest", "median", "95 %", "99 %",
                                        "highest" };
   static const char *const names[FRAME_LINES] = {
      [FRAME_GPU] = "GPU, from begin to end",
      [FRAME_BUSY] = "GPU, at work: the sum of all in it",
      [FRAME_APART] = "from one begin to the next",
      [FRAME_COST] = "CPU, in the profile itself",
   };
   struct frames *frames = &text->frames[pitot_report_kind(report)];

   if (pitot_report_frames(report) > 0)
      pitot_table_heads(out,
                        report->frame_count > 0 ? "frames"
                                                : "parts of frames",
                        heads, PITOT_RANK_COUNT);
   for (unsigned line = 0; line < FRAME_LINES; line++)
      put_times(out, names[line], &frames->times[line]);
}

static void
write_program(const struct pitot_report *report,
              struct pitot_report_values values, FILE *out)
{
   fputs(pitot_report_text(report, values, "program"), out);
   fputs(" on ", out);
   fputs(pitot_report_text(report, values, "device"), out);
   fputs(", profiled by ", out);
   fputs(pitot_report_text(report, values, "level"), out);
   fputc('\n', out);
}

static void
write_title(const struct text *text, const struct pitot_report *report,
            FILE *out)
{
   const uint64_t time_ns =
      text->begin_ns < text->end_ns ? text->end_ns - text->begin_ns : 0;
   const size_t lost_count =
      text->frames[pitot_report_kind(report)].lost_count;
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
           pitot_time_text(busy, text->busy_ns));
   if (time_ns > 0)
      fprintf(out, " (%.0f %%)",
              100 * (double)text->busy_ns / (double)time_ns);
   fputc('\n', out);
}

/* Marks of the same name are one line, with the last one's values. */
static void
write_mark(const struct pitot_report *report,
           const struct pitot_report_mark *mark, FILE *out)
{
   fputs(mark->name, out);
   fprintf(out, ", %zu time%s", mark->count, mark->count == 1 ? "" : "s");
   for (unsigned i = 0; i < mark->values.count; i++) {
      const struct pitot_trace_value *value =
         &report->values[mark->values.first + i];

      fputs(i == 0 ? ", last: " : ", ", out);
      fputs(value->name, out);
      fputc(' ', out);
      if (value->type == PITOT_TRACE_STRING)
         fputs(value->string, out);
      else if (value->type == PITOT_TRACE_U64)
         fprintf(out, "%" PRIu64, value->u64);
      else
         fprintf(out, "%g", value->number);
   }
   fputc('\n', out);
}

/* Returns how many calls are in no slice. */
static uint64_t
count_unmeasured(const struct pitot_report *report)
{
   for (size_t i = 0; i < report->mark_count; i++) {
      if (strcmp(report->marks[i].name, "not measured") == 0)
         return report->marks[i].calls;
   }
   return 0;
}

/* Everything that a reader of the numbers has to know. */
static void
write_notes(const struct text *text, const struct pitot_report *report,
            FILE *out)
{
   uint64_t error_ns = 0;
   char time[PITOT_TIME_TEXT_B];

   fprintf(out, "\nnotes\n-----\n");
   fprintf(out, "Not measured: %" PRIu64 " calls.\n",
           count_unmeasured(report));
   if (text->disjoint_count > 0)
      fprintf(out, "Slices whose times may be worthless (disjoint): %zu.\n",
              text->disjoint_count);
   for (size_t i = 0; i < report->mark_count; i++) {
      if (error_ns < report->marks[i].error_ns)
         error_ns = report->marks[i].error_ns;
   }
   if (error_ns > 0)
      fprintf(out, "CPU and GPU times are apart by %s at most.\n",
              pitot_time_text(time, error_ns));
   if (report->is_cut)
      fprintf(out, "The trace has no end: the program died, still runs, or "
                   "met a limit.\n");
   if (report->bad_line_count > 0)
      fprintf(out, "Lines of the trace that could not be read: %zu.\n",
              report->bad_line_count);
   for (size_t i = 0; i < report->mark_count; i++) {
      if (strcmp(report->marks[i].name, "profile") != 0)
         write_mark(report, &report->marks[i], out);
   }
}

static bool
write_text(struct text *text, const struct pitot_report *report, FILE *out)
{
   bool has_memory;

   write_title(text, report, out);
   write_frames(text, report, out);
   has_memory = pitot_text_work_write(&text->work, report, out);
   write_notes(text, report, out);
   return has_memory;
}

int
pitot_report_write_text(const char *trace_path, FILE *out)
{
   struct text text = { .begin_ns = UINT64_MAX };
   struct pitot_report *report;
   int error = -ENOMEM;

   if (pitot_text_work_init(&text.work))
      error = pitot_report_read(trace_path, take_batch, &text, &report);
   if (error == 0) {
      error = write_text(&text, report, out) ? 0 : -ENOMEM;
      pitot_report_free(report);
   }
   for (unsigned kind = 0; kind < PITOT_REPORT_KIND_COUNT; kind++) {
      for (unsigned line = 0; line < FRAME_LINES; line++)
         free(text.frames[kind].times[line].ns);
      free(text.frames[kind].begins);
   }
   pitot_text_work_finish(&text.work);
   return error;
}
