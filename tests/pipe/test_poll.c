/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Polling loops end, in order, and are cheap.
 */

#include "fixture.h"

static void
open_threaded(struct fixture *f)
{
   f->fake.is_threaded = true;
   open_fixture(f);
}

/* A poll flushes once for all earlier queries, reads no unflushed ones. */
FAKE_TEST(polls_flush_once_and_never_drain)
{
   struct pitot_query *queries[10];

   open_threaded(f);
   f->fake.is_held = true;
   pitot_pipe_client_waited(&f->client); /* not for these queries */
   for (unsigned i = 0; i < 10; i++)
      queries[i] = measure(f, i + 1, PITOT_KIND_SAMPLES_PASSED);
   for (unsigned i = 0; i < 1000; i++)
      assert_false(pitot_query_resolve(f->context, queries[i % 10], false));
   assert_int_equal(f->fake.flushes, 1);
   assert_int_equal(f->fake.drains, 0);

   /* An endless loop checks now and then for a device loss. */
   for (unsigned i = 0; i < 100000; i++)
      assert_false(pitot_query_resolve(f->context, queries[i % 10], false));
   assert_in_range(f->fake.drains, 1, 10);

   struct pitot_query *later = measure(f, 11, PITOT_KIND_VS_INVOCATIONS);
   pitot_query_resolve(f->context, later, false);
   pitot_query_resolve(f->context, later, false);
   assert_int_equal(f->fake.flushes, 2);
}

/* Only the 1024th, 2048th, ... poll in a row without a result checks, since
 * checking may be expensive.
 */
FAKE_TEST(loss_is_looked_for_rarely)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_TIME_ELAPSED };

   caps_of(f)->query_time_elapsed = false; /* two timestamps then */
   open_threaded(f);
   for (unsigned round = 0; round < 4; round++) {
      f->fake.is_held = true;
      f->fake.drains = 0;
      struct pitot_query *query = measure(f, 1 + round % 2, kinds[round % 2]);

      assert_false(pitot_query_resolve(f->context, query, false));
      for (unsigned i = 1; i < 3000; i++) {
         assert_false(pitot_query_resolve(f->context, query, false));
         assert_int_equal(f->fake.drains, (i >= 1024) + (i >= 2048));
      }
      f->fake.is_held = false;
      assert_true(pitot_query_resolve(f->context, query, false));
   }
}

/* After a loss the flush that would bring the result may never come. */
FAKE_TEST(lost_is_available_without_a_flush)
{
   open_threaded(f);
   f->client.info.has_cheap_reset_status = true;
   f->fake.is_held = true;
   measure(f, 1, PITOT_KIND_TIME_ELAPSED);
   struct pitot_query *query = measure(f, 2, PITOT_KIND_SAMPLES_PASSED);
   f->fake.is_lost = true;
   assert_true(pitot_disjoint_take(f->context));
   const unsigned flushes = f->fake.flushes;

   assert_true(pitot_query_resolve(f->context, query, false));
   assert_int_equal(f->fake.flushes, flushes);
}

/* If polls must drain, one per batch does, also after unpolled batches. */
FAKE_TEST(one_poll_drains_a_batch)
{
   struct pitot_query *queries[10];

   open_threaded(f);
   f->fake.is_held = true;
   f->client.info.polls_sync = true;
   pitot_pipe_flush(&f->client);
   const unsigned flushes = f->fake.flushes;
   for (unsigned batch = 1; batch <= 3; batch++) {
      for (unsigned i = 0; i < 10; i++)
         queries[i] = measure(f, i + 1, PITOT_KIND_SAMPLES_PASSED);
      for (unsigned i = 0; i < 100; i++)
         assert_false(
            pitot_query_resolve(f->context, queries[i % 10], false));
      assert_int_equal(f->fake.drains, batch);
      assert_int_equal(f->fake.flushes, flushes + batch);
   }
}

/* After a wait, all queries are available, though the thread has not marked
 * them yet, and nothing is drained again.
 */
