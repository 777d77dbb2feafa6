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
put_text(FILE *out, const char *text)
{
   fputc('"', out);
   for (const char *c = text; *c; c++) {
      if (*c == '"')
         fputc('"', out);
      fputc(*c, out);
   }
   fputc('"', out);
}

static void
put_u64(FILE *out, uint64_t value)
{
   fprintf(out, ",%" PRIu64, value);
}

/* The names of the groups around a slice, the outermost first. */
static void
put_groups(const struct pitot_report *report, FILE *out, size_t slice)
{
   if (slice == PITOT_REPORT_NONE)
      return;

   const struct pitot_report_slice *s = &report->slices[slice];

   put_groups(report, out, s->parent);
   if (s->category == PITOT_REPORT_GROUP) {
      for (const char *c = s->name; *c; c++) {
         if (*c == '"')
            fputc('"', out);
         fputc(*c, out);
      }
      fputc('/', out);
   }
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

static void
put_counters(const struct pitot_report *report, FILE *out, size_t slice)
{
   for (size_t i = 0; i < report->counter_count; i++) {
      double sum;

      fputc(',', out);
      if (!pitot_report_count(report, slice, report->counters[i], &sum))
         continue;
      if (sum == floor(sum) && fabs(sum) < 9e15)
         fprintf(out, "%.0f", sum);
      else
         fprintf(out, "%.17g", sum);
   }
}

static void
write_slice(const struct pitot_report *report, FILE *out, size_t slice)
{
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
   put_counters(report, out, slice);
   fputc('\n', out);
}

int
pitot_report_write_csv(const struct pitot_report *report, FILE *out)
{
   for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
      fprintf(out, "%s%s", i == 0 ? "" : ",", columns[i]);
   for (size_t i = 0; i < report->counter_count; i++) {
      fputc(',', out);
      put_text(out, report->counters[i]);
   }
   fputc('\n', out);
   for (size_t i = 0; i < report->slice_count; i++)
      write_slice(report, out, i);
   return 0;
}
