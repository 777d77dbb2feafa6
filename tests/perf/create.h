/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_PERF_CREATE_H
#define PITOT_TESTS_PERF_CREATE_H

#include <string.h>

#include "pitot_perf_query.h"
#include "test.h"

static inline struct pitot_perf_set *
find_set(struct pitot_perf *perf, const char *name)
{
   const unsigned count = pitot_perf_set_count(perf);

   for (unsigned i = 0; i < count; i++) {
      if (strcmp(pitot_perf_get_set(perf, i)->name, name) == 0)
         return pitot_perf_get_set(perf, i);
   }
   fail_msg("there is no set \"%s\"", name);
   return NULL;
}

static inline struct pitot_perf_query *
create_query(struct pitot_perf *perf, const char *set)
{
   struct pitot_perf_query *query =
      pitot_perf_query_create(perf, find_set(perf, set));

   assert_non_null(query);
   query->wants_fence = true;
   return query;
}

static inline uint32_t
find_group(struct pitot_perf *perf, const char *name)
{
   const unsigned count = pitot_perf_group_count(perf);

   for (unsigned i = 0; i < count; i++) {
      if (strcmp(pitot_perf_get_group(perf, i)->name, name) == 0)
         return i;
   }
   fail_msg("there is no group \"%s\"", name);
   return 0;
}

static inline void
measure_perf(struct pitot_perf_query *query)
{
   assert_int_equal(pitot_perf_query_begin(query), 0);
   assert_int_equal(pitot_perf_query_end(query), 0);
}

#endif /* PITOT_TESTS_PERF_CREATE_H */