FAKE_TEST(waited_for_is_available)
{
   struct pitot_query *queries[10];

   open_threaded(f);
   f->fake.is_thread_slow = true;
   caps_of(f)->query_time_elapsed = false; /* two timestamps then */
   for (unsigned round = 0; round < 4; round++) {
      for (unsigned i = 0; i < 10; i++)
         queries[i] = measure(f, i + 1,
                              round % 2 ? PITOT_KIND_TIME_ELAPSED
                                        : PITOT_KIND_SAMPLES_PASSED);
      pitot_pipe_client_waited(&f->client);
      for (unsigned i = 10; i-- > 0;)
         assert_true(pitot_query_resolve(f->context, queries[i], false));
   }

   /* A result that is still missing is read once after each wait. */
   f->fake.is_held = true;
   const unsigned drains = f->fake.drains;
   struct pitot_query *held = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   pitot_pipe_client_waited(&f->client);
   for (unsigned i = 0; i < 100; i++)
      assert_false(pitot_query_resolve(f->context, held, false));
   assert_int_equal(f->fake.drains, drains + 1);
}

/* TRUE must not become FALSE.  The next measurement is polled as usual. */
FAKE_TEST(stored_availability_is_kept)
{
   uint64_t memory = 0;

   open_threaded(f);
   f->fake.is_thread_slow = true;
   for (unsigned i = 0; i < 3; i++) {
      f->fake.is_held = true;

      struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
      const unsigned drains = f->fake.drains;

      assert_false(pitot_query_resolve(f->context, query, false));
      assert_int_equal(f->fake.drains, drains);
      assert_true(pitot_query_store(f->context, query, PITOT_STORE_AVAILABLE,
                                    PITOT_TYPE_U64,
                                    fake_pipe_resource(&f->fake, &memory),
                                    0));
      assert_false(pitot_query_resolve(f->context, query, false));
      f->fake.is_held = false;
      assert_true(pitot_query_resolve(f->context, query, false));
   }
}

/* A flush of an earlier measurement may mark the query: no drain either. */
FAKE_TEST(flush_of_an_earlier_end_is_none)
{
   open_threaded(f);
   f->fake.is_thread_slow = true;
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   pitot_pipe_flush(&f->client);
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);

   fake_pipe_run_thread_to_flush(&f->fake);
   assert_false(pitot_query_resolve(f->context, query, false));
   assert_int_equal(f->fake.drains, 0);
}

/* A query without draws is available early: reading it waits for older ones,
 * also unflushed ones, so that their polls return TRUE.
 */
FAKE_TEST(read_without_the_gpu_waits_for_older_ones)
{
   open_threaded(f);
   f->fake.is_held = true;
   f->fake.held_count = 1;
   struct pitot_query *first = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   struct pitot_query *second = measure(f, 2, PITOT_KIND_SAMPLES_PASSED);

   assert_true(pitot_query_resolve(f->context, second, true));
   const unsigned waits = f->fake.waits;
   assert_int_equal(waits, 1);
   assert_true(pitot_query_resolve(f->context, first, false));
   assert_int_equal(f->fake.waits, waits);
}

/* Occlusion targets are one type: available in the order of their ends
 * (OpenGL 4.6 core, 4.2.3), whatever the driver returns.
 */
FAKE_TEST(availability_keeps_the_order_of_a_slot)
{
   f->fake.is_held = true;
   f->fake.held_count = 1;
   open_fixture(f);
   struct pitot_query *first = measure(f, 1, PITOT_KIND_ANY_SAMPLES_PASSED);
   struct pitot_query *second =
      measure(f, 2, PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE);
   struct pitot_query *third = measure(f, 3, PITOT_KIND_SAMPLES_PASSED);
   struct pitot_query *other = measure(f, 4, PITOT_KIND_VS_INVOCATIONS);

   assert_false(pitot_query_resolve(f->context, third, false));
   assert_false(pitot_query_resolve(f->context, second, false));
   assert_true(pitot_query_resolve(f->context, other, false));
   f->fake.is_held = false;
   pitot_pipe_client_waited(&f->client);
   assert_true(pitot_query_resolve(f->context, third, false));
   assert_int_equal(first->state, PITOT_STATE_AVAILABLE);
}
