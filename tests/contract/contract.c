/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What every driver promises core, and core its callers: one suite, run on
 * every back end.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "test.h"

struct fixture {
   struct backend *backend;
   struct pitot_context *context;
};

static struct fixture *
open_fixture(void **state, bool delete_ends_active)
{
   const struct backend_ops *ops = *state;
   struct fixture *f = calloc(1, sizeof(*f));

   f->backend = ops->create();
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){
                          .driver = f->backend->driver,
                          .delete_ends_active = delete_ends_active,
                       },
                       &f->context),
                    0);
   return f;
}

/* Whatever a test does, nothing outlives the context. */
static void
close_fixture(struct fixture *f)
{
   pitot_context_destroy(f->context);
   assert_int_equal(f->backend->ops->alive_count(f->backend), 0);
   f->backend->ops->destroy(f->backend);
   free(f);
}

static void
count(struct fixture *f, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   f->backend->ops->count(f->backend, kind, stream, amount);
}

static struct pitot_query *
obtain(struct fixture *f, uint32_t name)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(f->context, name, &query), 0);
   return query;
}

static void
begin(struct fixture *f, struct pitot_query *query, enum pitot_kind kind)
{
   assert_int_equal(pitot_query_begin(f->context, query, kind, 0), 0);
}

static void
end(struct fixture *f, enum pitot_kind kind)
{
   assert_int_equal(pitot_query_end(f->context, kind, 0), 0);
}

static uint64_t
wait_for(struct fixture *f, struct pitot_query *query)
{
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->state, PITOT_STATE_AVAILABLE);
   return query->result;
}

/* Polls as an application does, who has been promised an end. */
static bool
poll(struct fixture *f, struct pitot_query *query)
{
   bool is_available = false;

   for (unsigned i = 0; i < 3 && !is_available; i++)
      is_available = pitot_query_resolve(f->context, query, false);
   return is_available;
}

/* What is counted is what happens between begin and end, for every kind, on
 * every stream of those that have streams, and as 0 or 1 for booleans.
 */
static void
counts_between_begin_and_end(void **state)
{
   struct fixture *f = open_fixture(state, true);
   uint32_t name = 0;

   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const struct pitot_kind_info *info = pitot_kind_info(kind);
      const unsigned streams = info->is_indexed ? PITOT_MAX_STREAMS : 1;

      for (unsigned s = 0; s < streams && !info->is_time; s++) {
         struct pitot_query *query = obtain(f, ++name);

         count(f, kind, s, 1000);
         assert_int_equal(pitot_query_begin(f->context, query, kind, s), 0);
         count(f, kind, s, 7);
         assert_int_equal(pitot_query_end(f->context, kind, s), 0);
         count(f, kind, s, 100);
         assert_int_equal(wait_for(f, query), info->is_boolean ? 1 : 7);
         assert_int_equal(query->kind, kind);
         assert_int_equal(query->stream, s);
      }
   }
   close_fixture(f);
}

/* Nothing between begin and end is 0, also in an object used before. */
static void
nothing_counts_as_zero(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   count(f, PITOT_KIND_SAMPLES_PASSED, 0, 5);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(wait_for(f, query), 5);

   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(wait_for(f, query), 0);
   close_fixture(f);
}

/* Slots of all kinds are open at the same time, with begins and ends in any
 * order.
 */
static void
kinds_overlap(void **state)
{
   struct fixture *f = open_fixture(state, true);
   const enum pitot_kind first = PITOT_KIND_VERTICES_SUBMITTED;
   struct pitot_query *queries[PITOT_KIND_COUNT];

   for (unsigned kind = first; kind < PITOT_KIND_COUNT; kind++) {
      queries[kind] = obtain(f, kind + 1);
      begin(f, queries[kind], kind);
      for (unsigned other = first; other < PITOT_KIND_COUNT; other++)
         count(f, other, 0, 1);
   }
   for (unsigned kind = first; kind < PITOT_KIND_COUNT; kind++)
      end(f, kind);
   for (unsigned kind = first; kind < PITOT_KIND_COUNT; kind++)
      assert_int_equal(wait_for(f, queries[kind]), PITOT_KIND_COUNT - kind);
   close_fixture(f);
}

