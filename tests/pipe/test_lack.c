/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Drivers without a hook, failing hooks, and lost devices.
 */

#include <errno.h>
#include <limits.h>

#include "fixture.h"
#include "pitot_condition.h"
#include "statistics.h"

FAKE_TEST(hooks_may_be_missing)
{
   uint64_t memory = 5;

   caps_of(f)->query_buffer_object = false;
   f->fake.base.render_condition = NULL;
   f->fake.base.get_timestamp = NULL;
   f->fake.time_ns = 7;
   open_fixture(f);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);

   assert_int_equal(f->client.base.ops->timestamp_ns(&f->client.base), 0);
   assert_false(store_result(f, query, &memory));
   assert_int_equal(memory, 5);
   assert_int_equal(pitot_condition_begin(f->context, query, 0), 0);
   pitot_condition_end(f->context);
}

/* Without the hook, the device is never lost, however often it is polled. */
FAKE_TEST(nothing_tells_of_a_loss)
{
   f->fake.base.get_device_reset_status = NULL;
   f->fake.is_held = true;
   open_fixture(f);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   for (unsigned i = 0; i < 100000; i++)
      assert_false(pitot_query_resolve(f->context, query, false));
   assert_false(pitot_disjoint_take(f->context));
   f->fake.is_held = false;
   assert_true(pitot_query_resolve(f->context, query, false));
}

/* Waits without a result are limited, and the query ends with 0. */
FAKE_TEST(waits_come_to_an_end)
{
   f->fake.empty_waits = UINT_MAX;
   open_fixture(f);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->result, 0);
   assert_in_range(f->fake.result_calls, 2, 2000);
}

static const struct {
   enum pitot_null_call call;
   unsigned nth;
   int begin, end;
} failures[] = {
   { PITOT_NULL_CREATE, 1, .begin = -ENOMEM },
   { PITOT_NULL_CREATE, 2, .begin = -ENOMEM },
   { PITOT_NULL_END, 1, .begin = -EIO },
   { PITOT_NULL_END, 2, .end = -EIO },
};

/* Either timestamp of an elapsed time may fail. */
FAKE_TEST_EACH(either_timestamp_may_fail, i, ARRAY_LENGTH(failures))
{
   struct pitot_query *query;

   caps_of(f)->query_time_elapsed = false;
   open_fixture(f);
   pitot_query_obtain(f->context, 1, &query);
   f->fake.fail[failures[i].call] = failures[i].nth;
   assert_int_equal(pitot_query_begin(f->context, query,
                                      PITOT_KIND_TIME_ELAPSED, 0),
                    failures[i].begin);
   if (!failures[i].begin)
      assert_int_equal(pitot_query_end(f->context, PITOT_KIND_TIME_ELAPSED,
                                       0),
                       failures[i].end);

   query = measure(f, 1, PITOT_KIND_TIME_ELAPSED);
   assert_true(pitot_query_resolve(f->context, query, true));
}

/* An elapsed time is available once both timestamps are. */
FAKE_TEST_EACH(both_timestamps_are_waited_for, held, 2)
{
   caps_of(f)->query_time_elapsed = false;
   f->fake.is_held = true;
   f->fake.held_from = held;
   f->fake.held_count = 1;
   open_fixture(f);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_TIME_ELAPSED);
   assert_false(pitot_query_resolve(f->context, query, false));
   f->fake.is_held = false;
   assert_true(pitot_query_resolve(f->context, query, false));
   assert_false(pitot_disjoint_take(f->context));
}

static bool
is_lost(void *data)
{
   return *(const bool *)data;
}

