/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "query.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The time that records may take before the program stops asking, and waits.
 */
#define PATIENCE_MS 5000

/* Drivers end a description with the unit. Here they become two texts. */
static void
split_unit(struct perf_counter *counter)
{
   static const char label[] = "Unit: ";
   char *unit = strstr(counter->about, label);
   if (!unit)
      return;

   const char *name = unit + strlen(label);
   const size_t length = strcspn(name, ".");
   if (length >= sizeof(counter->unit))
      return;
   memcpy(counter->unit, name, length);
   while (unit > counter->about && unit[-1] == ' ')
      unit--;
   *unit = '\0';
}

static void
load_set(GLuint id, struct perf_set *set)
{
   GLuint instances, scope;

   *set = (struct perf_set){ .id = id };
   glGetPerfQueryInfoINTEL(id, sizeof(set->name), set->name, &set->record_B,
                           &set->counter_count, &instances, &scope);
   set->is_global = scope == GL_PERFQUERY_GLOBAL_CONTEXT_INTEL;
   set->counters = calloc(set->counter_count, sizeof(set->counters[0]));
   if (!set->counters)
      fail("out of memory");

   for (unsigned i = 0; i < set->counter_count; i++) {
      struct perf_counter *counter = &set->counters[i];

      glGetPerfCounterInfoINTEL(id, i + 1, sizeof(counter->name),
                                counter->name, sizeof(counter->about),
                                counter->about, &counter->offset_B,
                                &counter->size_B, &counter->type,
                                &counter->data_type, &counter->max_per_s);
      split_unit(counter);
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
      glGetError(); /* to ask a driver without sets is an error */
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
   for (unsigned i = 0; i < sets->count; i++) {
      if (strcmp(sets->sets[i].name, "GPU Time") == 0)
         sets->time_set = &sets->sets[i];
   }
   check_gl("asking for the sets of counters");
   return NULL;
}

bool
perf_is_measured(const struct perf_sets *sets, unsigned index)
{
   return index < PERF_SETS_MAX || &sets->sets[index] == sets->time_set;
}

void
perf_free(struct perf_sets *sets)
{
   for (unsigned i = 0; i < sets->count; i++)
      free(sets->sets[i].counters);
   free(sets->sets);
   *sets = (struct perf_sets){ 0 };
}

struct perf_query
perf_create(const struct perf_set *set)
{
   struct perf_query query = { .set = set };

   glCreatePerfQueryINTEL(set->id, &query.handle);
   query.record = calloc(1, set->record_B);
   if (!query.record)
      fail("out of memory");
   check_gl("making an instance of a set of counters");
   return query;
}

unsigned
perf_begin(struct perf_query *queries, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      glBeginPerfQueryINTEL(queries[i].handle);
      if (glGetError() != GL_NO_ERROR)
         return i;
   }
   return count;
}

void
perf_end(struct perf_query *queries, unsigned count)
{
   for (unsigned i = count; i-- > 0;) {
      glEndPerfQueryINTEL(queries[i].handle);
      queries[i].has_ended = true;
   }
}

/* Reads the record of a query. Stalls if *patience_ms has run out. Returns
 * false if there is no record: the query was never begun, or the driver lost
 * the record, of which an error tells.
 */
static bool
read_record(const struct perf_query *query, unsigned *patience_ms)
{
   const struct timespec nap = { .tv_nsec = 1000000 };

   if (!query->has_ended)
      return false;
   for (;;) {
      /* All draws have been flushed: to look is enough. */
      const GLuint flags = *patience_ms > 0 ? GL_PERFQUERY_DONOT_FLUSH_INTEL
                                            : GL_PERFQUERY_WAIT_INTEL;
      GLuint written_B = 0;

      glGetPerfQueryDataINTEL(query->handle, flags,
                              (GLsizei)query->set->record_B, query->record,
                              &written_B);
      if (glGetError() != GL_NO_ERROR)
         return false;
      if (written_B || *patience_ms == 0)
         return written_B;
      nanosleep(&nap, NULL);
      --*patience_ms;
   }
}

void
perf_collect(struct perf_query *queries, unsigned count)
{
   unsigned patience_ms = PATIENCE_MS;

   for (unsigned i = 0; i < count; i++) {
      if (!read_record(&queries[i], &patience_ms)) {
         free(queries[i].record);
         queries[i].record = NULL;
      }
      glDeletePerfQueryINTEL(queries[i].handle);
   }
   check_gl("collecting counters");
}

struct perf_value
perf_read(const struct perf_counter *counter, const uint8_t *record)
{
   /* A value need not be aligned in the record. */
   union {
      uint32_t uint32;
      uint64_t uint64;
      float real32;
      double real64;
   } value = { 0 };
   const size_t size_B =
      counter->size_B < sizeof(value) ? counter->size_B : sizeof(value);
   if (record)
      memcpy(&value, record + counter->offset_B, size_B);

   switch (counter->data_type) {
   case GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL:
      return (struct perf_value){ .is_real = true, .real = value.real32 };
   case GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL:
      return (struct perf_value){ .is_real = true, .real = value.real64 };
   case GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL:
      return (struct perf_value){ .integer = value.uint64 };
   default:
      return (struct perf_value){ .integer = value.uint32 };
   }
}

int64_t
perf_elapsed_ns(const struct perf_query *query)
{
   const struct perf_set *set = query->set;

   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct perf_counter *counter = &set->counters[i];

      if (strcmp(counter->name, "GPU Time Elapsed") == 0)
         return (int64_t)perf_read(counter, query->record).integer;
   }
   return 0;
}
