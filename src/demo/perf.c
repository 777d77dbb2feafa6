/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Lists and measures the counters of GL_INTEL_performance_query.
 * Invariant: a set that cannot be measured now has NAN as values.
 * Danger: begin, end and read may fail for a set without being a bug here, so
 * each is followed by glGetError().
 */

#include "demo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
load_set(GLuint id, struct perf_set *set)
{
   GLuint instances, scope;

   *set = (struct perf_set){ .id = id };
   glGetPerfQueryInfoINTEL(id, sizeof(set->name), set->name, &set->record_B,
                           &set->counter_count, &instances, &scope);
   set->counters = calloc(set->counter_count, sizeof(set->counters[0]));
   if (!set->counters)
      fail("out of memory");

   for (unsigned i = 0; i < set->counter_count; i++) {
      struct perf_counter *counter = &set->counters[i];
      GLenum type;
      GLuint64 max_per_s;

      glGetPerfCounterInfoINTEL(id, i + 1, sizeof(counter->name),
                                counter->name, sizeof(counter->about),
                                counter->about, &counter->offset_B,
                                &counter->size_B, &type, &counter->data_type,
                                &max_per_s);
      char *unit = strstr(counter->about, " Unit: ");
      if (unit && sscanf(unit, " Unit: %31[^.]", counter->unit) == 1)
         *unit = '\0';
   }
}

const char *
perf_load(struct perf_sets *sets)
{
   GLuint id = 0;

   *sets = (struct perf_sets){ 0 };
   if (!epoxy_has_gl_extension("GL_INTEL_performance_query"))
      return "the driver lacks GL_INTEL_performance_query";

   glGetFirstPerfQueryIdINTEL(&id);
   if (!id) {
      glGetError(); /* a driver without sets generates an error */
      return "the driver has GL_INTEL_performance_query, but nothing to "
             "count";
   }
   while (id) {
      sets->sets =
         reallocarray(sets->sets, sets->count + 1, sizeof(sets->sets[0]));
      if (!sets->sets)
         fail("out of memory");
      load_set(id, &sets->sets[sets->count++]);
      glGetNextPerfQueryIdINTEL(id, &id);
   }
   check_gl("asking for the sets of counters");
   return NULL;
}

void
perf_free(struct perf_sets *sets)
{
   for (unsigned i = 0; i < sets->count; i++)
      free(sets->sets[i].counters);
   free(sets->sets);
}

static double
value_of_counter(const struct perf_counter *counter, const uint8_t *record)
{
   /* Values in the record may be unaligned, hence memcpy(). */
   union {
      uint32_t uint32;
      uint64_t uint64;
      float real32;
      double real64;
   } value = { 0 };
   const size_t size_B =
      counter->size_B < sizeof(value) ? counter->size_B : sizeof(value);

   memcpy(&value, record + counter->offset_B, size_B);
   switch (counter->data_type) {
   case GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL:
      return value.real32;
   case GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL:
      return value.real64;
   case GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL:
      return (double)value.uint64;
   default:
      return value.uint32;
   }
}

void
perf_measure(struct perf_set *set, const struct scene *scene, unsigned number)
{
   uint8_t *record = calloc(1, set->record_B);
   GLuint query, written_B = 0;
   unsigned naps = 0;

   if (!record)
      fail("out of memory");
   scene_prepare(scene);
   glFlush();
   glCreatePerfQueryINTEL(set->id, &query);
   check_gl("making an instance of a set of counters");

   /* The driver may not be able to measure the set now. */
   glBeginPerfQueryINTEL(query);
   bool is_lost = glGetError() != GL_NO_ERROR;
   scene_draw(scene);
   check_gl("measuring a draw with counters");
   if (!is_lost) {
      glEndPerfQueryINTEL(query);
      is_lost = glGetError() != GL_NO_ERROR;
   }
   glFlush();

   while (!is_lost) {
      glGetPerfQueryDataINTEL(query, GL_PERFQUERY_DONOT_FLUSH_INTEL,
                              (GLsizei)set->record_B, record, &written_B);
      is_lost = glGetError() != GL_NO_ERROR;
      if (written_B > 0)
         break;
      nap_until_late(&naps);
   }
   for (unsigned i = 0; i < set->counter_count; i++) {
      struct perf_counter *counter = &set->counters[i];

      counter->values[number] =
         is_lost ? NAN : value_of_counter(counter, record);
   }
   glDeletePerfQueryINTEL(query);
   free(record);
}
