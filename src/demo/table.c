/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The table of times fits into 100 columns; those of the perf sets are as
 * wide as the names of their counters. A scene has a column of ten.
 */

/* The largest integer that fits into a scene's column after a space. */
#define WIDEST_INTEGER 999999999

struct time_unit
unit_for(int64_t time_ns)
{
   const int64_t size_ns = llabs(time_ns);

   if (size_ns >= 1000000000)
      return (struct time_unit){ 1000000000, "s", "s" };
   if (size_ns >= 1000000)
      return (struct time_unit){ 1000000, "ms", "ms" };
   return (struct time_unit){ 1000, "us", "µs" };
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
   fprintf(out, "%s, %d x %d pixels\n", api_names[result->api], TARGET_SIZE,
           TARGET_SIZE);
   fprintf(out, "  renderer   %.87s\n", result->renderer);
   if (result->is_simulated)
      fprintf(out, "             " SIMULATED_NOTE "\n");
   fprintf(out, "  version    %.87s\n", result->version);
   fprintf(out, "  timed by   %s\n", result->extension);
   fprintf(out, "  bits       time elapsed %d, timestamp %d\n",
           result->elapsed_bits, result->timestamp_bits);
   fprintf(out, "  samples    %d of each scene; the medians are shown\n\n",
           SAMPLE_COUNT);
}

/* Three decimals and a unit of fixed width keep the points in line. */
static void
print_time(FILE *out, int digits, int64_t time_ns)
{
   const struct time_unit unit = unit_for(time_ns);
   fprintf(out, " %*.3f %-2s", digits, (double)time_ns / unit.ns, unit.plain);
}

static void
print_times(FILE *out, const struct result *result)
{
   const char *disjoint = result->disjoint ? "yes" : "no";

   fputs("scene                 time elapsed        lowest       highest"
         "    timestamps apart    disjoint\n",
         out);
   print_rule(out, 94);
   for (unsigned i = 0; i < result->scene_count; i++) {
      const struct scene_result *scene = &result->scenes[i];

      fprintf(out, "%-20s", scene->scene.name);
      print_time(out, 10, scene->elapsed_ns[MEDIAN]);
      print_time(out, 10, scene->elapsed_ns[LOWEST]);
      print_time(out, 10, scene->elapsed_ns[HIGHEST]);
      if (result->timestamp_bits > 0)
         print_time(out, 16, scene->between_ns[MEDIAN]);
      else
         fprintf(out, "%20s", "-");
      fprintf(out, "%12s\n", result->has_disjoint ? disjoint : "-");
   }
}

/* Reports impossible values in the samples of a scene. Such values are shown
 * as they came; this is so that nobody takes them for a measurement.
 */
static void
print_doubts(FILE *out, const struct result *result,
             const struct scene_result *scene)
{
   const char *name = scene->scene.name;
   unsigned zero = 0, backwards = 0, longer = 0;

   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      const int64_t between_ns = scene->samples[i].between_ns;
      const uint64_t elapsed_ns = scene->samples[i].elapsed_ns;

      zero += elapsed_ns == 0;
      backwards += between_ns < 0;
      longer += between_ns >= 0 && elapsed_ns > (uint64_t)between_ns;
   }
   if (zero)
      fprintf(out, "! %s: no time elapsed in %u of %d samples\n", name, zero,
              SAMPLE_COUNT);
   if (backwards && result->timestamp_bits > 0)
      fprintf(out, "! %s: timestamps run backwards in %u of %d samples\n",
              name, backwards, SAMPLE_COUNT);
   if (longer && result->timestamp_bits > 0)
      fprintf(out,
              "! %s: more time elapsed than between the timestamps around "
              "it in %u of %d samples\n",
              name, longer, SAMPLE_COUNT);
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
print_value(FILE *out, bool is_known, struct perf_value value)
{
   double scaled = (double)value.integer / 1e6;
   const char *prefix = "MGTPE";

   if (!is_known) {
      fprintf(out, "%10s", "-");
   } else if (value.is_real) {
      fprintf(out, "%10.4g", value.real);
   } else if (value.integer <= WIDEST_INTEGER) {
      fprintf(out, "%10" PRIu64, value.integer);
   } else {
      for (; scaled >= 1000; prefix++)
         scaled /= 1000;
      fprintf(out, "%9.3f%c", scaled, *prefix);
   }
}

static void
print_statistics(FILE *out, const struct result *result)
{
   print_scenes(out, result, 20, "counted in one draw");
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      fprintf(out, "%-20s", statistics[i].label);
      for (unsigned k = 0; k < result->scene_count; k++) {
         const uint64_t count = result->scenes[k].counts[i];
         print_value(out, result->counted[i],
                     (struct perf_value){ .integer = count });
      }
      fputc('\n', out);
   }
   fputc('\n', out);
}

