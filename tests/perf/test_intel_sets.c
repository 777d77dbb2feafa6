/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipe_fixture.h"

/* Records are unchanged.  Without Intel's statistics, which all drivers have,
 * and without groups, which are the same counters again.
 */
INTEL_TEST(intel_sets_pass_through)
{
   f->intel->is_ready = true;
   assert_int_equal(pitot_perf_set_count(f->perf), 2 + 2);
   assert_ptr_equal(find_set(f->perf, "Render"),
                    pitot_perf_get_set(f->perf, 0));
   assert_ptr_equal(find_set(f->perf, "Compute"),
                    pitot_perf_get_set(f->perf, 1));
   assert_ptr_equal(find_set(f->perf, PITOT_PERF_STATISTICS_NAME),
                    pitot_perf_get_set(f->perf, 2));

   const struct pitot_perf_set *set = find_set(f->perf, "Render");
   assert_int_equal(set->record_B, 24);
   assert_int_equal(set->counters[1].offset_B, 16);
   assert_int_equal(set->counters[1].data_type, PITOT_PERF_DATA_FLOAT);
   assert_int_equal(set->counters[1].raw_max, 100);

   static const struct {
      const char *name;
      uint8_t content; /* the driver's index of the set, plus 1 */
   } records[] = { { "Render", 2 }, { "Compute", 4 } };
   for (unsigned r = 0; r < ARRAY_LENGTH(records); r++) {
      struct pitot_perf_query *query = create_query(f->perf, records[r].name);

      measure_perf(query);
      f->fake.base.flush(&f->fake.base, NULL, 0);
      assert_true(pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH));
      for (unsigned i = 0; i < 24; i++)
         assert_int_equal(((uint8_t *)query->portions[0].record)[i],
                          records[r].content);
   }
}

#define HOOK(NAME) offsetof(struct pipe_context, NAME)

static const size_t hooks[] = {
   HOOK(init_intel_perf_query_info),
   HOOK(get_intel_perf_query_info),
   HOOK(get_intel_perf_query_counter_info),
   HOOK(new_intel_perf_query_obj),
   HOOK(begin_intel_perf_query),
   HOOK(end_intel_perf_query),
   HOOK(delete_intel_perf_query),
   HOOK(wait_intel_perf_query),
   HOOK(is_intel_perf_query_ready),
   HOOK(get_intel_perf_query_data),
};

/* A driver without one of the hooks has its groups as sets. */
INTEL_TEST_EACH(intel_sets_need_all_hooks, i, ARRAY_LENGTH(hooks))
{
   memset((char *)&f->fake.base + hooks[i], 0, sizeof(void (*)(void)));
   const unsigned count = pitot_perf_set_count(f->perf);
   assert_true(count > 0);
   for (unsigned s = 0; s < count; s++)
      assert_string_not_equal(pitot_perf_get_set(f->perf, s)->name, "Render");
   assert_non_null(find_set(f->perf, "Memory"));
}

/* Another set of the unit fails with -EBUSY; statistics are independent. */
INTEL_TEST(intel_sets_exclude_each_other)
{
   struct pitot_perf_query *render = create_query(f->perf, "Render");
   struct pitot_perf_query *again = create_query(f->perf, "Render");
   struct pitot_perf_query *compute = create_query(f->perf, "Compute");

   assert_int_equal(pitot_perf_query_begin(render), 0);
   assert_int_equal(pitot_perf_query_begin(again), 0);
   assert_int_equal(pitot_perf_query_begin(compute), -EBUSY);
   measure_perf(create_query(f->perf, PITOT_PERF_STATISTICS_NAME));
}

/* Another set gets the unit once all records are read, abandoned ones too. */
INTEL_TEST(intel_unit_is_handed_over)
{
   struct pitot_perf_query *kept = create_query(f->perf, "Render");
   struct pitot_perf_query *dropped = create_query(f->perf, "Render");
   struct pitot_perf_query *compute = create_query(f->perf, "Compute");

   measure_perf(kept);
   measure_perf(dropped);
   pitot_perf_query_delete(dropped);
   assert_int_equal(f->intel->busy, 2);
   measure_perf(compute);
   assert_int_equal(kept->state, PITOT_STATE_AVAILABLE);
   assert_false(kept->is_lost);
}

