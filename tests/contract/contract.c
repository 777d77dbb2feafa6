/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The contract between drivers, core and its callers: one suite that runs on
 * every back end.
 */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../schedules.h"
#include "fixture.h"
#include "machine.h"

#define MAX_NAME     256
#define MAX_BACKENDS 96

/* Tests of many queries run fewer schedules. */
static const char *const long_tests[] = {
   "a_thousand_perf_queries",
   "many_are_in_flight",
   "measurements_stay_flat",
   "steady_state_allocates_nothing",
};

static struct backend_ops backends[MAX_BACKENDS];
static size_t backend_count;

static void
add_backend(struct backend_ops ops)
{
   assert(backend_count < MAX_BACKENDS);
   backends[backend_count++] = ops;
}

#ifdef PITOT_HAS_PIPE
/* Without a kernel i915 and xe are the same; src/drm lacks xe and msm. */
static bool
can_be(const struct machine_ops *machine, const struct sim_gpu *gpu)
{
   if (machine == &machine_cs)
      return !strstr(gpu->key, "-xe");
   return !gpu->is_adreno && strcmp(gpu->driver, "xe") != 0;
}

/* All GPUs, and a threaded one of each vendor. */
static void
add_machine(const struct machine_ops *machine)
{
   static const char *const threaded[] = { "tgl", "vega10", "a630" };

   for (unsigned i = 0; i < sim_gpu_count; i++) {
      if (can_be(machine, &sim_gpus[i]))
         add_backend(backend_hw(machine, &sim_gpus[i], false));
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(threaded); i++) {
      if (can_be(machine, sim_gpu(threaded[i])))
         add_backend(backend_hw(machine, sim_gpu(threaded[i]), true));
   }
}
#endif

static void
list_backends(void)
{
   add_backend(backend_null);
#ifdef PITOT_HAS_PIPE
   for (unsigned i = 0; i < backend_pipe_count; i++)
      add_backend(backends_pipe[i]);
   add_machine(&machine_cs);
#ifdef PITOT_HAS_DRM
   add_machine(&machine_kernel);
#endif
#endif
}

static const char *
why_skipped(const struct listed_test *test, const struct backend_ops *backend)
{
   const struct backend_skip *skip = backend->skips;

   while (skip && skip->test && strcmp(skip->test, test->name) != 0)
      skip++;
   return skip ? skip->why : NULL;
}

static bool
is_test(const char *name)
{
   const struct listed_test *test = first_listed_test();

   while (test && strcmp(test->name, name) != 0)
      test = test->next;
   return test != NULL;
}

/* Skips name tests that exist. */
static void
lists_are_of_tests(void **state)
{
   (void)state;
   for (size_t i = 0; i < ARRAY_LENGTH(long_tests); i++)
      assert_true(is_test(long_tests[i]));
   for (size_t b = 0; b < backend_count; b++) {
      const struct backend_skip *skip = backends[b].skips;

      for (; skip && skip->test; skip++) {
         if (!is_test(skip->test))
            fail_msg("%s leaves out %s", backends[b].name, skip->test);
      }
   }
}

static void
leave_out(void **state)
{
   (void)state;
}

/* A test on a back end.  Variants of a test share its schedules. */
struct variant {
   const struct listed_test *test;
   const struct backend_ops *backend;
   unsigned index, count;
};

static void
run_once(void *data)
{
   const struct variant *variant = data;
   struct subject subject = { variant->backend, variant->test->index };
   void *state = &subject;

   variant->test->test.test_func(&state);
}

static bool
is_long(const struct listed_test *test)
{
   for (size_t i = 0; i < ARRAY_LENGTH(long_tests); i++) {
      if (strcmp(long_tests[i], test->name) == 0)
         return true;
   }
   return false;
}

static void
run_variant(void **state)
{
   struct variant *variant = *state;

   schedules_run_variant(run_once, variant, is_long(variant->test),
                         variant->index, variant->count);
}

