/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Tests as rows of a table: one function runs all, with the row as state.  A
 * row begins with the test's name.
 */

#ifndef PITOT_ROWS_H
#define PITOT_ROWS_H

#include <stdlib.h>

#include "test.h"

static inline int
run_rows(const char *group, const void *rows, size_t row_size_B, size_t count,
         CMUnitTestFunction run, CMFixtureFunction teardown)
{
   struct CMUnitTest *tests = calloc(count, sizeof(*tests));

   for (size_t i = 0; i < count; i++) {
      const char *row = (const char *)rows + i * row_size_B;

      tests[i] = (struct CMUnitTest){
         .name = *(const char *const *)row,
         .test_func = run,
         .teardown_func = teardown,
         .initial_state = (void *)row,
      };
   }
   const int failed =
      _cmocka_run_group_tests(group, tests, count, NULL, NULL);
   free(tests);
   return failed;
}

#define RUN_ROWS(GROUP, ROWS, RUN)                                           \
   run_rows(GROUP, ROWS, sizeof((ROWS)[0]), ARRAY_LENGTH(ROWS), RUN, NULL)

/* The same for a function that runs tests under schedules. */
#define RUN_SCHEDULED_ROWS(GROUP, ROWS, RUN)                                 \
   run_rows(GROUP, ROWS, sizeof((ROWS)[0]), ARRAY_LENGTH(ROWS), RUN,         \
            schedules_tell)

#endif /* PITOT_ROWS_H */
