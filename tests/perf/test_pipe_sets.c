/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The providers over a pipe_context: their sets, and their use of hooks.
 */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fail_memory.h"
#include "pipe_fixture.h"
#include "pitot_pipe_kind.h"
#include "targets.h"

/* One set per group, after the statistics; of two counters if the group
 * measures two at a time.  Counters without a group are a set.  A limit that
 * a group cannot exceed excludes nothing.
 */
FAKE_TEST(groups_are_sets)
{
   static const struct {
      const char *name;
      const char *counters[4];
      enum pitot_perf_overlap overlap;
   } sets[] = {
      { "Shader (1 of 3)", { "cycles", "busy" }, PITOT_PERF_OVERLAP_NONE },
      { "Shader (2 of 3)", { "loads", "stores" }, PITOT_PERF_OVERLAP_NONE },
      { "Shader (3 of 3)", { "misses" }, PITOT_PERF_OVERLAP_NONE },
      { "Memory", { "vram", "flush-time" }, PITOT_PERF_OVERLAP_ANY },
      { "Bus (1 of 2)", { "reads" }, PITOT_PERF_OVERLAP_NONE },
      { "Bus (2 of 2)", { "writes" }, PITOT_PERF_OVERLAP_NONE },
      { "Driver Counters",
        { "draws", "clock", "GFX-BO-list-size" },
        PITOT_PERF_OVERLAP_ANY },
   };

   assert_int_equal(pitot_perf_set_count(f->perf), 2 + ARRAY_LENGTH(sets));
   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      const struct pitot_perf_set *set = pitot_perf_get_set(f->perf, 1 + i);

      assert_string_equal(set->name, sets[i].name);
      assert_int_equal(set->overlap, sets[i].overlap);
      assert_true(set->is_global);
      for (unsigned c = 0; c < set->counter_count; c++)
         assert_string_equal(set->counters[c].name, sets[i].counters[c]);
      assert_null(sets[i].counters[set->counter_count]);
   }
}

static const char *
radeonsi_name(struct pipe_screen *screen)
{
   (void)screen;
   return "AMD Radeon (radeonsi, navi21, LLVM 15.0.6, DRM 3.49)";
}

/* On drivers that crash on a counter, it is not listed. */
FAKE_TEST(counters_that_crash_are_left_out)
{
   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 3);
   reopen(f);
   f->fake.screen.get_name = radeonsi_name;
   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 2);
}

FAKE_TEST(types_are_reported)
{
   const struct pitot_perf_counter *busy =
      &find_set(f->perf, "Shader (1 of 3)")->counters[1];
   assert_int_equal(busy->type, PITOT_PERF_COUNTER_DURATION_NORM);
   assert_int_equal(busy->raw_max, 100);
   assert_string_equal(busy->description,
                       "As the driver counts it. Unit: percent.");

   const struct pitot_perf_set *loads = find_set(f->perf, "Shader (2 of 3)");
   assert_int_equal(loads->counters[1].data_type, PITOT_PERF_DATA_UINT32);
   assert_int_equal(loads->counters[0].raw_max, 5);
   assert_int_equal(loads->counters[1].offset_B, 4);
   assert_int_equal(loads->record_B, 8);

   const struct pitot_perf_set *memory = find_set(f->perf, "Memory");
   assert_int_equal(memory->counters[0].type, PITOT_PERF_COUNTER_THROUGHPUT);
   assert_int_equal(memory->counters[0].raw_max, UINT64_C(4096) << 32);
   assert_int_equal(memory->counters[1].type,
                    PITOT_PERF_COUNTER_DURATION_RAW);
   assert_int_equal(memory->record_B, 16);
}

