/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listed.h"

static struct listed_test *first;

/* Rows of a table have one line, and stay in the order of the table. */
static bool
comes_before(const struct listed_test *a, const struct listed_test *b)
{
   const int order = strcmp(a->file, b->file);

   return order == 0 ? a->line <= b->line : order < 0;
}

void
list_test(struct listed_test *test)
{
   struct listed_test **next = &first;

   if (test->test.name == NULL) {
      snprintf(test->indexed_name, sizeof(test->indexed_name), "%s %u",
               test->name, test->index);
      test->test.name = test->indexed_name;
   }
   while (*next && comes_before(*next, test))
      next = &(*next)->next;
   test->next = *next;
   *next = test;
}

const struct listed_test *
first_listed_test(void)
{
   return first;
}

int
run_listed_tests(void)
{
   struct CMUnitTest *tests = NULL;
   size_t count = 0;

   for (const struct listed_test *test = first; test; test = test->next) {
      tests = realloc(tests, (count + 1) * sizeof(*tests));
      tests[count++] = test->test;
   }
   if (count == 0) {
      fputs("no test is listed\n", stderr);
      return 1;
   }
   const int failed =
      _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
   free(tests);
   return failed;
}

__attribute__((weak)) int
main(void)
{
   return run_listed_tests();
}