/* A result in flight is not available, a landed one is, and a poll neither
 * waits nor drains.
 */
static void
poll_does_not_wait(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   f->backend->ops->hold(f->backend);
   begin(f, query, PITOT_KIND_FS_INVOCATIONS);
   count(f, PITOT_KIND_FS_INVOCATIONS, 0, 3);
   end(f, PITOT_KIND_FS_INVOCATIONS);
   assert_false(poll(f, query));
   assert_int_equal(query->state, PITOT_STATE_ENDED);

   f->backend->ops->release(f->backend);
   assert_true(poll(f, query));
   assert_int_equal(query->result, 3);
   assert_int_equal(f->backend->ops->wait_count(f->backend), 0);
   close_fixture(f);
}

/* A known result is answered from memory, even after the device is gone. */
static void
known_results_stay(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   count(f, PITOT_KIND_SAMPLES_PASSED, 0, 9);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_true(poll(f, query));
   f->backend->ops->lose(f->backend);
   assert_int_equal(wait_for(f, query), 9);
   close_fixture(f);
}

/* "if any query object returns a result available of TRUE, all queries of the
 * same type issued prior to that query must also return TRUE" (OpenGL 4.6
 * core, 4.2.3)
 */
static void
availability_is_in_order(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *older = obtain(f, 1);
   struct pitot_query *newer = obtain(f, 2);

   f->backend->ops->hold(f->backend);
   begin(f, older, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   begin(f, newer, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);

   assert_false(poll(f, newer));
   wait_for(f, newer);
   assert_int_equal(older->state, PITOT_STATE_AVAILABLE);
   close_fixture(f);
}

/* Beginning again, or deleting, what is in flight waits for nothing, however
 * often; the last result counts.
 */
static void
reuse_in_flight_does_not_wait(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   f->backend->ops->hold(f->backend);
   for (unsigned i = 1; i <= 100; i++) {
      begin(f, query, PITOT_KIND_SAMPLES_PASSED);
      count(f, PITOT_KIND_SAMPLES_PASSED, 0, i);
      end(f, PITOT_KIND_SAMPLES_PASSED);
   }
   for (unsigned name = 2; name < 100; name++) {
      begin(f, obtain(f, name), PITOT_KIND_SAMPLES_PASSED);
      end(f, PITOT_KIND_SAMPLES_PASSED);
      pitot_query_delete(f->context, name);
   }
   assert_int_equal(f->backend->ops->wait_count(f->backend), 0);
   assert_int_equal(wait_for(f, query), 100);
   close_fixture(f);
}

/* Begun again and again without being read, a query comes to use the same
 * driver queries: no allocation in the steady state.
 */
static void
steady_state_allocates_nothing(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);
   unsigned alive = 0;

   f->backend->ops->hold(f->backend);
   for (unsigned i = 0; i < 1000; i++) {
      begin(f, query, PITOT_KIND_TIME_ELAPSED);
      end(f, PITOT_KIND_TIME_ELAPSED);
      if (i == 200)
         alive = f->backend->ops->alive_count(f->backend);
   }
   assert_int_equal(f->backend->ops->alive_count(f->backend), alive);
   close_fixture(f);
}

