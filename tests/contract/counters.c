/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "pitot/counters.h"

static unsigned
find_set(struct fixture *f, const char *name)
{
   const unsigned count = pitot_set_count(f->context);

   for (unsigned i = 0; i < count; i++) {
      if (strcmp(pitot_set(f->context, i)->name, name) == 0)
         return i;
   }
   fail_msg("there is no set \"%s\"", name);
   return 0;
}

static struct pitot_session *
create(struct fixture *f, const char *set)
{
   uint32_t handle = 0;

   assert_int_equal(pitot_session_create(f->context, find_set(f, set),
                                         &handle),
                    0);
   assert_int_not_equal(handle, 0);
   return pitot_session_lookup(f->context, handle);
}

static void
start(struct fixture *f, struct pitot_session *session)
{
   assert_int_equal(pitot_session_begin(f->context, session), 0);
}

static void
stop(struct fixture *f, struct pitot_session *session)
{
   assert_int_equal(pitot_session_end(f->context, session), 0);
}

static uint64_t
value(struct fixture *f, const struct pitot_session *session,
      const char *counter)
{
   const struct pitot_counter_set *set =
      pitot_set(f->context, session->set_index);

   assert_int_equal(session->state, PITOT_STATE_AVAILABLE);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct pitot_counter_info *info = &set->counters[i];
      uint64_t wide = 0;
      uint32_t narrow = 0;

      if (strcmp(info->name, counter))
         continue;
      assert_true(info->offset_B + info->size_B <= set->record_B);
      if (info->size_B == sizeof(narrow))
         memcpy(&narrow, (char *)session->record + info->offset_B,
                sizeof(narrow));
      else
         memcpy(&wide, (char *)session->record + info->offset_B,
                sizeof(wide));
      return wide + narrow;
   }
   fail_msg("there is no counter \"%s\"", counter);
   return 0;
}

static void
wait_record(struct fixture *f, struct pitot_session *session)
{
   assert_true(pitot_session_resolve(f->context, session, PITOT_ASK_WAIT));
}

/* A counter of the set tells what a query of its kind does. */
static void
statistics_agree_with_queries(void **state)
{
   struct fixture *f = open_fixture(state, true);
   const unsigned set_index = find_set(f, PITOT_STATISTICS_SET_NAME);
   struct pitot_session *session = create(f, PITOT_STATISTICS_SET_NAME);
   struct pitot_query *queries[PITOT_STATISTIC_COUNT];

   assert_int_equal(pitot_set(f->context, set_index)->counter_count,
                    PITOT_STATISTIC_COUNT);
   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++) {
      enum pitot_kind kind;

      pitot_statistic(i, &kind);
      count(f, kind, 0, 1000);
      queries[i] = obtain(f, i + 1);
      begin(f, queries[i], kind);
   }
   start(f, session);
   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++) {
      enum pitot_kind kind;

      pitot_statistic(i, &kind);
      count(f, kind, 0, i + 1);
      end(f, kind);
   }
   stop(f, session);
   wait_record(f, session);
   for (unsigned i = 0; i < PITOT_STATISTIC_COUNT; i++) {
      enum pitot_kind kind;

      assert_int_equal(value(f, session, pitot_statistic(i, &kind).name),
                       i + 1);
      assert_int_equal(wait_for(f, queries[i]), i + 1);
   }
   close_fixture(f);
}

static void
gpu_time_tells_the_time(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *session = create(f, "GPU Time");

   f->backend->ops->set_time_ns(f->backend, 1000);
   start(f, session);
   f->backend->ops->set_time_ns(f->backend, 7000000000);
   stop(f, session);
   wait_record(f, session);
   assert_int_equal(value(f, session, "GPU Time Begin"), 1000);
   assert_int_equal(value(f, session, "GPU Time End"), 7000000000);
   assert_int_equal(value(f, session, "GPU Time Elapsed"), 6999999000);
   assert_int_equal(value(f, session, "GPU Disjoint"), 0);
   assert_false(pitot_disjoint_take(f->context));
   close_fixture(f);
}

/* A clock that stepped back: no time, and it is said. */
static void
gpu_time_is_never_negative(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *session = create(f, "GPU Time");

   f->backend->ops->set_time_ns(f->backend, 1000);
   start(f, session);
   f->backend->ops->set_time_ns(f->backend, 400);
   stop(f, session);
   wait_record(f, session);
   assert_int_equal(value(f, session, "GPU Time Elapsed"), 0);
   assert_int_equal(value(f, session, "GPU Disjoint"), 1);
   assert_true(pitot_disjoint_take(f->context));
   close_fixture(f);
}

