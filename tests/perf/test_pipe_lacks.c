/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Drivers with incomplete or failing counters and hooks.
 */

#include <errno.h>
#include <stddef.h>

#include "fail_memory.h"
#include "pipe_fixture.h"

static int (*get_counter)(struct pipe_screen *screen, unsigned index,
                          struct pipe_driver_query_info *info);
static int (*get_group)(struct pipe_screen *screen, unsigned index,
                        struct pipe_driver_query_group_info *info);

static void
keep_lists(const struct fixture *f)
{
   get_counter = f->fake.screen.get_driver_query_info;
   get_group = f->fake.screen.get_driver_query_group_info;
}

static int
most_counters(struct pipe_screen *screen, unsigned index,
              struct pipe_driver_query_info *info)
{
   return info && index == 1 ? 0 : get_counter(screen, index, info);
}

/* Counter 1 has a query of its own, others of its group share one. */
static int
mixed_counters(struct pipe_screen *screen, unsigned index,
               struct pipe_driver_query_info *info)
{
   const int count = get_counter(screen, index, info);

   if (info && index == 1)
      info->flags = 0;
   return count;
}

static int
no_counters(struct pipe_screen *screen, unsigned index,
            struct pipe_driver_query_info *info)
{
   (void)screen;
   (void)index;
   (void)info;
   return 0;
}

static int
most_groups(struct pipe_screen *screen, unsigned index,
            struct pipe_driver_query_group_info *info)
{
   return info && index == 1 ? 0 : get_group(screen, index, info);
}

/* If a driver fails to describe counters and groups, no set has them. */
FAKE_TEST(unreported_counters_are_left_out)
{
   keep_lists(f);
   f->fake.screen.get_driver_query_info = most_counters;
   f->fake.screen.get_driver_query_group_info = most_groups;
   assert_int_equal(pitot_perf_set_count(f->perf), 2 + 2 + 2 + 1);
   const struct pitot_perf_set *set = find_set(f->perf, "Shader (1 of 2)");
   assert_int_equal(set->counter_count, 2);
   assert_string_equal(set->counters[0].name, "cycles");
   assert_string_equal(set->counters[1].name, "loads");
   assert_int_equal(find_set(f->perf, "Driver Counters")->counter_count, 3);
}

FAKE_TEST(a_driver_may_list_nothing)
{
   f->fake.screen.get_driver_query_info = no_counters;
   assert_int_equal(pitot_perf_set_count(f->perf), 2);
}

/* A set may have counters with own queries and counters that share one. */
FAKE_TEST(sets_may_be_mixed)
{
   keep_lists(f);
   f->fake.screen.get_driver_query_info = mixed_counters;
   struct pitot_perf_query *query = create_query(f->perf, "Shader (1 of 3)");
   measure_perf(query);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
   assert_int_equal(((const uint64_t *)query->portions[0].record)[0], 100);
   assert_int_equal(((const uint64_t *)query->portions[0].record)[1], 101);
   assert_int_equal(f->fake.created, 2);
}

#define MANY 20

static int
many_counters(struct pipe_screen *screen, unsigned index,
              struct pipe_driver_query_info *info)
{
   if (!info)
      return MANY;
   (void)get_counter(screen, 0, info);
   info->query_type += index;
   return 1;
}

static int
one_group(struct pipe_screen *screen, unsigned index,
          struct pipe_driver_query_group_info *info)
{
   if (!info)
      return 1;
   (void)get_group(screen, index, info);
   info->max_active_queries = MANY;
   return 1;
}

static struct pipe_query *
create_many(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   assert_int_equal(count, MANY);
   return pipe->create_query(pipe, types[0], 0);
}

static bool
read_many(struct pipe_context *pipe, struct pipe_query *pq, bool wait,
          union pipe_query_result *result)
{
   (void)pipe, (void)pq, (void)wait;
   for (unsigned i = 0; i < MANY; i++)
      result->batch[i].u64 = 1000 + i;
   return true;
}

/* A shared query's result may be larger than union pipe_query_result. */
FAKE_TEST(shared_results_may_be_large)
{
   keep_lists(f);
   f->fake.screen.get_driver_query_info = many_counters;
   f->fake.screen.get_driver_query_group_info = one_group;
   f->fake.base.create_batch_query = create_many;
   f->fake.base.get_query_result = read_many;
   struct pitot_perf_query *query = create_query(f->perf, "Shader");
   measure_perf(query);
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_WAIT));
   for (unsigned i = 0; i < MANY; i++)
      assert_int_equal(((const uint64_t *)query->portions[0].record)[i],
                       1000 + i);
}

