/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The output for people: tables of a column of names and columns of ten
 * characters.  Names come from the profiled program: put_text() and
 * put_name() replace what would control the terminal.
 */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report.h"

#define NAME_WIDTH 44
#define MAX_ROWS   20 /* of a table */
#define MAX_INDENT 24 /* of a name */

/*
 * Cells
 */

static void
put_text(FILE *out, const char *text)
{
   while (*text)
      text = pitot_report_put_character(out, PITOT_REPORT_TXT, text);
}

/* Writes a UTF-8 name, filled up or cut to the width of the column. */
static void
put_name(FILE *out, const char *name, unsigned indent)
{
   unsigned used = indent;

   fprintf(out, "%*s", (int)indent, "");
   for (; *name;
        name = pitot_report_put_character(out, PITOT_REPORT_TXT, name)) {
      if (used++ >= NAME_WIDTH - 1) {
         fputs("~", out);
         break;
      }
   }
   if (used < NAME_WIDTH)
      fprintf(out, "%*s", (int)(NAME_WIDTH - used), "");
}

static void
put_heads(FILE *out, const char *name, const char *const *heads,
          unsigned count)
{
   fputc('\n', out);
   put_name(out, name, 0);
   for (unsigned i = 0; i < count; i++)
      fprintf(out, " %10s", heads[i]);
   fputc('\n', out);
   for (unsigned i = 0; i < NAME_WIDTH + 11 * count; i++)
      fputc('-', out);
   fputc('\n', out);
}

static void
put_cell(FILE *out, const char *text)
{
   fprintf(out, " %10s", text);
}

static void
put_time(FILE *out, uint64_t time_ns)
{
   char text[PITOT_TIME_TEXT_B];

   put_cell(out, pitot_time_text(text, time_ns));
}

/* Writes an integer of up to ten digits exactly, and other numbers with two
 * decimals.
 */
static void
put_number(FILE *out, double number)
{
   if (fabs(number) >= 1e10)
      fprintf(out, " %10.3e", number);
   else
      fprintf(out, " %10.*f", number == floor(number) ? 0 : 2, number);
}

/*
 * Tables of sums
 */

enum column {
   SHARE,
   TIMES,
   TOTAL,
   MEAN,
   HIGHEST,
   DRAWS,
   OVERDRAW,
   BYTES,
   COLUMN_COUNT
};

#define OF_PASSES ((1 << BYTES) - 1)
#define OF_CALLS  ((1 << DRAWS) - 1)
#define OF_GROUPS ((1 << HIGHEST) - 1)
#define OF_STALLS ((OF_CALLS & ~(1 << SHARE)) | 1 << BYTES)

struct table {
   FILE *out;
   unsigned columns;  /* a bit for each */
   uint64_t whole_ns; /* 100 % of shares */
};

static void
put_sum_heads(const struct table *table, const char *name)
{
   static const char *const all[COLUMN_COUNT] = {
      [SHARE] = "share",       [TIMES] = "times",     [TOTAL] = "total",
      [MEAN] = "mean",         [HIGHEST] = "highest", [DRAWS] = "draws",
      [OVERDRAW] = "overdraw", [BYTES] = "bytes",
   };
   const char *heads[COLUMN_COUNT];
   unsigned count = 0;

   for (unsigned i = 0; i < COLUMN_COUNT; i++) {
      if (table->columns & 1u << i)
         heads[count++] = all[i];
   }
   put_heads(table->out, name, heads, count);
}

static void
put_column(const struct table *table, const struct pitot_sum *sum,
           enum column column)
{
   FILE *out = table->out;

   switch (column) {
   case SHARE:
      fprintf(out, " %8.1f %%",
              table->whole_ns > 0
                 ? 100 * (double)sum->total_ns / (double)table->whole_ns
                 : 0);
      break;
   case TIMES:
      fprintf(out, " %10zu", sum->count);
      break;
   case TOTAL:
      put_time(out, sum->total_ns);
      break;
   case MEAN:
      put_time(out, sum->total_ns / sum->count);
      break;
   case HIGHEST:
      put_time(out, sum->highest_ns);
      break;
   case DRAWS:
      put_number(out, sum->draws);
      break;
   case OVERDRAW:
      if (sum->pixels > 0)
         put_number(out, sum->samples / (double)sum->pixels);
      break;
   default:
      if (sum->size_B > 0)
         put_number(out, (double)sum->size_B);
   }
}

static void
put_columns(const struct table *table, const struct pitot_sum *sum)
{
   for (unsigned i = 0; i < COLUMN_COUNT; i++) {
      if (table->columns & 1u << i)
         put_column(table, sum, i);
   }
   fputc('\n', table->out);
}

/* Writes a call's category, unless its name contains that, with its name and
 * pass; or the name of a pass.
 */