/* Thousands outstanding, read in any order. */
static void
many_are_in_flight(void **state)
{
   enum { MANY = 35000 };
   struct fixture *f = open_fixture(state, true);

   for (unsigned i = 1; i <= MANY; i++) {
      begin(f, obtain(f, i), PITOT_KIND_PRIMITIVES_GENERATED);
      count(f, PITOT_KIND_PRIMITIVES_GENERATED, 0, i);
      end(f, PITOT_KIND_PRIMITIVES_GENERATED);
   }
   assert_int_equal(wait_for(f, obtain(f, MANY)), MANY);
   for (unsigned i = 1; i <= MANY; i++)
      assert_int_equal(wait_for(f, obtain(f, i)), i);
   for (unsigned i = 1; i <= MANY; i++)
      pitot_query_delete(f->context, i);
   close_fixture(f);
}

/* A begin that fails leaves the object as it was: here, with a result, still
 * in flight or not.
 */
static void
failed_begin_changes_nothing(void **state)
{
   static const enum backend_call calls[] = { BACKEND_CREATE, BACKEND_BEGIN };

   for (unsigned i = 0; i < ARRAY_LENGTH(calls); i++) {
      struct fixture *f = open_fixture(state, true);
      struct pitot_query *query = obtain(f, 1);

      f->backend->ops->fail_next(f->backend, calls[i]);
      assert_true(pitot_query_begin(f->context, query,
                                    PITOT_KIND_GS_PRIMITIVES, 0) < 0);
      assert_int_equal(query->state, PITOT_STATE_IDLE);
      assert_int_equal(query->kind, PITOT_KIND_NONE);
      assert_null(
         pitot_query_active(f->context, PITOT_KIND_GS_PRIMITIVES, 0));

      f->backend->ops->hold(f->backend);
      begin(f, query, PITOT_KIND_GS_PRIMITIVES);
      count(f, PITOT_KIND_GS_PRIMITIVES, 0, 4);
      end(f, PITOT_KIND_GS_PRIMITIVES);
      f->backend->ops->fail_next(f->backend, calls[i]);
      assert_true(pitot_query_begin(f->context, query,
                                    PITOT_KIND_GS_PRIMITIVES, 0) < 0);
      assert_int_equal(wait_for(f, query), 4);
      begin(f, query, PITOT_KIND_GS_PRIMITIVES);
      close_fixture(f);
   }
}

/* An end that fails still ends: the slot is empty, the result is 0. */
static void
failed_end_still_ends(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   count(f, PITOT_KIND_SAMPLES_PASSED, 0, 4);
   f->backend->ops->fail_next(f->backend, BACKEND_END);
   assert_true(pitot_query_end(f->context, PITOT_KIND_SAMPLES_PASSED, 0) < 0);
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   assert_true(pitot_query_resolve(f->context, query, false));
   assert_int_equal(query->result, 0);
   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   close_fixture(f);
}

/* A lost device: no hang, a result of 0, and the time is disjoint, once. */
static void
lost_device_finishes_queries(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   f->backend->ops->hold(f->backend);
   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   count(f, PITOT_KIND_SAMPLES_PASSED, 0, 4);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_false(pitot_disjoint_take(f->context));
   f->backend->ops->lose(f->backend);
   assert_int_equal(wait_for(f, query), 0);
   assert_true(pitot_disjoint_take(f->context));
   assert_false(pitot_disjoint_take(f->context));
   close_fixture(f);
}

static void
set_time_ns(struct fixture *f, uint64_t time_ns)
{
   f->backend->ops->set_time_ns(f->backend, time_ns);
}

/* Time elapsed is the time between begin and end. */
static void
time_elapses(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   set_time_ns(f, 1000);
   begin(f, query, PITOT_KIND_TIME_ELAPSED);
   set_time_ns(f, 5000000000);
   end(f, PITOT_KIND_TIME_ELAPSED);
   assert_int_equal(wait_for(f, query), 4999999000);
   close_fixture(f);
}

/* Timestamps are what the clock says, taken again and again, and the same as
 * the GPU's time now.
 */
