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

/* Writes a batch and the begin of another, with marks. */
static void
write_long_trace(const char *path)
{
   FILE *out = fopen(path, "w");

   assert_non_null(out);
   fputs("[\n{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":0.000,\"s\":\"p\","
         "\"name\":\"profile\",\"args\":{\"program\":\"P\",\"level\":"
         "\"pass\"}},\n",
         out);
   for (unsigned i = 0; i < 8300; i++) {
      const bool is_frame = i % 10 == 0;

      if (i % 1000 == 195)
         fprintf(out,
                 "{\"ph\":\"i\",\"pid\":0,\"tid\":0,\"ts\":%u.000,"
                 "\"s\":\"p\",\"name\":\"clock\",\"args\":"
                 "{\"error_ns\":%u}},\n",
                 i, i);
      fprintf(out,
              "{\"ph\":\"X\",\"pid\":0,\"tid\":1,\"ts\":%u.000,"
              "\"dur\":%u.000,\"cat\":\"%s\",\"name\":\"N%u\"},\n",
              i, is_frame ? 10 : 1, is_frame ? "frame" : "group", i % 50);
   }
   fputs("]\n", out);
   assert_int_equal(fclose(out), 0);
}

/* Has an allocation fail that comes after the first batch. */
static int
end_batch(void *data, const struct pitot_report *report)
{
   int *left = data;

   (void)report;
   allocations_left = *left;
   *left = -1;
   return allocations_left == 0 ? -ENOMEM : 0;
}

static const char *const traces[] = {
   TRACES "/draws.json", TRACES "/many.json", /* a tree grows */
};

static void
a_report_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   struct pitot_report *report = NULL;
   int error = -ENOMEM;
   int count = 0;

   for (; error == -ENOMEM; count++) {
      allocations_left = count;
      error = pitot_report_read(traces[0], NULL, NULL, &report);
      allocations_left = -1;
      assert_int_equal(error == 0, report != NULL);
   }
   assert_int_equal(error, 0);
   assert_true(count > 50);
   pitot_report_free(report);
}

/* The marks of a batch stay for the next one. */
static void
a_batch_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   struct pitot_report *report = NULL;
   int error = -ENOMEM;
   int count = 0;

   write_long_trace(trace_path);
   for (; error == -ENOMEM; count++) {
      int left = count;

      error = pitot_report_read(trace_path, end_batch, &left, &report);
      allocations_left = -1;
      assert_int_equal(error == 0, report != NULL);
   }
   assert_int_equal(error, 0);
   assert_true(count > 50);
   assert_int_equal(report->mark_count, 2);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(report->marks[i].values.count, i == 0 ? 2 : 1);
   assert_int_equal(report->marks[1].error_ns, 8195);
   pitot_report_free(report);
}

static void
an_output_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   char output[sizeof(trace_path) + 8];

   snprintf(output, sizeof(output), "%s.out", trace_path);
   for (unsigned i = 0; i < 2 * PITOT_REPORT_FORMAT_COUNT; i++) {
      int error = -ENOMEM;
      int count = 0;

      for (; error == -ENOMEM; count++) {
         allocations_left = count;
         error = pitot_report_write(traces[i % 2], i / 2, output, 0);
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
      trace_case(a_batch_that_does_not_fit_is_an_error),
      trace_case(an_output_that_does_not_fit_is_an_error),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
