/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <math.h>

#include <jansson.h>

/* Gives a JSON object a value, which it takes over. Fails rather than leave
 * an object incomplete.
 */
static void
put(json_t *object, const char *key, json_t *value)
{
   if (json_object_set_new(object, key, value) != 0)
      fail("cannot express \"%s\" in JSON", key);
}

/* Null stands for all that GL has no value for: a timestamp without bits, a
 * statistic that the context does not have, perf sets where there are none.
 */
static void
put_integer(json_t *object, const char *key, bool is_known, int64_t value)
{
   put(object, key, is_known ? json_integer(value) : json_null());
}

static json_t *
counter_json(const struct perf_counter *counter)
{
   json_t *object = json_object();

   put(object, "name", json_string(counter->name));
   put(object, "unit",
       counter->unit[0] ? json_string(counter->unit) : json_null());
   put(object, "about", json_string(counter->about));
   put(object, "type", json_string(perf_type_name(counter->type)));
   put(object, "data_type", json_string(perf_type_name(counter->data_type)));
   put(object, "offset_B", json_integer(counter->offset_B));
   put(object, "size_B", json_integer(counter->size_B));
   put_integer(object, "max_per_s", counter->max_per_s != 0,
               (int64_t)counter->max_per_s);
   return object;
}

static json_t *
sets_json(const struct perf_sets *sets)
{
   json_t *array = json_array();

   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];
      json_t *object = json_object();
      json_t *counters = json_array();

      for (unsigned k = 0; k < set->counter_count; k++)
         json_array_append_new(counters, counter_json(&set->counters[k]));
      put(object, "name", json_string(set->name));
      put(object, "scope",
          json_string(set->is_global ? "global" : "context"));
      put(object, "record_B", json_integer(set->record_B));
      put(object, "counters", counters);
      json_array_append_new(array, object);
   }
   return array;
}

static json_t *
value_json(const struct perf_counter *counter, const uint8_t *record)
{
   const struct perf_value value = perf_read(counter, record);

   if (counter->data_type == GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL)
      return json_boolean(value.integer);
   if (!value.is_real)
      return json_integer((json_int_t)value.integer);
   /* JSON has neither infinity nor NaN. */
   return isfinite(value.real) ? json_real(value.real) : json_null();
}

/* An object of the values by the counters' names, or null for a set that told
 * nothing.
 */
static json_t *
record_json(const struct perf_set *set, const uint8_t *record)
{
   json_t *values = record ? json_object() : json_null();

   for (unsigned i = 0; record && i < set->counter_count; i++) {
      put(values, set->counters[i].name,
          value_json(&set->counters[i], record));
   }
   return values;
}

/* An object of the records of the perf sets that are measured. */
static json_t *
records_json(const struct perf_sets *sets, uint8_t *const *records)
{
   json_t *object = json_object();

   for (unsigned i = 0; i < sets->count; i++) {
      if (perf_is_measured(sets, i))
         put(object, sets->sets[i].name,
             record_json(&sets->sets[i], records[i]));
   }
   return object;
}

static json_t *
samples_json(const struct sample samples[SAMPLE_COUNT], bool has_timestamps)
{
   json_t *array = json_array();

   for (unsigned i = 0; i < SAMPLE_COUNT; i++) {
      const struct sample *sample = &samples[i];
      json_t *object = json_object();

      put(object, "elapsed_ns", json_integer((int64_t)sample->elapsed_ns));
      put_integer(object, "before_ns", has_timestamps,
                  (int64_t)sample->before_ns);
      put_integer(object, "after_ns", has_timestamps,
                  (int64_t)sample->after_ns);
      put_integer(object, "between_ns", has_timestamps, sample->between_ns);
      json_array_append_new(array, object);
   }
   return array;
}

static json_t *
scene_json(const struct result *result, const struct scene_result *scene)
{
   const bool has_timestamps = result->timestamp_bits > 0;
   json_t *object = json_object();
   json_t *counts = json_object();

   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      put_integer(counts, statistics[i].name, result->counted[i],
                  (int64_t)scene->counts[i]);
   }
   put(object, "name", json_string(scene->scene.name));
   put(object, "about", json_string(scene->scene.about));
   put(object, "elapsed_median_ns", json_integer(scene->elapsed_ns[MEDIAN]));
   put_integer(object, "between_median_ns", has_timestamps,
               scene->between_ns[MEDIAN]);
   put(object, "samples", samples_json(scene->samples, has_timestamps));
   put(object, "statistics", counts);
   put(object, "counters",
       result->why_no_perf ? json_null()
                           : records_json(&result->perf, scene->records));
   return object;
}

static json_t *
result_json(const struct result *result)
{
   json_t *object = json_object();
   json_t *array = json_array();

   for (unsigned i = 0; i < result->scene_count; i++)
      json_array_append_new(array, scene_json(result, &result->scenes[i]));
   put(object, "api", json_string(api_names[result->api]));
   put(object, "renderer", json_string(result->renderer));
   put(object, "version", json_string(result->version));
   put(object, "simulated", json_boolean(result->is_simulated));
   put(object, "timed_by", json_string(result->extension));
   put(object, "elapsed_bits", json_integer(result->elapsed_bits));
   put(object, "timestamp_bits", json_integer(result->timestamp_bits));
   put(object, "disjoint",
       result->has_disjoint ? json_boolean(result->disjoint) : json_null());
   put(object, "discarded", json_integer(result->discarded));
   put(object, "counter_sets",
       result->why_no_perf ? json_null() : sets_json(&result->perf));
   put(object, "scenes", array);
   return object;
}

/* Writes a JSON value, and frees it. */
static bool
dump(FILE *out, json_t *root)
{
   const bool written =
      json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
   json_decref(root);
   return written;
}

bool
json_write(FILE *out, const struct result *results)
{
   json_t *root = json_object();
   json_t *contexts = json_array();

   for (unsigned api = 0; api < API_COUNT; api++) {
      if (!results[api].why_not)
         json_array_append_new(contexts, result_json(&results[api]));
   }
   put(root, "width", json_integer(TARGET_SIZE));
   put(root, "height", json_integer(TARGET_SIZE));
   put(root, "contexts", contexts);
   return dump(out, root);
}

bool
list_write_json(FILE *out, const struct result *result)
{
   json_t *root = json_object();

   put(root, "renderer", json_string(result->renderer));
   put(root, "version", json_string(result->version));
   put(root, "simulated", json_boolean(result->is_simulated));
   put(root, "counter_sets", sets_json(&result->perf));
   return dump(out, root);
}