static void
timestamps_tell_the_time(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   for (uint64_t ns = 10; ns < 100; ns += 10) {
      set_time_ns(f, ns);
      assert_int_equal(pitot_query_counter(f->context, query), 0);
      assert_int_equal(query->kind, PITOT_KIND_TIMESTAMP);
      assert_int_equal(pitot_timestamp_ns(f->context), ns);
      if (ns % 20)
         assert_int_equal(wait_for(f, query), ns);
   }
   assert_false(pitot_disjoint_take(f->context));
   close_fixture(f);
}

/* A clock that steps back does not: time stands still there, goes on from
 * there, and is disjoint.
 */
static void
timestamps_never_go_back(void **state)
{
   struct fixture *f = open_fixture(state, true);
   static const uint64_t raw_ns[] = { 500, 700, 100, 150 };
   static const uint64_t told_ns[] = { 500, 700, 700, 750 };

   for (unsigned i = 0; i < ARRAY_LENGTH(raw_ns); i++) {
      struct pitot_query *query = obtain(f, i + 1);

      set_time_ns(f, raw_ns[i]);
      assert_int_equal(pitot_query_counter(f->context, query), 0);
      assert_int_equal(wait_for(f, query), told_ns[i]);
      assert_int_equal(pitot_disjoint_take(f->context), i == 2);
   }
   /* The time now is that of the same clock. */
   assert_int_equal(pitot_timestamp_ns(f->context), 750);
   close_fixture(f);
}

/* Deleting the active query: desktop GL ends it and closes the slot... */
static void
delete_ends_active(void **state)
{
   struct fixture *f = open_fixture(state, true);

   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   pitot_query_delete(f->context, 1);
   assert_false(pitot_name_is_used(f->context, 1));
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   close_fixture(f);
}

/* ...while "the underlying object is not deleted until it is no longer
 * active" (OpenGL ES 3.2, 5.1.3): the name may be used for another one.
 */
static void
delete_keeps_active(void **state)
{
   struct fixture *f = open_fixture(state, false);

   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   struct pitot_query *deleted = obtain(f, 1);
   pitot_query_delete(f->context, 1);
   assert_false(pitot_name_is_used(f->context, 1));
   assert_ptr_equal(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED,
                                       0),
                    deleted);

   struct pitot_query *other = obtain(f, 1);
   assert_ptr_not_equal(other, deleted);
   begin(f, other, PITOT_KIND_TIME_ELAPSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_null(pitot_query_active(f->context, PITOT_KIND_SAMPLES_PASSED, 0));
   close_fixture(f);
}

static const struct pitot_condition_mode wait_mode = { .wait = true };
static const struct pitot_condition_mode inverted_mode = {
   .wait = true,
   .inverted = true,
};

/* A condition holds its query: deleting it changes nothing until the
 * condition ends.
 */
static void
condition_holds_its_query(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   begin(f, query, PITOT_KIND_ANY_SAMPLES_PASSED);
   count(f, PITOT_KIND_ANY_SAMPLES_PASSED, 0, 6);
   end(f, PITOT_KIND_ANY_SAMPLES_PASSED);
   assert_int_equal(pitot_condition_begin(f->context, query, wait_mode), 0);
   pitot_query_delete(f->context, 1);
   assert_int_equal(f->backend->ops->condition_result(f->backend), 6);
   assert_true(pitot_condition_passes(f->context));
   pitot_condition_end(f->context);
   assert_int_equal(f->backend->ops->condition_result(f->backend), -1);
   assert_true(pitot_condition_passes(f->context));
   close_fixture(f);
}

/* A query that was created and never begun has a result of 0, and the driver
 * gets to see one: not "no condition", which would draw.
 */
