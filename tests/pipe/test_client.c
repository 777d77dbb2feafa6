/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * How the client uses the hooks of a pipe_context, beyond the contract suite.
 */

#include "fixture.h"
#include "pitot_condition.h"

static struct pitot_query *
count_samples(struct fixture *f, uint32_t name, unsigned count)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(f->context, name, &query), 0);
   assert_int_equal(pitot_query_begin(f->context, query,
                                      PITOT_KIND_SAMPLES_PASSED, 0),
                    0);
   f->fake.counters[PIPE_QUERY_OCCLUSION_COUNTER][0] += count;
   assert_int_equal(pitot_query_end(f->context, PITOT_KIND_SAMPLES_PASSED, 0),
                    0);
   return query;
}

/* Internal draws are excluded while queries count draws, and only then. */
FAKE_TEST(counting_follows_active_queries)
{
   struct pitot_query *time, *samples;

   open_fixture(f);
   assert_int_equal(pitot_query_obtain(f->context, 1, &time), 0);
   assert_int_equal(pitot_query_obtain(f->context, 2, &samples), 0);
   pitot_query_begin(f->context, time, PITOT_KIND_TIME_ELAPSED, 0);
   assert_int_equal(f->counting, 0);
   pitot_query_begin(f->context, samples, PITOT_KIND_SAMPLES_PASSED, 0);
   assert_int_equal(f->counting, 1);
   f->fake.fail[PITOT_NULL_END] = 1;
   pitot_query_end(f->context, PITOT_KIND_SAMPLES_PASSED, 0);
   assert_int_equal(f->counting, 0);
   pitot_query_begin(f->context, samples, PITOT_KIND_SAMPLES_PASSED, 0);
   assert_int_equal(f->counting, 1);
}

/* On drivers that cannot begin a query again, each object has its own. */
FAKE_TEST_EACH(queries_are_kept_apart, apart, 2)
{
   open_info_fixture(f, (struct pitot_pipe_info){ .keeps_queries_apart =
                                                     apart });
   for (unsigned name = 1; name <= 3; name++) {
      for (unsigned i = 0; i < 2; i++)
         pitot_query_resolve(f->context,
                             measure(f, name, PITOT_KIND_CS_INVOCATIONS),
                             true);
      pitot_query_delete(f->context, name);
   }
   assert_int_equal(f->fake.created, apart ? 3 : 1);
}

FAKE_TEST(known_results_cost_no_call)
{
   open_fixture(f);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   for (unsigned i = 0; i < 100; i++)
      assert_true(pitot_query_resolve(f->context, query, i % 2));
   assert_int_equal(f->fake.result_calls, 1);
}

/* A query of an unsupported kind is 0, has 0 bits, needs no driver query. */
FAKE_TEST(missing_caps_count_nothing)
{
   caps_of(f)->occlusion_query = false;
   caps_of(f)->query_pipeline_statistics_single = false;
   caps_of(f)->query_timestamp = false;
   caps_of(f)->query_time_elapsed = false;
   open_fixture(f);

   static const enum pitot_kind kinds[] = {
      PITOT_KIND_SAMPLES_PASSED,
      PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE,
      PITOT_KIND_TIME_ELAPSED,
      PITOT_KIND_CLIPPING_INPUT,
   };
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_query *query = measure(f, i + 1, kinds[i]);

      assert_int_equal(f->client.base.ops->counter_bits(&f->client.base,
                                                        kinds[i]),
                       0);
      assert_true(pitot_query_resolve(f->context, query, false));
      assert_int_equal(query->result, 0);
   }
   assert_int_equal(f->fake.alive, 0);
}

/* A loss is reported once, also by polls: earlier queries become available,
 * later ones are right.
 */
