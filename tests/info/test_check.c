/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* pitot-info --check: simulated GPUs are right, in any order of work. */

#include <errno.h>
#include <string.h>

#include "checks.h"
#include "sim_priv.h"

/* Prime, so that the steps match no period of the calls. */
#define IOCTL_STEP  97
#define SUBMIT_STEP 17

#define SEED_COUNT 4

/* Among these are the ioctls that open the device and its context. */
#define FIRST_IOCTLS 40

TEST_ON_GPU(good_gpus_are_right, EVERY_GPU)
{
   struct sim *sim = checks_create(gpu);

   checks_expect_right(sim);
   sim_destroy(sim);
}

/* src/drm has no contexts on xe and msm: one line of the output says so. */
TEST(nothing_is_submitted_without_a_context)
{
   static const struct {
      const char *gpu, *reason;
   } rows[] = {
      { "lnl", "no contexts of its own on xe" },
      { "dg2-xe", "no contexts of its own on xe" },
      { "a630", "no contexts of its own on msm" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
      struct sim *sim = checks_create(rows[i].gpu);

      assert_int_equal(checks_run(sim), 0);
      const json_t *samples = checks_find("samples");
      assert_string_equal(checks_text(samples, "verdict"), "absent");
      assert_non_null(strstr(checks_text(samples, "text"), rows[i].reason));
      assert_int_equal(json_array_size(
                          json_object_get(checks_device, "checks")),
                       4);
      assert_true(checks_number("clock order", "reads") != 0);
      assert_int_equal(sim->submit_count, 0);
      sim_destroy(sim);
   }
}

/* "absent" is only for kernel drivers on which Pitot has no contexts. */
TEST(a_refused_context_is_wrong)
{
   static const char *const gpus[] = { "skl", "navi21" };
   unsigned refused = 0;

   for (unsigned i = 0; i < ARRAY_LENGTH(gpus) * FIRST_IOCTLS; i++) {
      struct sim *sim = checks_create(gpus[i / FIRST_IOCTLS]);

      sim->fail_ioctl_on = i % FIRST_IOCTLS + 1;
      sim->fail_errno = EOPNOTSUPP;
      checks_run(sim);
      if (checks_device != NULL) {
         const json_t *samples = checks_find("samples");

         assert_string_not_equal(checks_text(samples, "verdict"), "absent");
         refused +=
            strstr(checks_text(samples, "text"), "no context") != NULL;
      }
      sim_destroy(sim);
   }
   assert_true(refused >= ARRAY_LENGTH(gpus));
}

/* The GPU works while the CPU reads, in any order. */
TEST_ON_GPU(schedules_are_right, EVERY_GPU)
{
   for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
      struct sim *sim = checks_create(gpu);

      sim_schedule_begin(&sim->schedule, seed);
      sim->is_running = true;
      checks_expect_right(sim);
      sim_destroy(sim);
   }
}

/* Pitot allows late backends, and the check counts them. */
TEST(late_backends_are_counted)
{
   unsigned late = 0;

   for (uint64_t seed = 1; seed <= SEED_COUNT; seed++) {
      struct sim *sim = checks_create("navi21");

      sim_schedule_begin(&sim->schedule, seed);
      sim->is_running = true;
      assert_int_equal(checks_run(sim), 0);
      late += checks_number("fences", "late_backend_samples") != 0;
      sim_destroy(sim);
   }
   assert_true(late != 0);
}

