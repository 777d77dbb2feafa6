/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A program outside the tree with a driver of its own, which is a copy of the
 * null driver: a query counts what that driver counts.  Exit status 0 if so.
 */

#include "mine.h"
#include "pitot/query.h"

static uint64_t
measure(struct pitot_context *context, struct mine *driver)
{
   struct pitot_query *query;
   uint32_t name;

   if (pitot_names_generate(context, 1, &name) ||
       pitot_query_obtain(context, name, &query) ||
       pitot_query_begin(context, query, PITOT_KIND_SAMPLES_PASSED, 0))
      return 0;
   driver->counters[PITOT_KIND_SAMPLES_PASSED][0] += 42;
   if (pitot_query_end(context, PITOT_KIND_SAMPLES_PASSED, 0) ||
       !pitot_query_resolve(context, query, true))
      return 0;
   return query->result;
}

int
main(void)
{
   struct mine driver;
   struct pitot_context *context;

   mine_init(&driver);
   const struct pitot_context_info info = { .driver = &driver.base };
   if (pitot_context_create(&info, &context))
      return 1;

   const uint64_t samples = measure(context, &driver);
   pitot_context_destroy(context);
   return samples == 42 && driver.alive == 0 ? 0 : 1;
}