static void
put_sum_name(FILE *out, const struct pitot_sum *sum)
{
   const char *category = pitot_report_category_names[sum->category];
   const bool is_said = sum->category == PITOT_REPORT_PASS ||
                        strstr(sum->name, category) != NULL;
   char name[256];

   snprintf(name, sizeof(name), "%s%s%s%s%s", is_said ? "" : category,
            is_said ? "" : " ", sum->name, sum->pass[0] ? ", in " : "",
            sum->pass);
   put_name(out, name, 0);
}

/* Writes the sums of the longest times, and one row for all others. */
static void
write_sums(const struct table *table, const char *name,
           const struct pitot_sum *sums)
{
   struct pitot_sum rest = { .count = 0 };
   char text[64];

   if (sums->child_count == 0)
      return;
   put_sum_heads(table, name);
   for (size_t i = 0; i < sums->child_count; i++) {
      const struct pitot_sum *sum = sums->children[i];

      if (i < MAX_ROWS) {
         put_sum_name(table->out, sum);
         put_columns(table, sum);
      } else {
         rest.total_ns += sum->total_ns;
      }
   }
   if (sums->child_count <= MAX_ROWS)
      return;
   snprintf(text, sizeof(text), "and %zu more", sums->child_count - MAX_ROWS);
   put_name(table->out, text, 0);
   if (table->columns & 1 << SHARE)
      put_column(table, &rest, SHARE);
   put_cell(table->out, "");
   put_column(table, &rest, TOTAL);
   fputc('\n', table->out);
}

/* Writes the groups inside a node, and the groups inside those.  Skips small
 * groups, because there may be thousands.
 */
static void
write_groups(const struct table *table, const struct pitot_sum *parent)
{
   bool has_heads = parent->depth > 0;

   for (size_t i = 0; i < parent->child_count; i++) {
      const struct pitot_sum *node = parent->children[i];
      const unsigned indent = 2 * parent->depth;

      if (node->category != PITOT_REPORT_GROUP ||
          node->total_ns < table->whole_ns / 1000)
         continue;
      if (!has_heads)
         put_sum_heads(table, "groups of 0.1 % and more");
      has_heads = true;
      put_name(table->out, node->name,
               indent < MAX_INDENT ? indent : MAX_INDENT);
      put_columns(table, node);
      write_groups(table, node);
   }
}

/*
 * Other tables
 */

/* Writes percentiles of a time over the frames, by nearest rank. */
static void
write_times(struct pitot_summary *summary, enum pitot_frame_time time,
            const char *name, FILE *out)
{
   static const unsigned percent[] = { 0, 50, 95, 99, 100 };
   const size_t count = pitot_summary_sort_frames(summary, time);

   if (count == 0)
      return;
   put_name(out, name, 0);
   for (unsigned i = 0; i < sizeof(percent) / sizeof(*percent); i++) {
      const size_t rank = (count * percent[i] + 99) / 100;

      put_time(out, summary->frames[rank == 0 ? 0 : rank - 1].times_ns[time]);
   }
   fputc('\n', out);
}

static void
write_frames(struct pitot_summary *summary, FILE *out)
{
   static const char *const heads[] = { "lowest", "median", "95 %", "99 %",
                                        "highest" };
   static const char *const names[PITOT_FRAME_TIME_COUNT] = {
      [PITOT_FRAME_GPU] = "GPU, from begin to end",
      [PITOT_FRAME_BUSY] = "GPU, at work: the sum of all in it",
      [PITOT_FRAME_APART] = "from one begin to the next",
      [PITOT_FRAME_COST] = "CPU, in the profile itself",
   };

   if (summary->frame_count > 0)
      put_heads(out, summary->are_parts ? "parts of frames" : "frames", heads,
                5);
   for (unsigned i = 0; i < PITOT_FRAME_TIME_COUNT; i++)
      write_times(summary, i, names[i], out);
}

/* Writes the total of each counter, and its mean per frame and per draw. */
static void
write_counters(const struct pitot_summary *summary, FILE *out)
{
   const struct pitot_report *report = summary->report;
   static const char *const heads[] = { "total", "a frame", "a draw" };
   size_t zeros = 0;

   if (report->counter_count > 0)
      put_heads(out, "counters", heads, 3);
   for (size_t i = 0; i < report->counter_count; i++) {
      const struct pitot_report_counter *counter = &report->counters[i];

      if (counter->total == 0) {
         zeros++;
         continue;
      }
      put_name(out, counter->name, 0);
      put_number(out, counter->total);
      if (summary->frame_count > 0 && !summary->are_parts)
         put_number(out, counter->of_frames / (double)summary->frame_count);
      else
         put_cell(out, "");
      if (summary->draws > 0)
         put_number(out, counter->total / summary->draws);
      fputc('\n', out);
   }
   if (zeros > 0)
      fprintf(out, "and %zu that counted nothing\n", zeros);
}