TEST(slots_are_reported)
{
   static const struct {
      const char *gpu, *text;
   } rows[] = {
      { "navi10", "no render backend is disabled" },
      { "navi21", "the slots are by number" },
      { "navi21 packed", "the slots are packed" },
      { "bonaire cut", "the slots are by number" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
      struct sim *sim = checks_create(rows[i].gpu);

      assert_int_equal(checks_run(sim), 0);
      assert_string_equal(checks_text(checks_find("backends"), "text"),
                          rows[i].text);
      sim_destroy(sim);
   }
}

/* Nothing is submitted to a GPU that the kernel would not reset. */
TEST(nothing_may_hang_for_ever)
{
   static const struct {
      const char *gpu, *file, *text;
      bool is_right;
   } rows[] = {
      { "skl", "heartbeat_interval_ms", "2500\n", true },
      { "skl", "heartbeat_interval_ms", "0\n", false },
      { "navi21", "gpu_recovery", "-1\n", true },
      { "navi21", "gpu_recovery", "0\n", false },
      { "pitcairn", "gpu_recovery", "-1\n", false },
      { "pitcairn", "gpu_recovery", "1\n", true },
      { "bonaire", "gpu_recovery", "-1\n", true },
      { "navi21", "lockup_timeout", "(null)\n", true },
      { "navi21", "lockup_timeout", "2000,60000\n", true },
      { "navi21", "lockup_timeout", "-1\n", false },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(rows); i++) {
      struct sim *sim = checks_create(rows[i].gpu);

      checks_file_name = rows[i].file;
      checks_file_text = rows[i].text;
      assert_int_equal(checks_run(sim) == 0, rows[i].is_right);
      assert_int_equal(sim->submit_count != 0, rows[i].is_right);
      checks_file_name = NULL;
      sim_destroy(sim);
   }
}

/* The same if i915 itself reports that. */
TEST_ON_SIM(i915_may_reset_nothing, "skl")
{

   sim->is_live = true;
   sim->resets_nothing = true;
   assert_int_equal(checks_run(sim), 1);
   assert_int_equal(sim->submit_count, 0);
}

/* It ends as a lost context, with the name of the work, and is the last. */
TEST_ON_GPU(each_submission_may_hang, EVERY_GPU)
{
   struct sim *good = checks_create(gpu);

   checks_expect_right(good);
   const unsigned count = good->submit_count;
   sim_destroy(good);

   for (unsigned n = 1; n <= count; n += SUBMIT_STEP) {
      struct sim *sim = checks_create(gpu);

      sim->hang_on_submit = n;
      assert_int_equal(checks_run(sim), 1);
      assert_int_equal(sim->submit_count, n);
      assert_int_equal(sim->object_count, 0);
      sim_destroy(sim);
   }
}

/* A failed ioctl is reported, unless nothing depends on it, as on closing. */
TEST_ON_GPU(each_ioctl_may_fail, "tgl")
{
   static const int errors[] = { ENOMEM, EIO, EINVAL, ECANCELED };
   struct sim *good = checks_create(gpu);
   unsigned found = 0, tried = 0;

   checks_expect_right(good);
   const unsigned count = good->ioctl_count;
   sim_destroy(good);

   for (unsigned n = 1; n <= count; n += IOCTL_STEP, tried++) {
      struct sim *sim = checks_create(gpu);

      sim->fail_ioctl_on = n;
      sim->fail_errno = errors[n % ARRAY_LENGTH(errors)];
      found += checks_run(sim) != 0;
      assert_true(sim->object_count <= 1);
      assert_int_equal(sim->mapping_count, 0);
      sim_destroy(sim);
   }
   assert_true(found > tried / 2);
}

/* Packets that hang, and the reported name of the work. */
static const struct hang {
   const char *gpu, *packet, *step;
} hangs[] = {
   { "skl", "write depth count", "a sample of occlusion" },
   { "dg2", "write timestamp", "a sample of the time" },
   { "tgl", "store register 2340", "a sample of register 0x2340" },
   { "icl", "store register 2290", "register 0x2290 on the compute ring" },
   { "navi21", "end of pipe clock", "a sample of the time" },
   { "vega10", "streamout 0", "a sample by event 32" },
   { "polaris10", "streamout 2", "a sample by event 2" },
};

struct hanging {
   struct sim *sim;
   const char *packet;
};

static void
hang_on_packet(void *data, const char *text, uint64_t address)
{
   const struct hanging *hanging = data;
   const struct sim_kernel *kernel = hanging->sim->kernel;

   (void)address;
   if (strncmp(text, hanging->packet, strlen(hanging->packet)) == 0)
      hanging->sim->hang_on_submit = (unsigned)kernel->queue[0].number;
}

/* The first wrong check names the step, and no later check is tried. */
static void
expect_step(const char *step)
{
   const json_t *list = json_object_get(checks_device, "checks");
   unsigned wrong_count = 0;

   for (size_t i = 0; i < json_array_size(list); i++) {
      const json_t *check = json_array_get(list, i);
      const char *verdict = checks_text(check, "verdict");

      if (wrong_count != 0)
         assert_string_equal(verdict, "not tried");
      else if (strcmp(verdict, "wrong") == 0 && ++wrong_count &&
               strstr(checks_text(check, "text"), step) == NULL)
         fail_msg("not \"%s\": %s", step, checks_text(check, "text"));
   }
   assert_int_equal(wrong_count, 1);
}

TEST(hangs_have_names)
{
   for (unsigned i = 0; i < ARRAY_LENGTH(hangs); i++) {
      struct sim *sim = checks_create(hangs[i].gpu);
      struct hanging hanging = { sim, hangs[i].packet };

      sim->on_packet = hang_on_packet;
      sim->on_packet_data = &hanging;
      assert_int_equal(checks_run(sim), 1);
      expect_step(hangs[i].step);
      assert_int_equal(sim->submit_count, sim->hang_on_submit);
      sim_destroy(sim);
   }
}
