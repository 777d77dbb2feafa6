/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "perf/create.h"

#define STATISTICS PITOT_PERF_STATISTICS_NAME

static const char *const sets[] = { STATISTICS, "GPU Time" };

static void
start(struct pitot_perf_query *query)
{
   assert_int_equal(pitot_perf_query_begin(query), 0);
}

static void
stop(struct pitot_perf_query *query)
{
   assert_int_equal(pitot_perf_query_end(query), 0);
}

static void
run(struct pitot_perf_query *query)
{
   start(query);
   stop(query);
}

static uint64_t
value(const struct pitot_perf_query *query, const char *counter)
{
   const struct pitot_perf_set *set = query->set;
   unsigned i = 0;
   uint64_t wide = 0;
   uint32_t narrow = 0;

   assert_int_equal(query->state, PITOT_STATE_AVAILABLE);
   while (i < set->counter_count && strcmp(set->counters[i].name, counter))
      i++;
   assert_true(i < set->counter_count);
   const struct pitot_perf_counter *info = &set->counters[i];
   const char *bytes =
      (const char *)query->portions[0].record + info->offset_B;

   assert_true(info->offset_B + info->size_B <= set->record_B);
   if (info->size_B == sizeof(narrow))
      memcpy(&narrow, bytes, sizeof(narrow));
   else
      memcpy(&wide, bytes, sizeof(wide));
   return wide + narrow;
}

static void
wait_record(struct pitot_perf_query *query)
{
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
}

/* A counter of the set and a query of its kind have equal results. */
CONTRACT_TEST(statistics_agree_with_queries)
{
   struct pitot_perf_query *query = create_query(f->perf, STATISTICS);
   const struct pitot_perf_set *set = query->set;
   struct pitot_query *queries[PITOT_PERF_STATISTIC_COUNT];

   assert_int_equal(set->counter_count, PITOT_PERF_STATISTIC_COUNT -
                                           PITOT_KIND_COUNT +
                                           end_of_kinds(f));
   for (unsigned i = 0; i < set->counter_count; i++) {
      const enum pitot_kind kind = set->counters[i].source;

      count(f, kind, 0, 1000);
      queries[i] = obtain(f, i + 1);
      begin(f, queries[i], kind);
   }
   start(query);
   for (unsigned i = 0; i < set->counter_count; i++) {
      const enum pitot_kind kind = set->counters[i].source;

      count(f, kind, 0, i + 1);
      end(f, kind);
   }
   stop(query);
   wait_record(query);
   for (unsigned i = 0; i < set->counter_count; i++) {
      assert_int_equal(value(query, set->counters[i].name), i + 1);
      assert_int_equal(wait_for(f, queries[i]), i + 1);
   }
}

CONTRACT_TEST(gpu_time_tells_the_time)
{
   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");

   f->backend->ops->set_time_ns(f->backend, 1000);
   start(query);
   f->backend->ops->set_time_ns(f->backend, 7000000000);
   stop(query);
   wait_record(query);
   assert_int_equal(value(query, "GPU Time Begin"), 1000);
   assert_int_equal(value(query, "GPU Time End"), 7000000000);
   assert_int_equal(value(query, "GPU Time Elapsed"), 6999999000);
   assert_int_equal(value(query, "GPU Disjoint"), 0);
   assert_false(pitot_disjoint_take(f->context));
}

/* If the clock goes back, the time is 0 and disjoint. */
CONTRACT_TEST(gpu_time_is_never_negative)
{
   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");

   f->backend->ops->set_time_ns(f->backend, 1000);
   start(query);
   f->backend->ops->set_time_ns(f->backend, 400);
   stop(query);
   wait_record(query);
   assert_int_equal(value(query, "GPU Time Elapsed"), 0);
   assert_int_equal(value(query, "GPU Disjoint"), 1);
   assert_true(pitot_disjoint_take(f->context));
}

CONTRACT_TEST(perf_queries_overlap)
{
   struct pitot_perf_query *outer = create_query(f->perf, STATISTICS);
   struct pitot_perf_query *inner = create_query(f->perf, STATISTICS);
   struct pitot_perf_query *time = create_query(f->perf, "GPU Time");

   start(outer);
   start(time);
   count(f, PITOT_KIND_VS_INVOCATIONS, 0, 3);
   start(inner);
   count(f, PITOT_KIND_VS_INVOCATIONS, 0, 4);
   stop(outer);
   count(f, PITOT_KIND_VS_INVOCATIONS, 0, 5);
   stop(inner);
   stop(time);
   wait_record(inner);
   wait_record(outer);
   wait_record(time);
   assert_int_equal(value(outer, "Vertex Shader Invocations"), 7);
   assert_int_equal(value(inner, "Vertex Shader Invocations"), 9);
}

/* A thousand queries in flight keep a thousand records, read in any order. */
CONTRACT_TEST(a_thousand_perf_queries)
{
   struct pitot_perf_query *queries[1000];

   for (unsigned i = 0; i < 1000; i++) {
      queries[i] = create_query(f->perf, STATISTICS);
      start(queries[i]);
      count(f, PITOT_KIND_FS_INVOCATIONS, 0, i);
      stop(queries[i]);
   }
   for (unsigned i = 1000; i-- > 0;) {
      wait_record(queries[i]);
      assert_int_equal(value(queries[i], "Fragment Shader Invocations"), i);
   }
}

static bool
look_finds_record(struct pitot_perf_query *query)
{
   return pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH);
}

