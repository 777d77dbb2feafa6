/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The counters of a profile: counters.c.
 */

#ifndef PITOT_PROFILE_COUNTERS_H
#define PITOT_PROFILE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#include "pitot_perf_query.h"
#include "trace.h"

#define PITOT_PROFILE_MAX_SETS 8

struct pitot_profile_counter {
   const struct pitot_perf_counter *counter;
   unsigned set; /* index */
};

struct pitot_profile_counters {
   struct pitot_perf_set *sets[PITOT_PROFILE_MAX_SETS];
   unsigned set_count;
   struct pitot_profile_counter *list;
   unsigned count;
   bool has_samples; /* PITOT_KIND_SAMPLES_PASSED */
   bool is_chosen;   /* by name: a 0 is a value, too */
};

/* Chooses the counters of a list, NULL for the default ones.  Returns 0;
 * -ENOMEM; or -EINVAL and, in why_out, the reason.
 */
int
pitot_profile_counters_choose(struct pitot_profile_counters *counters_out,
                              const struct pitot_context *context,
                              struct pitot_perf *perf, const char *names,
                              char *why_out, size_t why_B);

void
pitot_profile_counters_finish(struct pitot_profile_counters *counters);

/* Returns the value of a counter in a record of its set. */
struct pitot_trace_value
pitot_profile_counter_value(const struct pitot_perf_counter *counter,
                            const void *record);

#endif /* PITOT_PROFILE_COUNTERS_H */
