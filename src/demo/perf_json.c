/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "perf_json.h"

#include <math.h>

#include "put.h"

static json_t *
counter_json(const struct perf_counter *counter)
{
   json_t *object = json_object();

   put(object, "name", json_string(counter->name));
   put(object, "unit",
       counter->unit[0] ? json_string(counter->unit) : json_null());
   put(object, "about", json_string(counter->about));
   put(object, "type", json_string(perf_type_name(counter)));
   put(object, "data_type", json_string(perf_data_name(counter)));
   put(object, "offset_B", json_integer(counter->offset_B));
   put(object, "size_B", json_integer(counter->size_B));
   put(object, "max_per_s",
       counter->max_per_s ? json_integer((json_int_t)counter->max_per_s)
                          : json_null());
   return object;
}

static json_t *
set_json(const struct perf_set *set)
{
   json_t *object = json_object();
   json_t *counter_array = json_array();

   for (unsigned i = 0; i < set->counter_count; i++)
      json_array_append_new(counter_array, counter_json(&set->counters[i]));
   put(object, "name", json_string(set->name));
   put(object, "scope", json_string(set->is_global ? "global" : "context"));
   put(object, "record_B", json_integer(set->record_B));
   put(object, "counters", counter_array);
   return object;
}

json_t *
perf_sets_json(const struct perf_sets *sets)
{
   json_t *array = json_array();

   for (unsigned i = 0; i < sets->count; i++)
      json_array_append_new(array, set_json(&sets->sets[i]));
   return array;
}

/* JSON has no number that is none. */
static json_t *
value_json(const struct perf_counter *counter, const uint8_t *record)
{
   if (counter->data_type == GL_PERFQUERY_COUNTER_DATA_BOOL32_INTEL)
      return json_boolean(perf_integer(counter, record));
   if (!perf_is_real(counter))
      return json_integer((json_int_t)perf_integer(counter, record));

   const double value = perf_real(counter, record);
   return isfinite(value) ? json_real(value) : json_null();
}

static json_t *
record_json(const struct perf_set *set, const uint8_t *record)
{
   if (!record)
      return json_null();

   json_t *object = json_object();
   for (unsigned i = 0; i < set->counter_count; i++) {
      put(object, set->counters[i].name,
          value_json(&set->counters[i], record));
   }
   return object;
}

json_t *
perf_values_json(const struct perf_sets *sets, unsigned scene)
{
   json_t *object = json_object();

   for (unsigned i = 0; i < sets->count; i++) {
      const struct perf_set *set = &sets->sets[i];
      put(object, set->name, record_json(set, set->records[scene]));
   }
   return object;
}
