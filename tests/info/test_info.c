/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* pitot-info on each simulated GPU, and without one. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "info.h"
#include "../drm/rig.h"

#define MAX_ARGUMENTS 4

/* Fields of a line of --list. */
#define LIST_FIELDS 8

/* The last run's output. */
static char out[1 << 14], err[1 << 10];

/* Runs the tool with arguments separated by spaces.  Returns its status. */
static int
run(struct sim *sim, const char *arguments)
{
   char line[128], *argv[MAX_ARGUMENTS + 2] = { "pitot-info" };
   FILE *out_file = fmemopen(out, sizeof(out), "w");
   FILE *err_file = fmemopen(err, sizeof(err), "w");
   int argc = 1;

   snprintf(line, sizeof(line), "%s", arguments);
   for (char *word = strtok(line, " "); word != NULL;
        word = strtok(NULL, " "))
      argv[argc++] = word;
   out[0] = err[0] = '\0';
   const int status = info_main(&sim->io, argc, argv, out_file, err_file);
   assert_int_equal(fclose(out_file), 0);
   assert_int_equal(fclose(err_file), 0);
   assert_int_equal(sim->open_count, 0);

   /* If closing fails, a handle leaks. */
   assert_true(sim->object_count == 0 || sim->fail_ioctl_on != 0);
   return status;
}

/* Expects one line of errors, with this word in it. */
static void
expect_error(struct sim *sim, const char *arguments, int status,
             const char *word)
{
   assert_int_equal(run(sim, arguments), status);
   assert_string_equal(out, "");
   assert_non_null(strstr(err, word));
   assert_ptr_equal(strchr(err, '\n'), err + strlen(err) - 1);
}

/* Expects a word in the output. */
static void
expect_word(const char *word)
{
   if (strstr(out, word) == NULL)
      fail_msg("there is no \"%s\" in:\n%s", word, out);
}

TEST_ON_SIM(gpus_are_described, EVERY_GPU)
{
   assert_int_equal(run(sim, ""), 0);
   assert_string_equal(err, "");
   expect_word("/dev/dri/renderD128: ");
   expect_word(sim->gpu.facts.name);
   expect_word(sim->gpu.driver);
   expect_word(", simulated\n");
   expect_word("CLOCK_MONOTONIC");
   expect_word(pitot_kind_info(PITOT_KIND_TIMESTAMP)->name);
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
   assert_true(json_is_true(json_object_get(device, "simulated")));
   assert_int_equal(json_array_size(queries), PITOT_KIND_COUNT);
   for (unsigned i = 0; i < PITOT_KIND_COUNT; i++) {
      const json_t *query = json_array_get(queries, i);
      const bool works =
         json_integer_value(json_object_get(query, "bits")) != 0;

      assert_int_equal(json_object_get(query, "reason") == NULL, works);
   }
}

TEST_ON_SIM(programs_can_read_it, EVERY_GPU)
{
   assert_int_equal(run(sim, "--json --device /dev/dri/renderD128"), 0);

   json_t *root = json_loads(out, 0, NULL);
   assert_non_null(root);
   check_json(json_array_get(json_object_get(root, "devices"), 0), &sim->gpu);
   json_decref(root);
}

TEST_ON_SIM(what_is_wrong_is_said, "skl")
{
   expect_error(sim, "--device /dev/dri/card7", 1, "/dev/dri/card7");
   sim->open_errno = EACCES;
   expect_error(sim, "", 1, "group");
   sim->open_errno = ENOENT;
   expect_error(sim, "", 1, "no GPU");
   expect_error(sim, "--jsom", 2, "--jsom");
   expect_error(sim, "--device", 2, "--device");
   expect_error(sim, "everything", 2, "everything");

   assert_int_equal(run(sim, "--help"), 0);
   expect_word("Usage: pitot-info");
}

/* Expects one node in the list, with these fields; text is the start of the
 * last one.  Fields from kernel files are not simulated here.
 */
static void
expect_list(struct sim *sim, const char *driver, const char *state,
            const char *kind, const char *text)
{
   char *fields[LIST_FIELDS + 1], *rest;
   unsigned count = 0;

   assert_int_equal(run(sim, "--list"), 0);
   assert_string_equal(err, "");
   assert_ptr_equal(strchr(out, '\n'), out + strlen(out) - 1);
   for (char *field = strtok_r(out, "\t\n", &rest);
        field != NULL && count <= LIST_FIELDS;
        field = strtok_r(NULL, "\t\n", &rest))
      fields[count++] = field;
   assert_int_equal(count, LIST_FIELDS);
   assert_string_equal(fields[0], "/dev/dri/renderD128");
   assert_string_equal(fields[2], driver);
   assert_string_equal(fields[3], state);
   assert_string_equal(fields[4], kind);
   assert_memory_equal(fields[LIST_FIELDS - 1], text, strlen(text));
}

/* Scripts parse this list. */
TEST_ON_SIM(nodes_are_listed, "skl")
{
   expect_list(sim, "iris", "sampled", "simulated", "Gen9, skl");
   sim->is_xe = true;
   expect_list(sim, "iris", "sampled", "simulated", "Gen9, skl");
   sim->gpu.device_id = 0xd750; /* Nova Lake */
   expect_list(sim, "iris", "unsampled", "simulated",
               "the Intel GPU 8086:d750 is none that Pitot knows");
   sim->open_errno = EACCES;
   expect_list(sim, "-", "unusable", "real", "Permission denied: join");
   sim->open_errno = ENOENT;
   assert_int_equal(run(sim, "--list"), 1);
   assert_string_equal(out, "");
}

/* Each failed ioctl is reported, and no mapping leaks. */
TEST_ON_GPU(faults_are_said, "navi31")
{
   for (unsigned n = 1; n < 40; n++) {
      struct sim *sim = sim_create(gpu);

      sim->fail_ioctl_on = n;
      sim->fail_errno = EIO;
      const int status = run(sim, "");
      assert_int_equal(status != 0, err[0] != '\0');
      assert_int_equal(sim->mapping_count, 0);
      sim_destroy(sim);
   }
}