static const struct {
   enum pitot_perf_counter_type type;
   enum pitot_perf_data_type data_type;
   const char *description;
} units[] = {
   [PIPE_DRIVER_QUERY_TYPE_UINT64] = { PITOT_PERF_COUNTER_EVENT,
                                       PITOT_PERF_DATA_UINT64,
                                       "Unit: events." },
   [PIPE_DRIVER_QUERY_TYPE_UINT] = { PITOT_PERF_COUNTER_EVENT,
                                     PITOT_PERF_DATA_UINT32,
                                     "Unit: events." },
   [PIPE_DRIVER_QUERY_TYPE_FLOAT] = { PITOT_PERF_COUNTER_RAW,
                                      PITOT_PERF_DATA_FLOAT,
                                      "Unit: number." },
   [PIPE_DRIVER_QUERY_TYPE_PERCENTAGE] = { PITOT_PERF_COUNTER_DURATION_NORM,
                                           PITOT_PERF_DATA_UINT64,
                                           "Unit: percent." },
   [PIPE_DRIVER_QUERY_TYPE_BYTES] = { PITOT_PERF_COUNTER_THROUGHPUT,
                                      PITOT_PERF_DATA_UINT64,
                                      "Unit: bytes." },
   [PIPE_DRIVER_QUERY_TYPE_MICROSECONDS] = { PITOT_PERF_COUNTER_DURATION_RAW,
                                             PITOT_PERF_DATA_UINT64,
                                             "Unit: us." },
   [PIPE_DRIVER_QUERY_TYPE_HZ] = { PITOT_PERF_COUNTER_RAW,
                                   PITOT_PERF_DATA_UINT64, "Unit: hz." },
   [PIPE_DRIVER_QUERY_TYPE_DBM] = { PITOT_PERF_COUNTER_RAW,
                                    PITOT_PERF_DATA_UINT64, "Unit: -dBm." },
   [PIPE_DRIVER_QUERY_TYPE_TEMPERATURE] = { PITOT_PERF_COUNTER_RAW,
                                            PITOT_PERF_DATA_UINT64,
                                            "Unit: C." },
   [PIPE_DRIVER_QUERY_TYPE_VOLTS] = { PITOT_PERF_COUNTER_RAW,
                                      PITOT_PERF_DATA_UINT64, "Unit: mV." },
   [PIPE_DRIVER_QUERY_TYPE_AMPS] = { PITOT_PERF_COUNTER_RAW,
                                     PITOT_PERF_DATA_UINT64, "Unit: mA." },
   [PIPE_DRIVER_QUERY_TYPE_WATTS] = { PITOT_PERF_COUNTER_RAW,
                                      PITOT_PERF_DATA_UINT64, "Unit: mW." },
};

static int
get_one_of_each_unit(struct pipe_screen *screen, unsigned index,
                     struct pipe_driver_query_info *info)
{
   (void)screen;
   if (!info)
      return ARRAY_LENGTH(units);
   *info = (struct pipe_driver_query_info){
      .name = "any",
      .type = index,
      .max_value.u64 = 7,
      .group_id = ~0u,
   };
   if (index == PIPE_DRIVER_QUERY_TYPE_FLOAT)
      info->max_value.f = 7;
   return 1;
}

FAKE_TEST(units_are_reported)
{
   f->fake.screen.get_driver_query_info = get_one_of_each_unit;
   f->fake.screen.get_driver_query_group_info = NULL;
   const struct pitot_perf_set *set = find_set(f->perf, "Driver Counters");
   assert_int_equal(set->counter_count, ARRAY_LENGTH(units));
   for (unsigned i = 0; i < set->counter_count; i++) {
      const struct pitot_perf_counter *counter = &set->counters[i];

      assert_int_equal(counter->type, units[i].type);
      assert_int_equal(counter->data_type, units[i].data_type);
      assert_int_equal(counter->raw_max, 7);
      assert_non_null(strstr(counter->description, units[i].description));
   }
}

static const float unreported_maxima[] = { -1, INFINITY, NAN, 0x1p64f,
                                           -0x1p100f };

/* Lists a counter for each maximum. */
static int
get_one_of_each_maximum(struct pipe_screen *screen, unsigned index,
                        struct pipe_driver_query_info *info)
{
   (void)screen;
   if (!info)
      return ARRAY_LENGTH(unreported_maxima);
   *info = (struct pipe_driver_query_info){
      .name = "any",
      .type = PIPE_DRIVER_QUERY_TYPE_FLOAT,
      .max_value.f = unreported_maxima[index],
      .group_id = ~0u,
   };
   return 1;
}

/* A maximum that is not a 64-bit number counts as unknown. */
FAKE_TEST(maxima_are_numbers)
{
   f->fake.screen.get_driver_query_info = get_one_of_each_maximum;
   f->fake.screen.get_driver_query_group_info = NULL;
   const struct pitot_perf_set *set = find_set(f->perf, "Driver Counters");
   assert_int_equal(set->counter_count, ARRAY_LENGTH(unreported_maxima));
   for (unsigned i = 0; i < set->counter_count; i++)
      assert_int_equal(set->counters[i].raw_max, 0);
}

