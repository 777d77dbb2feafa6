/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stdlib.h>

#include "core_priv.h"
#include "pitot_null.h"
#include "pitot_query.h"
#include "listed.h"

#define MANY 1000000

struct fixture {
   struct pitot_null null;
   struct pitot_context *context;
};

static int
setup(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));

   pitot_null_init(&f->null);
   *state = f;
   return pitot_context_create(
      &(struct pitot_context_info){ .driver = &f->null.base }, &f->context);
}

static int
teardown(void **state)
{
   struct fixture *f = *state;

   pitot_context_destroy(f->context);
   assert_int_equal(f->null.alive, 0);
   free(f);
   return 0;
}

#define NAMES_TEST(NAME) TEST_WITH(setup, teardown, struct fixture *f, NAME)

/* Names start at 1, and have no object. */
NAMES_TEST(generate_gives_the_lowest)
{
   uint32_t names[3];

   assert_int_equal(pitot_names_generate(f->context, 3, names), 0);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(names[i], i + 1);
      assert_true(pitot_name_is_used(f->context, names[i]));
      assert_null(pitot_query_lookup(f->context, names[i]));
   }
   assert_false(pitot_name_is_used(f->context, 0));
   assert_false(pitot_name_is_used(f->context, 4));
}

/* "After a query object is deleted, its name is again unused" (OpenGL 4.6
 * core, 4.2.2), and is generated again before higher ones.
 */
NAMES_TEST(deleted_names_come_again)
{
   struct pitot_query *query;
   uint32_t names[10], again[2];

   pitot_names_generate(f->context, 10, names);
   assert_int_equal(pitot_query_obtain(f->context, names[4], &query), 0);
   pitot_query_delete(f->context, names[4]);
   pitot_query_delete(f->context, names[7]);
   assert_false(pitot_name_is_used(f->context, names[4]));
   pitot_names_generate(f->context, 2, again);
   assert_int_equal(again[0], names[4]);
   assert_int_equal(again[1], names[7]);
   assert_null(pitot_query_lookup(f->context, again[0]));
}

/* Unused names and 0 are silently ignored (OpenGL 4.6 core, 4.2.2). */
NAMES_TEST(deleting_nothing_is_nothing)
{
   pitot_query_delete(f->context, 0);
   pitot_query_delete(f->context, 12345);
   pitot_query_delete(f->context, UINT32_MAX);
   assert_false(pitot_name_is_used(f->context, 12345));
}

/* A name that the application chose is never generated. */
NAMES_TEST(chosen_names_are_kept)
{
   const uint32_t chosen[] = { 2, 1023, 1024, 1 << 21, UINT32_MAX };
   uint32_t names[2000];

   for (unsigned i = 0; i < ARRAY_LENGTH(chosen); i++) {
      struct pitot_query *query;
      assert_int_equal(pitot_query_obtain(f->context, chosen[i], &query), 0);
      assert_ptr_equal(pitot_query_lookup(f->context, chosen[i]), query);
      assert_int_equal(query->name, chosen[i]);
   }
   pitot_names_generate(f->context, 2000, names);
   for (unsigned i = 0; i < 2000; i++) {
      for (unsigned j = 0; j < ARRAY_LENGTH(chosen); j++)
         assert_int_not_equal(names[i], chosen[j]);
   }
}

/* Names have 32 bits.  If too few are left, none of the call is taken. */
NAMES_TEST(names_come_to_an_end)
{
   uint32_t names[3] = { 0 };

   f->context->head.names.lowest_maybe_free = UINT32_MAX - 1;
   assert_int_equal(pitot_names_generate(f->context, 3, names), -ENOMEM);
   assert_false(pitot_name_is_used(f->context, UINT32_MAX));
   assert_int_equal(pitot_names_generate(f->context, 2, names), 0);
   assert_int_equal(names[0], UINT32_MAX - 1);
   assert_int_equal(names[1], UINT32_MAX);
   assert_int_equal(pitot_names_generate(f->context, 1, names), -ENOMEM);
}

TEST(no_context_is_destroyed)
{
   pitot_context_destroy(NULL);
}

NAMES_TEST(a_million_names)
{
   uint32_t *names = malloc(MANY * sizeof(*names));

   for (unsigned round = 0; round < 2; round++) {
      assert_int_equal(pitot_names_generate(f->context, MANY, names), 0);
      for (unsigned i = 0; i < MANY; i++)
         assert_int_equal(names[i], i + 1);
      for (unsigned i = 0; i < MANY; i++)
         pitot_query_delete(f->context, names[i]);
   }
   free(names);
}

/* The first page is kept, since its names come and go all the time. */
NAMES_TEST(memory_of_far_names_is_freed)
{
   static int object;
   struct pitot_names *names = &f->context->head.names;
   const uint32_t far = 3 * PITOT_NAMES_LEAF_SIZE;
   const uint32_t firsts[] = { 1, PITOT_NAMES_LEAF_SIZE, far };

   assert_int_equal(pitot_names_set(names, far, NULL), 0);
   assert_null(pitot_names_find(names, far));
   for (unsigned i = 0; i < ARRAY_LENGTH(firsts); i++) {
      const uint32_t first = firsts[i];

      assert_int_equal(pitot_names_set(names, first, &object), 0);
      assert_int_equal(pitot_names_set(names, first + 1, &object), 0);
      assert_int_equal(pitot_names_set(names, first + 1, NULL), 0);
      assert_non_null(pitot_names_find(names, first));
      assert_int_equal(pitot_names_set(names, first, NULL), 0);
      assert_int_equal(pitot_names_find(names, first) != NULL, first == 1);
   }
}

/* CreateQueries: "the result [is] zero and available" (OpenGL 4.6 core,
 * 4.2.2), without a wait.
 */
NAMES_TEST(created_objects_have_a_result)
{
   assert_int_equal(pitot_query_create(f->context, 7,
                                       PITOT_KIND_VS_INVOCATIONS),
                    0);
   struct pitot_query *query = pitot_query_lookup(f->context, 7);
   assert_int_equal(query->kind, PITOT_KIND_VS_INVOCATIONS);
   assert_int_equal(query->state, PITOT_STATE_AVAILABLE);
   assert_true(pitot_query_resolve(f->context, query, false));
   assert_int_equal(query->result, 0);
   assert_int_equal(f->null.polls + f->null.waits, 0);
}