FAKE_TEST(losses_are_of_what_was_in_flight)
{
   bool is_available = false;

   f->fake.is_held = true;
   open_fixture(f);
   for (unsigned hangs = 0; hangs < 300; hangs++) {
      struct pitot_query *first = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
      struct pitot_query *second = measure(f, 2, PITOT_KIND_TIME_ELAPSED);

      fake_pipe_hang(&f->fake);
      is_available = false;
      for (unsigned i = 0; i < 100000 && !is_available; i++)
         is_available = pitot_query_resolve(f->context, first, false);
      assert_true(is_available);
      f->fake.waits = 0;
      assert_true(pitot_query_resolve(f->context, second, true));
      assert_int_equal(f->fake.waits, 0);
      assert_int_equal(first->result + second->result, 0);
      assert_true(pitot_disjoint_take(f->context));

      struct pitot_query *later = count_samples(f, 3, 7);
      assert_false(pitot_query_resolve(f->context, later, false));
      assert_true(pitot_query_resolve(f->context, later, true));
      assert_int_equal(later->result, 7);
      assert_false(pitot_disjoint_take(f->context));
   }
}

FAKE_TEST(waits_end_with_the_device)
{
   f->fake.is_held = true;
   open_fixture(f);
   for (unsigned hangs = 0; hangs < 3; hangs++) {
      struct pitot_query *query = count_samples(f, 1, 7);

      fake_pipe_hang(&f->fake);
      assert_true(pitot_query_resolve(f->context, query, true));
      assert_int_equal(query->result, 0);
      assert_true(pitot_disjoint_take(f->context));
      query = count_samples(f, 1, 9);
      assert_true(pitot_query_resolve(f->context, query, true));
      assert_int_equal(query->result, 9);
   }
}

/* All fences signal after a loss, though the driver reports it only once. */
FAKE_TEST(fences_end_with_the_device)
{
   struct pitot_fence *fences[2];

   f->fake.is_held = true;
   open_fixture(f);
   struct pitot_driver *driver = &f->client.base;
   measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(driver->ops->fence_create(driver, &fences[i]), 0);
   fake_pipe_hang(&f->fake);
   for (unsigned i = 0; i < 2; i++) {
      bool is_done = false;

      for (unsigned n = 0; n < 5000 && !is_done; n++)
         is_done = driver->ops->fence_is_done(driver, fences[i]);
      assert_true(is_done);
      driver->ops->fence_destroy(driver, fences[i]);
   }
}

/* Pitot's queries know which are lost, whoever reads the reset status. */
FAKE_TEST(own_queries_survive_other_news)
{
   f->fake.is_held = true;
   open_info_fixture(f, (struct pitot_pipe_info){ .reports_losses = true });
   struct pitot_query *query = count_samples(f, 1, 7);
   f->fake.is_lost = true;
   assert_true(pitot_pipe_is_lost(&f->client));
   f->fake.is_lost = false;
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->result, 7);
}

/* A poll of a lost query ends immediately, without the reset status. */
FAKE_TEST(own_queries_tell_losses)
{
   f->fake.is_held = true;
   open_info_fixture(f, (struct pitot_pipe_info){ .reports_losses = true });
   for (unsigned wait = 0; wait < 2; wait++) {
      struct pitot_query *lost = count_samples(f, 1, 7);

      fake_pipe_hang(&f->fake);
      struct pitot_query *late = count_samples(f, 2, 9);
      assert_true(pitot_query_resolve(f->context, lost, wait));
      assert_int_equal(lost->result, 0);
      assert_true(pitot_disjoint_take(f->context));
      for (unsigned i = 0; i < 5000; i++)
         assert_false(pitot_query_resolve(f->context, late, false));
      assert_true(pitot_query_resolve(f->context, late, true));
      assert_int_equal(late->result, 9);
      assert_false(pitot_disjoint_take(f->context));
   }
   assert_int_equal(f->fake.status_calls, 0);
}

/* Reading GPU_DISJOINT reads the reset status only where that is cheap. */
FAKE_TEST_EACH(resets_are_asked_for_where_it_is_cheap, is_cheap, 2)
{
   f->fake.is_threaded = true;
   open_info_fixture(f, (struct pitot_pipe_info){ .has_cheap_reset_status =
                                                     is_cheap });
   f->fake.is_lost = true;
   assert_int_equal(pitot_disjoint_take(f->context), is_cheap);
   assert_false(pitot_disjoint_take(f->context));
   assert_int_equal(f->fake.status_calls, 2 * is_cheap);
}