/* DONT_FLUSH neither flushes nor waits, but finds what was flushed. */
CONTRACT_TEST_EACH(dont_flush_never_flushes, i, 2 * ARRAY_LENGTH(sets))
{
   const struct backend_ops *ops = f->backend->ops;
   struct pitot_perf_query *query = create_query(f->perf, sets[i / 2]);

   run(query);
   const unsigned flushes = ops->flush_count(f->backend);
   for (unsigned n = 0; n < 10; n++)
      (void)pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH);
   assert_int_equal(ops->flush_count(f->backend), flushes);
   assert_int_equal(wait_count(f), 0);

   if (i % 2)
      ops->submit(f->backend);
   else
      (void)pitot_perf_query_resolve(query, PITOT_PERF_FLUSH);
   const unsigned flushes_then = ops->flush_count(f->backend);
   assert_true(look_finds_record(query));
   assert_int_equal(ops->flush_count(f->backend), flushes_then);
   assert_int_equal(wait_count(f), 0);
}

/* Neither begin nor delete waits for a record in flight. */
CONTRACT_TEST(begin_and_delete_do_not_wait)
{
   struct pitot_perf_query *query = create_query(f->perf, STATISTICS);
   struct pitot_perf_query *other = create_query(f->perf, STATISTICS);

   hold(f);
   run(other);
   for (unsigned i = 0; i < 100; i++) {
      start(query);
      count(f, PITOT_KIND_GS_PRIMITIVES, 0, i);
      stop(query);
   }
   pitot_perf_query_delete(other);
   assert_int_equal(wait_count(f), 0);
   wait_record(query);
   assert_int_not_equal(wait_count(f), 0);
   assert_int_equal(value(query, "Geometry Shader Primitives"), 99);
}

static void
round_trip(struct fixture *f, const char *set)
{
   struct pitot_perf_query *query = create_query(f->perf, set);

   run(query);
   f->backend->ops->submit(f->backend);
   wait_record(query);
   pitot_perf_query_delete(query);
}

/* The number of measurements stays flat, whether they are read or deleted. */
CONTRACT_TEST(measurements_stay_flat)
{
   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");
   unsigned alive = 0;

   for (unsigned i = 0; i < 1000; i++) {
      round_trip(f, STATISTICS);
      round_trip(f, "GPU Time");
      if (i == 0)
         alive = f->backend->ops->alive_count(f->backend);
   }
   assert_int_equal(f->backend->ops->alive_count(f->backend), alive);
   for (unsigned i = 0; i < 1000; i++) {
      run(query);
      f->backend->ops->submit(f->backend);
      if (i == 1)
         alive = f->backend->ops->alive_count(f->backend);
   }
   assert_int_equal(f->backend->ops->alive_count(f->backend), alive);
}

static const enum pitot_null_call calls[] = { PITOT_NULL_CREATE,
                                              PITOT_NULL_BEGIN };

CONTRACT_TEST_EACH(failures_change_nothing, i, ARRAY_LENGTH(calls))
{
   struct pitot_perf_query *query = create_query(f->perf, STATISTICS);

   f->backend->fail[calls[i]] = 1;
   assert_true(pitot_perf_query_begin(query) < 0);
   assert_int_equal(query->state, PITOT_STATE_IDLE);

   hold(f);
   start(query);
   count(f, PITOT_KIND_CS_INVOCATIONS, 0, 4);
   stop(query);
   f->backend->fail[calls[i]] = 1;
   assert_true(pitot_perf_query_begin(query) < 0);
   wait_record(query);
   assert_int_equal(value(query, "Compute Shader Invocations"), 4);
}

CONTRACT_TEST(failed_end_ends_the_perf_query)
{
   struct pitot_perf_query *query = create_query(f->perf, STATISTICS);

   start(query);
   count(f, PITOT_KIND_CS_INVOCATIONS, 0, 4);
   f->backend->fail[PITOT_NULL_END] = 1;
   assert_true(pitot_perf_query_end(query) < 0);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH));
   assert_true(query->is_lost);
   assert_int_equal(value(query, "Compute Shader Invocations"), 0);
   start(query);
   assert_false(query->is_lost);
}

CONTRACT_TEST_EACH(lost_device_finishes_perf_queries, i, ARRAY_LENGTH(sets))
{
   struct pitot_perf_query *query = create_query(f->perf, sets[i]);

   hold(f);
   start(query);
   count(f, PITOT_KIND_CS_INVOCATIONS, 0, 4);
   stop(query);
   lose(f);
   wait_record(query);
   assert_true(query->is_lost);
   assert_true(pitot_disjoint_take(f->context));
}

/* Measurements of a lost device are abandoned once the loss is detected. */
CONTRACT_TEST(lost_records_do_not_pile_up)
{
   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");

   lose(f);
   for (unsigned i = 0; i < 1200; i++) {
      if (pitot_perf_query_begin(query) == 0)
         (void)pitot_perf_query_end(query);
      f->backend->ops->submit(f->backend);
   }
   assert_in_range(f->backend->ops->alive_count(f->backend), 0, 100);
}

CONTRACT_TEST(very_many_perf_queries)
{
   for (unsigned i = 0; i < 1100; i++)
      create_query(f->perf, "GPU Time");
}

/* Destroying a context ends active queries and drops those in flight. */
CONTRACT_TEST(destroy_with_open_queries)
{
   hold(f);
   for (unsigned i = 0; i < 4; i++) {
      struct pitot_perf_query *query = create_query(f->perf, sets[i % 2]);

      start(query);
      if (i < 2)
         stop(query);
   }
}
