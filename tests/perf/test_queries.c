/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Perf sets and queries, beyond the contract suite.
 */

#include <errno.h>
#include <string.h>

#include "perf/null_fixture.h"

/* Counters are aligned to their size, the record to 8 bytes. */
TEST(records_are_laid_out)
{
   struct pitot_perf_counter counters[] = {
      { .data_type = PITOT_PERF_DATA_BOOL32 },
      { .data_type = PITOT_PERF_DATA_DOUBLE },
      { .data_type = PITOT_PERF_DATA_FLOAT },
      { .data_type = PITOT_PERF_DATA_UINT32 },
      { .data_type = PITOT_PERF_DATA_UINT64 },
      { .data_type = PITOT_PERF_DATA_UINT32 },
   };
   static const unsigned offsets_B[] = { 0, 8, 16, 20, 24, 32 };

   assert_int_equal(pitot_perf_layout_record(counters,
                                             ARRAY_LENGTH(counters)),
                    40);
   for (unsigned i = 0; i < ARRAY_LENGTH(counters); i++)
      assert_int_equal(counters[i].offset_B, offsets_B[i]);
   assert_int_equal(pitot_perf_layout_record(NULL, 0), 0);
}

static const struct {
   const char *first;
   const char *second;
   bool overlaps;
} pairs[] = {
   { "Same", "Same", true },
   { "Same", "Alone", false },
   { "Alone", "Same", false },
   { "Alone", "Alone", false },
   { "Alone", PITOT_PERF_STATISTICS_NAME, true },
   { PITOT_PERF_STATISTICS_NAME, "Alone", true },
   { "Alone", "GPU Time", true },
};

/* The failed begin leaves both queries unchanged. */
NULL_TEST_EACH(sets_exclude_each_other, i, ARRAY_LENGTH(pairs))
{
   struct pitot_perf_query *first = create_query(f->perf, pairs[i].first);
   struct pitot_perf_query *second = create_query(f->perf, pairs[i].second);

   assert_int_equal(pitot_perf_query_begin(first), 0);
   assert_int_equal(pitot_perf_query_begin(second),
                    pairs[i].overlaps ? 0 : -EBUSY);
   assert_int_equal(second->state, pairs[i].overlaps ? PITOT_STATE_ACTIVE
                                                     : PITOT_STATE_IDLE);
   assert_int_equal(first->state, PITOT_STATE_ACTIVE);
   assert_int_equal(pitot_perf_query_end(first), 0);
   if (!pairs[i].overlaps)
      assert_int_equal(pitot_perf_query_begin(second), 0);
}

NULL_TEST(all_of_a_unit_are_read)
{
   struct pitot_perf_query *alone[3];

   for (unsigned i = 0; i < ARRAY_LENGTH(alone); i++) {
      alone[i] = create_query(f->perf, "Alone");
      measure_perf(alone[i]);
   }
   assert_int_equal(pitot_perf_query_begin(create_query(f->perf, "Same")), 0);
   for (unsigned i = 0; i < ARRAY_LENGTH(alone); i++)
      assert_int_equal(alone[i]->state, PITOT_STATE_AVAILABLE);
}

static int
choose(struct fixture *f, struct pitot_perf_query *monitor, const char *name,
       uint32_t counter)
{
   return pitot_perf_monitor_select(monitor, true, find_group(f->perf, name),
                                    &counter, 1);
}

/* A monitor that is begun again abandons its record: no begin waits for it.
 */
NULL_TEST(given_up_records_are_not_read)
{
   struct pitot_perf_query *monitor = pitot_perf_query_create(f->perf, NULL);
   assert_int_equal(choose(f, monitor, "Alone", 0), 0);
   for (unsigned i = 0; i < 2; i++) {
      measure_perf(monitor);
   }
   assert_int_equal(pitot_perf_query_begin(create_query(f->perf, "Same")), 0);
   assert_true(pitot_perf_query_resolve(monitor, PITOT_PERF_DONT_FLUSH));
   pitot_perf_query_delete(monitor);
}