/* Writes tables of GPU work, and of CPU calls that waited or moved data. */
static void
write_work(const struct pitot_summary *summary, FILE *out)
{
   const uint64_t whole_ns = summary->tree.total_ns;

   write_sums(&(struct table){ out, OF_PASSES, whole_ns }, "passes",
              &summary->passes);
   write_groups(&(struct table){ out, OF_GROUPS, whole_ns }, &summary->tree);
   write_sums(&(struct table){ out, OF_CALLS, whole_ns }, "calls",
              &summary->calls);
   write_counters(summary, out);
   write_sums(&(struct table){ out, OF_STALLS, 0 },
              "waits and transfers, on the CPU", &summary->stalls);
}

/*
 * Lines
 */

static void
write_title(const struct pitot_summary *summary, FILE *out)
{
   const json_t *profile = json_object_get(summary->report->marks, "profile");
   const json_t *values = json_object_get(profile, "values");
   const uint64_t time_ns = summary->begin_ns < summary->end_ns
                               ? summary->end_ns - summary->begin_ns
                               : 0;
   const bool is_one = summary->frame_count == 1 && !summary->are_parts;
   size_t lost_count = 0;
   char time[PITOT_TIME_TEXT_B], busy[PITOT_TIME_TEXT_B];

   if (profile) {
      put_text(out, pitot_report_text(values, "program"));
      fputs(" on ", out);
      put_text(out, pitot_report_text(values, "device"));
      fputs(", profiled by ", out);
      put_text(out, pitot_report_text(values, "level"));
      fputc('\n', out);
   }
   fprintf(out, "%zu %sframe%s", summary->frame_count,
           summary->are_parts ? "parts of " : "", is_one ? "" : "s");
   for (size_t i = 0; i < summary->frame_count; i++)
      lost_count += summary->frames[i].times_ns[PITOT_FRAME_GPU] == 0;
   if (lost_count > 0)
      fprintf(out, " (%zu not measured)", lost_count);
   fprintf(out, " in %s; the GPU worked for %s of that",
           pitot_time_text(time, time_ns),
           pitot_time_text(busy, summary->busy_ns));
   if (time_ns > 0)
      fprintf(out, " (%.0f %%)",
              100 * (double)summary->busy_ns / (double)time_ns);
   fputc('\n', out);
}

/* Writes one line for all instant events of a name, and the last values. */
static void
write_mark(const char *name, const json_t *mark, FILE *out)
{
   const uint64_t count = pitot_report_u64(mark, "count");
   const char *before = ", last: ";
   json_t *value;

   put_text(out, name);
   fprintf(out, ", %" PRIu64 " time%s", count, count == 1 ? "" : "s");
   json_object_foreach(json_object_get(mark, "values"), name, value)
   {
      const double number = json_number_value(value);

      fputs(before, out);
      put_text(out, name);
      fputc(' ', out);
      if (json_is_string(value))
         put_text(out, json_string_value(value));
      else if (json_is_number(value))
         fprintf(out, number == floor(number) ? "%.0f" : "%g", number);
      before = ", ";
   }
   fputc('\n', out);
}

/* Writes everything that limits the meaning of the numbers. */
static void
write_notes(const struct pitot_summary *summary, FILE *out)
{
   const struct pitot_report *report = summary->report;
   const json_t *lost = json_object_get(report->marks, "not measured");
   char time[PITOT_TIME_TEXT_B];
   const char *name;
   json_t *mark;

   fprintf(out, "\nnotes\n-----\n");
   fprintf(out, "Not measured: %" PRIu64 " calls.\n",
           pitot_report_u64(lost, "calls"));
   if (summary->disjoint_count > 0)
      fprintf(out, "Slices whose times may be worthless (disjoint): %zu.\n",
              summary->disjoint_count);
   if (report->error_ns > 0)
      fprintf(out, "CPU and GPU times agree to about %s.\n",
              pitot_time_text(time, report->error_ns));
   if (report->is_cut)
      fprintf(out, "The trace has no end: the program died, still runs, or "
                   "met a limit.\n");
   if (report->bad_line_count > 0)
      fprintf(out, "Lines of the trace that could not be read: %zu.\n",
              report->bad_line_count);
   json_object_foreach(report->marks, name, mark)
   {
      if (strcmp(name, "profile") != 0)
         write_mark(name, mark, out);
   }
}

int
pitot_report_write_text(const char *trace_path, FILE *out)
{
   struct pitot_summary summary;
   const int error = pitot_summary_read(trace_path, &summary);

   if (error != 0)
      return error;
   write_title(&summary, out);
   write_frames(&summary, out);
   write_work(&summary, out);
   write_notes(&summary, out);
   pitot_summary_finish(&summary);
   return 0;
}