/* Lost results are not stored; results of later queries are. */
FAKE_TEST(results_outlive_a_loss)
{
   uint64_t memory = 5;
   bool lost = false;

   open_info_fixture(f, (struct pitot_pipe_info){ .is_lost = is_lost,
                                                  .data = &lost,
                                                  .has_cheap_reset_status =
                                                     true });
   struct pitot_query *query;
   pitot_query_obtain(f->context, 1, &query);
   pitot_query_begin(f->context, query, PITOT_KIND_SAMPLES_PASSED, 0);
   f->fake.counters[PIPE_QUERY_OCCLUSION_COUNTER][0] += 9;
   pitot_query_end(f->context, PITOT_KIND_SAMPLES_PASSED, 0);
   lost = true;
   assert_true(pitot_disjoint_take(f->context));
   lost = false;

   assert_false(store_result(f, query, &memory));
   assert_int_equal(memory, 5);
   assert_true(pitot_query_resolve(f->context, query, false));
   assert_int_equal(query->result, 9);
   assert_true(
      store_result(f, measure(f, 2, PITOT_KIND_SAMPLES_PASSED), &memory));
   assert_int_equal(memory, 0);
}

static void
flush_without_a_fence(struct pipe_context *pipe,
                      struct pipe_fence_handle **fence, unsigned flags)
{
   (void)pipe;
   (void)fence;
   (void)flags;
}

FAKE_TEST(no_fence_is_an_error)
{
   struct pitot_fence *fence;

   f->fake.base.flush = flush_without_a_fence;
   open_fixture(f);
   assert_int_equal(f->client.base.ops->fence_create(&f->client.base, &fence),
                    -ENOMEM);
}

FAKE_TEST(no_fence_takes_a_flush)
{
   struct pitot_fence *fence;

   open_info_fixture(f, (struct pitot_pipe_info){ .fences_flush = true });
   assert_int_equal(f->client.base.ops->fence_create(&f->client.base, &fence),
                    -ENOTSUP);
   assert_int_equal(f->fake.flushes, 0);
}

/* Polls of an earlier batch's query drain nothing, also with polls_sync. */
FAKE_TEST(submitted_queries_drain_nothing)
{
   f->fake.is_threaded = true;
   f->fake.is_thread_slow = true;
   f->fake.is_held = true;
   open_fixture(f);
   f->client.info.polls_sync = true;
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   pitot_pipe_flush(&f->client);
   for (unsigned i = 0; i < 100; i++)
      assert_false(pitot_query_resolve(f->context, query, false));
   assert_int_equal(f->fake.drains, 0);
   assert_int_equal(f->fake.flushes, 1);
}

/* Without single statistics, the driver stores a field of the struct. */
FAKE_TEST(a_field_of_the_struct_is_stored)
{
   struct pitot_query *query;
   uint64_t memory = 0;

   caps_of(f)->query_pipeline_statistics = true;
   caps_of(f)->query_pipeline_statistics_single = false;
   open_fixture(f);
   pitot_query_obtain(f->context, 1, &query);
   pitot_query_begin(f->context, query, PITOT_KIND_FS_INVOCATIONS, 0);
   f->fake.statistics[PIPE_STAT_QUERY_IA_VERTICES] += 3;
   f->fake.statistics[PIPE_STAT_QUERY_PS_INVOCATIONS] += 8;
   pitot_query_end(f->context, PITOT_KIND_FS_INVOCATIONS, 0);
   assert_int_equal(f->fake.created_structs, 1);
   assert_true(store_result(f, query, &memory));
   assert_int_equal(memory, 8);
}

/* Offsets are multiples of the size, as GPUs need; GL allows any offset. */
FAKE_TEST(stores_are_aligned)
{
   static const struct {
      enum pitot_type type;
      unsigned offset_B;
      bool is_stored;
   } cases[] = {
      { PITOT_TYPE_U64, 8, true },   { PITOT_TYPE_I64, 4, false },
      { PITOT_TYPE_U64, 13, false }, { PITOT_TYPE_U32, 4, true },
      { PITOT_TYPE_U32, 2, false },  { PITOT_TYPE_I32, 13, false },
   };

   open_fixture(f);
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      uint64_t memory[3] = { 0 };
      void *resource = fake_pipe_resource(&f->fake, memory);

      assert_int_equal(pitot_query_store(f->context,
                                         measure(f, i + 1,
                                                 PITOT_KIND_SAMPLES_PASSED),
                                         PITOT_STORE_RESULT, cases[i].type,
                                         resource, cases[i].offset_B),
                       cases[i].is_stored);
   }
}

