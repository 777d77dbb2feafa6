/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each allocation of the reader and of the outputs fails in turn: the caller
 * learns it, and no output is left that lacks something.
 */

#include "trace_fixture.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* How many more allocations succeed; negative: all. */
static int allocations_left = -1;

static bool
may_allocate(void)
{
   if (allocations_left == 0)
      return false;
   if (allocations_left > 0)
      allocations_left--;
   return true;
}

/* Defines a function of the C library that may fail. */
#define FAILING(RETURN, NAME, PARAMETERS, ARGUMENTS)                         \
   RETURN __real_##NAME PARAMETERS;                                          \
   RETURN __wrap_##NAME PARAMETERS;                                          \
   RETURN __wrap_##NAME PARAMETERS                                           \
   {                                                                         \
      return may_allocate() ? __real_##NAME ARGUMENTS : NULL;                \
   }

FAILING(void *, malloc, (size_t size_B), (size_B))
FAILING(void *, calloc, (size_t count, size_t size_B), (count, size_B))
FAILING(void *, realloc, (void *old, size_t size_B), (old, size_B))
FAILING(char *, strdup, (const char *string), (string))
FAILING(FILE *, open_memstream, (char **text, size_t *size_B), (text, size_B))

#define TRACE TRACES "/draws.json"

static void
a_report_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   struct pitot_report *report = NULL;
   int error = -ENOMEM;
   int count = 0;

   for (; error == -ENOMEM; count++) {
      allocations_left = count;
      error = pitot_report_read(TRACE, NULL, NULL, &report);
      allocations_left = -1;
      assert_int_equal(error == 0, report != NULL);
   }
   assert_int_equal(error, 0);
   assert_true(count > 50);
   pitot_report_free(report);
}

static void
an_output_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   char output[sizeof(trace_path) + 8];

   snprintf(output, sizeof(output), "%s.out", trace_path);
   for (unsigned i = 0; i < PITOT_REPORT_FORMAT_COUNT; i++) {
      int error = -ENOMEM;
      int count = 0;

      for (; error == -ENOMEM; count++) {
         allocations_left = count;
         error = pitot_report_write(TRACE, i, output, 0);
         allocations_left = -1;
      }
      assert_int_equal(error, 0);
      assert_true(count > 50);
   }
   assert_int_equal(unlink(output), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      trace_case(a_report_that_does_not_fit_is_an_error),
      trace_case(an_output_that_does_not_fit_is_an_error),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
