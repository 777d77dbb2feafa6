/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Monitors of a driver's groups: cases that need more than the null driver.
 */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf/pipe_fixture.h"

static void
choose(struct fixture *f, struct pitot_perf_query *monitor, const char *group,
       const uint32_t *counters, unsigned count)
{
   assert_int_equal(pitot_perf_monitor_select(monitor, true,
                                              find_group(f->perf, group),
                                              counters, count),
                    0);
}

static struct pitot_perf_query *
create_monitor(struct fixture *f, const char *group, const uint32_t *counters,
               unsigned count)
{
   struct pitot_perf_query *monitor = pitot_perf_query_create(f->perf, NULL);

   assert_non_null(monitor);
   choose(f, monitor, group, counters, count);
   return monitor;
}

#define MONITOR(F, GROUP, ...)                                               \
   create_monitor(F, GROUP, (const uint32_t[]){ __VA_ARGS__ },               \
                  ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))
#define CHOOSE(F, MONITOR, GROUP, ...)                                       \
   choose(F, MONITOR, GROUP, (const uint32_t[]){ __VA_ARGS__ },              \
          ARRAY_LENGTH(((const uint32_t[]){ __VA_ARGS__ })))

static uint64_t
value_of(const struct pitot_perf_query *monitor, unsigned i)
{
   const struct pitot_perf_result *result = &monitor->results[i];
   uint32_t narrow;
   uint64_t wide;

   assert_true(i < monitor->result_count);
   const uint8_t *record = result->portion->record;
   const void *value = record + result->info->offset_B;

   memcpy(&wide, value, result->info->size_B);
   memcpy(&narrow, value, sizeof(narrow));
   return result->info->size_B == sizeof(narrow) ? narrow : wide;
}

static void
measure_and_read(struct pitot_perf_query *monitor)
{
   measure_perf(monitor);
   assert_true(pitot_perf_query_resolve(monitor, PITOT_PERF_WAIT));
   assert_false(monitor->is_lost);
}

/* Groups are not split.  The driver's groups come first, in its order,
 * because tools for one driver know groups by index.
 */
FAKE_TEST(groups_of_the_driver_come_first)
{
   static const struct {
      const char *name;
      unsigned counter_count, max_active_count;
   } expected[] = {
      { "Shader", 5, 2 },
      { "Memory", 2, 2 },
      { "Bus", 2, 1 },
      { PITOT_PERF_STATISTICS_NAME, FAKE_STATISTIC_COUNT,
        FAKE_STATISTIC_COUNT },
      { "Driver Counters", 3, 3 },
      { "GPU Time", 4, 4 },
   };

   assert_int_equal(pitot_perf_group_count(f->perf), ARRAY_LENGTH(expected));
   for (unsigned i = 0; i < ARRAY_LENGTH(expected); i++) {
      const struct pitot_perf_group *group = pitot_perf_get_group(f->perf, i);

      assert_string_equal(group->name, expected[i].name);
      assert_int_equal(group->counter_count, expected[i].counter_count);
      assert_int_equal(group->set->counter_count,
                       expected[i].max_active_count);
   }
   const struct pitot_perf_group *shader =
      pitot_perf_get_group(f->perf, find_group(f->perf, "Shader"));
   assert_string_equal(shader->set->counters[0].name, "cycles");
   assert_string_equal(shader->set->counters[4].name, "misses");
}

/* Counters of a batch and of other groups each have their own values. */
FAKE_TEST(counters_of_several_groups_are_measured)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Memory", 1);

   CHOOSE(f, monitor, "Shader", 3, 0);
   CHOOSE(f, monitor, "Driver Counters", 1);
   CHOOSE(f, monitor, PITOT_PERF_STATISTICS_NAME, 0);
   measure_and_read(monitor);
   assert_int_equal(monitor->result_count, 5);
   assert_int_equal(value_of(monitor, 0), 100);
   assert_int_equal(value_of(monitor, 1), 103);
   assert_int_equal(value_of(monitor, 2), 106);
   assert_int_equal(value_of(monitor, 4), 109);
   pitot_perf_query_delete(monitor);
}

