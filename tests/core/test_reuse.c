/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * How many driver queries an application's query objects take.
 */

#include "pitot_null.h"
#include "pitot_query.h"
#include "listed.h"

#define POLLED_ROUND 5

enum objects {
   ONE,     /* begun again and again */
   POLLED,  /* the same, and polled too early after POLLED_ROUND */
   HELD,    /* the same, and polled too early after each round */
   DELETED, /* a new object in each round */
   MANY,    /* at the same time */
   BEHIND,  /* begun again and again, after one that is never read */
   KINDS,   /* begun as one kind of a type, then as another */
   FAILED,  /* begun again and again, with ends that fail */
};

struct reuse_case {
   const char *name;
   enum objects objects;
   unsigned rounds;
   unsigned reads; /* the result is read every so many rounds */
   bool keeps_queries_apart;
   unsigned created;
   unsigned kept; /* once all objects are deleted */
};

static const struct reuse_case cases[] = {
   { "a known result frees its query", ONE, 200, 1, false, 1, 1 },
   { "a known result frees its query, deleted", DELETED, 200, 1, false, 1,
     1 },
   { "read now and then, an object takes two", ONE, 200, 16, false, 2, 2 },
   { "never read, an object takes two", ONE, 200, 1000, false, 2, 2 },
   { "deleted in flight, objects share one", DELETED, 200, 1000, false, 1,
     1 },
   { "polled without a result, once", POLLED, 205, 1000, false, 2, 2 },
   { "polled without a result, always", HELD, 200, 1000, false, 2, 2 },
   { "idle ones are kept", MANY, 200, 1, false, 200, 200 },
   { "4096 idle ones are kept of those in flight", MANY, 5000, 9999, false,
     5000, 4096 },
   { "one that is not read keeps itself alone", BEHIND, 5000, 9999, false, 3,
     3 },
   { "another kind has driver queries of its own", KINDS, 200, 1000, false, 4,
     4 },
   { "an end that fails destroys its query", FAILED, 5, 1, false, 5, 0 },
   { "kept apart, an object keeps its query", ONE, 200, 1, true, 1, 0 },
   { "kept apart, no object gets another one's", DELETED, 200, 1, true, 200,
     0 },
   { "kept apart, nor one in flight", DELETED, 200, 1000, true, 200, 0 },
   { "kept apart, nor one of another kind", KINDS, 200, 1000, true, 200, 0 },
};

static uint32_t
name_of(const struct reuse_case *test, unsigned round)
{
   if (test->objects == MANY)
      return round;
   return test->objects == BEHIND && round == 1 ? 2 : 1;
}

static enum pitot_kind
kind_of(const struct reuse_case *test, unsigned round)
{
   return test->objects == KINDS && round > test->rounds / 2
             ? PITOT_KIND_ANY_SAMPLES_PASSED
             : PITOT_KIND_SAMPLES_PASSED;
}

static void
run_round(const struct reuse_case *test, struct pitot_null *null,
          struct pitot_context *context, unsigned round)
{
   const uint32_t name = name_of(test, round);
   const enum pitot_kind kind = kind_of(test, round);
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(context, name, &query), 0);
   assert_int_equal(pitot_query_begin(context, query, kind, 0), 0);
   null->fail[PITOT_NULL_END] = test->objects == FAILED;
   assert_int_equal(pitot_query_end(context, kind, 0) != 0,
                    test->objects == FAILED);
   if (round % test->reads == 0)
      assert_true(pitot_query_resolve(context, query, false));
   if (test->objects == DELETED)
      pitot_query_delete(context, name);
}

/* Polls without a result, then with one. */
static void
poll_too_early(struct pitot_null *null, struct pitot_context *context)
{
   struct pitot_query *query = pitot_query_lookup(context, 1);
   const unsigned polls = null->polls;

   assert_false(pitot_query_resolve(context, query, false));
   assert_false(pitot_query_resolve(context, query, false));
   null->done = UINT64_MAX;
   assert_true(pitot_query_resolve(context, query, false));
   assert_int_equal(null->polls, polls + 3);
}

TEST_ROWS(NULL, NULL, const struct reuse_case *test, queries_are_reused,
          cases)
{
   struct pitot_null null;
   struct pitot_context *context;

   pitot_null_init(&null);
   null.base.keeps_queries_apart = test->keeps_queries_apart;
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){ .driver = &null.base },
                       &context),
                    0);
   if (test->objects == POLLED || test->objects == HELD)
      null.done = 0;
   for (unsigned i = 1; i <= test->rounds; i++) {
      run_round(test, &null, context, i);
      if (test->objects == POLLED && i == POLLED_ROUND)
         poll_too_early(&null, context);
      if (test->objects == HELD)
         assert_false(pitot_query_resolve(context,
                                          pitot_query_lookup(context, 1),
                                          false));
   }
   assert_int_equal(null.created, test->created);
   for (unsigned name = 1; name <= test->rounds; name++)
      pitot_query_delete(context, name);
   assert_int_equal(null.alive, test->kept);
   pitot_context_destroy(context);
   assert_int_equal(null.alive, 0);
}