/* Objects in flight are neither begun, deleted nor waited for. */
INTEL_TEST(intel_objects_are_left_to_land)
{
   struct pitot_perf_query *query = create_query(f->perf, "Render");

   f->fake.is_held = true;
   for (unsigned i = 0; i < 10; i++)
      measure_perf(query);
   assert_false(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
   pitot_perf_query_delete(query);
   assert_int_equal(f->intel->waits, 0);
   assert_int_equal(f->intel->alive, 10);
}

/* A begin fails immediately or, with u_threaded_context, at the read. */
INTEL_TEST_EACH(intel_begin_may_fail, is_late, 2)
{
   f->intel->fails = true;
   f->intel->is_late = is_late;
   struct pitot_perf_query *query = create_query(f->perf, "Render");

   if (is_late) {
      measure_perf(query);
      assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
      assert_true(query->is_lost);
   } else {
      assert_int_equal(pitot_perf_query_begin(query), -EBUSY);
      assert_int_equal(query->state, PITOT_STATE_IDLE);
   }
}

/* An object whose record was read is not polled again. */
INTEL_TEST(intel_objects_are_read_once)
{
   struct pitot_perf_query *query = create_query(f->perf, "Render");

   measure_perf(query);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
   const unsigned asked = f->intel->asked;

   pitot_perf_query_delete(query);
   assert_int_equal(f->intel->asked, asked);
   assert_int_equal(f->intel->alive, 0);
}

/* A record is lost if the driver does not write it or the device is lost. */
INTEL_TEST_EACH(intel_records_may_be_lost, is_lost, 2)
{
   f->intel->writes_nothing = !is_lost;
   struct pitot_perf_query *queries[2];
   for (unsigned i = 0; i < 2; i++) {
      queries[i] = create_query(f->perf, "Render");
      measure_perf(queries[i]);
   }
   f->fake.is_lost = is_lost;
   for (unsigned i = 0; i < 2; i++) {
      assert_true(pitot_perf_query_resolve(queries[i], PITOT_PERF_WAIT));
      assert_true(queries[i]->is_lost);
      assert_true(pitot_disjoint_take(f->context));
   }

   /* A measurement that ends after the loss is valid. */
   measure_perf(queries[0]);
   assert_true(pitot_perf_query_resolve(queries[0], PITOT_PERF_WAIT));
   assert_int_equal(queries[0]->is_lost, !is_lost);
}

/* A case under faults may end anywhere: the program removes its files. */
static char dir[] = "/tmp/pitot-test-XXXXXX";
static const char *const names[] = { "", "/dev", "/dev/i915",
                                     "/dev/i915/perf_stream_paranoid" };

static const char *
path_of(unsigned i)
{
   static char path[128];

   snprintf(path, sizeof(path), "%s%s", dir, names[i]);
   return path;
}

static bool
make_directories(void)
{
   return mkdtemp(dir) && mkdir(path_of(1), 0700) == 0 &&
          mkdir(path_of(2), 0700) == 0;
}

static bool
remove_all(void)
{
   for (unsigned i = ARRAY_LENGTH(names); i-- > 1;)
      (void)remove(path_of(i)); /* there may be no setting */
   return remove(path_of(0)) == 0;
}

static void
write_setting(const char *value)
{
   FILE *file = fopen(path_of(3), "w");

   assert_non_null(file);
   fputs(value, file);
   fclose(file);
}

static const struct {
   const char *setting;
   bool is_permitted;
   bool is_reported;
} settings[] = {
   { "1\n", false, true },
   { "1\n", true, false },
   { "0\n", false, false },
};

/* The advice names the sysctl that hides the sets, unless it is set. */
INTEL_TEST_EACH(hidden_sets_are_reported, i, ARRAY_LENGTH(settings))
{
   write_setting(settings[i].setting);
   f->pipe.intel.sysctl_dir = dir;
   f->intel->is_permitted = settings[i].is_permitted;
   (void)pitot_perf_set_count(f->perf);
   const char *advice = f->pipe.intel.base.advice;
   assert_int_equal(advice != NULL, settings[i].is_reported);
   if (advice)
      assert_non_null(strstr(advice, "dev.i915.perf_stream_paranoid"));
}

int
main(void)
{
   if (!make_directories())
      return 1;
   const int failed = run_listed_tests();

   return failed + !remove_all();
}
