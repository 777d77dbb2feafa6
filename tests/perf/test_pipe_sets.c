/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The providers over a pipe_context: their perf sets, and how they use the
 * hooks.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail_memory.h"
#include "fake_counters.h"
#include "perf/create.h"
#include "pitot/perf_pipe.h"
#include "test.h"

struct fixture {
   struct fake_pipe fake;
   struct fake_intel *intel; /* NULL if the driver has no hooks for Intel */
   struct pitot_pipe_client client;
   struct pitot_perf_pipe pipe;
   struct pitot_context *context;
   struct pitot_perf *perf;
   unsigned counting;
};

static void
open_fixture(struct fixture *f, bool is_intel)
{
   memset(f, 0, sizeof(*f));
   fake_pipe_init(&f->fake);
   fake_counters_init(&f->fake);
   f->intel = is_intel ? fake_intel_init(&f->fake) : NULL;
   pitot_pipe_client_init(&f->client, &(struct pitot_pipe_info){
                                         .pipe = &f->fake.base,
                                         .counting = &f->counting,
                                      });
   assert_int_equal(
      pitot_context_create(&(struct pitot_context_info){ .driver =
                                                            &f->client.base },
                           &f->context),
      0);
   assert_int_equal(
      pitot_perf_create(f->context,
                        pitot_perf_pipe_init(&f->pipe, &f->client), &f->perf),
      0);
}

static void
close_fixture(struct fixture *f)
{
   pitot_perf_destroy(f->perf);
   pitot_context_destroy(f->context);
   assert_int_equal(f->fake.alive, 0);
   assert_int_equal(f->counting, 0);
   if (f->intel) {
      assert_int_equal(f->intel->alive, 0);
      assert_int_equal(f->intel->deleted_in_flight, 0);
   }
}

/* Begins anew: a test may change the driver before it asks for the sets. */
static void
reopen(struct fixture *f)
{
   const bool is_intel = f->intel;

   close_fixture(f);
   open_fixture(f, is_intel);
}

static int
set_up_fake(void **state)
{
   *state = malloc(sizeof(struct fixture));
   open_fixture(*state, false);
   return 0;
}

static int
set_up_intel(void **state)
{
   *state = malloc(sizeof(struct fixture));
   open_fixture(*state, true);
   return 0;
}

static int
tear_down(void **state)
{
   close_fixture(*state);
   free(*state);
   return 0;
}

#define ON_FAKE(NAME)                                                        \
   cmocka_unit_test_setup_teardown(NAME, set_up_fake, tear_down)
#define ON_INTEL(NAME)                                                       \
   cmocka_unit_test_setup_teardown(NAME, set_up_intel, tear_down)

static void
measure(struct fixture *f, struct pitot_perf_query *query)
{
   assert_int_equal(pitot_perf_query_begin(f->perf, query), 0);
   assert_int_equal(pitot_perf_query_end(query), 0);
}

/* One set a group; a group that measures two at a time is split in sets of
 * two; counters without a group are a set; unlisted ones are left out.
 */
static void
groups_are_sets(void **state)
{
   static const struct {
      const char *name;
      const char *counters[4];
      enum pitot_perf_overlap overlap;
   } sets[] = {
      { "Shader (1 of 3)", { "cycles", "busy" }, PITOT_PERF_OVERLAP_NONE },
      { "Shader (2 of 3)", { "loads", "stores" }, PITOT_PERF_OVERLAP_NONE },
      { "Shader (3 of 3)", { "misses" }, PITOT_PERF_OVERLAP_NONE },
      { "Memory", { "vram", "flush-time" }, PITOT_PERF_OVERLAP_NONE },
      { "Driver Counters",
        { "draws", "clock", "GFX-BO-list-size" },
        PITOT_PERF_OVERLAP_ANY },
   };
   struct fixture *f = *state;

   assert_int_equal(pitot_perf_set_count(f->perf), 2 + ARRAY_LENGTH(sets));
   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      const struct pitot_perf_set *set = find_set(f->perf, sets[i].name);

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

/* A counter of which a driver is known to crash is not listed there. */
static void
counters_that_crash_are_left_out(void **state)
{
   struct fixture *f = *state;

   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 3);
   reopen(f);
   f->fake.screen.get_name = radeonsi_name;
   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 2);
}

