/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-info on each simulated GPU, and where there is none.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "info.h"
#include "rig.h"

#define MAX_ARGUMENTS 4

struct run {
   int status;
   char *out, *err;
};

/* Runs the tool on a machine.  The arguments end with NULL. */
static struct run
run(struct sim *sim, char *const *arguments)
{
   struct run run;
   char *argv[MAX_ARGUMENTS + 2] = { "pitot-info" };
   size_t out_size, err_size;
   FILE *out = open_memstream(&run.out, &out_size);
   FILE *err = open_memstream(&run.err, &err_size);
   int argc = 1;

   while (arguments[argc - 1] != NULL) {
      argv[argc] = arguments[argc - 1];
      argc++;
   }
   run.status = info_main(&sim->io, argc, argv, out, err);
   fclose(out);
   fclose(err);
   assert_int_equal(sim->open_count, 0);

   /* To fail to close a handle cannot but leave it. */
   assert_true(sim->object_count == 0 || sim->fail_ioctl_on != 0);
   return run;
}

static void
free_run(struct run *run)
{
   free(run->out);
   free(run->err);
}

/* Expects an exit status, and one line of errors that has a word in it. */
static void
expect_error(struct sim *sim, char *const *arguments, int status,
             const char *word)
{
   struct run result = run(sim, arguments);

   assert_int_equal(result.status, status);
   assert_string_equal(result.out, "");
   assert_non_null(strstr(result.err, word));
   assert_ptr_equal(strchr(result.err, '\n'),
                    result.err + strlen(result.err) - 1);
   free_run(&result);
}

static void
expect_word(const char *text, const char *word)
{
   if (strstr(text, word) == NULL)
      fail_msg("there is no \"%s\" in:\n%s", word, text);
}

static void
gpus_are_described(struct sim *sim)
{
   struct run result = run(sim, (char *[]){ NULL });

   assert_int_equal(result.status, 0);
   assert_string_equal(result.err, "");
   expect_word(result.out, "/dev/dri/renderD128: ");
   expect_word(result.out, sim->gpu.facts.name);
   expect_word(result.out, sim->gpu.driver);
   expect_word(result.out, "CLOCK_MONOTONIC");
   expect_word(result.out, pitot_kind_info(PITOT_KIND_TIMESTAMP)->name);
   free_run(&result);
}

static void
check_json(const json_t *device, const struct sim_gpu *gpu)
{
   const json_t *timestamp = json_object_get(device, "timestamp");
   const json_t *queries = json_object_get(device, "queries");

   assert_string_equal(json_string_value(json_object_get(device, "name")),
                       gpu->facts.name);
   assert_int_equal(json_integer_value(json_object_get(timestamp, "hz")),
                    gpu->facts.timestamp_hz);
   assert_int_equal(json_array_size(queries), PITOT_KIND_COUNT);
   for (unsigned i = 0; i < PITOT_KIND_COUNT; i++) {
      const json_t *query = json_array_get(queries, i);
      const bool works =
         json_integer_value(json_object_get(query, "bits")) != 0;

      assert_int_equal(json_object_get(query, "reason") == NULL, works);
   }
}

static void
programs_can_read_it(struct sim *sim)
{
   struct run result = run(sim, (char *[]){ "--json", "--device",
                                            "/dev/dri/renderD128", NULL });
   json_t *root = json_loads(result.out, 0, NULL);

   assert_int_equal(result.status, 0);
   assert_non_null(root);
   check_json(json_array_get(json_object_get(root, "devices"), 0), &sim->gpu);
   json_decref(root);
   free_run(&result);
}

static void
what_is_wrong_is_said(struct sim *sim)
{
   expect_error(sim, (char *[]){ "--device", "/dev/dri/card7", NULL }, 1,
                "/dev/dri/card7");
   sim->open_errno = EACCES;
   expect_error(sim, (char *[]){ NULL }, 1, "group");
   sim->open_errno = ENOENT;
   expect_error(sim, (char *[]){ NULL }, 1, "no GPU");
   expect_error(sim, (char *[]){ "--jsom", NULL }, 2, "--jsom");
   expect_error(sim, (char *[]){ "--device", NULL }, 2, "--device");
   expect_error(sim, (char *[]){ "everything", NULL }, 2, "everything");

   struct run result = run(sim, (char *[]){ "--help", NULL });
   assert_int_equal(result.status, 0);
   expect_word(result.out, "Usage: pitot-info");
   free_run(&result);
}

/* A failed ioctl, whichever it is, is reported, and nothing is left open. */
static void
faults_are_said(struct sim *first)
{
   for (unsigned n = 1; n < 40; n++) {
      struct sim *sim = sim_create(first->gpu.key);

      sim->fail_ioctl_on = n;
      sim->fail_errno = EIO;
      struct run result = run(sim, (char *[]){ NULL });
      assert_int_equal(result.status != 0, result.err[0] != '\0');
      assert_int_equal(sim->mapping_count, 0);
      free_run(&result);
      sim_destroy(sim);
   }
}

int
main(void)
{
   static const struct rig_test tests[] = {
      SIM_TEST(NULL, gpus_are_described),
      SIM_TEST(NULL, programs_can_read_it),
      SIM_TEST("skl", what_is_wrong_is_said),
      SIM_TEST("navi31", faults_are_said),
   };

   return RUN_ROWS("tests", tests, rig_run_test);
}