/* Sessions of one set, and of several, measure side by side. */
static void
sessions_overlap(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *outer = create(f, PITOT_STATISTICS_SET_NAME);
   struct pitot_session *inner = create(f, PITOT_STATISTICS_SET_NAME);
   struct pitot_session *time = create(f, "GPU Time");

   start(f, outer);
   start(f, time);
   count(f, PITOT_KIND_VS_INVOCATIONS, 0, 3);
   start(f, inner);
   count(f, PITOT_KIND_VS_INVOCATIONS, 0, 4);
   stop(f, outer);
   count(f, PITOT_KIND_VS_INVOCATIONS, 0, 5);
   stop(f, inner);
   stop(f, time);
   wait_record(f, inner);
   wait_record(f, outer);
   wait_record(f, time);
   assert_int_equal(value(f, outer, "Vertex Shader Invocations"), 7);
   assert_int_equal(value(f, inner, "Vertex Shader Invocations"), 9);
   close_fixture(f);
}

/* "A thousand draws": each has its own record, whenever it is read. */
static void
a_thousand_sessions(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *sessions[1000];

   for (unsigned i = 0; i < 1000; i++) {
      sessions[i] = create(f, PITOT_STATISTICS_SET_NAME);
      start(f, sessions[i]);
      count(f, PITOT_KIND_FS_INVOCATIONS, 0, i);
      stop(f, sessions[i]);
   }
   for (unsigned i = 1000; i-- > 0;) {
      wait_record(f, sessions[i]);
      assert_int_equal(value(f, sessions[i], "Fragment Shader Invocations"),
                       i);
   }
   close_fixture(f);
}

/* A look flushes nothing and waits for nothing, even if it is never answered;
 * after a flush, the application's or one that it asked for, it is.
 */
static void
a_look_never_flushes(void **state)
{
   static const char *const sets[] = { PITOT_STATISTICS_SET_NAME,
                                       "GPU Time" };

   for (unsigned i = 0; i < 2 * ARRAY_LENGTH(sets); i++) {
      struct fixture *f = open_fixture(state, true);
      const struct backend_ops *ops = f->backend->ops;
      struct pitot_session *session = create(f, sets[i / 2]);

      start(f, session);
      stop(f, session);
      const unsigned flushes = ops->flush_count(f->backend);
      for (unsigned n = 0; n < 10; n++)
         (void)pitot_session_resolve(f->context, session, PITOT_ASK_LOOK);
      assert_int_equal(ops->flush_count(f->backend), flushes);
      assert_int_equal(wait_count(f), 0);

      if (i % 2)
         ops->submit(f->backend);
      else
         (void)pitot_session_resolve(f->context, session, PITOT_ASK_FLUSH);
      const unsigned flushes_then = ops->flush_count(f->backend);
      assert_true(pitot_session_resolve(f->context, session, PITOT_ASK_LOOK));
      assert_int_equal(ops->flush_count(f->backend), flushes_then);
      assert_int_equal(wait_count(f), 0);
      close_fixture(f);
   }
}

/* Neither beginning again nor deleting waits for a record in flight, and the
 * new one is right.
 */
static void
nobody_waits_but_who_asks(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *session = create(f, PITOT_STATISTICS_SET_NAME);
   struct pitot_session *other = create(f, PITOT_STATISTICS_SET_NAME);

   hold(f);
   start(f, other);
   stop(f, other);
   for (unsigned i = 0; i < 100; i++) {
      start(f, session);
      count(f, PITOT_KIND_GS_PRIMITIVES, 0, i);
      stop(f, session);
   }
   pitot_session_delete(f->context, other);
   assert_int_equal(wait_count(f), 0);
   wait_record(f, session);
   assert_int_not_equal(wait_count(f), 0);
   assert_int_equal(value(f, session, "Geometry Shader Primitives"), 99);
   close_fixture(f);
}

static void
round_trip(struct fixture *f, const char *set)
{
   struct pitot_session *session = create(f, set);

   start(f, session);
   stop(f, session);
   f->backend->ops->submit(f->backend);
   wait_record(f, session);
   pitot_session_delete(f->context, session);
}

/* What is deleted is gone: measurements do not pile up, read or not. */
static void
nothing_piles_up(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *session = create(f, "GPU Time");

   for (unsigned i = 0; i < 1000; i++) {
      round_trip(f, PITOT_STATISTICS_SET_NAME);
      round_trip(f, "GPU Time");
   }
   assert_int_equal(f->backend->ops->alive_count(f->backend), 0);
   for (unsigned i = 0; i < 1000; i++) {
      start(f, session);
      stop(f, session);
      f->backend->ops->submit(f->backend);
   }
   assert_in_range(f->backend->ops->alive_count(f->backend), 1, 100);
   close_fixture(f);
}

