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

enum objects {
   ONE,     /* begun again and again */
   DELETED, /* a new one after each */
   MANY,    /* at the same time */
};

struct reuse_case {
   const char *name;
   enum objects objects;
   unsigned reads; /* the result is read in each of so many rounds */
   bool keeps_queries_apart;
   unsigned created;
   unsigned kept; /* once all objects are deleted */
};

static const struct reuse_case cases[] = {
   { "a known result frees its query", ONE, 1, false, 1, 1 },
   { "a known result frees its query, deleted", DELETED, 1, false, 1, 1 },
   { "a known result frees those before it", ONE, 16, false, 16, 16 },
   { "a known result frees those before it, deleted", DELETED, 16, false, 16,
     16 },
   { "the oldest of 64 is taken to be done", ONE, 1000, false, 65, 65 },
   { "the oldest of 64 is taken to be done, deleted", DELETED, 1000, false,
     64, 64 },
   { "64 idle ones are kept", MANY, 1, false, 200, 64 },
   { "kept apart, an object keeps its query", ONE, 1, true, 1, 0 },
   { "kept apart, no object gets another one's", DELETED, 1, true, 200, 0 },
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
      const uint32_t name = test->objects == MANY ? i : 1;

      assert_int_equal(pitot_query_obtain(context, name, &query), 0);
      assert_int_equal(pitot_query_begin(context, query,
                                         PITOT_KIND_SAMPLES_PASSED, 0),
                       0);
      assert_int_equal(pitot_query_end(context, PITOT_KIND_SAMPLES_PASSED, 0),
                       0);
      if (i % test->reads == 0)
         assert_true(pitot_query_resolve(context, query, false));
      if (test->objects == DELETED)
         pitot_query_delete(context, name);
   }
   assert_int_equal(null.created, test->created);
   for (unsigned name = 1; name <= 200; name++)
      pitot_query_delete(context, name);
   assert_int_equal(null.alive, test->kept);
   pitot_context_destroy(context);
   assert_int_equal(null.alive, 0);
}

int
main(void)
{
   return RUN_ROWS("reuse", cases, queries_are_reused);
}