FAKE_TEST(selected_counters_alone_are_measured)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Memory", 0);

   assert_int_equal(pitot_perf_query_begin(monitor), 0);
   assert_int_equal(f->fake.active, 1);
   assert_int_equal(pitot_perf_query_end(monitor), 0);
   CHOOSE(f, monitor, "Memory", 1);
   assert_int_equal(pitot_perf_query_begin(monitor), 0);
   assert_int_equal(f->fake.active, 2);
   assert_int_equal(pitot_perf_query_end(monitor), 0);
   pitot_perf_query_delete(monitor);
}

FAKE_TEST(new_selections_have_no_values)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Memory", 0);

   measure_and_read(monitor);
   CHOOSE(f, monitor, "Memory", 1);
   assert_int_equal(monitor->state, PITOT_STATE_IDLE);
   assert_int_equal(monitor->portion_count, 0);
   measure_and_read(monitor);
   assert_int_equal(value_of(monitor, 1), 106);
   pitot_perf_query_delete(monitor);
}

/* More counters than a group measures at a time fail to begin. */
FAKE_TEST(groups_have_limits)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Shader", 0, 4);
   const uint32_t third = 2;

   measure_and_read(monitor);
   CHOOSE(f, monitor, "Shader", third);
   assert_int_equal(pitot_perf_query_begin(monitor), -EBUSY);
   assert_int_equal(monitor->state, PITOT_STATE_IDLE);
   pitot_perf_monitor_select(monitor, false, find_group(f->perf, "Shader"),
                             &third, 1);
   assert_int_equal(pitot_perf_query_begin(monitor), 0);
   assert_int_equal(pitot_perf_monitor_select(monitor, true,
                                              find_group(f->perf, "Shader"),
                                              &third, 1),
                    -EBUSY);
   assert_int_equal(monitor->result_count, 2);
   assert_int_equal(pitot_perf_query_end(monitor), 0);
   assert_true(pitot_perf_query_resolve(monitor, PITOT_PERF_WAIT));
   assert_int_equal(value_of(monitor, 1), 104);
   pitot_perf_query_delete(monitor);
}

/* One batch at a time, also of perf queries; other groups are independent. */
FAKE_TEST(batches_exclude_monitors)
{
   struct pitot_perf_query *first = MONITOR(f, "Shader", 0);
   struct pitot_perf_query *second = MONITOR(f, "Shader", 1);
   struct pitot_perf_query *statistics =
      MONITOR(f, PITOT_PERF_STATISTICS_NAME, 0);
   struct pitot_perf_query *query = create_query(f->perf, "Shader (2 of 3)");

   assert_int_equal(pitot_perf_query_begin(first), 0);
   assert_int_equal(pitot_perf_query_begin(second), -EBUSY);
   assert_int_equal(pitot_perf_query_begin(query), -EBUSY);
   assert_int_equal(pitot_perf_query_begin(statistics), 0);
   assert_int_equal(pitot_perf_query_end(first), 0);
   assert_int_equal(pitot_perf_query_begin(query), 0);
   assert_int_equal(pitot_perf_query_begin(second), -EBUSY);
   assert_int_equal(pitot_perf_query_end(query), 0);
   assert_int_equal(pitot_perf_query_begin(second), 0);
   pitot_perf_query_delete(first);
   pitot_perf_query_delete(second);
   pitot_perf_query_delete(statistics);
}

/* A limit excludes other monitors of its group, unless the group cannot
 * exceed it: zink measures "one at a time" of its only counter.
 */
FAKE_TEST(limits_exclude_monitors)
{
   static const struct {
      const char *group;
      int error;
   } cases[] = { { "Memory", 0 }, { "Bus", -EBUSY } };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct pitot_perf_query *first = MONITOR(f, cases[i].group, 0);
      struct pitot_perf_query *second = MONITOR(f, cases[i].group, 0);

      assert_int_equal(pitot_perf_query_begin(first), 0);
      assert_int_equal(pitot_perf_query_begin(second), cases[i].error);
      pitot_perf_query_delete(first);
      pitot_perf_query_delete(second);
   }
}

static struct pitot_perf_query *
create_three(struct fixture *f)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Memory", 0, 1);

   CHOOSE(f, monitor, "Driver Counters", 0);
   return monitor;
}

