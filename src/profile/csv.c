/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The output for programs: a line for each slice, as RFC 4180 says but for
 * the ends of lines.
 */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report.h"

static const char *const columns[] = {
   "process", "thread",     "frame",  "groups", "pass",   "category",
   "name",    "begin_ns",   "ns",     "flow",   "pixels", "size_B",
   "draws",   "dispatches", "clears", "blits",  "copies",
};

static void
put_characters(FILE *out, const char *text)
{
   for (const char *c = text; *c; c++) {
      if (*c == '"')
         fputc('"', out);
      fputc(*c, out);
   }
}

/* A spreadsheet takes a cell that begins like this for a formula, which may
 * start programs: an apostrophe says that it is a text.
 */
static void
put_begin(FILE *out, const char *text)
{
   if (*text && strchr("=+-@", *text))
      fputc('\'', out);
   put_characters(out, text);
}

static void
put_text(FILE *out, const char *text)
{
   fputc('"', out);
   put_begin(out, text);
   fputc('"', out);
}

static void
put_u64(FILE *out, uint64_t value)
{
   fprintf(out, ",%" PRIu64, value);
}

/* The names of the groups around a slice, the outermost first.  Returns
 * whether there are any.
 */
static bool
put_groups(const struct pitot_report *report, FILE *out, size_t slice)
{
   if (slice == PITOT_REPORT_NONE)
      return false;

   const struct pitot_report_slice *s = &report->slices[slice];
   const bool is_inner = put_groups(report, out, s->parent);

   if (s->category != PITOT_REPORT_GROUP)
      return is_inner;
   if (is_inner)
      put_characters(out, s->name);
   else
      put_begin(out, s->name);
   fputc('/', out);
   return true;
}

/* The number of the frame around a slice, and its pass. */
static void
put_place(const struct pitot_report *report, FILE *out, size_t slice)
{
   const size_t frame =
      pitot_report_around(report, slice, PITOT_REPORT_FRAME);
   const size_t pass = pitot_report_around(report, slice, PITOT_REPORT_PASS);

   fputc(',', out);
   if (frame != PITOT_REPORT_NONE)
      fprintf(out, "%" PRIu64,
              pitot_report_u64(report, report->slices[frame].values,
                               "frame"));
   fputs(",\"", out);
   put_groups(report, out, slice);
   fputs("\",", out);
   put_text(out, pass == PITOT_REPORT_NONE ? "" : report->slices[pass].name);
}

/* The table has a column for each counter of the whole trace. */
struct table {
   FILE *out;
   struct pitot_report *all; /* without slices */
};

static void
put_counters(const struct pitot_report *report, const struct table *table,
             size_t slice)
{
   FILE *out = table->out;

   for (size_t i = 0; i < table->all->counter_count; i++) {
      double sum;

      fputc(',', out);
      if (!pitot_report_count(report, slice, table->all->counters[i], &sum))
         continue;
      if (sum == floor(sum) && fabs(sum) < 9e15)
         fprintf(out, "%.0f", sum);
      else
         fprintf(out, "%.17g", sum);
   }
}

static void
write_slice(const struct pitot_report *report, const struct table *table,
            size_t slice)
{
   FILE *out = table->out;
   const struct pitot_report_slice *s = &report->slices[slice];
   const struct pitot_report_track *track = &report->tracks[s->track];
   const bool is_gpu = track->id.process == 0;

   put_text(out, track->process);
   fputc(',', out);
   put_text(out, track->thread);
   put_place(report, out, slice);
   fprintf(out, ",%s,", pitot_report_category_names[s->category]);
   put_text(out, s->name);
   put_u64(out, s->begin_ns);
   put_u64(out, pitot_report_ns(s));
   put_u64(out, s->flow);
   put_u64(out, pitot_report_u64(report, s->values, "pixels"));
   put_u64(out, pitot_report_u64(report, s->values, "size_B"));
   for (unsigned i = PITOT_REPORT_DRAW; i <= PITOT_REPORT_COPY; i++)
      put_u64(out, is_gpu ? pitot_report_calls(report, slice, i) : 0);
   put_counters(report, table, slice);
   fputc('\n', out);
}

static void
write_heads(const struct table *table)
{
   for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
      fprintf(table->out, "%s%s", i == 0 ? "" : ",", columns[i]);
   for (size_t i = 0; i < table->all->counter_count; i++) {
      fputc(',', table->out);
      put_text(table->out, table->all->counters[i]);
   }
   fputc('\n', table->out);
}

static int
take_no_batch(void *data, const struct pitot_report *report)
{
   (void)data;
   (void)report;
   return 0;
}

static int
take_batch(void *data, const struct pitot_report *report)
{
   for (size_t i = 0; i < report->slice_count; i++)
      write_slice(report, data, i);
   return 0;
}

int
pitot_report_write_csv(const char *trace_path, FILE *out)
{
   struct table table = { .out = out };
   struct pitot_report *report;
   int error = pitot_report_read(trace_path, take_no_batch, NULL, &table.all);

   if (error != 0)
      return error;
   write_heads(&table);
   error = pitot_report_read(trace_path, take_batch, &table, &report);
   if (error == 0)
      pitot_report_free(report);
   pitot_report_free(table.all);
   return error;
}
