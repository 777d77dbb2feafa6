/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "json.h"

#include <jansson.h>

#include "perf_json.h"
#include "put.h"

/* What GL has no value for is null: a timestamp without bits, a counter that
 * the context does not have, sets of counters where there are none.
 */
static json_t *
integer_or_null(bool known, int64_t value)
{
   return known ? json_integer(value) : json_null();
}

static json_t *
sample_json(const struct result *result, const struct sample *sample)
{
   const bool stamps = result->timestamp_bits > 0;
   const int64_t between_ns = sample_between_ns(sample);
   json_t *object = json_object();

   put(object, "elapsed_ns", json_integer((int64_t)sample->elapsed_ns));
   put(object, "before_ns",
       integer_or_null(stamps, (int64_t)sample->before_ns));
   put(object, "after_ns",
       integer_or_null(stamps, (int64_t)sample->after_ns));
   put(object, "between_ns", integer_or_null(stamps, between_ns));
   return object;
}

static json_t *
statistics_json(const struct result *result, const uint64_t *counts)
{
   json_t *object = json_object();

   for (unsigned i = 0; i < COUNTER_COUNT; i++) {
      put(object, counters[i].name,
          integer_or_null(result->counted[i], (int64_t)counts[i]));
   }
   return object;
}

static json_t *
scene_json(const struct result *result, unsigned i)
{
   const struct scene_result *scene = &result->scenes[i];
   const bool stamps = result->timestamp_bits > 0;
   const int64_t elapsed_ns = result_elapsed(scene).median_ns;
   const int64_t between_ns = result_between(scene).median_ns;
   json_t *object = json_object();
   json_t *samples = json_array();

   for (unsigned k = 0; k < SAMPLE_COUNT; k++)
      json_array_append_new(samples, sample_json(result, &scene->samples[k]));

   put(object, "name", json_string(scenes[i].name));
   put(object, "about", json_string(scenes[i].about));
   put(object, "elapsed_median_ns", json_integer(elapsed_ns));
   put(object, "between_median_ns", integer_or_null(stamps, between_ns));
   put(object, "samples", samples);
   put(object, "statistics", statistics_json(result, scene->counts));
   put(object, "counters",
       result->no_perf ? json_null() : perf_values_json(&result->perf, i));
   return object;
}

static json_t *
disjoint_json(const struct result *result)
{
   return result->has_disjoint ? json_boolean(result->disjoint) : json_null();
}

static json_t *
result_json(const struct result *result)
{
   json_t *object = json_object();
   json_t *scene_array = json_array();

   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (result->scenes[i].drawn)
         json_array_append_new(scene_array, scene_json(result, i));
   }
   put(object, "api", json_string(api_name(result->api)));
   put(object, "renderer", json_string(result->renderer));
   put(object, "version", json_string(result->version));
   put(object, "timed_by", json_string(result->extension));
   put(object, "elapsed_bits", json_integer(result->elapsed_bits));
   put(object, "timestamp_bits", json_integer(result->timestamp_bits));
   put(object, "disjoint", disjoint_json(result));
   put(object, "discarded", json_integer(result->discarded));
   put(object, "counter_sets",
       result->no_perf ? json_null() : perf_sets_json(&result->perf));
   put(object, "scenes", scene_array);
   return object;
}

bool
json_write(FILE *out, const struct result results[API_COUNT])
{
   json_t *root = json_object();
   json_t *contexts = json_array();

   for (unsigned api = 0; api < API_COUNT; api++) {
      if (results[api].measured)
         json_array_append_new(contexts, result_json(&results[api]));
   }
   put(root, "width", json_integer(TARGET_SIZE));
   put(root, "height", json_integer(TARGET_SIZE));
   put(root, "contexts", contexts);

   const bool written =
      json_dumpf(root, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
   json_decref(root);
   return written;
}
