/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* What the driver stores is what a client would read; what it would cut, or
 * what is known already, it is not asked to store.
 */
static void
store_agrees_with_resolve(void **state)
{
   static const enum pitot_type types[] = { PITOT_TYPE_I32, PITOT_TYPE_U32,
                                            PITOT_TYPE_I64, PITOT_TYPE_U64 };
   static const uint64_t values[] = { 0, 12, (uint64_t)UINT32_MAX + 5 };

   for (unsigned t = 0; t < ARRAY_LENGTH(types); t++) {
      for (unsigned v = 0; v < ARRAY_LENGTH(values); v++) {
         struct fixture *f = open_fixture(state, true);
         struct pitot_query *query = obtain(f, 1);
         uint64_t memory[2] = { UINT64_MAX, UINT64_MAX };
         uint64_t expected[2] = { UINT64_MAX, UINT64_MAX };
         void *resource = f->backend->ops->resource(f->backend, memory);

         begin(f, query, PITOT_KIND_SAMPLES_PASSED);
         count(f, PITOT_KIND_SAMPLES_PASSED, 0, values[v]);
         end(f, PITOT_KIND_SAMPLES_PASSED);
         if (pitot_query_store(f->context, query, PITOT_STORE_RESULT,
                               types[t], resource, 8)) {
            pitot_type_write(types[t], wait_for(f, query), &expected[1]);
            assert_memory_equal(memory, expected, sizeof(memory));
         }
         wait_for(f, query);
         assert_false(pitot_query_store(f->context, query, PITOT_STORE_RESULT,
                                        types[t], resource, 8));
         close_fixture(f);
      }
   }
}

/* Stores what a query buffer gets, as the layer above does it. */
static void
store_or_write(struct fixture *f, struct pitot_query *query,
               enum pitot_store what, void *resource, uint64_t *memory)
{
   if (pitot_query_store(f->context, query, what, PITOT_TYPE_U64, resource,
                         0))
      return;

   const bool is_available = pitot_query_resolve(f->context, query, false);
   if (what == PITOT_STORE_AVAILABLE)
      *memory = is_available;
   else if (is_available)
      *memory = query->result;
}

/* RESULT_NO_WAIT leaves memory alone while the result is in flight, AVAILABLE
 * says that it is, and after an AVAILABLE of 1 there is a result.
 */
static void
store_without_waiting(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);
   uint64_t memory = UINT64_MAX;
   void *resource = f->backend->ops->resource(f->backend, &memory);

   f->backend->ops->hold(f->backend);
   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   count(f, PITOT_KIND_SAMPLES_PASSED, 0, 3);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   store_or_write(f, query, PITOT_STORE_RESULT_NO_WAIT, resource, &memory);
   assert_int_equal(memory, UINT64_MAX);
   store_or_write(f, query, PITOT_STORE_AVAILABLE, resource, &memory);
   assert_int_equal(memory, 0);

   f->backend->ops->release(f->backend);
   store_or_write(f, query, PITOT_STORE_AVAILABLE, resource, &memory);
   assert_int_equal(memory, 1);
   store_or_write(f, query, PITOT_STORE_RESULT_NO_WAIT, resource, &memory);
   assert_int_equal(memory, 3);
   assert_int_equal(f->backend->ops->wait_count(f->backend), 0);
   close_fixture(f);
}

static const struct CMUnitTest tests[] = {
   TEST(store_agrees_with_resolve),
   TEST(store_without_waiting),
};

TEST_GROUP(store_tests, tests);
