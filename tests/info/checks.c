/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "checks.h"
#include "info.h"
#include "wrapped.h"

/* The CPU's clock advances by this with each read, and the simulated GPUs
 * follow it: a test takes less time than its clock says.
 */
#define NS_PER_LOOK 1000
#define NS_PER_S    1000000000

WRAPPED(int, clock_gettime, (clockid_t clock, struct timespec *now))
{
   static uint64_t now_ns;

   (void)clock;
   now_ns += NS_PER_LOOK;
   now->tv_sec = (time_t)(now_ns / NS_PER_S);
   now->tv_nsec = (long)(now_ns % NS_PER_S);
   return 0;
}

const char *checks_file_name, *checks_file_text;

/* The name of fopen() with 64-bit offsets, which Meson enables. */
WRAPPED(FILE *, fopen64, (const char *path, const char *mode))
{
   const char *name = strrchr(path, '/') + 1;

   (void)mode;
   if (checks_file_name == NULL || strcmp(name, checks_file_name) != 0)
      return NULL;
   return fmemopen((void *)checks_file_text, strlen(checks_file_text), "r");
}

struct sim *
checks_create(const char *gpu)
{
   struct sim *sim = sim_create(gpu);

   sim->is_live = true;
   sim->now_ticks = UINT64_C(1) << 34;
   return sim;
}

const json_t *checks_device;

int
checks_run(struct sim *sim)
{
   static char out[1 << 15], err[1 << 10];
   static json_t *root;
   char *argv[] = { "pitot-info", "--check", "--json", NULL };
   FILE *out_file = fmemopen(out, sizeof(out), "w");
   FILE *err_file = fmemopen(err, sizeof(err), "w");

   out[0] = '\0';
   const int status = info_main(&sim->io, 3, argv, out_file, err_file);
   fclose(out_file);
   fclose(err_file);
   json_decref(root);
   root = json_loads(out, 0, NULL);
   checks_device = json_array_get(json_object_get(root, "devices"), 0);
   return status;
}

const json_t *
checks_find(const char *name)
{
   const json_t *list = json_object_get(checks_device, "checks");

   for (size_t i = 0; i < json_array_size(list); i++) {
      const json_t *check = json_array_get(list, i);

      if (strcmp(json_string_value(json_object_get(check, "name")), name) ==
          0)
         return check;
   }
   fail_msg("there is no check %s", name);
   return NULL;
}

const char *
checks_text(const json_t *check, const char *key)
{
   return json_string_value(json_object_get(check, key));
}

double
checks_number(const char *check, const char *name)
{
   return json_real_value(
      json_object_get(json_object_get(checks_find(check), "numbers"), name));
}

/* Fails the test with the first wrong check. */
static void
fail_with(const struct sim *sim)
{
   const json_t *list = json_object_get(checks_device, "checks");

   for (size_t i = 0; i < json_array_size(list); i++) {
      const json_t *check = json_array_get(list, i);

      if (strcmp(checks_text(check, "verdict"), "wrong") == 0)
         fail_msg("%s: %s: %s", sim->gpu.key, checks_text(check, "name"),
                  checks_text(check, "text"));
   }
}

void
checks_expect_right(struct sim *sim)
{
   if (checks_run(sim) != 0)
      fail_with(sim);
   assert_true(json_is_true(json_object_get(checks_device, "simulated")));
   assert_string_equal(sim->violations, "");
}
