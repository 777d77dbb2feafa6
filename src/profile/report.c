/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Questions about a slice and its values.
 */

#include "report.h"

#include <string.h>

const char *const pitot_report_category_names[PITOT_REPORT_CATEGORY_COUNT] = {
   [PITOT_REPORT_FRAME] = "frame",       [PITOT_REPORT_GROUP] = "group",
   [PITOT_REPORT_PASS] = "pass",         [PITOT_REPORT_DRAW] = "draw",
   [PITOT_REPORT_DISPATCH] = "dispatch", [PITOT_REPORT_CLEAR] = "clear",
   [PITOT_REPORT_BLIT] = "blit",         [PITOT_REPORT_COPY] = "copy",
   [PITOT_REPORT_CALL] = "call",         [PITOT_REPORT_WAIT] = "wait",
   [PITOT_REPORT_UPLOAD] = "upload",     [PITOT_REPORT_READBACK] = "readback",
};

/* The calls that were measured together, by their category. */
static const char *const call_counts[PITOT_REPORT_CATEGORY_COUNT] = {
   [PITOT_REPORT_DRAW] = "draws",   [PITOT_REPORT_DISPATCH] = "dispatches",
   [PITOT_REPORT_CLEAR] = "clears", [PITOT_REPORT_BLIT] = "blits",
   [PITOT_REPORT_COPY] = "copies",
};

uint64_t
pitot_report_busy_ns(const struct pitot_report_slice *slice)
{
   const struct pitot_report_slice *inner = slice + 1;
   uint64_t busy_ns = 0;

   if (slice->after == inner)
      return pitot_report_ns(slice);
   for (; inner < slice->after; inner = inner->after)
      busy_ns += pitot_report_busy_ns(inner);
   return busy_ns;
}

const struct pitot_report_mark *
pitot_report_find_mark(const struct pitot_report *report, const char *name)
{
   for (size_t i = 0; i < report->mark_count; i++) {
      if (strcmp(report->marks[i].name, name) == 0)
         return &report->marks[i];
   }
   return NULL;
}

const struct pitot_report_value *
pitot_report_value(const struct pitot_report_values *values, const char *name)
{
   for (size_t i = 0; i < values->count; i++) {
      if (strcmp(values->list[i].name, name) == 0)
         return &values->list[i];
   }
   return NULL;
}

/* Returns whether there is a number of that name. */
static bool
find_number(const struct pitot_report_values *values, const char *name,
            double *number_out)
{
   const struct pitot_report_value *value = pitot_report_value(values, name);

   if (!value || value->string)
      return false;
   *number_out = value->number;
   return true;
}

uint64_t
pitot_report_u64(const struct pitot_report_values *values, const char *name)
{
   double number;

   if (!find_number(values, name, &number) || number < 0 || number >= 0x1p64)
      return 0;
   return (double)(uint64_t)number == number ? (uint64_t)number : 0;
}

const char *
pitot_report_text(const struct pitot_report_values *values, const char *name)
{
   const struct pitot_report_value *value = pitot_report_value(values, name);

   return value && value->string ? value->string : "?";
}

bool
pitot_report_count(const struct pitot_report_slice *slice,
                   const char *counter, double *sum_out)
{
   bool is_any = false;

   if (find_number(&slice->values, counter, sum_out))
      return true;
   *sum_out = 0;
   for (const struct pitot_report_slice *inner = slice + 1;
        inner < slice->after; inner = inner->after) {
      double sum;

      is_any |= pitot_report_count(inner, counter, &sum);
      *sum_out += sum;
   }
   return is_any;
}

uint64_t
pitot_report_calls(const struct pitot_report_slice *slice,
                   enum pitot_report_category category)
{
   uint64_t calls = 0;

   if (slice->category == category)
      return 1;
   if (pitot_report_value(&slice->values, call_counts[category]))
      return pitot_report_u64(&slice->values, call_counts[category]);
   for (const struct pitot_report_slice *inner = slice + 1;
        inner < slice->after; inner = inner->after)
      calls += pitot_report_calls(inner, category);
   return calls;
}

const struct pitot_report_slice *
pitot_report_around(const struct pitot_report_slice *slice,
                    enum pitot_report_category category)
{
   while (slice && slice->category != category)
      slice = slice->parent;
   return slice;
}

const char *
pitot_time_text(char text_out[PITOT_TIME_TEXT_B], uint64_t time_ns)
{
   static const struct {
      double ns;
      const char *name;
   } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };

   for (unsigned i = 0; i < sizeof(units) / sizeof(*units); i++) {
      const double value = (double)time_ns / units[i].ns;

      if (value < 1)
         continue;
      snprintf(text_out, PITOT_TIME_TEXT_B, "%.*f %s",
               value < 10    ? 2
               : value < 100 ? 1
                             : 0,
               value, units[i].name);
      return text_out;
   }
   snprintf(text_out, PITOT_TIME_TEXT_B, "%u ns", (unsigned)time_ns);
   return text_out;
}