/* Types, units, maxima and offsets of the counters of a driver. */
static void
types_are_told(void **state)
{
   struct fixture *f = *state;

   const struct pitot_perf_counter *busy =
      &find_set(f->perf, "Shader (1 of 3)")->counters[1];
   assert_int_equal(busy->type, PITOT_PERF_COUNTER_DURATION_NORM);
   assert_int_equal(busy->raw_max, 100);
   assert_string_equal(busy->description,
                       "busy, as the driver counts it. Unit: percent.");

   const struct pitot_perf_set *loads = find_set(f->perf, "Shader (2 of 3)");
   assert_int_equal(loads->counters[1].data_type, PITOT_PERF_DATA_UINT32);
   assert_int_equal(loads->counters[1].offset_B, 4);
   assert_int_equal(loads->record_B, 8);

   const struct pitot_perf_set *memory = find_set(f->perf, "Memory");
   assert_int_equal(memory->counters[0].type, PITOT_PERF_COUNTER_THROUGHPUT);
   assert_int_equal(memory->counters[0].raw_max, 4096);
   assert_int_equal(memory->counters[1].type,
                    PITOT_PERF_COUNTER_DURATION_RAW);
   assert_int_equal(memory->record_B, 16);
}

/* The values of a set, in the batch or not, are at their offsets. */
static void
driver_values_are_read(void **state)
{
   struct fixture *f = *state;
   struct pitot_perf_query *loads = create_query(f->perf, "Shader (2 of 3)");
   struct pitot_perf_query *memory = create_query(f->perf, "Memory");

   measure(f, loads);
   measure(f, memory);
   assert_true(pitot_perf_query_resolve(loads, PITOT_PERF_WAIT));
   assert_true(pitot_perf_query_resolve(memory, PITOT_PERF_WAIT));
   assert_int_equal(((uint32_t *)loads->record)[0], 102);
   assert_int_equal(((uint32_t *)loads->record)[1], 103);
   assert_int_equal(((uint64_t *)memory->record)[0], 105);
   assert_int_equal(((uint64_t *)memory->record)[1], 106);
}

/* A batch is alone among batches: the second begin says so, changes nothing,
 * and succeeds once the first has ended.
 */
static void
batches_exclude_each_other(void **state)
{
   struct fixture *f = *state;
   struct pitot_perf_query *first = create_query(f->perf, "Shader (1 of 3)");
   struct pitot_perf_query *same = create_query(f->perf, "Shader (1 of 3)");
   struct pitot_perf_query *other = create_query(f->perf, "Shader (2 of 3)");
   struct pitot_perf_query *memory = create_query(f->perf, "Memory");
   struct pitot_perf_query *statistics =
      create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

   assert_int_equal(pitot_perf_query_begin(f->perf, first), 0);
   assert_int_equal(pitot_perf_query_begin(f->perf, same), -EBUSY);
   assert_int_equal(pitot_perf_query_begin(f->perf, other), -EBUSY);
   assert_int_equal(other->state, PITOT_STATE_IDLE);
   measure(f, memory);
   measure(f, statistics);
   assert_int_equal(pitot_perf_query_end(first), 0);
   measure(f, other);
}

/* A begin that fails half-way leaves nothing begun: drivers forget
 * active queries only when they end.
 */
static void
failed_begins_are_ended(void **state)
{
   static const char *const sets[] = { "Memory", PITOT_PERF_STATISTICS_NAME };

   struct fixture *f = *state;

   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      struct pitot_perf_query *query = create_query(f->perf, sets[i]);

      f->fake.fail_begin = 2;
      assert_true(pitot_perf_query_begin(f->perf, query) < 0);
      assert_int_equal(f->fake.active, 0);
      assert_int_equal(f->counting, 0);
      measure(f, query);
   }
}

/* If any of the queries of a set cannot be created, none is left. */
static void
failed_creates_leave_nothing(void **state)
{
   static const char *const sets[] = { "Shader (1 of 3)", "Memory",
                                       PITOT_PERF_STATISTICS_NAME };
   struct fixture *f = *state;

   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      unsigned nth = 1;

      reopen(f);
      struct pitot_perf_query *query = create_query(f->perf, sets[i]);
      for (f->fake.fail_create = nth;
           pitot_perf_query_begin(f->perf, query) == -ENOMEM;
           f->fake.fail_create = ++nth)
         assert_int_equal(f->fake.alive, 0);
      assert_int_equal(query->state, PITOT_STATE_ACTIVE);
      assert_true(nth > 1);
   }
}

/* Counters of a group that is not there are in none. */
static void
missing_groups_are_none(void **state)
{
   struct fixture *f = *state;

   f->fake.screen.get_driver_query_group_info = NULL;
   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 10);
}

/* One query where the driver measures all statistics in one. */
static void
statistics_take_one_query(void **state)
{
   static const unsigned expected[] = { 13, 3 };
   struct fixture *f = *state;
   struct pipe_caps *caps = (struct pipe_caps *)&f->fake.screen.caps;

   for (unsigned is_struct = 0; is_struct < 2; is_struct++) {
      reopen(f);
      caps->query_pipeline_statistics_single = !is_struct;
      caps->query_pipeline_statistics = is_struct;
      struct pitot_perf_query *query =
         create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

      assert_int_equal(pitot_perf_query_begin(f->perf, query), 0);
      assert_int_equal(f->fake.alive, expected[is_struct]);
      assert_int_equal(f->counting, expected[is_struct]);
      assert_int_equal(pitot_perf_query_end(query), 0);
   }
}