static bool
begins_with(const char *name, const char *part)
{
   return strncmp(name, part, strlen(part)) == 0;
}

#if defined(PITOT_HAS_PIPE) && defined(PITOT_HAS_DRM)
/* Adds this computer's GPU if an argument names it: there may be none. */
static bool
add_node(int argc, char **argv)
{
   static struct sim_gpu gpu = { .key = "gpu" };
   bool is_wanted = false;

   for (int i = 1; i < argc; i++)
      is_wanted |= begins_with(argv[i], machine_node.name);
   if (!is_wanted)
      return true;
   if (!machine_node_find(&gpu.facts))
      return false;
   add_backend(backend_hw(&machine_node, &gpu, false));
   add_backend(backend_hw(&machine_node, &gpu, true));
   return true;
}
#endif

/* Arguments select by prefix, or exclude after '-'; the last match counts. */
static bool
is_wanted(const struct backend_ops *backend, int argc, char **argv)
{
   bool wanted = argc == 1;

   for (int i = 1; i < argc; i++) {
      const bool is_out = argv[i][0] == '-';

      if (begins_with(backend->name, &argv[i][is_out]))
         wanted = !is_out;
   }
   return wanted;
}

/* Arguments that match no back end would test nothing and pass. */
static bool
is_about_some(const char *argument)
{
   const char *part = &argument[argument[0] == '-'];

   for (size_t b = 0; b < backend_count; b++) {
      if (begins_with(backends[b].name, part))
         return true;
   }
   fprintf(stderr, "test_contract: no back end begins with '%s'\n", part);
   return false;
}

static unsigned
count_before(const struct backend_ops *end, int argc, char **argv)
{
   unsigned count = 0;

   for (const struct backend_ops *b = backends; b < end; b++)
      count += is_wanted(b, argc, argv);
   return count;
}

static struct CMUnitTest
test_on(const struct listed_test *test, struct variant variant)
{
   const struct backend_ops *backend = variant.backend;
   const char *why = why_skipped(test, backend);
   struct CMUnitTest copy = test->test;
   struct variant *kept = malloc(sizeof(*kept));
   char name[MAX_NAME];

   *kept = variant;
   kept->test = test;
   if (snprintf(name, sizeof(name), "%s: %s%s%s", backend->name, copy.name,
                why ? NAME_SKIPPED : "", why ? why : "") >= MAX_NAME)
      abort();
   copy.name = strdup(name);
   copy.initial_state = kept;
   copy.test_func = why ? leave_out : run_variant;
   copy.teardown_func = schedules_tell;
   return copy;
}

static size_t
add_tests(struct variant variant, struct CMUnitTest **all, size_t count)
{
   for (const struct listed_test *test = first_listed_test(); test;
        test = test->next) {
      *all = realloc(*all, (count + 1) * sizeof(**all));
      (*all)[count++] = test_on(test, variant);
   }
   return count;
}

int
main(int argc, char **argv)
{
   static const struct CMUnitTest own = cmocka_unit_test(lists_are_of_tests);

   list_backends();
#if defined(PITOT_HAS_PIPE) && defined(PITOT_HAS_DRM)
   if (!add_node(argc, argv))
      return 1;
#endif
   for (int i = 1; i < argc; i++) {
      if (!is_about_some(argv[i]))
         return 2;
   }

   struct CMUnitTest *all = malloc(sizeof(*all));
   size_t n = 1;

   all[0] = own;
   for (size_t b = 0; b < backend_count; b++) {
      const struct variant variant = {
         .backend = &backends[b],
         .index = count_before(&backends[b], argc, argv),
         .count = count_before(backends + backend_count, argc, argv),
      };

      if (is_wanted(&backends[b], argc, argv))
         n = add_tests(variant, &all, n);
   }

   const int failed = _cmocka_run_group_tests("contract", all, n, NULL, NULL);
   for (size_t i = 1; i < n; i++) {
      free((char *)all[i].name);
      free(all[i].initial_state);
   }
   free(all);
   return failed;
}