/* With or without a batch; percentages are integers, as from nouveau. */
FAKE_TEST(driver_values_are_read)
{
   struct pitot_perf_query *busy = create_query(f->perf, "Shader (1 of 3)");
   struct pitot_perf_query *loads = create_query(f->perf, "Shader (2 of 3)");
   struct pitot_perf_query *memory = create_query(f->perf, "Memory");

   measure_perf(busy);
   measure_perf(loads);
   measure_perf(memory);
   assert_true(pitot_perf_query_resolve(busy, PITOT_PERF_WAIT));
   assert_true(pitot_perf_query_resolve(loads, PITOT_PERF_WAIT));
   assert_true(pitot_perf_query_resolve(memory, PITOT_PERF_WAIT));
   assert_int_equal(((uint64_t *)busy->portions[0].record)[0], 100);
   assert_int_equal(((uint64_t *)busy->portions[0].record)[1], 101);
   assert_int_equal(((uint32_t *)loads->portions[0].record)[0], 102);
   assert_int_equal(((uint32_t *)loads->portions[0].record)[1], 103);
   assert_int_equal(((uint64_t *)memory->portions[0].record)[0], 105);
   assert_int_equal(((uint64_t *)memory->portions[0].record)[1], 106);
}

/* The second begin fails with -EBUSY until the first batch has ended. */
FAKE_TEST(batches_exclude_each_other)
{
   struct pitot_perf_query *first = create_query(f->perf, "Shader (1 of 3)");
   struct pitot_perf_query *same = create_query(f->perf, "Shader (1 of 3)");
   struct pitot_perf_query *other = create_query(f->perf, "Shader (2 of 3)");
   struct pitot_perf_query *memory = create_query(f->perf, "Memory");
   struct pitot_perf_query *statistics =
      create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

   assert_int_equal(pitot_perf_query_begin(first), 0);
   assert_int_equal(f->counting, 0); /* internal draws count, too */
   assert_int_equal(pitot_perf_query_begin(same), -EBUSY);
   assert_int_equal(pitot_perf_query_begin(other), -EBUSY);
   assert_int_equal(other->state, PITOT_STATE_IDLE);
   measure_perf(memory);
   measure_perf(statistics);
   assert_int_equal(pitot_perf_query_end(first), 0);
   measure_perf(other);
}

/* A begin that fails halfway ends its active queries: drivers forget them at
 * their end.
 */
FAKE_TEST(failed_begins_are_ended)
{
   static const char *const sets[] = { "Memory", PITOT_PERF_STATISTICS_NAME };

   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      struct pitot_perf_query *query = create_query(f->perf, sets[i]);

      f->fake.fail[PITOT_NULL_BEGIN] = 2;
      assert_true(pitot_perf_query_begin(query) < 0);
      assert_int_equal(f->fake.active, 0);
      assert_int_equal(f->counting, 0);
      measure_perf(query);
   }
}

static const char *const created_sets[] = { "Shader (1 of 3)", "Memory",
                                            PITOT_PERF_STATISTICS_NAME };

/* If one query of a set cannot be created, the others are destroyed. */
FAKE_TEST_EACH(failed_creates_leave_nothing, i, ARRAY_LENGTH(created_sets))
{
   unsigned nth = 1;

   struct pitot_perf_query *query = create_query(f->perf, created_sets[i]);
   for (f->fake.fail[PITOT_NULL_CREATE] = nth;
        pitot_perf_query_begin(query) == -ENOMEM;
        f->fake.fail[PITOT_NULL_CREATE] = ++nth)
      assert_int_equal(f->fake.alive, 0);
   assert_int_equal(query->state, PITOT_STATE_ACTIVE);
   assert_true(nth > 1);
}

/* Counters whose group does not exist are in no set. */
FAKE_TEST(missing_groups_are_none)
{
   f->fake.screen.get_driver_query_group_info = NULL;
   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 12);
}

/* If the driver has the struct; some lack counts of geometry shaders. */
FAKE_TEST(statistics_take_one_query)
{
   static const struct {
      bool is_struct, has_both;
      unsigned lacking;
      unsigned queries;
   } cases[] = {
      { .queries = FAKE_STATISTIC_COUNT },
      { .is_struct = true, .queries = 3 },
      { .has_both = true, .queries = 3 },
      { .is_struct = true,
        .lacking = 1u << PIPE_STAT_QUERY_GS_INVOCATIONS |
                   1u << PIPE_STAT_QUERY_GS_PRIMITIVES,
        .queries = 5 },
   };
   struct pipe_caps *caps = (struct pipe_caps *)&f->fake.screen.caps;

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      reopen(f);
      caps->query_pipeline_statistics_single = !cases[i].is_struct;
      caps->query_pipeline_statistics = cases[i].is_struct;
      f->client.info.has_struct = cases[i].has_both;
      if (cases[i].lacking)
         f->client.info.struct_statistics =
            PITOT_PIPE_ALL_STATISTICS & ~cases[i].lacking;
      struct pitot_perf_query *query =
         create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

      assert_int_equal(pitot_perf_query_begin(query), 0);
      assert_int_equal(f->fake.alive, cases[i].queries);
      assert_int_equal(f->counting, cases[i].queries);
      assert_int_equal(pitot_perf_query_end(query), 0);
   }
}

