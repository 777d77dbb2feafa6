/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Driver queries are used again: how many an application's queries take.
 */

#include "pitot/null.h"
#include "pitot/query.h"
#include "rows.h"

struct reuse_case {
   const char *name;
   unsigned reads; /* the result is read in each of so many rounds */
   bool is_deleted;
   bool keeps_queries_apart;
   unsigned created;
};

static const struct reuse_case cases[] = {
   { "a known result frees its query", 1, false, false, 1 },
   { "a known result frees its query, deleted", 1, true, false, 1 },
   { "a known result frees those before it", 16, false, false, 16 },
   { "a known result frees those before it, deleted", 16, true, false, 16 },
   { "the oldest of 64 is taken to be done", UINT32_MAX, false, false, 65 },
   { "the oldest of 64 is taken to be done, deleted", UINT32_MAX, true, false,
     64 },
   { "kept apart, an object keeps its query", 1, false, true, 1 },
   { "kept apart, no object gets another one's", 1, true, true, 200 },
};

static void
queries_are_reused(void **state)
{
   const struct reuse_case *test = *state;
   struct pitot_null null;
   struct pitot_context *context;
   struct pitot_query *query;

   pitot_null_init(&null);
   null.base.keeps_queries_apart = test->keeps_queries_apart;
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){ .driver = &null.base },
                       &context),
                    0);
   for (unsigned i = 1; i <= 200; i++) {
      assert_int_equal(pitot_query_obtain(context, 1, &query), 0);
      assert_int_equal(pitot_query_begin(context, query,
                                         PITOT_KIND_SAMPLES_PASSED, 0),
                       0);
      assert_int_equal(pitot_query_end(context, PITOT_KIND_SAMPLES_PASSED, 0),
                       0);
      if (i % test->reads == 0)
         assert_true(pitot_query_resolve(context, query, false));
      if (test->is_deleted)
         pitot_query_delete(context, 1);
   }
   assert_int_equal(null.created, test->created);
   pitot_context_destroy(context);
   assert_int_equal(null.alive, 0);
}

int
main(void)
{
   return RUN_ROWS("reuse", cases, queries_are_reused);
}