/* Without the hook for shared queries, sets that need it fail to begin. */
FAKE_TEST(no_hook_shares_queries)
{
   f->fake.base.create_batch_query = NULL;
   struct pitot_perf_query *query = create_query(f->perf, "Shader (1 of 3)");
   assert_int_not_equal(pitot_perf_query_begin(query), 0);
   assert_int_equal(query->state, PITOT_STATE_IDLE);
   assert_int_equal(f->fake.alive, 0);
}

static void
never_wait(struct pipe_context *pipe, struct pipe_query *query)
{
   (void)pipe;
   (void)query;
   fail_msg("a wait for a record that is available");
}

/* A measurement that is done is not waited for. */
INTEL_TEST(done_objects_are_not_waited_for)
{
   measure_perf(create_query(f->perf, "Render"));
   f->intel->is_ready = true;
   f->fake.base.wait_intel_perf_query = never_wait;
   reopen(f);
}

static bool
is_ready_after_a_flush(struct pipe_context *pipe, struct pipe_query *query)
{
   (void)query;
   return ((struct fake_pipe *)pipe)->flushes > 0;
}

/* If a flush makes a record available, the poll that may flush reads it. */
INTEL_TEST(a_flush_may_be_enough)
{
   struct pitot_perf_query *query = create_query(f->perf, "Render");

   f->intel->is_ready = true;
   f->fake.base.is_intel_perf_query_ready = is_ready_after_a_flush;
   f->fake.base.wait_intel_perf_query = never_wait;
   measure_perf(query);
   assert_false(pitot_perf_query_resolve(query, PITOT_PERF_DONT_FLUSH));
   assert_true(pitot_perf_query_resolve(query, PITOT_PERF_FLUSH));
   assert_false(query->is_lost);
   assert_int_equal(f->fake.flushes, 1);
}

FAKE_TEST(no_memory_makes_no_sets)
{
   struct pitot_perf *perf;

   fail_memory = 1;
   assert_int_equal(pitot_perf_create(f->context, NULL, &perf), -ENOMEM);
   fail_memory = 2; /* the first name allocates tables of names */
   assert_int_equal(pitot_perf_create(f->context, NULL, &perf), 0);
   fail_memory = 0;
   pitot_perf_destroy(perf);
   pitot_perf_destroy(NULL);
}

static bool
has_set(struct pitot_perf *perf, const char *name)
{
   for (unsigned i = 0; i < pitot_perf_set_count(perf); i++) {
      if (!strcmp(pitot_perf_get_set(perf, i)->name, name))
         return true;
   }
   return false;
}

/* A driver without stream-out counts statistics, but no primitives. */
FAKE_TEST(no_feedback_counts_no_primitives)
{
   struct pipe_caps *caps = (struct pipe_caps *)&f->fake.screen.caps;

   caps->max_stream_output_buffers = 0;
   const struct pitot_perf_set *set =
      find_set(f->perf, PITOT_PERF_STATISTICS_NAME);
   assert_int_equal(set->counter_count, FAKE_STATISTIC_COUNT - 2);
   for (unsigned i = 0; i < set->counter_count; i++)
      assert_string_equal(set->counters[i].name,
                          pitot_perf_statistic(i).name);
}

/* If counting generated primitives breaks overflow queries, no set does. */
FAKE_TEST(sets_overflow_nothing)
{
   f->client.info.generated_overflows = true;
   const struct pitot_perf_set *set =
      find_set(f->perf, PITOT_PERF_STATISTICS_NAME);
   assert_int_equal(set->counter_count, FAKE_STATISTIC_COUNT - 1);
   for (unsigned i = 0; i < set->counter_count; i++)
      assert_int_not_equal(set->counters[i].source,
                           PITOT_KIND_PRIMITIVES_GENERATED);
}

/* If one allocation fails, none of Intel's sets is listed. */
INTEL_TEST(sets_are_listed_whole)
{
   bool has_failed = true;
   unsigned missing_count = 0;

   for (unsigned nth = 1; has_failed; nth++) {
      reopen(f);
      fail_memory = nth;
      const bool has_render = has_set(f->perf, "Render");
      has_failed = !fail_memory;
      fail_memory = 0;
      assert_int_equal(has_set(f->perf, "Compute"), has_render);
      missing_count += !has_render;
   }
   assert_true(missing_count >= 3); /* the array, and the sets' counters */
}