/* An available part of a record is read once, however often the record is
 * asked for.
 */
static void
results_are_read_once(void **state)
{
   static const char *const sets[] = { "Memory", PITOT_PERF_STATISTICS_NAME };
   struct fixture *f = *state;

   for (unsigned i = 0; i < ARRAY_LENGTH(sets); i++) {
      reopen(f);
      f->fake.counts_reads = true;
      f->fake.is_held = true;
      f->fake.held_from = 1;
      struct pitot_perf_query *query = create_query(f->perf, sets[i]);

      measure(f, query);
      for (unsigned n = 0; n < 10; n++)
         assert_false(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
      f->fake.is_held = false;
      assert_true(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
      const uint64_t *values = query->record;
      assert_int_equal(values[0], i == 0 ? 105 + 1 : 1);
      assert_int_equal(values[1], i == 0 ? 106 + 1 : 1);
   }
}

/* A query that is begun again has the record of the last time. */
static void
statistics_are_measured_again(void **state)
{
   struct fixture *f = *state;
   struct pitot_perf_query *query =
      create_query(f->perf, PITOT_PERF_STATISTICS_NAME);

   for (uint64_t vertices = 3; vertices < 6; vertices++) {
      assert_int_equal(pitot_perf_query_begin(f->perf, query), 0);
      f->fake.statistics[PIPE_STAT_QUERY_IA_VERTICES] += vertices;
      assert_int_equal(pitot_perf_query_end(query), 0);
      assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
      assert_memory_equal(query->record, &vertices, sizeof(vertices));
   }
}

/* A driver that counts nothing of the pipeline has only the primitives. */
static void
missing_statistics_are_left_out(void **state)
{
   struct fixture *f = *state;
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

/* Intel's sets come first, with their records as they are; groups of such a
 * driver would be the same again.
 */
static void
intel_sets_pass_through(void **state)
{
   struct fixture *f = *state;

   f->intel->is_ready = true;
   assert_int_equal(pitot_perf_set_count(f->perf), 3 + 2);
   assert_ptr_equal(find_set(f->perf, "Render"),
                    pitot_perf_get_set(f->perf, 1));

   const struct pitot_perf_set *set = find_set(f->perf, "Render");
   assert_int_equal(set->record_B, 24);
   assert_int_equal(set->counters[1].offset_B, 16);
   assert_int_equal(set->counters[1].data_type, PITOT_PERF_DATA_FLOAT);
   assert_int_equal(set->counters[1].raw_max, 100);

   struct pitot_perf_query *query = create_query(f->perf, "Render");
   measure(f, query);
   f->fake.base.flush(&f->fake.base, NULL, 0);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH));
   for (unsigned i = 0; i < 24; i++)
      assert_int_equal(((uint8_t *)query->record)[i], 2);
}

/* Only one set of the unit that counts at a time, said at once; statistics
 * beside it.
 */
static void
intel_sets_exclude_each_other(void **state)
{
   struct fixture *f = *state;
   struct pitot_perf_query *render = create_query(f->perf, "Render");
   struct pitot_perf_query *again = create_query(f->perf, "Render");
   struct pitot_perf_query *compute = create_query(f->perf, "Compute");
   struct pitot_perf_query *statistics =
      create_query(f->perf, "Pipeline Statistics Registers");

   assert_int_equal(pitot_perf_query_begin(f->perf, render), 0);
   assert_int_equal(pitot_perf_query_begin(f->perf, again), 0);
   assert_int_equal(pitot_perf_query_begin(f->perf, compute), -EBUSY);
   assert_int_equal(pitot_perf_query_begin(f->perf, statistics), 0);
}

/* The unit is free for another set once all records of the first are read:
 * those of queries, which keep them, and those that were given up.
 */
static void
intel_unit_is_handed_over(void **state)
{
   struct fixture *f = *state;
   struct pitot_perf_query *kept = create_query(f->perf, "Render");
   struct pitot_perf_query *dropped = create_query(f->perf, "Render");
   struct pitot_perf_query *compute = create_query(f->perf, "Compute");

   measure(f, kept);
   measure(f, dropped);
   pitot_perf_query_delete(f->perf, dropped);
   assert_int_equal(f->intel->busy, 2);
   measure(f, compute);
   assert_int_equal(kept->state, PITOT_STATE_AVAILABLE);
   assert_false(kept->is_lost);
}

/* The hooks are never asked to begin or to delete an object in flight, and
 * nothing waits for one before the end.
 */
static void
intel_objects_are_left_to_land(void **state)
{
   struct fixture *f = *state;
   struct pitot_perf_query *query = create_query(f->perf, "Render");

   for (unsigned i = 0; i < 10; i++)
      measure(f, query);
   assert_false(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
   pitot_perf_query_delete(f->perf, query);
   assert_int_equal(f->intel->waits, 0);
   assert_int_equal(f->intel->alive, 10);
}

/* A begin that the driver refuses, at once or, below u_threaded_context, only
 * when the record is read.
 */
static void
intel_begin_may_fail(void **state)
{
   struct fixture *f = *state;

   for (unsigned is_late = 0; is_late < 2; is_late++) {
      reopen(f);
      f->intel->fails = true;
      f->intel->is_late = is_late;
      struct pitot_perf_query *query = create_query(f->perf, "Render");

      if (is_late) {
         measure(f, query);
         assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
         assert_true(query->is_lost);
      } else {
         assert_int_equal(pitot_perf_query_begin(f->perf, query), -EBUSY);
         assert_int_equal(query->state, PITOT_STATE_IDLE);
      }
   }
}

/* Without memory, at whichever allocation, sets are missing or a function
 * fails; all memory is freed once.
 */
static void
memory_may_run_out(void **state)
{
   struct fixture *f = *state;
   bool has_failed = true;

   for (unsigned nth = 1; has_failed; nth++) {
      reopen(f);
      fail_memory = nth;
      const unsigned count = pitot_perf_set_count(f->perf);
      for (unsigned i = 0; i < count; i++) {
         struct pitot_perf_query *query =
            pitot_perf_query_create(f->perf, pitot_perf_get_set(f->perf, i));

         if (query)
            (void)pitot_perf_query_begin(f->perf, query);
      }
      has_failed = !fail_memory;
      fail_memory = 0;
   }
}

static void
write_setting(const char *dir, const char *value)
{
   char path[128];

   snprintf(path, sizeof(path), "%s/dev/i915/perf_stream_paranoid", dir);
   FILE *file = fopen(path, "w");
   assert_non_null(file);
   fputs(value, file);
   fclose(file);
}

/* Sets that a permission hides: which sysctl to set, unless it is set. */
static void
hidden_sets_are_told(void **state)
{
   static const struct {
      const char *setting;
      bool is_permitted;
      bool is_told;
   } cases[] = {
      { "1\n", false, true },
      { "1\n", true, false },
      { "0\n", false, false },
   };
   static const char *const paths[] = { "", "/dev", "/dev/i915",
                                        "/dev/i915/perf_stream_paranoid" };
   struct fixture *f = *state;
   char dir[] = "/tmp/pitot-test-XXXXXX";
   char path[128];

   assert_non_null(mkdtemp(dir));
   for (unsigned i = 1; i < 3; i++) {
      snprintf(path, sizeof(path), "%s%s", dir, paths[i]);
      assert_int_equal(mkdir(path, 0700), 0);
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      reopen(f);
      write_setting(dir, cases[i].setting);
      f->pipe.intel.sysctl_dir = dir;
      f->intel->is_permitted = cases[i].is_permitted;
      const char *advice = pitot_perf_hidden(f->perf);
      assert_int_equal(advice != NULL, cases[i].is_told);
      if (advice)
         assert_non_null(strstr(advice, "dev.i915.perf_stream_paranoid"));
   }
   for (unsigned i = ARRAY_LENGTH(paths); i-- > 0;) {
      snprintf(path, sizeof(path), "%s%s", dir, paths[i]);
      assert_int_equal(remove(path), 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      ON_FAKE(groups_are_sets),
      ON_FAKE(counters_that_crash_are_left_out),
      ON_FAKE(types_are_told),
      ON_FAKE(driver_values_are_read),
      ON_FAKE(batches_exclude_each_other),
      ON_FAKE(failed_begins_are_ended),
      ON_FAKE(failed_creates_leave_nothing),
      ON_FAKE(missing_groups_are_none),
      ON_FAKE(statistics_take_one_query),
      ON_FAKE(results_are_read_once),
      ON_FAKE(statistics_are_measured_again),
      ON_FAKE(missing_statistics_are_left_out),
      ON_INTEL(intel_sets_pass_through),
      ON_INTEL(intel_sets_exclude_each_other),
      ON_INTEL(intel_unit_is_handed_over),
      ON_INTEL(intel_objects_are_left_to_land),
      ON_INTEL(intel_begin_may_fail),
      { "memory_may_run_out", memory_may_run_out, set_up_fake, tear_down,
        NULL },
      { "intel_memory_may_run_out", memory_may_run_out, set_up_intel,
        tear_down, NULL },
      ON_INTEL(hidden_sets_are_told),
   };

   return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