const char *
perf_type_name(GLenum type)
{
   static const struct {
      GLenum type;
      const char *name;
   } names[] = {
      { GL_PERFQUERY_COUNTER_EVENT_INTEL, "event" },
      { GL_PERFQUERY_COUNTER_DURATION_NORM_INTEL, "duration_norm" },
      { GL_PERFQUERY_COUNTER_DURATION_RAW_INTEL, "duration_raw" },
      { GL_PERFQUERY_COUNTER_THROUGHPUT_INTEL, "throughput" },
      { GL_PERFQUERY_COUNTER_RAW_INTEL, "raw" },
      { GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL, "timestamp" },
      { GL_PERFQUERY_COUNTER_DATA_UINT32_INTEL, "uint32" },
      { GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL, "uint64" },
      { GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL, "float" },
      { GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL, "double" },
      { GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL, "bool32" },
   };

   for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      if (names[i].type == type)
         return names[i].name;
   }
   return "unknown";
}

static int
wider(int width, const char *text)
{
   const int length = (int)strlen(text);
   return length > width ? length : width;
}

/* Columns that are as wide as the texts of all counters. */
struct widths {
   int set, name, unit, type, about;
};

static struct widths
find_widths(const struct perf_sets *sets)
{
   struct widths w = { .name = strlen("counter"),
                       .unit = strlen("unit"),
                       .type = strlen("type") };

   for (unsigned i = 0; i < sets->count; i++) {
      w.set = wider(w.set, sets->sets[i].name);
      for (unsigned k = 0; k < sets->sets[i].counter_count; k++) {
         const struct perf_counter *counter = &sets->sets[i].counters[k];

         w.name = wider(w.name, counter->name);
         w.unit = wider(w.unit, counter->unit);
         w.type = wider(w.type, perf_type_name(counter->type));
         w.about = wider(w.about, counter->about);
      }
   }
   return w;
}

/* Prints the values of a set. The first column has room for all counters and
 * for the names of all sets.
 */
static void
print_set(FILE *out, const struct result *result, struct widths w,
          unsigned index)
{
   const struct perf_set *set = &result->perf.sets[index];
   const int counter_width = w.name + 2 + w.unit;
   const int width = counter_width > w.set ? counter_width : w.set;

   print_scenes(out, result, width, set->name);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct perf_counter *counter = &set->counters[i];

      fprintf(out, "%-*s  %-*s", w.name, counter->name, width - w.name - 2,
              counter->unit);
      for (unsigned k = 0; k < result->scene_count; k++) {
         const uint8_t *record = result->scenes[k].records[index];
         print_value(out, record, perf_read(counter, record));
      }
      fputc('\n', out);
   }
   fputc('\n', out);
}

static void
print_sets(FILE *out, const struct result *result)
{
   const struct widths w = find_widths(&result->perf);
   unsigned left_out = 0;

   for (unsigned i = 0; i < result->perf.count; i++) {
      if (perf_is_measured(&result->perf, i))
         print_set(out, result, w, i);
      else
         left_out++;
   }
   if (left_out)
      fprintf(out,
              "%u more counter sets are not measured; --list-counters lists "
              "them\n\n",
              left_out);
}

bool
table_write(FILE *out, const struct result *results)
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
      if (result->why_no_perf)
         fprintf(out, "no counter sets: %s\n\n", result->why_no_perf);

      print_sets(out, result);
   }
   return !ferror(out);
}

bool
list_write(FILE *out, const struct result *result)
{
   static const char about[] = "meaning";
   const struct widths w = find_widths(&result->perf);

   fprintf(out, "%s\n%s\n", result->renderer, result->version);
   if (result->is_simulated)
      fprintf(out, SIMULATED_NOTE "\n");
   fputc('\n', out);
   const int width = fprintf(out, "  %-*s  %-*s  %-*s  %-7s %6s %5s  %s\n",
                             w.name, "counter", w.unit, "unit", w.type,
                             "type", "data", "offset", "bytes", about);
   print_rule(out, width - (int)sizeof(about) + w.about);
   for (unsigned i = 0; i < result->perf.count; i++) {
      const struct perf_set *set = &result->perf.sets[i];

      fprintf(out, "\n%s (%s, %u bytes)\n", set->name,
              set->is_global ? "global" : "per context", set->record_B);
      for (unsigned k = 0; k < set->counter_count; k++) {
         const struct perf_counter *counter = &set->counters[k];

         fprintf(out, "  %-*s  %-*s  %-*s  %-7s %6u %5u  %s\n", w.name,
                 counter->name, w.unit, counter->unit, w.type,
                 perf_type_name(counter->type),
                 perf_type_name(counter->data_type), counter->offset_B,
                 counter->size_B, counter->about);
      }
   }
   return !ferror(out);
}
