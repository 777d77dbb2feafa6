/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The counters of a profile, chosen by their names.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "profile_priv.h"

#define SAMPLES_NAME "samples passed"

/* Returns the index of a set, which is added if it is a new one, or a
 * negative errno value.
 */
static int
add_set(struct pitot_profile_counters *counters, struct pitot_perf_set *set)
{
   for (unsigned i = 0; i < counters->set_count; i++) {
      if (counters->sets[i] == set)
         return (int)i;
      if (!pitot_perf_may_overlap(counters->sets[i], set)) {
         snprintf(counters->why, sizeof(counters->why),
                  "the counters of \"%s\" and \"%s\" cannot be measured at "
                  "the same time",
                  counters->sets[i]->name, set->name);
         return -EINVAL;
      }
   }
   if (counters->set_count == PITOT_PROFILE_MAX_SETS) {
      snprintf(counters->why, sizeof(counters->why),
               "counters of more than %u sets", PITOT_PROFILE_MAX_SETS);
      return -EINVAL;
   }
   counters->sets[counters->set_count] = set;
   return (int)counters->set_count++;
}

/* Sets may share a list of counters. */
static bool
has_counter(const struct pitot_profile_counters *counters,
            const struct pitot_profile_counter *wanted)
{
   for (unsigned i = 0; i < counters->count; i++) {
      if (counters->list[i].counter == wanted->counter &&
          counters->list[i].set == wanted->set)
         return true;
   }
   return false;
}

static int
add_counter(struct pitot_profile_counters *counters,
            struct pitot_perf_set *set,
            const struct pitot_perf_counter *counter)
{
   const int index = add_set(counters, set);
   const struct pitot_profile_counter added = { .counter = counter,
                                                .set = (unsigned)index };

   if (index < 0)
      return index;
   if (has_counter(counters, &added))
      return 0;
   struct pitot_profile_counter *list =
      realloc(counters->list, (counters->count + 1) * sizeof(list[0]));
   if (!list)
      return -ENOMEM;
   counters->list = list;
   list[counters->count++] = added;
   return 0;
}

/* Returns whether the values of spans add up to that of a frame. */
static bool
adds_up(const struct pitot_perf_counter *counter)
{
   return counter->type != PITOT_PERF_COUNTER_TIMESTAMP &&
          counter->type != PITOT_PERF_COUNTER_DURATION_NORM;
}

static int
add_whole_set(struct pitot_profile_counters *counters,
              struct pitot_perf_set *set)
{
   int error = 0;

   for (unsigned i = 0; i < set->counter_count && !error; i++) {
      if (adds_up(&set->counters[i]))
         error = add_counter(counters, set, &set->counters[i]);
   }
   return error;
}

/* Returns whether the name is that of the set or one of its counters, and
 * adds these.
 */
static bool
add_from_set(struct pitot_profile_counters *counters,
             struct pitot_perf_set *set, const char *name, int *error_out)
{
   if (strcasecmp(set->name, name) == 0) {
      *error_out = add_whole_set(counters, set);
      return true;
   }
   for (unsigned i = 0; i < set->counter_count; i++) {
      if (strcasecmp(set->counters[i].name, name) == 0) {
         *error_out = add_counter(counters, set, &set->counters[i]);
         return true;
      }
   }
   return false;
}

/* Says why nothing has that name: not even a group that is several sets. */
static void
explain(struct pitot_profile_counters *counters, unsigned set_count,
        const char *name)
{
   for (unsigned i = 0; i < set_count; i++) {
      const struct pitot_perf_set *set =
         pitot_perf_get_set(counters->perf, i);

      if (set->group && strcasecmp(set->group, name) == 0) {
         snprintf(counters->why, sizeof(counters->why),
                  "\"%s\" is measured in %u parts: name one, as \"%s\"", name,
                  set->group_set_count, set->name);
         return;
      }
   }
   snprintf(counters->why, sizeof(counters->why), "no counter or set \"%s\"",
            name);
}

static int
add_name(struct pitot_profile_counters *counters, const char *name)
{
   const unsigned set_count =
      counters->perf ? pitot_perf_set_count(counters->perf) : 0;
   int error;

   if (strcasecmp(name, SAMPLES_NAME) == 0 &&
       pitot_counter_bits(counters->context, PITOT_KIND_SAMPLES_PASSED) > 0) {
      counters->has_samples = true;
      return 0;
   }
   for (unsigned i = 0; i < set_count; i++) {
      if (add_from_set(counters, pitot_perf_get_set(counters->perf, i), name,
                       &error))
         return error;
   }
   explain(counters, set_count, name);
   return -EINVAL;
}

/* Cuts the next name out of a list, without the blanks around it.  Returns
 * NULL at the end of the list.
 */
static char *
next_name(char **rest)
{
   char *name;

   do {
      name = strsep(rest, ",");
      if (!name)
         return NULL;
      name += strspn(name, " \t");
      for (size_t end = strlen(name); end > 0; end--) {
         if (name[end - 1] != ' ' && name[end - 1] != '\t')
            break;
         name[end - 1] = '\0';
      }
   } while (name[0] == '\0');
   return name;
}

static int
add_list(struct pitot_profile_counters *counters, const char *names)
{
   char *copy = strdup(names);
   char *rest = copy;
   int error = copy ? 0 : -ENOMEM;

   if (strcasecmp(names, "none") == 0)
      rest = NULL;
   while (!error) {
      const char *name = next_name(&rest);

      if (!name)
         break;
      error = add_name(counters, name);
   }
   free(copy);
   return error;
}

/* Leaves out the counters that the driver lacks. */
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