/* A monitor whose new selection fails stays active, and measures nothing. */
NULL_TEST(lost_monitors_exclude_nothing)
{
   struct pitot_perf_query *monitor = pitot_perf_query_create(f->perf, NULL);
   struct pitot_perf_query *same = create_query(f->perf, "Same");
   assert_int_equal(choose(f, monitor, "Alone", 0), 0);
   assert_int_equal(pitot_perf_query_begin(monitor), 0);
   assert_int_equal(pitot_perf_query_begin(same), -EBUSY);
   f->null.fail[PITOT_NULL_BEGIN] = 1;
   assert_int_equal(choose(f, monitor, "Alone", 1), -ENOMEM);
   assert_int_equal(monitor->state, PITOT_STATE_ACTIVE);
   assert_int_equal(pitot_perf_query_begin(same), 0);
   assert_int_equal(pitot_perf_query_end(monitor), 0);
   assert_true(monitor->is_lost);
}

/* A failed begin ends the first portion; if that fails, it is destroyed. */
NULL_TEST(ends_of_failed_begins_may_fail)
{
   struct pitot_perf_query *monitor = pitot_perf_query_create(f->perf, NULL);
   assert_int_equal(choose(f, monitor, "Alone", 0), 0);
   assert_int_equal(choose(f, monitor, PITOT_PERF_STATISTICS_NAME, 0), 0);
   f->null.fail[PITOT_NULL_BEGIN] = 2;
   f->null.fail[PITOT_NULL_END] = 1;
   assert_int_equal(pitot_perf_query_begin(monitor), -ENOMEM);
   assert_int_equal(f->null.fail[PITOT_NULL_END], 0);
   assert_int_equal(f->null.created, 2);
   assert_int_equal(f->null.alive, 0);
   assert_int_equal(monitor->state, PITOT_STATE_IDLE);
   assert_int_equal(pitot_perf_query_begin(monitor), 0);
}

/* No provider waits for another one's unit, even with the same number. */
TEST(providers_do_not_wait_for_each_other)
{
   struct pitot_context *context;
   struct null_sets first, second;
   struct pitot_perf *perf;
   struct pitot_null null;

   pitot_null_init(&null);
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){ .driver = &null.base },
                       &context),
                    0);
   null_sets_init(&first, &null)->next = null_sets_init(&second, &null);
   assert_int_equal(pitot_perf_create(context, &first.base, &perf), 0);
   struct pitot_perf_query *alone = create_query(perf, "Alone");
   struct pitot_perf_query *same =
      pitot_perf_query_create(perf, &second.base.sets[1]);

   assert_string_equal(same->set->name, "Same");
   measure_perf(alone);
   assert_int_equal(pitot_perf_query_begin(same), 0);
   assert_int_equal(alone->state, PITOT_STATE_ENDED);
   assert_int_equal(pitot_perf_query_end(same), 0);
   pitot_perf_destroy(perf);
   pitot_context_destroy(context);
   assert_int_equal(null.alive, 0);
}

static int
create_no_fence(struct pitot_driver *driver, struct pitot_fence **fence_out)
{
   (void)driver;
   (void)fence_out;
   return -ENOMEM;
}

/* Without a fence, even a poll that must not flush asks the provider. */
NULL_TEST_EACH(fences_may_be_missing, has_function, 2)
{
   static struct pitot_driver_ops ops;

   ops = *f->null.base.ops;
   ops.fence_create = has_function ? create_no_fence : NULL;
   f->null.base.ops = &ops;
   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");
   measure_perf(query);
   assert_null(query->portions[0].measurement->fence);
   pitot_null_flush(&f->null);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH));
   assert_false(query->is_lost);
}

