/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Chooses the counters of a profile by name: single counters, or whole sets.
 *
 * All chosen sets are measured together in every span, so they must be able
 * to overlap.  Spans are summed up, so the counters of a set whose sum means
 * nothing (times and shares) are skipped; a counter that is named on its own
 * is not checked.
 */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "profile_priv.h"

#define SAMPLES_NAME "samples passed"

__attribute__((format(printf, 2, 3))) static int
explain(struct pitot_profile_counters *counters, const char *format, ...)
{
   va_list arguments;

   va_start(arguments, format);
   vsnprintf(counters->why, sizeof(counters->why), format, arguments);
   va_end(arguments);
   return -EINVAL;
}

/* Adds a set, if it is new.  Returns its index, or a negative errno value. */
static int
add_set(struct pitot_profile_counters *counters, struct pitot_perf_set *set)
{
   for (unsigned i = 0; i < counters->set_count; i++) {
      if (counters->sets[i] == set)
         return (int)i;
      if (!pitot_perf_may_overlap(counters->sets[i], set))
         return explain(counters,
                        "the counters of \"%s\" and \"%s\" cannot be "
                        "measured at the same time",
                        counters->sets[i]->name, set->name);
   }
   if (counters->set_count == PITOT_PROFILE_MAX_SETS)
      return explain(counters, "counters of more than %u sets",
                     PITOT_PROFILE_MAX_SETS);
   counters->sets[counters->set_count] = set;
   return (int)counters->set_count++;
}

static int
add_counter(struct pitot_profile_counters *counters,
            struct pitot_perf_set *set,
            const struct pitot_perf_counter *counter)
{
   const int index = add_set(counters, set);
   struct pitot_profile_counter *list = counters->list;

   if (index < 0)
      return index;
   for (unsigned i = 0; i < counters->count; i++) {
      if (list[i].counter == counter && list[i].set == (unsigned)index)
         return 0; /* sets may share a list of counters */
   }
   list = realloc(list, (counters->count + 1) * sizeof(list[0]));
   if (!list)
      return -ENOMEM;
   counters->list = list;
   list[counters->count++] =
      (struct pitot_profile_counter){ .counter = counter,
                                      .set = (unsigned)index };
   return 0;
}

/* Returns whether the sum over the spans of a frame is its value. */
static bool
adds_up(const struct pitot_perf_counter *counter)
{
   return counter->type != PITOT_PERF_COUNTER_TIMESTAMP &&
          counter->type != PITOT_PERF_COUNTER_DURATION_NORM;
}

/* Adds a counter by its name, or by the name of the set all that add up. */
static int
add_from_set(struct pitot_profile_counters *counters,
             struct pitot_perf_set *set, const char *name, bool *is_found_out)
{
   const bool is_set = strcasecmp(set->name, name) == 0;
   int error = 0;

   *is_found_out = is_set;
   for (unsigned i = 0; i < set->counter_count && !error; i++) {
      const struct pitot_perf_counter *counter = &set->counters[i];
      const bool is_named = strcasecmp(counter->name, name) == 0;

      if (is_set ? adds_up(counter) : is_named)
         error = add_counter(counters, set, counter);
      *is_found_out |= is_named;
   }
   return error;
}

/* A group that is split into several sets has no set of its name. */
static int
add_name(struct pitot_profile_counters *counters, const char *name)
{
   const unsigned set_count =
      counters->perf ? pitot_perf_set_count(counters->perf) : 0;

   if (strcasecmp(name, SAMPLES_NAME) == 0 &&
       pitot_counter_bits(counters->context, PITOT_KIND_SAMPLES_PASSED) > 0) {
      counters->has_samples = true;
      return 0;
   }
   for (unsigned i = 0; i < set_count; i++) {
      bool is_found;
      const int error =
         add_from_set(counters, pitot_perf_get_set(counters->perf, i), name,
                      &is_found);

      if (is_found)
         return error;
   }
   for (unsigned i = 0; i < set_count; i++) {
      const struct pitot_perf_set *set =
         pitot_perf_get_set(counters->perf, i);

      if (set->group && strcasecmp(set->group, name) == 0)
         return explain(counters,
                        "\"%s\" is measured in %u parts: name one, as "
                        "\"%s\"",
                        name, set->group_set_count, set->name);
   }
   return explain(counters, "no counter or set \"%s\"", name);
}

static int
add_list(struct pitot_profile_counters *counters, const char *names)
{
   char *copy = strdup(names);
   char *rest = copy, *name;
   int error = copy ? 0 : -ENOMEM;

   if (strcasecmp(names, "none") == 0)
      rest = NULL;
   while (!error && (name = strsep(&rest, ","))) {
      name += strspn(name, " \t");
      for (size_t end = strlen(name); end > 0 && strchr(" \t", name[end - 1]);
           end--)
         name[end - 1] = '\0';
      if (name[0] != '\0')
         error = add_name(counters, name);
   }
   free(copy);
   return error;
}

/* Skips the counters that the driver lacks. */
static int
add_default(struct pitot_profile_counters *counters)
{
   int error = add_name(counters, SAMPLES_NAME);

   if (error == 0 || error == -EINVAL)
      error = add_name(counters, PITOT_PERF_STATISTICS_NAME);
   return error == -EINVAL ? 0 : error;
}

int
pitot_profile_counters_choose(struct pitot_profile_counters *counters_out,
                              const struct pitot_context *context,
                              struct pitot_perf *perf, const char *names)
{
   *counters_out =
      (struct pitot_profile_counters){ .context = context, .perf = perf };
   return names ? add_list(counters_out, names) : add_default(counters_out);
}

double
pitot_profile_counter_value(const struct pitot_perf_counter *counter,
                            const void *record)
{
   const uint8_t *data = (const uint8_t *)record + counter->offset_B;
   union {
      uint32_t u32;
      uint64_t u64;
      float f32;
      double f64;
   } value;

   memcpy(&value, data, counter->size_B);
   switch (counter->data_type) {
   case PITOT_PERF_DATA_UINT64:
      return (double)value.u64;
   case PITOT_PERF_DATA_FLOAT:
      return value.f32;
   case PITOT_PERF_DATA_DOUBLE:
      return value.f64;
   default:
      return value.u32;
   }
}
