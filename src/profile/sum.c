/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
compare_u64(const void *a, const void *b)
{
   const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

   return (first > second) - (first < second);
}

void
pitot_sum_sort(uint64_t *values, size_t count)
{
   qsort(values, count, sizeof(*values), compare_u64);
}

/* By the nearest rank. */
uint64_t
pitot_sum_rank(const uint64_t *values, size_t count, enum pitot_rank rank)
{
   static const unsigned percent[PITOT_RANK_COUNT] = { 0, 50, 95, 99, 100 };
   const size_t above = (count * percent[rank] + 99) / 100;

   return values[above == 0 ? 0 : above - 1];
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

uint64_t
pitot_sum_busy_ns(const struct pitot_report *report, size_t slice)
{
   const struct pitot_report_slice *slices = report->slices;
   uint64_t busy_ns = 0;

   if (slices[slice].after == slice + 1)
      return pitot_report_ns(&slices[slice]);
   for (size_t i = slice + 1; i < slices[slice].after; i = slices[i].after)
      busy_ns += pitot_sum_busy_ns(report, i);
   return busy_ns;
}

static int
by_key(const void *a, const void *b)
{
   const struct pitot_sum *first = a, *second = b;
   int order = (int)first->category - (int)second->category;

   if (order == 0)
      order = strcmp(first->name, second->name);
   return order != 0 ? order : strcmp(first->pass, second->pass);
}

static int
by_total(const void *a, const void *b)
{
   const struct pitot_sum *first = a, *second = b;
   const int order = (first->total_ns < second->total_ns) -
                     (first->total_ns > second->total_ns);

   return order != 0 ? order : by_key(a, b);
}

static struct pitot_sum
sum_one(const struct pitot_report *report, size_t slice)
{
   const struct pitot_report_slice *s = &report->slices[slice];
   const bool is_gpu = pitot_report_is_gpu(report, s);
   const size_t pass = pitot_report_around(report, slice, PITOT_REPORT_PASS);
   struct pitot_sum sum = {
      .category = s->category,
      .name = s->name,
      .pass = pass != PITOT_REPORT_NONE && pass != slice
                 ? report->slices[pass].name
                 : "",
      .count = 1,
      .total_ns =
         is_gpu ? pitot_sum_busy_ns(report, slice) : pitot_report_ns(s),
      .size_B = pitot_report_u64(report, s->values, "size_B"),
   };

   sum.highest_ns = sum.total_ns;
   for (unsigned i = PITOT_REPORT_DRAW; is_gpu && i <= PITOT_REPORT_COPY; i++)
      sum.calls[i] = pitot_report_calls(report, slice, i);
   sum.has_samples =
      pitot_report_count(report, slice, "samples passed", &sum.samples);
   if (sum.has_samples)
      sum.pixels = pitot_report_u64(report, s->values, "pixels");
   return sum;
}

static void
merge(struct pitot_sum *into, const struct pitot_sum *from)
{
   into->count += from->count;
   into->total_ns += from->total_ns;
   if (into->highest_ns < from->highest_ns)
      into->highest_ns = from->highest_ns;
   for (unsigned i = PITOT_REPORT_DRAW; i <= PITOT_REPORT_COPY; i++)
      into->calls[i] += from->calls[i];
   into->pixels += from->pixels;
   into->size_B += from->size_B;
   into->samples += from->samples;
   into->has_samples |= from->has_samples;
}

static void
merge_equal(struct pitot_sums *sums)
{
   struct pitot_sum *list = sums->list;
   size_t merged = 0;

   qsort(list, sums->count, sizeof(*list), by_key);
   for (size_t i = 0; i < sums->count; i++) {
      if (merged > 0 && by_key(&list[merged - 1], &list[i]) == 0)
         merge(&list[merged - 1], &list[i]);
      else
         list[merged++] = list[i];
   }
   sums->count = sums->merged_count = merged;
}

/* To merge all sums for each batch of slices would take the square of their
 * number: they may double before.
 */
bool
pitot_sums_add(struct pitot_sums *sums, const struct pitot_report *report,
               enum pitot_report_category first,
               enum pitot_report_category last)
{
   const size_t room = sums->count + report->slice_count + 1;
   struct pitot_sum *list = realloc(sums->list, room * sizeof(*list));

   if (!list)
      return false;
   sums->list = list;
   for (size_t i = 0; i < report->slice_count; i++) {
      if (report->slices[i].category >= first &&
          report->slices[i].category <= last)
         list[sums->count++] = sum_one(report, i);
   }
   if (sums->count > 2 * sums->merged_count)
      merge_equal(sums);
   return true;
}

void
pitot_sums_sort(struct pitot_sums *sums)
{
   if (sums->count == 0)
      return;
   merge_equal(sums);
   qsort(sums->list, sums->count, sizeof(*sums->list), by_total);
}
