/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "fixture.h"

/* Booleans fit every type. */
static bool
is_to_be_stored(const struct fixture *f, enum pitot_kind kind,
                enum pitot_type type)
{
   return pitot_kind_info(kind)->is_boolean ||
          f->backend->ops->stored_types >> type & 1;
}

static void
check_store(void **state, enum pitot_kind kind, enum pitot_type type,
            uint64_t amount)
{
   struct fixture *f = open_fixture(state, true);
   const uint64_t value =
      pitot_kind_info(kind)->is_boolean ? amount != 0 : amount;
   struct pitot_query *query = obtain(f, 1);
   uint64_t memory[2] = { UINT64_MAX, UINT64_MAX };
   uint64_t expected[2] = { UINT64_MAX, UINT64_MAX };
   void *target = resource(f, memory);

   measure(f, query, kind, amount);
   const bool is_stored =
      pitot_query_store(f->context, query, PITOT_STORE_RESULT, type, target,
                        8);
   assert_int_equal(is_stored, is_to_be_stored(f, kind, type));
   if (is_stored)
      pitot_type_write(type, value, &expected[1]);
   assert_memory_equal(memory, expected, sizeof(memory));
   assert_int_equal(wait_for(f, query), value);
   assert_false(pitot_query_store(f->context, query, PITOT_STORE_RESULT, type,
                                  target, 8));
   close_fixture(f);
}

/* The driver stores what a client would read, unless it does not fit. */
CONTRACT_TEST_ALONE(store_agrees_with_resolve)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_ANY_SAMPLES_PASSED };
   static const enum pitot_type types[] = { PITOT_TYPE_I32, PITOT_TYPE_U32,
                                            PITOT_TYPE_I64, PITOT_TYPE_U64 };
   static const uint64_t amounts[] = { 0, 12, 256, (uint64_t)UINT32_MAX + 5 };

   for (unsigned k = 0; k < ARRAY_LENGTH(kinds); k++) {
      for (unsigned t = 0; t < ARRAY_LENGTH(types); t++) {
         for (unsigned a = 0; a < ARRAY_LENGTH(amounts); a++)
            check_store(state, kinds[k], types[t], amounts[a]);
      }
   }
}

/* Stores as a query buffer does: by the driver, or else by the CPU. */
static void
store_or_write(struct fixture *f, struct pitot_query *query,
               enum pitot_store what, void *target, uint64_t *memory)
{
   if (pitot_query_store(f->context, query, what, PITOT_TYPE_U64, target, 0))
      return;

   const bool is_available = pitot_query_resolve(f->context, query, false);
   if (what == PITOT_STORE_AVAILABLE)
      *memory = is_available;
   else if (is_available)
      *memory = query->result;
}

/* RESULT_NO_WAIT writes nothing in flight, and a result after AVAILABLE. */
CONTRACT_TEST_ALONE(store_without_waiting)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);
   uint64_t memory = UINT64_MAX;
   void *target = resource(f, &memory);

   hold(f);
   measure(f, query, PITOT_KIND_SAMPLES_PASSED, 3);
   store_or_write(f, query, PITOT_STORE_RESULT_NO_WAIT, target, &memory);
   assert_int_equal(memory, UINT64_MAX);
   store_or_write(f, query, PITOT_STORE_AVAILABLE, target, &memory);
   assert_int_equal(memory, 0);

   release(f);
   store_or_write(f, query, PITOT_STORE_AVAILABLE, target, &memory);
   assert_int_equal(memory, 1);
   store_or_write(f, query, PITOT_STORE_RESULT_NO_WAIT, target, &memory);
   assert_int_equal(memory, 3);
   assert_int_equal(wait_count(f), 0);
   close_fixture(f);
}
