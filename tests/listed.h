/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Tests that list themselves: TEST(name) { ... } defines one, and listed.c
 * runs all of a program, in the order of their lines.
 */

#ifndef PITOT_LISTED_H
#define PITOT_LISTED_H

#include "test.h"

struct listed_test {
   struct CMUnitTest test;
   const char *name; /* without the index */
   const char *file;
   int line;
   unsigned index;
   char indexed_name[80];
   struct listed_test *next;
};

void
list_test(struct listed_test *test);

/*
 * For programs with a main() of their own
 */

const struct listed_test *
first_listed_test(void);

int
run_listed_tests(void);

/* Lists a test of these members of struct CMUnitTest. */
#define LIST_TEST(NAME, ...)                                                 \
   __attribute__((constructor)) static void list_##NAME(void)                \
   {                                                                         \
      static struct listed_test listed = {                                   \
         .test = { .name = #NAME, __VA_ARGS__ },                             \
         .name = #NAME,                                                      \
         .file = __FILE__,                                                   \
         .line = __LINE__,                                                   \
      };                                                                     \
                                                                             \
      list_test(&listed);                                                    \
   }

/* Lists a test for each index below COUNT: "NAME 0", "NAME 1", ...  Its
 * initial state is its struct listed_test.
 */
#define LIST_TEST_EACH(NAME, COUNT, ...)                                     \
   __attribute__((constructor)) static void list_##NAME(void)                \
   {                                                                         \
      static struct listed_test listed[COUNT];                               \
                                                                             \
      for (unsigned i = 0; i < (COUNT); i++) {                               \
         listed[i] = (struct listed_test){                                   \
            .test = { .initial_state = &listed[i], __VA_ARGS__ },            \
            .name = #NAME,                                                   \
            .file = __FILE__,                                                \
            .line = __LINE__,                                                \
            .index = i,                                                      \
         };                                                                  \
         list_test(&listed[i]);                                              \
      }                                                                      \
   }

#define TEST_IN(SET_UP, TEAR_DOWN, NAME)                                     \
   static void NAME(void);                                                   \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      (void)state;                                                           \
      NAME();                                                                \
   }                                                                         \
   LIST_TEST(NAME, .test_func = run_##NAME, .setup_func = SET_UP,            \
             .teardown_func = TEAR_DOWN)                                     \
   static void NAME(void)

#define TEST(NAME) TEST_IN(NULL, NULL, NAME)

/* The parameter is what the fixture function sets *state to. */
#define TEST_WITH(SET_UP, TEAR_DOWN, PARAMETER, NAME)                        \
   static void NAME(PARAMETER);                                              \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      NAME(*state);                                                          \
   }                                                                         \
   LIST_TEST(NAME, .test_func = run_##NAME, .setup_func = SET_UP,            \
             .teardown_func = TEAR_DOWN)                                     \
   static void NAME(PARAMETER)

/* A test for each INDEX below COUNT. */
#define TEST_EACH_WITH(SET_UP, TEAR_DOWN, PARAMETER, NAME, INDEX, COUNT)     \
   static void NAME(PARAMETER, unsigned INDEX);                              \
   static unsigned index_of_##NAME;                                          \
   static int set_up_##NAME(void **state)                                    \
   {                                                                         \
      index_of_##NAME = ((const struct listed_test *)*state)->index;         \
      return SET_UP(state);                                                  \
   }                                                                         \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      NAME(*state, index_of_##NAME);                                         \
   }                                                                         \
   LIST_TEST_EACH(NAME, COUNT, .test_func = run_##NAME,                      \
                  .setup_func = set_up_##NAME, .teardown_func = TEAR_DOWN)   \
   static void NAME(PARAMETER, unsigned INDEX)

/* RUN and TEAR_DOWN get a row of the type, with the members that follow. */
#define LIST_ROW(NAME, RUN, TEAR_DOWN, TYPE, ...)                            \
   static const TYPE row_of_##NAME = { .name = #NAME, __VA_ARGS__ };         \
   LIST_TEST(NAME, .test_func = RUN, .teardown_func = TEAR_DOWN,             \
             .initial_state = (void *)&row_of_##NAME)

/* A test for each row of a table; a row begins with the test's name. */
#define TEST_ROWS(SET_UP, TEAR_DOWN, PARAMETER, NAME, ROWS)                  \
   static void NAME(PARAMETER);                                              \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      NAME(*state);                                                          \
   }                                                                         \
   __attribute__((constructor)) static void list_##NAME(void)                \
   {                                                                         \
      static struct listed_test listed[ARRAY_LENGTH(ROWS)];                  \
                                                                             \
      for (size_t i = 0; i < ARRAY_LENGTH(ROWS); i++) {                      \
         listed[i] = (struct listed_test){                                   \
            .test = { .name = (ROWS)[i].name,                                \
                      .test_func = run_##NAME,                               \
                      .setup_func = SET_UP,                                  \
                      .teardown_func = TEAR_DOWN,                            \
                      .initial_state = (void *)&(ROWS)[i] },                 \
            .file = __FILE__,                                                \
            .line = __LINE__,                                                \
         };                                                                  \
         list_test(&listed[i]);                                              \
      }                                                                      \
   }                                                                         \
   static void NAME(PARAMETER)

#endif /* PITOT_LISTED_H */
