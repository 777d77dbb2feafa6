/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Checks of results: queries of nothing.
 */

#include <inttypes.h>
#include <string.h>

#include "check.h"

/* A time is no longer than the CPU's, but for the difference of the clocks.
 */
#define MAX_RATIO    1.01
#define MAX_ERROR_NS 10000

static struct pitot_hw_query *
create_query(struct check_gpu *gpu, enum pitot_kind kind)
{
   struct pitot_hw_query *query = NULL;
   const int status = pitot_hw_query_create(gpu->hw, kind, 0, &query);

   check_set_step(gpu, "a query of %s", pitot_kind_info(kind)->name);
   if (status != 0)
      check_wrong(gpu, "there is no query: %s", strerror(-status));
   return query;
}

/* Measures nothing, on both rings. */
static void
measure_nothing(struct check_gpu *gpu, struct pitot_hw_query *query,
                enum pitot_kind kind)
{
   if (!pitot_kind_info(kind)->is_instant) {
      pitot_hw_query_begin(gpu->hw, query);
      pitot_hw_dispatch(gpu->hw, PITOT_RING_COMPUTE);
   }
   pitot_hw_query_end(gpu->hw, query);
}

/* Waits for a result.  Returns whether there is one; if not, the context is
 * lost.
 */
static bool
wait_for_result(struct check_gpu *gpu, struct pitot_hw_query *query,
                uint64_t *value_out)
{
   if (pitot_hw_query_result(gpu->hw, query, true, value_out) == 1)
      return true;
   check_wrong(gpu, "the result is lost: %s", gpu->step);
   gpu->is_lost = gpu->cs->ops->take_reset(gpu->cs);
   return false;
}

/* Checks the result of a query of nothing, which took so long on the CPU. */
static void
look_at_nothing(struct check_gpu *gpu, enum pitot_kind kind, uint64_t value,
                uint64_t passed_ns)
{
   const double max_ns = (double)passed_ns * MAX_RATIO + MAX_ERROR_NS;

   if (kind == PITOT_KIND_TIMESTAMP)
      return;
   if (kind != PITOT_KIND_TIME_ELAPSED ? value != 0 : (double)value > max_ns)
      check_wrong(gpu, "it is %" PRIu64 ": %s", value, gpu->step);
}

static void
try_nothing(struct check_gpu *gpu, enum pitot_kind kind)
{
   struct pitot_hw_query *query = create_query(gpu, kind);
   const uint64_t before_ns = check_cpu_ns();
   uint64_t value;

   if (query == NULL)
      return;
   measure_nothing(gpu, query, kind);
   if (wait_for_result(gpu, query, &value))
      look_at_nothing(gpu, kind, value, check_cpu_ns() - before_ns);
   pitot_hw_query_free(gpu->hw, query);
}

void
check_empty_queries(struct check_gpu *gpu)
{
   unsigned count = 0;

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT && !gpu->is_lost; kind++) {
      if (pitot_hw_gpu_counter_bits(&gpu->device->gpu, kind) == 0)
         continue;
      try_nothing(gpu, kind);
      count++;
   }
   check_add_number(gpu, "queries", count);
}
