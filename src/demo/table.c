/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "table.h"

#include <inttypes.h>

#include "columns.h"
#include "perf_table.h"
#include "units.h"

/* Widths, in columns. */
#define NAME_WIDTH  20
#define TIME_WIDTH  14
#define APART_WIDTH 20
#define FLAG_WIDTH  12
#define TIMES_WIDTH (NAME_WIDTH + 3 * TIME_WIDTH + APART_WIDTH + FLAG_WIDTH)

/* Drivers' names are cut off at column 100. */
static void
print_header(FILE *out, const struct result *result)
{
   fprintf(out, "%s, %d x %d pixels\n", api_name(result->api), TARGET_SIZE,
           TARGET_SIZE);
   fprintf(out, "  renderer   %.87s\n", result->renderer);
   fprintf(out, "  version    %.87s\n", result->version);
   fprintf(out, "  timed by   %s\n", result->extension);
   fprintf(out, "  bits       time elapsed %d, timestamp %d\n",
           result->elapsed_bits, result->timestamp_bits);
   fprintf(out, "  samples    %d of each scene; the medians are shown\n\n",
           SAMPLE_COUNT);
}

/* Three decimals and a unit of fixed width keep the points in line. */
static void
print_time(FILE *out, int width, int64_t time_ns)
{
   const struct time_unit *unit = unit_for(time_ns);
   fprintf(out, " %*.3f %-2s", width - 4, (double)time_ns / unit->ns,
           unit->plain);
}

static const char *
disjoint_text(const struct result *result)
{
   if (!result->has_disjoint)
      return "-";
   return result->disjoint ? "yes" : "no";
}

static void
print_times(FILE *out, const struct result *result, unsigned i)
{
   const struct spread elapsed = result_elapsed(&result->scenes[i]);

   fprintf(out, "%-*s", NAME_WIDTH, scenes[i].name);
   print_time(out, TIME_WIDTH, elapsed.median_ns);
   print_time(out, TIME_WIDTH, elapsed.lowest_ns);
   print_time(out, TIME_WIDTH, elapsed.highest_ns);
   if (result->timestamp_bits > 0)
      print_time(out, APART_WIDTH,
                 result_between(&result->scenes[i]).median_ns);
   else
      fprintf(out, "%*s", APART_WIDTH, "-");
   fprintf(out, "%*s\n", FLAG_WIDTH, disjoint_text(result));
}

/* Says what can't be true of one scene's samples. Such values are shown as
 * they came; this is so that nobody takes them for a measurement.
 */
static void
print_doubts(FILE *out, const struct result *result, unsigned scene)
{
   const struct sample *samples = result->scenes[scene].samples;
   const char *name = scenes[scene].name;
   unsigned zero = 0, backwards = 0, longer = 0;

   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      const int64_t between_ns = sample_between_ns(&samples[i]);
      zero += samples[i].elapsed_ns == 0;
      backwards += between_ns < 0;
      longer +=
         between_ns >= 0 && samples[i].elapsed_ns > (uint64_t)between_ns;
   }
   if (zero)
      fprintf(out, "! %s: no time elapsed in %u of %d samples\n", name, zero,
              SAMPLE_COUNT);
   if (result->timestamp_bits == 0)
      return;
   if (backwards)
      fprintf(out, "! %s: timestamps run backwards in %u of %d samples\n",
              name, backwards, SAMPLE_COUNT);
   if (longer)
      fprintf(out,
              "! %s: more time elapsed than between the timestamps around "
              "it in %u of %d samples\n",
              name, longer, SAMPLE_COUNT);
}

static void
print_timing(FILE *out, const struct result *result)
{
   fprintf(out, "%-*s%*s%*s%*s%*s%*s\n", NAME_WIDTH, "scene", TIME_WIDTH,
           "time elapsed", TIME_WIDTH, "lowest", TIME_WIDTH, "highest",
           APART_WIDTH, "timestamps apart", FLAG_WIDTH, "disjoint");
   columns_rule(out, TIMES_WIDTH);
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (result->scenes[i].drawn)
         print_times(out, result, i);
   }
}

static void
print_notes(FILE *out, const struct result *result)
{
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (result->scenes[i].drawn)
         print_doubts(out, result, i);
   }
   if (result->discarded)
      fprintf(out, "! the clock was disturbed; sets of times discarded: %u\n",
              result->discarded);
   fputc('\n', out);
}

static void
print_counts(FILE *out, const struct result *result, unsigned counter)
{
   fprintf(out, "%-*s", NAME_WIDTH, counters[counter].label);
   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (!result->scenes[i].drawn)
         continue;
      if (result->counted[counter])
         fprintf(out, "%*" PRIu64, COLUMN_WIDTH,
                 result->scenes[i].counts[counter]);
      else
         fprintf(out, "%*s", COLUMN_WIDTH, "-");
   }
   fputc('\n', out);
}

static void
print_statistics(FILE *out, const struct result *result)
{
   columns_head(out, result, NAME_WIDTH, "counted in one draw");
   for (unsigned i = 0; i < COUNTER_COUNT; i++)
      print_counts(out, result, i);
   fputc('\n', out);
}

void
table_print(FILE *out, const struct result results[API_COUNT])
{
   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &results[api];
      if (!result->measured)
         continue;
      print_header(out, result);
      print_timing(out, result);
      print_notes(out, result);
      if (api == API_GL)
         print_statistics(out, result);
      perf_table_print(out, result);
   }
}
