/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What every driver promises core, and core its callers: one suite, run on
 * every back end.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

#define MAX_NAME 96

static const struct test_group *const groups[] = {
   &measure_tests,   &reuse_tests, &fail_tests,     &time_tests,
   &condition_tests, &store_tests, &counters_tests,
};

static const struct backend_ops *const backends[] = {
   &backend_null,
#ifdef PITOT_HAS_PIPE
   &backend_pipe,          &backend_pipe_struct, &backend_pipe_timestamps,
   &backend_pipe_threaded, &backend_pipe_bins,   BACKEND_LIST_OF(fake),
#ifdef PITOT_HAS_DRM
   BACKEND_LIST_OF(sim),
#endif
#endif
};

static bool
is_skipped(const struct CMUnitTest *test, const struct backend_ops *backend)
{
   for (const char *const *skip = backend->skips; skip && *skip; skip++) {
      if (strcmp(*skip, test->name) == 0)
         return true;
   }
   return false;
}

static bool
begins_with(const char *name, const char *part)
{
   return strncmp(name, part, strlen(part)) == 0;
}

/* With arguments, only the back ends whose names begin with one of them, but
 * not those that do with one after a '-'.
 */
static bool
is_wanted(const struct backend_ops *backend, int argc, char **argv)
{
   bool wanted = argc == 1;

   for (int i = 1; i < argc; i++) {
      if (argv[i][0] == '-' && begins_with(backend->name, &argv[i][1]))
         return false;
      wanted |= begins_with(backend->name, argv[i]);
   }
   return wanted;
}

/* The same test, on a back end. */
static struct CMUnitTest
test_on(const struct CMUnitTest *test, const struct backend_ops *backend)
{
   struct CMUnitTest copy = *test;
   char *name = malloc(MAX_NAME);

   snprintf(name, MAX_NAME, "%s: %s", backend->name, test->name);
   copy.name = name;
   copy.initial_state = (void *)backend;
   return copy;
}

int
main(int argc, char **argv)
{
   struct CMUnitTest *all = NULL;
   size_t n = 0;

   for (size_t b = 0; b < ARRAY_LENGTH(backends); b++) {
      if (!is_wanted(backends[b], argc, argv))
         continue;
      for (size_t g = 0; g < ARRAY_LENGTH(groups); g++) {
         all = realloc(all, (n + groups[g]->count) * sizeof(*all));
         for (size_t t = 0; t < groups[g]->count; t++) {
            if (!is_skipped(&groups[g]->tests[t], backends[b]))
               all[n++] = test_on(&groups[g]->tests[t], backends[b]);
         }
      }
   }

   const int failed = _cmocka_run_group_tests("contract", all, n, NULL, NULL);
   for (size_t i = 0; i < n; i++)
      free((char *)all[i].name);
   free(all);
   return failed;
}
