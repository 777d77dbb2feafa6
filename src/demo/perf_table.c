/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "perf_table.h"

#include <inttypes.h>

#include "columns.h"

/* Widths, in columns; a name that is longer is cut off. */
#define NAME_WIDTH 36
#define UNIT_WIDTH 12

/* What fits into a column with a space before it. */
#define WIDEST_INTEGER 999999999

/* Counts as they are, and the time of the day, which is none, in brief. */
static void
print_integer(FILE *out, uint64_t value)
{
   static const char prefixes[] = "MGTPE";
   double scaled = (double)value / 1e6;
   unsigned i = 0;

   if (value <= WIDEST_INTEGER) {
      fprintf(out, "%*" PRIu64, COLUMN_WIDTH, value);
      return;
   }
   while (scaled >= 1000) {
      scaled /= 1000;
      i++;
   }
   fprintf(out, "%*.3f%c", COLUMN_WIDTH - 1, scaled, prefixes[i]);
}

static void
print_value(FILE *out, const struct perf_counter *counter,
            const uint8_t *record)
{
   if (!record)
      fprintf(out, "%*s", COLUMN_WIDTH, "-");
   else if (perf_is_real(counter))
      fprintf(out, "%*.4g", COLUMN_WIDTH, perf_real(counter, record));
   else
      print_integer(out, perf_integer(counter, record));
}

static void
print_set(FILE *out, const struct result *result, const struct perf_set *set)
{
   columns_head(out, result, NAME_WIDTH + UNIT_WIDTH, set->name);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct perf_counter *counter = &set->counters[i];

      fprintf(out, "%-*.*s%-*s", NAME_WIDTH, NAME_WIDTH - 1, counter->name,
              UNIT_WIDTH, counter->unit);
      for (unsigned scene = 0; scene < SCENE_COUNT; scene++) {
         if (result->scenes[scene].drawn)
            print_value(out, counter, set->records[scene]);
      }
      fputc('\n', out);
   }
   fputc('\n', out);
}

void
perf_table_print(FILE *out, const struct result *result)
{
   if (result->no_perf)
      fprintf(out, "no counter sets: %s\n\n", result->no_perf);
   for (unsigned i = 0; i < result->perf.count; i++)
      print_set(out, result, &result->perf.sets[i]);
}