static void
failures_change_nothing(void **state)
{
   static const enum backend_call calls[] = { BACKEND_CREATE, BACKEND_BEGIN };

   for (unsigned i = 0; i < ARRAY_LENGTH(calls); i++) {
      struct fixture *f = open_fixture(state, true);
      struct pitot_session *session = create(f, PITOT_STATISTICS_SET_NAME);

      f->backend->ops->fail_next(f->backend, calls[i]);
      assert_true(pitot_session_begin(f->context, session) < 0);
      assert_int_equal(session->state, PITOT_STATE_IDLE);

      hold(f);
      start(f, session);
      count(f, PITOT_KIND_CS_INVOCATIONS, 0, 4);
      stop(f, session);
      f->backend->ops->fail_next(f->backend, calls[i]);
      assert_true(pitot_session_begin(f->context, session) < 0);
      wait_record(f, session);
      assert_int_equal(value(f, session, "Compute Shader Invocations"), 4);
      close_fixture(f);
   }
}

static void
failed_end_ends_the_session(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *session = create(f, PITOT_STATISTICS_SET_NAME);

   start(f, session);
   count(f, PITOT_KIND_CS_INVOCATIONS, 0, 4);
   f->backend->ops->fail_next(f->backend, BACKEND_END);
   assert_true(pitot_session_end(f->context, session) < 0);
   assert_true(pitot_session_resolve(f->context, session, PITOT_ASK_LOOK));
   assert_true(session->is_lost);
   assert_int_equal(value(f, session, "Compute Shader Invocations"), 0);
   start(f, session);
   assert_false(session->is_lost);
   close_fixture(f);
}

static void
lost_device_finishes_sessions(void **state)
{
   static const char *const sets[] = { PITOT_STATISTICS_SET_NAME,
                                       "GPU Time" };

   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      struct fixture *f = open_fixture(state, true);
      struct pitot_session *session = create(f, sets[i]);

      hold(f);
      start(f, session);
      count(f, PITOT_KIND_CS_INVOCATIONS, 0, 4);
      stop(f, session);
      lose(f);
      wait_record(f, session);
      assert_true(session->is_lost);
      assert_true(pitot_disjoint_take(f->context));
      close_fixture(f);
   }
}

/* Measurements that a lost device keeps are given up, once that shows; or it
 * shows at once.
 */
static void
lost_records_do_not_pile_up(void **state)
{
   struct fixture *f = open_fixture(state, true);
   struct pitot_session *session = create(f, "GPU Time");

   lose(f);
   for (unsigned i = 0; i < 1200; i++) {
      if (pitot_session_begin(f->context, session) == 0)
         (void)pitot_session_end(f->context, session);
      f->backend->ops->submit(f->backend);
   }
   assert_in_range(f->backend->ops->alive_count(f->backend), 0, 100);
   close_fixture(f);
}

/* More sessions than one page of handles, and they go with the context. */
static void
very_many_sessions(void **state)
{
   struct fixture *f = open_fixture(state, true);

   for (unsigned i = 0; i < 1100; i++)
      create(f, "GPU Time");
   assert_int_equal(pitot_set_session_count(f->context,
                                            find_set(f, "GPU Time")),
                    1100);
   close_fixture(f);
}

/* Destroying a context ends what is active and drops what is in flight. */
static void
context_takes_its_sessions_along(void **state)
{
   struct fixture *f = open_fixture(state, true);

   hold(f);
   for (unsigned i = 0; i < 4; i++) {
      struct pitot_session *session =
         create(f, i % 2 ? "GPU Time" : PITOT_STATISTICS_SET_NAME);

      start(f, session);
      if (i < 2)
         stop(f, session);
   }
   close_fixture(f);
}

static const struct CMUnitTest tests[] = {
   TEST(statistics_agree_with_queries),
   TEST(gpu_time_tells_the_time),
   TEST(gpu_time_is_never_negative),
   TEST(sessions_overlap),
   TEST(a_thousand_sessions),
   TEST(a_look_never_flushes),
   TEST(nobody_waits_but_who_asks),
   TEST(nothing_piles_up),
   TEST(failures_change_nothing),
   TEST(failed_end_ends_the_session),
   TEST(lost_device_finishes_sessions),
   TEST(lost_records_do_not_pile_up),
   TEST(very_many_sessions),
   TEST(context_takes_its_sessions_along),
};

TEST_GROUP(counters_tests, tests);