struct frontend {
   bool is_lost;
   struct pipe_query *condition;
   enum pipe_render_cond_flag condition_mode;
   bool is_inverted;
};

static bool
frontend_is_lost(void *data)
{
   return ((struct frontend *)data)->is_lost;
}

static void
frontend_render_condition(void *data, struct pipe_query *query,
                          bool is_inverted, enum pipe_render_cond_flag mode)
{
   struct frontend *frontend = data;

   frontend->condition = query;
   frontend->is_inverted = is_inverted;
   frontend->condition_mode = mode;
}

/* Pitot calls a frontend that reports losses and tracks the condition. */
FAKE_TEST(frontend_comes_first)
{
   struct frontend frontend = { 0 };

   open_info_fixture(f, (struct pitot_pipe_info){
                           .render_condition = frontend_render_condition,
                           .condition_data = &frontend,
                           .is_lost = frontend_is_lost,
                           .data = &frontend,
                           .has_cheap_reset_status = true,
                        });
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   assert_int_equal(pitot_condition_begin(f->context, query,
                                          PITOT_CONDITION_NO_WAIT |
                                             PITOT_CONDITION_BY_REGION |
                                             PITOT_CONDITION_INVERTED),
                    0);
   assert_non_null(frontend.condition);
   assert_true(frontend.is_inverted);
   assert_int_equal(frontend.condition_mode,
                    PIPE_RENDER_COND_BY_REGION_NO_WAIT);
   pitot_condition_end(f->context);
   assert_null(frontend.condition);
   assert_null(f->fake.condition);

   f->fake.is_lost = true;
   assert_false(pitot_disjoint_take(f->context));
   frontend.is_lost = true;
   assert_true(pitot_disjoint_take(f->context));
   assert_false(f->fake.has_reported_loss);
}

static const struct {
   enum pitot_kind kind;
   bool stores_clamped, stores_wait, clamps_times;
   bool stores_32, stores_64;
} fits[] = {
   { PITOT_KIND_SAMPLES_PASSED, true, true, false, true, true },
   { PITOT_KIND_SAMPLES_PASSED, false, false, false, true, true },
   { PITOT_KIND_SAMPLES_PASSED, false, true, true, false, true },
   { PITOT_KIND_ANY_SAMPLES_PASSED, false, true, false, true, true },
   { PITOT_KIND_TIME_ELAPSED, true, false, false, true, true },
   { PITOT_KIND_TIME_ELAPSED, false, false, false, false, true },
   { PITOT_KIND_TIME_ELAPSED, false, true, true, true, true },
};

/* 32-bit stores need a driver that clamps (or, for counts, does not wait). */
FAKE_TEST_EACH(stores_are_asked_for_what_fits, i, ARRAY_LENGTH(fits))
{
   uint64_t memory = 0;

   open_info_fixture(f, (struct pitot_pipe_info){
                           .stores_clamped = fits[i].stores_clamped,
                           .stores_wait = fits[i].stores_wait,
                           .clamps_times = fits[i].clamps_times,
                        });
   void *resource = fake_pipe_resource(&f->fake, &memory);
   struct pitot_query *query = measure(f, 1, fits[i].kind);
   assert_int_equal(pitot_query_store(f->context, query, PITOT_STORE_RESULT,
                                      PITOT_TYPE_I32, resource, 0),
                    fits[i].stores_32);
   assert_int_equal(store_result(f, query, &memory), fits[i].stores_64);
   assert_int_equal(pitot_query_store(f->context, query,
                                      PITOT_STORE_RESULT_NO_WAIT,
                                      PITOT_TYPE_I32, resource, 0),
                    fits[i].stores_32);
   /* Availability goes the same way as results that may not fit. */
   assert_int_equal(pitot_query_store(f->context, query,
                                      PITOT_STORE_AVAILABLE, PITOT_TYPE_U64,
                                      resource, 0),
                    fits[i].stores_32);
}

static const char *
zink_name(struct pipe_screen *screen)
{
   (void)screen;
   return "zink Vulkan 1.4(llvmpipe (MESA_LLVMPIPE))";
}

