/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf sets and queries by name, for tests.
 */

#ifndef PITOT_TESTS_PERF_CREATE_H
#define PITOT_TESTS_PERF_CREATE_H

#include <string.h>

#include "pitot/perf.h"
#include "test.h"

/* Returns the index of a set; the test fails if there is none. */
static inline unsigned
find_set(struct pitot_perf *perf, const char *name)
{
   const unsigned count = pitot_perf_set_count(perf);

   for (unsigned i = 0; i < count; i++) {
      if (strcmp(pitot_perf_get_set(perf, i)->name, name) == 0)
         return i;
   }
   fail_msg("there is no set \"%s\"", name);
   return 0;
}

/* Returns a new query of a set. */
static inline struct pitot_perf_query *
create_query(struct pitot_perf *perf, const char *set)
{
   uint32_t handle = 0;

   assert_int_equal(pitot_perf_query_create(perf, find_set(perf, set),
                                            &handle),
                    0);
   assert_int_not_equal(handle, 0);
   return pitot_perf_query_lookup(perf, handle);
}

#endif /* PITOT_TESTS_PERF_CREATE_H */
