/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A profiled context begins and ends.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_priv.h"

static int
check_time(const struct pitot_profiled *profiled)
{
   if (pitot_counter_bits(profiled->info.context, PITOT_KIND_TIMESTAMP) > 0)
      return 0;
   pitot_profile_refuse(profiled->profile, "this driver has no timestamps");
   return -ENOTSUP;
}

/* Returns whether statistics are left out of the default counters. */
static bool
leaves_statistics_out(const struct pitot_profiled *profiled)
{
   return profiled->info.counts_one_by_one &&
          !profiled->profile->settings.counters;
}

/* Chooses the counters.  The first context whose driver lacks one says so,
 * and there is no profile of it.
 */
static int
choose_counters(struct pitot_profiled *profiled)
{
   struct pitot_profile *profile = profiled->profile;
   struct pitot_perf *perf =
      leaves_statistics_out(profiled) ? NULL : profiled->info.perf;
   char why[256], line[512];
   const int error =
      pitot_profile_counters_choose(&profiled->counters,
                                    profiled->info.context, perf,
                                    profile->settings.counters, why,
                                    sizeof(why));

   if (error == -EINVAL) {
      snprintf(line, sizeof(line), "PITOT_PROFILE_COUNTERS=%s: %s",
               profile->settings.counters, why);
      pitot_profile_refuse(profile, line);
   }
   return error;
}

static unsigned
max_spans(const struct pitot_profiled *profiled)
{
   const struct pitot_profile_counters *counters = &profiled->counters;
   unsigned query_count = counters->has_samples ? 3 : 2;

   for (unsigned i = 0; i < counters->set_count; i++)
      query_count += profiled->info.counts_one_by_one
                        ? counters->sets[i]->counter_count
                        : 1;

   const unsigned max = PITOT_PROFILE_MAX_QUERIES / query_count;
   return max < PITOT_PROFILE_MAX_SPANS ? max : PITOT_PROFILE_MAX_SPANS;
}

static void
free_spans(struct pitot_profile_span_list *list)
{
   struct pitot_profile_span *span;

   while ((span = pitot_profile_span_take_oldest(list)))
      free(span);
}

static void
free_profiled(struct pitot_profiled *profiled)
{
   free_spans(&profiled->free);
   while (profiled->group)
      pitot_profile_pop_group(profiled);
   pitot_profile_writer_finish(profiled);
   pitot_profile_counters_finish(&profiled->counters);
   free((char *)profiled->info.device);
   free(profiled);
}

int
pitot_profiled_create(struct pitot_profile *profile,
                      const struct pitot_profiled_info *info,
                      struct pitot_profiled **profiled_out)
{
   struct pitot_profiled *profiled = calloc(1, sizeof(*profiled));
   int error = -ENOMEM;

   if (!profiled)
      return -ENOMEM;
   profiled->profile = profile;
   profiled->info = *info;
   profiled->info.device = strdup(info->device);
   profiled->frame_number = 1;
   if (profiled->info.device)
      error = check_time(profiled);
   if (!error)
      error = choose_counters(profiled);
   if (!error)
      error = pitot_profile_writer_init(profiled);
   if (!error)
      error = pitot_profile_add(profile, profiled);
   if (error) {
      free_profiled(profiled);
      return error;
   }
   profiled->max_spans = max_spans(profiled);
   pitot_profile_clock_read(profiled);
   profiled->is_recording = pitot_profile_wants_to_record(profiled);
   *profiled_out = profiled;
   return 0;
}

void
pitot_profiled_destroy(struct pitot_profiled *profiled)
{
   if (!profiled)
      return;
   profiled->depth = 0;
   pitot_profile_pass_ends(profiled);
   pitot_profile_end_frame(profiled);
   pitot_profile_read_all(profiled);
   pitot_profile_remove(profiled);
   free_profiled(profiled);
}
