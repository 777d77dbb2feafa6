/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <math.h>
#include <string.h>

/* The table of times fits into 100 columns; those of the perf sets are as
 * wide as the names of their counters. A scene has a column of ten.
 */

/* Beyond the integers that fit into a scene's column after a space. */
#define TOO_WIDE 1e9

static const char simulated_note[] =
   "this GPU is simulated: it counts draws and renders nothing";

struct time_unit
unit_for(double time_ns)
{
   if (fabs(time_ns) >= 1e9)
      return (struct time_unit){ 1e9, "s", "s" };
   if (fabs(time_ns) >= 1e6)
      return (struct time_unit){ 1e6, "ms", "ms" };
   return (struct time_unit){ 1e3, "us", "µs" };
}

static void
print_rule(FILE *out, int width)
{
   for (int i = 0; i < width; i++)
      fputc('-', out);
   fputc('\n', out);
}

/* Drivers' names are cut off at column 100. */
static void
print_header(FILE *out, const struct result *result)
{
   fprintf(out, "%s, %d x %d pixels\n", apis[result->api].name, TARGET_SIZE,
           TARGET_SIZE);
   fprintf(out, "  renderer   %.87s\n", result->renderer);
   if (has_simulator())
      fprintf(out, "             %s\n", simulated_note);
   fprintf(out, "  version    %.87s\n", result->version);
   fprintf(out, "  timed by   %s\n", apis[result->api].timed_by);
   fprintf(out, "  bits       time elapsed %d, timestamp %d\n",
           result->elapsed_bits, result->timestamp_bits);
   fprintf(out, "  samples    %d of each scene; the medians are shown\n\n",
           SAMPLE_COUNT);
}

/* Three decimals and a unit of fixed width keep the points in line. */
static void
print_time(FILE *out, int digits, double time_ns)
{
   const struct time_unit unit = unit_for(time_ns);
   fprintf(out, " %*.3f %-2s", digits, time_ns / unit.ns, unit.plain);
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

      fprintf(out, "%-20s", result->scenes[i].scene.name);
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

/* Reports impossible times of a scene. They are shown as they came; this is
 * so that nobody takes them for a measurement.
 */
static void
print_doubts(FILE *out, const struct result *result,
             const struct scene_result *scene)
{
   unsigned zero = 0, longer = 0;

   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      const struct sample *sample = &scene->samples[i];

      zero += sample->elapsed_ns == 0;
      longer += result->timestamp_bits > 0 &&
                (double)sample->elapsed_ns > between_ns(sample);
   }
   if (zero)
      fprintf(out, "! %s: no time elapsed in %u of %d samples\n",
              scene->scene.name, zero, SAMPLE_COUNT);
   if (longer)
      fprintf(out,
              "! %s: more time elapsed than between the timestamps around "
              "it in %u of %d samples\n",
              scene->scene.name, longer, SAMPLE_COUNT);
}

/* Prints the head of a table with a column for each scene, right of the
 * labels. A scene's name takes two lines: the first word above, the last one
 * below.
 */
static void
print_scenes(FILE *out, const struct result *result, int label_width,
             const char *label)
{
   for (int line = 0; line < 2; line++) {
      fprintf(out, "%-*.*s", label_width, label_width, line ? label : "");
      for (unsigned i = 0; i < result->scene_count; i++) {
         const char *name = result->scenes[i].scene.name;
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

/* Prints integers in full. Times of day do not fit, and are shortened. */
static void
print_value(FILE *out, double value)
{
   const char *prefix = "MGTPE";

   if (!isfinite(value)) {
      fprintf(out, "%10s", "-");
   } else if (value != trunc(value)) {
      fprintf(out, "%10.4g", value);
   } else if (value < TOO_WIDE) {
      fprintf(out, "%10.0f", value);
   } else {
      for (value /= 1e6; value >= 1000 && prefix[1]; prefix++)
         value /= 1000;
      fprintf(out, "%9.3f%c", value, *prefix);
   }
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

static int
wider(int width, const char *text)
{
   const int length = (int)strlen(text);
   return length > width ? length : width;
}

/* Columns that are as wide as the texts of all counters. */
struct widths {
   int set, name, unit;
};

static struct widths
find_widths(const struct perf_sets *sets)
{
   struct widths w = { .name = strlen("counter"), .unit = strlen("unit") };

   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];

      w.set = wider(w.set, set->name);
      for (unsigned k = 0; k < set->counter_count; k++) {
         w.name = wider(w.name, set->counters[k].name);
         w.unit = wider(w.unit, set->counters[k].unit);
      }
   }
   return w;
}

/* Prints the values of the measured sets. The first column has room for all
 * counters and for the names of all sets.
 */
static void
print_sets(FILE *out, const struct result *result)
{
   const struct widths w = find_widths(&result->sets);
   const int counter_width = w.name + 2 + w.unit;
   const int width = counter_width > w.set ? counter_width : w.set;

   for (unsigned i = 0; i < result->measured_count; i++) {
      const struct measured_set *measured = &result->measured[i];

      print_scenes(out, result, width, measured->set->name);
      for (unsigned k = 0; k < measured->set->counter_count; k++) {
         const struct perf_counter *counter = &measured->set->counters[k];

         fprintf(out, "%-*s  %-*s", w.name, counter->name, width - w.name - 2,
                 counter->unit);
         for (unsigned scene = 0; scene < result->scene_count; scene++)
            print_value(out, measured->values[scene][k]);
         fputc('\n', out);
      }
      fputc('\n', out);
   }
   if (result->sets.count > result->measured_count)
      fprintf(out,
              "%u more counter sets are not measured; --list-counters lists "
              "them\n\n",
              result->sets.count - result->measured_count);
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
      for (unsigned i = 0; i < result->scene_count; i++)
         print_doubts(out, result, &result->scenes[i]);
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
   const struct widths w = find_widths(sets);

   fprintf(out, "%s\n%s\n", glGetString(GL_RENDERER),
           glGetString(GL_VERSION));
   if (has_simulator())
      fprintf(out, "%s\n", simulated_note);
   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];

      fprintf(out, "\n%s\n", set->name);
      for (unsigned k = 0; k < set->counter_count; k++)
         fprintf(out, "  %-*s  %-*s  %s\n", w.name, set->counters[k].name,
                 w.unit, set->counters[k].unit, set->counters[k].about);
   }
}
