/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Each allocation of the reader and of the outputs fails in turn: the caller
 * learns it, and no output is left that lacks something.
 */

#include "report_fixture.h"

#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

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
      if (may_allocate())                                                    \
         return __real_##NAME ARGUMENTS;                                     \
      errno = ENOMEM;                                                        \
      return NULL;                                                           \
   }

FAILING(void *, malloc, (size_t size_B), (size_B))
FAILING(void *, calloc, (size_t count, size_t size_B), (count, size_B))
FAILING(void *, realloc, (void *old, size_t size_B), (old, size_B))
FAILING(char *, strdup, (const char *string), (string))
FAILING(void *, tsearch,
        (const void *key, void **root,
         int (*compare)(const void *, const void *)),
        (key, root, compare))
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
   for (unsigned i = 0; i < 1052; i++) {
      const bool is_frame = i % 10 == 0;

      if (i % 832 == 195)
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

struct batches {
   unsigned count;
   int error; /* of the first one */
};

static int
end_batch(void *data, struct pitot_report *report)
{
   struct batches *batches = data;

   (void)report;
   return batches->count++ == 0 ? batches->error : 0;
}

#define DRAWS TRACES "/draws.json"

/* Asserts that a trace is read if all allocations succeed, and never without
 * one of them.
 */
static void
assert_each_is_needed(const char *path)
{
   struct pitot_report *report = NULL;
   int error = -ENOMEM;
   int count = 0;

   for (; error == -ENOMEM; count++) {
      allocations_left = count;
      error = pitot_report_read(path, NULL, NULL, &report);
      allocations_left = -1;
      assert_int_equal(error == 0, report != NULL);
   }
   assert_int_equal(error, 0);
   assert_true(count > 50);
   assert_int_equal(report->bad_line_count, 0);
   pitot_report_free(report);
}

static void
a_report_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   assert_each_is_needed(DRAWS);
   write_long_trace(trace_path); /* of tracks without names */
   assert_each_is_needed(trace_path);
}

/* A line for which jansson has no memory is none that is broken. */
static void
an_event_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   json_set_alloc_funcs(__wrap_malloc, free);
   assert_each_is_needed(TRACES "/zero.json");
   json_set_alloc_funcs(malloc, free);
}

/* The marks of a batch stay for the next one, which is not read if the first
 * one does not fit.
 */
static void
a_batch_that_does_not_fit_is_an_error(void **state)
{
   (void)state;
   struct batches batches = { .error = -ENOMEM };
   struct pitot_report *report = NULL;

   write_long_trace(trace_path);
   assert_int_equal(pitot_report_read(trace_path, end_batch, &batches,
                                      &report),
                    -ENOMEM);
   assert_null(report);
   assert_int_equal(batches.count, 1);

   batches = (struct batches){ .error = 0 };
   assert_int_equal(pitot_report_read(trace_path, end_batch, &batches,
                                      &report),
                    0);
   assert_int_equal(batches.count, 2);
   assert_int_equal(report->mark_count, 2);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(json_object_size(report->marks[i].values),
                       i == 0 ? 2 : 1);
   assert_int_equal(report->error_ns, 1027);
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
         error = pitot_report_write(DRAWS, i, output, 0);
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
      trace_case(an_event_that_does_not_fit_is_an_error),
      trace_case(a_batch_that_does_not_fit_is_an_error),
      trace_case(an_output_that_does_not_fit_is_an_error),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
