/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Prints the tables of times, statistics and counters.
 * Invariant: each scene has a column of 10; the table of times fits into 100
 * columns, tables of perf sets are as wide as the names of their counters.
 * Danger: drivers report impossible times, which are printed unchanged:
 * --check finds them.
 */

#include "demo.h"

#include <math.h>
#include <string.h>

struct time_unit
unit_for(double time_ns)
{
   if (fabs(time_ns) >= 1e9)
      return (struct time_unit){ 1e9, "s" };
   if (fabs(time_ns) >= 1e6)
      return (struct time_unit){ 1e6, "ms" };
   return (struct time_unit){ 1e3, "us" };
}

static void
print_rule(FILE *out, int width)
{
   for (int i = 0; i < width; i++)
      fputc('-', out);
   fputc('\n', out);
}

/* Cuts the driver's strings at column 100. */
static void
print_header(FILE *out, const struct result *result)
{
   fprintf(out, "%s, %d x %d pixels\n", apis[result->api].name, TARGET_SIZE,
           TARGET_SIZE);
   fprintf(out, "  renderer   %.87s\n", result->renderer);
   fprintf(out, "  version    %.87s\n", result->version);
   fprintf(out, "  timed by   %s\n", apis[result->api].timed_by);
   fprintf(out, "  bits       time elapsed %d, timestamp %d\n",
           result->elapsed_bits, result->timestamp_bits);
   fprintf(out, "  samples    %d of each scene; the medians are shown\n\n",
           SAMPLE_COUNT);
}

/* The time between the timestamps around a draw: negative if the clock goes
 * backwards.
 */
static double
between_ns(const struct sample *sample)
{
   return (double)(int64_t)(sample->after_ns - sample->before_ns);
}

/* Three decimals and a unit of fixed width align the decimal points. */
static void
print_time(FILE *out, int digits, double time_ns)
{
   const struct time_unit unit = unit_for(time_ns);
   fprintf(out, " %*.3f %-2s", digits, time_ns / unit.ns, unit.name);
}

static void
print_times(FILE *out, const struct result *result)
{
   const char *disjoint = result->api == API_GL ? "-"
                          : result->disjoint    ? "yes"
                                                : "no";

   fputs("scene                 time elapsed        lowest       highest"
         "    timestamps apart    disjoint\n",
         out);
   print_rule(out, 94);
   for (unsigned i = 0; i < result->scene_count; i++) {
      const struct sample *samples = result->scenes[i].samples;

      fprintf(out, "%-20s", result->scenes[i].name);
      print_time(out, 10, (double)samples[MEDIAN].elapsed_ns);
      print_time(out, 10, (double)samples[LOWEST].elapsed_ns);
      print_time(out, 10, (double)samples[HIGHEST].elapsed_ns);
      if (result->timestamp_bits > 0)
         print_time(out, 16, between_ns(&samples[MEDIAN]));
      else
         fprintf(out, "%20s", "-");
      fprintf(out, "%12s\n", disjoint);
   }
}

/* Prints the head of a table.  The name of a scene takes two lines: the first
 * word above, the last word below.
 */
static void
print_scenes(FILE *out, const struct result *result, int label_width,
             const char *label)
{
   for (int line = 0; line < 2; line++) {
      fprintf(out, "%-*s", label_width, line ? label : "");
      for (unsigned i = 0; i < result->scene_count; i++) {
         const char *name = result->scenes[i].name;
         const char *space = strchr(name, ' ');

         if (line)
            fprintf(out, "%10s", space ? space + 1 : name);
         else
            fprintf(out, "%10.*s", space ? (int)(space - name) : 0, name);
      }
      fputc('\n', out);
   }
   print_rule(out, label_width + 10 * (int)result->scene_count);
}

/* Prints integers in full, but rounds those that do not fit, such as
 * timestamps.
 */
static void
print_value(FILE *out, double value)
{
   if (isnan(value))
      fprintf(out, "%10s", "-");
   else
      fprintf(out, "%10.*g",
              fabs(value) < 1e9 && value == trunc(value) ? 9 : 4, value);
}

static void
print_statistics(FILE *out, const struct result *result)
{
   print_scenes(out, result, 20, "counted in one draw");
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      fprintf(out, "%-20s", statistics[i].label);
      for (unsigned k = 0; k < result->scene_count; k++)
         print_value(out, result->counted[i]
                             ? (double)result->scenes[k].counts[i]
                             : NAN);
      fputc('\n', out);
   }
   fputc('\n', out);
}

static size_t
max_width(size_t width, size_t other)
{
   return other > width ? other : width;
}

/* A column for the names of all sets, and of all counters with their units */
static int
label_width(const struct perf_sets *sets)
{
   size_t width = 0;

   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];

      width = max_width(width, strlen(set->name));
      for (unsigned k = 0; k < set->counter_count; k++)
         width = max_width(width, strlen(set->counters[k].name) + 2 +
                                     strlen(set->counters[k].unit));
   }
   return (int)width;
}

/* The name is left-aligned, the unit is right-aligned. */
static void
print_label(FILE *out, const struct perf_counter *counter, int width)
{
   fprintf(out, "%s%*s", counter->name, width - (int)strlen(counter->name),
           counter->unit);
}

static void
print_sets(FILE *out, const struct result *result)
{
   const struct perf_sets *sets = &result->sets;
   const int width = label_width(sets);

   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];

      if (!is_measured(sets, i))
         continue;
      print_scenes(out, result, width, set->name);
      for (unsigned k = 0; k < set->counter_count; k++) {
         print_label(out, &set->counters[k], width);
         for (unsigned scene = 0; scene < result->scene_count; scene++)
            print_value(out, set->counters[k].values[scene]);
         fputc('\n', out);
      }
      fputc('\n', out);
   }
   if (sets->count > MEASURED_MAX)
      fprintf(out,
              "%u more counter sets are not measured; --list-counters lists "
              "them\n\n",
              sets->count - MEASURED_MAX);
}

void
print_table(FILE *out, const struct result *results)
{
   for (unsigned api = 0; api < API_COUNT; api++) {
      const struct result *result = &results[api];

      if (result->why_not)
         continue;
      print_header(out, result);
      print_times(out, result);
      if (result->discarded)
         fprintf(out,
                 "! the clock was disturbed; sets of times discarded: %u\n",
                 result->discarded);
      fputc('\n', out);
      if (api == API_GL)
         print_statistics(out, result);
      if (result->why_no_sets)
         fprintf(out, "no counter sets: %s\n\n", result->why_no_sets);
      print_sets(out, result);
   }
}

void
print_list(FILE *out, const struct perf_sets *sets)
{
   const int width = label_width(sets);

   fprintf(out, "%s%s\n%s\n", simulated_prefix(), glGetString(GL_RENDERER),
           glGetString(GL_VERSION));
   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];

      fprintf(out, "\n%s\n", set->name);
      for (unsigned k = 0; k < set->counter_count; k++) {
         fputs("  ", out);
         print_label(out, &set->counters[k], width);
         fprintf(out, "  %s\n", set->counters[k].about);
      }
   }
}
