/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "perf_set.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

/* Drivers end a description with the unit. Here they become two columns. */
static void
split_unit(struct perf_counter *counter)
{
   static const char mark[] = "Unit: ";
   char *unit = strstr(counter->about, mark);
   if (!unit)
      return;

   const char *name = unit + strlen(mark);
   const size_t length = strcspn(name, ".");
   if (length >= sizeof(counter->unit))
      return;
   memcpy(counter->unit, name, length);
   while (unit > counter->about && unit[-1] == ' ')
      unit--;
   *unit = '\0';
}

static void
load_counter(const struct perf_set *set, unsigned index,
             struct perf_counter *counter)
{
   glGetPerfCounterInfoINTEL(set->id, index + 1, sizeof(counter->name),
                             counter->name, sizeof(counter->about),
                             counter->about, &counter->offset_B,
                             &counter->size_B, &counter->type,
                             &counter->data_type, &counter->max_per_s);
   split_unit(counter);
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
   for (unsigned i = 0; i < set->counter_count; i++)
      load_counter(set, i, &set->counters[i]);
}

static void
add_set(struct perf_sets *sets, GLuint id)
{
   struct perf_set *grown =
      reallocarray(sets->sets, sets->count + 1, sizeof(*grown));
   if (!grown)
      fail("out of memory");
   sets->sets = grown;
   load_set(id, &grown[sets->count++]);
}

bool
perf_sets_load(struct perf_sets *sets, const char **why)
{
   GLuint id = 0;

   *sets = (struct perf_sets){ 0 };
   if (!epoxy_has_gl_extension("GL_INTEL_performance_query")) {
      *why = "the driver lacks GL_INTEL_performance_query";
      return false;
   }

   /* To ask a driver that has none is an error by definition. */
   glGetFirstPerfQueryIdINTEL(&id);
   if (!id) {
      glGetError();
      *why =
         "the driver has GL_INTEL_performance_query, but nothing to count";
      return false;
   }
   while (id) {
      add_set(sets, id);
      glGetNextPerfQueryIdINTEL(id, &id);
   }
   context_check("asking for the sets of counters");
   return true;
}

void
perf_sets_free(struct perf_sets *sets)
{
   for (unsigned i = 0; i < sets->count; i++) {
      for (unsigned scene = 0; scene < SCENE_COUNT; scene++)
         free(sets->sets[i].records[scene]);
      free(sets->sets[i].counters);
   }
   free(sets->sets);
   *sets = (struct perf_sets){ 0 };
}

const char *
perf_type_name(const struct perf_counter *counter)
{
   switch (counter->type) {
   case GL_PERFQUERY_COUNTER_EVENT_INTEL:
      return "event";
   case GL_PERFQUERY_COUNTER_DURATION_NORM_INTEL:
      return "duration_norm";
   case GL_PERFQUERY_COUNTER_DURATION_RAW_INTEL:
      return "duration_raw";
   case GL_PERFQUERY_COUNTER_THROUGHPUT_INTEL:
      return "throughput";
   case GL_PERFQUERY_COUNTER_RAW_INTEL:
      return "raw";
   case GL_PERFQUERY_COUNTER_TIMESTAMP_INTEL:
      return "timestamp";
   default:
      return "unknown";
   }
}

const char *
perf_data_name(const struct perf_counter *counter)
{
   switch (counter->data_type) {
   case GL_PERFQUERY_COUNTER_DATA_UINT32_INTEL:
      return "uint32";
   case GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL:
      return "uint64";
   case GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL:
      return "float";
   case GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL:
      return "double";
   case GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL:
      return "bool32";
   default:
      return "unknown";
   }
}

bool
perf_is_real(const struct perf_counter *counter)
{
   return counter->data_type == GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL ||
          counter->data_type == GL_PERFQUERY_COUNTER_DATA_DOUBLE_INTEL;
}

/* A record need not lie where its values would have to: they are copied. */
double
perf_real(const struct perf_counter *counter, const uint8_t *record)
{
   float single;
   double twice;

   if (counter->data_type == GL_PERFQUERY_COUNTER_DATA_FLOAT_INTEL) {
      memcpy(&single, record + counter->offset_B, sizeof(single));
      return single;
   }
   memcpy(&twice, record + counter->offset_B, sizeof(twice));
   return twice;
}

uint64_t
perf_integer(const struct perf_counter *counter, const uint8_t *record)
{
   uint32_t narrow;
   uint64_t wide;

   if (counter->data_type == GL_PERFQUERY_COUNTER_DATA_UINT64_INTEL) {
      memcpy(&wide, record + counter->offset_B, sizeof(wide));
      return wide;
   }
   memcpy(&narrow, record + counter->offset_B, sizeof(narrow));
   return narrow;
}