FAKE_TEST_EACH(failures_leave_nothing, i, 6)
{
   const bool is_begin = i % 2;
   struct pitot_perf_query *monitor = create_three(f);

   f->fake.fail[is_begin ? PITOT_NULL_BEGIN : PITOT_NULL_CREATE] = 1 + i / 2;
   if (is_begin)
      assert_true(pitot_perf_query_begin(monitor) < 0);
   else
      assert_int_equal(pitot_perf_query_begin(monitor), -ENOMEM);
   assert_int_equal(monitor->state, PITOT_STATE_IDLE);
   assert_int_equal(f->fake.active, 0);
   measure_and_read(monitor);
   pitot_perf_query_delete(monitor);
   assert_true(is_begin || f->fake.alive == 0);
}

static struct pipe_query *(*create_batch)(struct pipe_context *pipe,
                                          unsigned count, unsigned *types);

static struct pipe_query *
refuse_two(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   return count < 2 ? create_batch(pipe, count, types) : NULL;
}

/* A selection that the driver refuses is -EBUSY; the next one is measured. */
FAKE_TEST(refused_selections_are_busy)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Shader", 0);
   const uint32_t first = 0;

   create_batch = f->fake.base.create_batch_query;
   f->fake.base.create_batch_query = refuse_two;
   measure_and_read(monitor);
   CHOOSE(f, monitor, "Shader", 3);
   CHOOSE(f, monitor, "Driver Counters", 1);
   assert_int_equal(pitot_perf_query_begin(monitor), -EBUSY);
   assert_int_equal(monitor->state, PITOT_STATE_IDLE);
   assert_int_equal(f->fake.active, 0);
   assert_int_equal(f->fake.alive, 0);
   pitot_perf_monitor_select(monitor, false, find_group(f->perf, "Shader"),
                             &first, 1);
   measure_and_read(monitor);
   assert_int_equal(value_of(monitor, 0), 103);
   pitot_perf_query_delete(monitor);
}

/* Querying the struct of all statistics costs more than one of them. */
FAKE_TEST(one_statistic_is_counted_alone)
{
   static const uint32_t second = 3;
   struct pitot_perf_query *monitor =
      MONITOR(f, PITOT_PERF_STATISTICS_NAME, 2);

   f->client.info.has_struct = true;
   measure_and_read(monitor);
   assert_int_equal(f->fake.created_structs, 0);
   choose(f, monitor, PITOT_PERF_STATISTICS_NAME, &second, 1);
   measure_and_read(monitor);
   assert_int_equal(f->fake.created_structs, 1);
   pitot_perf_query_delete(monitor);
}

/* A monitor has two measurements, so that a failed begin keeps results. */
FAKE_TEST(monitors_ahead_of_the_gpu_take_two)
{
   struct pitot_perf_query *monitor = MONITOR(f, "Memory", 0);

   f->fake.is_held = true;
   for (unsigned i = 1; i <= 100; i++) {
      measure_perf(monitor);
      assert_int_equal(f->fake.alive, i < 2 ? i : 2);
   }
   pitot_perf_query_delete(monitor);
}

/* Sets of a unit exclude each other while active. */
INTEL_TEST(sets_of_a_unit_exclude_each_other)
{
   f->intel->is_permitted = true;
   struct pitot_perf_query *render = MONITOR(f, "Render", 1);
   const struct pitot_perf_group *group =
      pitot_perf_get_group(f->perf, find_group(f->perf, "Render"));

   assert_string_equal(group->set->counters[0].name, "Cycles");
   assert_string_equal(group->set->counters[1].name, "Share");
   struct pitot_perf_query *compute = MONITOR(f, "Compute", 0, 1);
   struct pitot_perf_query *both = MONITOR(f, "Render", 0);

   CHOOSE(f, both, "Compute", 0);
   assert_int_equal(pitot_perf_query_begin(both), -EBUSY);
   assert_int_equal(pitot_perf_query_begin(render), 0);
   assert_int_equal(pitot_perf_query_begin(compute), -EBUSY);
   assert_int_equal(pitot_perf_query_end(render), 0);
   measure_and_read(compute);
   assert_true(pitot_perf_query_resolve(render, PITOT_PERF_DONT_FLUSH));
   pitot_perf_query_delete(render);
   pitot_perf_query_delete(compute);
   pitot_perf_query_delete(both);
}