/* If the GPU may have stored TRUE, the CPU must wait to store a result. */
FAKE_TEST(results_are_there_if_their_availability_is)
{
   uint64_t memory[2];
   void *resource = fake_pipe_resource(&f->fake, memory);

   f->fake.is_held = true;
   open_fixture(f);
   for (unsigned is_stored = 0; is_stored < 2; is_stored++) {
      struct pitot_query *query =
         measure(f, 1 + is_stored, PITOT_KIND_SAMPLES_PASSED);

      if (is_stored)
         assert_true(pitot_query_store(f->context, query,
                                       PITOT_STORE_AVAILABLE, PITOT_TYPE_U32,
                                       resource, 0));
      assert_false(pitot_query_store(f->context, query,
                                     PITOT_STORE_RESULT_NO_WAIT,
                                     PITOT_TYPE_U32, resource, 5));
      assert_int_equal(f->fake.waits, is_stored);
      assert_int_equal(pitot_query_resolve(f->context, query, false),
                       is_stored);
      pitot_query_resolve(f->context, query, true);
      f->fake.waits = 0;
   }
}

/* The same for a statistic, which is read once. */
STATISTICS_TEST(statistics_are_there_if_their_availability_is)
{
   uint64_t memory[2];
   void *resource = fake_pipe_resource(&s->f.fake, memory);

   s->f.fake.is_held = true;
   open_statistics(s, true, false);
   struct pitot_query *query = begin(s, 3);
   draw(s);
   end(s, 3);
   assert_true(pitot_query_store(s->f.context, query, PITOT_STORE_AVAILABLE,
                                 PITOT_TYPE_U32, resource, 0));
   assert_false(pitot_query_store(s->f.context, query,
                                  PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U32,
                                  resource, 5));
   assert_true(pitot_query_resolve(s->f.context, query, false));
   assert_int_equal(query->result, 4);
}

/* Older results come first, and may not be submitted yet. */
FAKE_TEST(results_are_there_behind_older_ones)
{
   uint64_t memory[2];
   void *resource = fake_pipe_resource(&f->fake, memory);

   f->fake.is_threaded = true;
   open_fixture(f);
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   struct pitot_query *query = measure(f, 2, PITOT_KIND_SAMPLES_PASSED);
   assert_true(pitot_query_store(f->context, query, PITOT_STORE_AVAILABLE,
                                 PITOT_TYPE_U32, resource, 0));
   assert_false(pitot_query_store(f->context, query,
                                  PITOT_STORE_RESULT_NO_WAIT, PITOT_TYPE_U32,
                                  resource, 5));
   assert_true(pitot_query_resolve(f->context, query, false));
}

/* If a segment of a statistic failed, no other segment is stored for it. */
STATISTICS_TEST(failed_statistics_are_not_stored)
{
   uint64_t memory = 5;

   open_statistics(s, true, false);
   struct pitot_query *query = begin(s, 0);
   begin(s, 1);
   draw(s);
   end(s, 1);
   s->f.fake.fail[PITOT_NULL_BEGIN] = 1;
   draw(s);
   assert_int_equal(s->error, -EIO);
   end(s, 0);
   assert_false(store_result(&s->f, query, &memory));
   assert_int_equal(memory, 5);
}

/* pitot_driver_ops.query_destroy accepts an active query. */
STATISTICS_TEST(active_statistics_may_be_destroyed)
{
   struct pitot_driver_query *query;

   open_statistics(s, true, false);
   struct pitot_driver *driver = &s->f.client.base;
   assert_int_equal(driver->ops->query_create(driver, kind_at(0), 0, &query),
                    0);
   assert_int_equal(driver->ops->query_begin(driver, query), 0);
   draw(s);
   assert_int_equal(s->f.counting, 1);
   driver->ops->query_destroy(driver, query);
   assert_int_equal(s->f.counting, 0);
   draw(s);
   assert_int_equal(s->f.fake.active, 0);
}