/* zink stores times itself; a poll would drain, and wait for all times. */
FAKE_TEST(zink_is_not_polled_for_stores)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_TIMESTAMP,
                                            PITOT_KIND_TIME_ELAPSED };
   uint64_t memory = 0;

   f->fake.screen.get_name = zink_name;
   f->fake.is_threaded = true;
   f->fake.is_held = true;
   open_driver_fixture(f);
   void *resource = fake_pipe_resource(&f->fake, &memory);
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_query *query = measure(f, i + 1, kinds[i]);

      for (unsigned store = 0; store < PITOT_STORE_COUNT; store++) {
         for (unsigned type = 0; type < PITOT_TYPE_COUNT; type++)
            assert_true(pitot_query_store(f->context, query, store, type,
                                          resource, 0));
      }
   }
   assert_int_equal(f->fake.result_calls, 0);
   assert_int_equal(f->fake.waits, 0);
}

/* Neither unsupported kinds nor differences of two queries are stored. */
FAKE_TEST(stores_need_one_result)
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_TIME_ELAPSED,
                                            PITOT_KIND_SAMPLES_PASSED };
   uint64_t memory = 5;

   caps_of(f)->query_time_elapsed = false;
   caps_of(f)->occlusion_query = false;
   open_fixture(f);
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++)
      assert_false(store_result(f, measure(f, i + 1, kinds[i]), &memory));
   assert_int_equal(memory, 5);
}

/* If a driver returns from a wait without a result, the wait is repeated. */
FAKE_TEST(waits_are_repeated)
{
   open_fixture(f);
   f->fake.is_held = true;
   f->fake.empty_waits = 10;
   struct pitot_query *query = count_samples(f, 1, 7);
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->result, 7);
   assert_int_equal(f->fake.result_calls, 11);
   assert_false(pitot_disjoint_take(f->context));
}

static const char *
radeonsi_name(struct pipe_screen *screen)
{
   (void)screen;
   return "AMD Radeon (radeonsi, navi31, LLVM 15.0.6, DRM 3.49)";
}

/* Counters that crash a driver, by the beginning of their names. */
FAKE_TEST(broken_counters_are_known)
{
   static const struct {
      const char *counter;
      bool is_broken;
   } cases[] = {
      { "GFX-BO-list-size", true },
      { "SQ_WGP_BUSY", !PITOT_HAS_MESA_FIXES },
      { "SQ", false },
   };

   open_fixture(f);
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      assert_false(
         pitot_pipe_counter_is_broken(&f->fake.screen, cases[i].counter));
   f->fake.screen.get_name = radeonsi_name;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++)
      assert_int_equal(pitot_pipe_counter_is_broken(&f->fake.screen,
                                                    cases[i].counter),
                       cases[i].is_broken);
}

/* The modes of NV_conditional_render have Gallium's values. */
FAKE_TEST(condition_modes_map)
{
   static const struct {
      unsigned mode;
      enum pipe_render_cond_flag flag;
   } modes[] = {
      { PITOT_CONDITION_WAIT, PIPE_RENDER_COND_WAIT },
      { PITOT_CONDITION_NO_WAIT, PIPE_RENDER_COND_NO_WAIT },
      { PITOT_CONDITION_BY_REGION, PIPE_RENDER_COND_BY_REGION_WAIT },
      { PITOT_CONDITION_NO_WAIT | PITOT_CONDITION_BY_REGION |
           PITOT_CONDITION_INVERTED,
        PIPE_RENDER_COND_BY_REGION_NO_WAIT },
   };

   open_fixture(f);
   struct pitot_query *query = measure(f, 1, PITOT_KIND_SAMPLES_PASSED);
   for (unsigned i = 0; i < ARRAY_LENGTH(modes); i++) {
      assert_int_equal(pitot_condition_begin(f->context, query,
                                             modes[i].mode),
                       0);
      assert_int_equal(f->fake.condition_mode, modes[i].flag);
      assert_int_equal(f->fake.condition_inverted,
                       (modes[i].mode & PITOT_CONDITION_INVERTED) != 0);
      pitot_condition_end(f->context);
      assert_null(f->fake.condition);
   }
}