static void
condition_on_a_created_query(void **state)
{
   struct fixture *f = open_fixture(state, true);
   f->backend->ops->hold(f->backend);

   assert_int_equal(pitot_query_create(f->context, 1,
                                       PITOT_KIND_SAMPLES_PASSED),
                    0);
   assert_int_equal(pitot_condition_begin(f->context, obtain(f, 1),
                                          wait_mode),
                    0);
   assert_int_equal(f->backend->ops->condition_result(f->backend), 0);
   assert_false(pitot_condition_passes(f->context));
   pitot_condition_end(f->context);
   assert_int_equal(obtain(f, 1)->state, PITOT_STATE_AVAILABLE);

   assert_int_equal(pitot_condition_begin(f->context, obtain(f, 1),
                                          inverted_mode),
                    0);
   assert_true(pitot_condition_passes(f->context));
   close_fixture(f);
}

/* Without waiting, an unknown result draws ("the GL may [...] execute"). */
static void
condition_that_does_not_wait_draws(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_query *query = obtain(f, 1);

   f->backend->ops->hold(f->backend);
   begin(f, query, PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(pitot_condition_begin(f->context, query,
                                          (struct pitot_condition_mode){ 0 }),
                    0);
   assert_true(pitot_condition_passes(f->context));
   pitot_condition_end(f->context);
   assert_int_equal(pitot_condition_begin(f->context, query, wait_mode), 0);
   assert_false(pitot_condition_passes(f->context));
   close_fixture(f);
}

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

/* A context may be destroyed with everything open. */
static void
destroy_while_everything_is_open(void **state)
{
   struct fixture *f = open_fixture(state, false);

   begin(f, obtain(f, 1), PITOT_KIND_SAMPLES_PASSED);
   end(f, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(pitot_condition_begin(f->context, obtain(f, 1),
                                          wait_mode),
                    0);
   begin(f, obtain(f, 2), PITOT_KIND_TIME_ELAPSED);
   begin(f, obtain(f, 3), PITOT_KIND_VS_INVOCATIONS);
   pitot_query_delete(f->context, 1);
   pitot_query_delete(f->context, 2);
   close_fixture(f);
}

#define TEST(NAME)                                                           \
   {                                                                         \
      .name = #NAME, .test_func = NAME                                       \
   }

static const struct CMUnitTest tests[] = {
   TEST(counts_between_begin_and_end),
   TEST(nothing_counts_as_zero),
   TEST(kinds_overlap),
   TEST(poll_does_not_wait),
   TEST(known_results_stay),
   TEST(availability_is_in_order),
   TEST(reuse_in_flight_does_not_wait),
   TEST(steady_state_allocates_nothing),
   TEST(many_are_in_flight),
   TEST(failed_begin_changes_nothing),
   TEST(failed_end_still_ends),
   TEST(lost_device_finishes_queries),
   TEST(time_elapses),
   TEST(timestamps_tell_the_time),
   TEST(timestamps_never_go_back),
   TEST(delete_ends_active),
   TEST(delete_keeps_active),
   TEST(condition_holds_its_query),
   TEST(condition_on_a_created_query),
   TEST(condition_that_does_not_wait_draws),
   TEST(store_agrees_with_resolve),
   TEST(store_without_waiting),
   TEST(destroy_while_everything_is_open),
};

static const struct backend_ops *const backends[] = {
   &backend_null,
#ifdef PITOT_HAS_PIPE
   &backend_pipe,          &backend_pipe_struct, &backend_pipe_timestamps,
   &backend_pipe_threaded, &backend_pipe_bins,
#endif
};

int
main(void)
{
   static struct CMUnitTest all[ARRAY_LENGTH(backends) * ARRAY_LENGTH(tests)];
   static char names[ARRAY_LENGTH(all)][96];
   unsigned n = 0;

   for (unsigned b = 0; b < ARRAY_LENGTH(backends); b++) {
      for (unsigned t = 0; t < ARRAY_LENGTH(tests); t++, n++) {
         snprintf(names[n], sizeof(names[n]), "%s: %s", backends[b]->name,
                  tests[t].name);
         all[n] = tests[t];
         all[n].name = names[n];
         all[n].initial_state = (void *)backends[b];
      }
   }
   return cmocka_run_group_tests_name("contract", all, NULL, NULL);
}