/* If the clock wraps within "GPU Time", only the CPU's clock shows it. */
TEST(unseen_wraps_are_reported)
{
   static const struct {
      uint64_t elapsed_ns;
      uint32_t disjoint;
   } cases[] = {
      { 50, 0 },
      { UINT64_C(1) << 30, 1 },
      { (UINT64_C(1) << 30) + 10, 1 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct fixture f;
      uint32_t disjoint;

      open_fixture(&f, 30);
      struct pitot_perf_query *query = create_query(f.perf, "GPU Time");

      assert_int_equal(pitot_perf_query_begin(query), 0);
      f.null.time_ns += cases[i].elapsed_ns;
      cpu_now_ns += cases[i].elapsed_ns;
      assert_int_equal(pitot_perf_query_end(query), 0);
      assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
      memcpy(&disjoint, (char *)query->portions[0].record + 24,
             sizeof(disjoint));
      assert_int_equal(disjoint, cases[i].disjoint);
      assert_int_equal(pitot_disjoint_take(f.context), cases[i].disjoint);
      close_fixture(&f);
   }
}

/* Every width of the clock, but 0, has "GPU Time". */
TEST(gpu_time_needs_a_clock)
{
   for (unsigned bits = 0; bits < 2; bits++) {
      struct fixture f;

      open_fixture(&f, bits);
      assert_int_equal(pitot_perf_set_count(f.perf), NULL_SET_COUNT + bits);
      close_fixture(&f);
   }
}

static bool has_waited;

static int
read_and_tell(struct pitot_perf_measurement *measurement, bool wait,
              void *record_out)
{
   has_waited = wait;
   memset(record_out, 0, measurement->set->record_B);
   return 1;
}

/* Once the fence signaled, a poll reads with wait: some providers need it. */
NULL_TEST_EACH(passed_fences_bring_the_record, has_fence, 2)
{
   static struct pitot_perf_provider_ops perf_ops;
   static struct pitot_driver_ops ops;

   ops = *f->null.base.ops;
   perf_ops = *f->sets.base.ops;
   if (!has_fence)
      ops.fence_create = NULL;
   perf_ops.read = read_and_tell;
   f->null.base.ops = &ops;
   f->sets.base.ops = &perf_ops;
   struct pitot_perf_query *query = create_query(f->perf, "Same");
   measure_perf(query);
   pitot_null_flush(&f->null);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH));
   assert_int_equal(has_waited, has_fence);
}

/* "GPU Time" has the context's offset after the GPU's clock went back. */
NULL_TEST(gpu_time_is_on_the_clock_of_the_context)
{
   uint64_t record[3];

   f->null.time_ns = 1000;
   assert_int_equal(pitot_timestamp_ns(f->context), 1000);
   f->null.time_ns = 400;
   assert_int_equal(pitot_timestamp_ns(f->context), 1000);

   struct pitot_perf_query *query = create_query(f->perf, "GPU Time");
   assert_int_equal(pitot_perf_query_begin(query), 0);
   f->null.time_ns = 450;
   assert_int_equal(pitot_perf_query_end(query), 0);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
   memcpy(record, query->portions[0].record, sizeof(record));
   assert_int_equal(record[0], 1000);
   assert_int_equal(record[1], 1050);
   assert_int_equal(record[2], 50);
}

static const unsigned failing_calls[] = { PITOT_NULL_BEGIN, PITOT_NULL_END };

/* "A begin or end that fails leaves nothing begun; the measurement is then
 * destroyed without another call."
 */
NULL_TEST_EACH(failed_calls_destroy_measurements, i,
               ARRAY_LENGTH(failing_calls))
{
   struct pitot_perf_query *query =
      create_query(f->perf, PITOT_PERF_STATISTICS_NAME);
   f->null.fail[failing_calls[i]] = 1;
   if (pitot_perf_query_begin(query) == 0)
      assert_int_equal(pitot_perf_query_end(query), -EIO);
   assert_int_equal(f->null.fail[failing_calls[i]], 0);
   assert_int_equal(f->null.created, 1);
   assert_int_equal(f->null.alive, 0);
}
