/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The output for programs: CSV as in RFC 4180, but lines end with LF.
 *
 * Each line has a column for each counter of the whole trace, so the trace is
 * read twice: for the counters, and then for the slices.  Names come from the
 * profiled program: they are quoted, and must not start a formula.
 */

#include <inttypes.h>
#include <string.h>

#include "report.h"

static const char heads[] =
   "process,thread,frame,groups,pass,category,name,begin_ns,ns,flow,pixels,"
   "size_B,draws,dispatches,clears,blits,copies";

static const char *const calls[] = { "draws", "dispatches", "clears", "blits",
                                     "copies" };

static void
put_characters(FILE *out, const char *text)
{
   while (*text)
      text = pitot_report_put_character(out, PITOT_REPORT_CSV, text);
}

/* Spreadsheets take a cell that begins like this for a formula, which may
 * start programs.  An apostrophe makes it a text.
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

/* Writes the outermost group first.  Returns whether there are groups. */
static bool
put_groups(FILE *out, const struct pitot_report_slice *slice)
{
   const bool is_inner = slice->parent && put_groups(out, slice->parent);

   if (slice->category != PITOT_REPORT_GROUP)
      return is_inner;
   if (is_inner)
      put_characters(out, slice->name);
   else
      put_begin(out, slice->name);
   fputc('/', out);
   return true;
}

static void
put_counters(FILE *out, const struct pitot_report *all,
             const struct pitot_report_slice *slice)
{
   for (size_t i = 0; i < all->counter_count; i++) {
      double sum;

      fputc(',', out);
      if (pitot_report_count(slice, all->counters[i].name, &sum))
         fprintf(out, "%.17g", sum);
   }
}

/* all has the counters of the whole trace, one column each. */
struct table {
   FILE *out;
   struct pitot_report *all;
};

static void
write_slice(const struct table *table, const struct pitot_report_slice *slice)
{
   FILE *out = table->out;
   const struct pitot_report_slice *frame =
      pitot_report_around(slice, PITOT_REPORT_FRAME);
   const struct pitot_report_slice *pass =
      pitot_report_around(slice, PITOT_REPORT_PASS);

   put_text(out, slice->track->process);
   fputc(',', out);
   put_text(out, slice->track->thread);
   fputc(',', out);
   if (frame)
      fprintf(out, "%" PRIu64, pitot_report_u64(frame->values, "frame"));
   fputs(",\"", out);
   put_groups(out, slice);
   fputs("\",", out);
   put_text(out, pass ? pass->name : "");
   fprintf(out, ",%s,", pitot_report_category_names[slice->category]);
   put_text(out, slice->name);
   fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
           slice->begin_ns, pitot_report_ns(slice), slice->flow,
           pitot_report_u64(slice->values, "pixels"),
           pitot_report_u64(slice->values, "size_B"));
   for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
      double count;

      (void)pitot_report_count(slice, calls[i], &count);
      fprintf(out, ",%.0f", count);
   }
   put_counters(out, table->all, slice);
   fputc('\n', out);
}

static void
take_batch(void *data, struct pitot_report *report)
{
   for (size_t i = 0; i < report->slice_count; i++)
      write_slice(data, &report->slices[i]);
}

int
pitot_report_write_csv(const char *trace_path, FILE *out)
{
   struct table table = { .out = out };
   struct pitot_report *report;
   int error = pitot_report_read(trace_path, NULL, NULL, &table.all);

   if (error != 0)
      return error;
   fputs(heads, out);
   for (size_t i = 0; i < table.all->counter_count; i++) {
      fputc(',', out);
      put_text(out, table.all->counters[i].name);
   }
   fputc('\n', out);
   error = pitot_report_read(trace_path, take_batch, &table, &report);
   if (error == 0)
      pitot_report_free(report);
   pitot_report_free(table.all);
   return error;
}