/* A statistic that the struct lacks has a struct of its own, of which it is
 * the one member.
 */
FAKE_TEST(lacking_statistics_are_read_alone)
{
   struct pipe_caps *caps = (struct pipe_caps *)&f->fake.screen.caps;

   f->fake.lacking_statistics = 1u << PIPE_STAT_QUERY_GS_INVOCATIONS |
                                1u << PIPE_STAT_QUERY_GS_PRIMITIVES;
   f->client.info.struct_statistics =
      PITOT_PIPE_ALL_STATISTICS & ~f->fake.lacking_statistics;
   caps->query_pipeline_statistics_single = false;
   caps->query_pipeline_statistics = true;
   for (unsigned i = 0; i < EACH_STATISTIC_COUNT; i++) {
      struct pitot_pipe_method *method =
         &f->client.methods[PITOT_KIND_FIRST_STATISTIC + i];

      method->type = PIPE_QUERY_PIPELINE_STATISTICS;
      method->is_struct = true;
   }
   struct pitot_perf_query *query =
      create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

   assert_int_equal(pitot_perf_query_begin(query), 0);
   for (unsigned i = 0; i < EACH_STATISTIC_COUNT; i++)
      f->fake.statistics[i] += 100 + i;
   assert_int_equal(pitot_perf_query_end(query), 0);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
   const uint64_t *values = query->portions[0].record;
   for (unsigned i = 0; i < EACH_STATISTIC_COUNT; i++) {
      const enum pitot_kind kind = PITOT_KIND_FIRST_STATISTIC + i;

      assert_int_equal(values[i], 100 + pitot_pipe_kind(kind)->statistic);
   }
}

static const char *const read_sets[] = { "Memory",
                                         PITOT_PERF_STATISTICS_NAME };

/* A result is read once, however often the record is polled. */
FAKE_TEST_EACH(results_are_read_once, i, ARRAY_LENGTH(read_sets))
{
   f->fake.counts_reads = true;
   f->fake.is_held = true;
   f->fake.held_from = 1;
   struct pitot_perf_query *query = create_query(f->perf, read_sets[i]);

   measure_perf(query);
   for (unsigned n = 0; n < 10; n++)
      assert_false(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
   f->fake.is_held = false;
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
   const uint64_t *values = query->portions[0].record;
   assert_int_equal(values[0], i == 0 ? 105 + 1 : 1);
   assert_int_equal(values[1], i == 0 ? 106 + 1 : 1);
}

FAKE_TEST(statistics_are_measured_again)
{
   struct pitot_perf_query *query =
      create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

   for (uint64_t vertices = 3; vertices < 6; vertices++) {
      assert_int_equal(pitot_perf_query_begin(query), 0);
      f->fake.statistics[PIPE_STAT_QUERY_IA_VERTICES] += vertices;
      assert_int_equal(pitot_perf_query_end(query), 0);
      assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
      assert_memory_equal(query->portions[0].record, &vertices,
                          sizeof(vertices));
   }
}

/* A driver without pipeline statistics has only the primitives. */
FAKE_TEST(missing_statistics_are_left_out)
{
   struct pipe_caps *caps = (struct pipe_caps *)&f->fake.screen.caps;

   for (unsigned has_feedback = 0; has_feedback < 2; has_feedback++) {
      reopen(f);
      f->fake.screen.get_driver_query_info = NULL;
      caps->query_pipeline_statistics_single = false;
      caps->query_timestamp = false;
      caps->max_stream_output_buffers *= has_feedback;
      assert_int_equal(pitot_perf_set_count(f->perf), has_feedback);
      if (has_feedback) {
         assert_int_equal(pitot_perf_get_set(f->perf, 0)->counter_count, 2);
         assert_int_equal(pitot_perf_get_set(f->perf, 0)->record_B, 16);
      }
   }
}

/* Sets are missing or a function fails; all memory is freed once. */
FAKE_TEST(memory_may_run_out)
{
   bool has_failed = true;

   for (unsigned nth = 1; has_failed; nth++) {
      reopen(f);
      fail_memory = nth;
      const unsigned count = pitot_perf_set_count(f->perf);
      for (unsigned i = 0; i < count; i++) {
         struct pitot_perf_query *query =
            pitot_perf_query_create(f->perf, pitot_perf_get_set(f->perf, i));

         if (query)
            (void)pitot_perf_query_begin(query);
      }
      assert_true(pitot_perf_group_count(f->perf) <= count);
      has_failed = !fail_memory;
      fail_memory = 0;
   }
}

LIST_TEST(intel_memory_may_run_out, .test_func = run_memory_may_run_out,
          .setup_func = set_up_intel, .teardown_func = tear_down)
