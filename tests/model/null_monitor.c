/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "monitor_call.h"
#include "null_host.h"

/* The host of the current call. */
static struct pitot_perf_gl *amd;

static void
gen(int n, uint32_t *monitors)
{
   pitot_perf_amd_gen_monitors(amd, n, monitors);
}

static void
del(int n, uint32_t *monitors)
{
   pitot_perf_amd_delete_monitors(amd, n, monitors);
}

static void
choose(uint32_t monitor, unsigned char enable, uint32_t group, int count,
       uint32_t *counters)
{
   pitot_perf_amd_select_counters(amd, monitor, enable, group, count,
                                  counters);
}

static void
begin(uint32_t monitor)
{
   pitot_perf_amd_begin_monitor(amd, monitor);
}

static void
end(uint32_t monitor)
{
   pitot_perf_amd_end_monitor(amd, monitor);
}

static void
get(uint32_t monitor, unsigned pname, int size_B, uint32_t *data,
    int *written_B)
{
   pitot_perf_amd_get_counter_data(amd, monitor, pname, size_B, data,
                                   written_B);
}

void
null_call_monitor(struct null_host *host, const struct call *call,
                  const struct variables *variables, struct outcome *outcome)
{
   static const struct monitor_entry_points entry_points = {
      gen, del, choose, begin, end, get,
   };

   struct features features = { 0 };

   null_find_groups(&features);
   amd = &host->perf;
   call_monitor(&entry_points, &features, call, variables, outcome);
}

/* The sets of the provider itself come first. */
void
null_find_groups(struct features *features)
{
   static const uint32_t groups[SET_COUNT] = {
      [SET_SAME] = 0,
      [SET_ALONE] = 1,
      [SET_STATISTICS] = 2,
      [SET_TIME] = 3,
   };

   features->set_count = SET_COUNT;
   for (unsigned i = 0; i < SET_COUNT; i++) {
      features->groups[i] = groups[i];
      for (unsigned k = 0; k < SELECTED_COUNT; k++)
         features->counters[i][k] = k;
   }
}
