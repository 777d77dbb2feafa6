/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info --check: simulated GPUs are as Pitot assumes, in whatever order
 * they work.
 */

#include "checks.h"

static void
good_gpus_are_right(struct sim *first)
{
   struct sim *sim = checks_create(first->gpu.key);

   checks_expect_right(sim);
   sim_destroy(sim);
}

/* A GPU works while the CPU looks, in whatever order. */
static void
schedules_are_right(struct sim *first)
{
   for (uint64_t seed = 1; seed <= 8; seed++) {
      struct sim *sim = checks_create(first->gpu.key);

      sim_schedule_begin(&sim->schedule, seed);
      sim->is_running = true;
      checks_expect_right(sim);
      sim_destroy(sim);
   }
}

/* Pitot allows for these, and the check tells them. */
static void
late_backends_are_counted(struct sim *unused)
{
   unsigned late = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 8; seed++) {
      struct sim *sim = checks_create("navi21");
      json_t *device;

      sim_schedule_begin(&sim->schedule, seed);
      sim->is_running = true;
      assert_int_equal(checks_run(sim, &device), 0);
      late += checks_number(device, "fences", "late_backend_samples") != 0;
      json_decref(device);
      sim_destroy(sim);
   }
   assert_true(late != 0);
}

static void
slots_are_told(struct sim *unused)
{
   static const struct {
      const char *gpu, *text;
   } rows[] = {
      { "navi10", "no render backend is disabled" },
      { "navi21", "the slots are by number" },
      { "navi21 packed", "the slots are packed" },
      { "bonaire cut", "the slots are by number" },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
      struct sim *sim = checks_create(rows[i].gpu);
      json_t *device;

      assert_int_equal(checks_run(sim, &device), 0);
      assert_string_equal(checks_text(checks_find(device, "backends"),
                                      "text"),
                          rows[i].text);
      json_decref(device);
      sim_destroy(sim);
   }
}

/* A submission that hangs ends as a lost context, with the name of what was
 * in it, and nothing is submitted after it.
 */
static void
each_submission_may_hang(struct sim *first)
{
   struct sim *good = checks_create(first->gpu.key);

   checks_expect_right(good);
   const unsigned count = good->submit_count;
   sim_destroy(good);

   for (unsigned n = 1; n <= count; n += n < 64 ? 1 : 29) {
      struct sim *sim = checks_create(first->gpu.key);
      json_t *device;

      sim->hang_on_submit = n;
      assert_int_equal(checks_run(sim, &device), 1);
      assert_int_equal(sim->submit_count, n);
      assert_int_equal(sim->object_count, 0);
      json_decref(device);
      sim_destroy(sim);
   }
}

int
main(void)
{
   static const struct rig_test tests[] = {
      SIM_TEST(NULL, good_gpus_are_right),
      SIM_TEST(NULL, schedules_are_right),
      SIM_TEST("skl", late_backends_are_counted),
      SIM_TEST("skl", slots_are_told),
      SIM_TEST(NULL, each_submission_may_hang),
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
