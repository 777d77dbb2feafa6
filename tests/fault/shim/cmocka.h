/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Replaces cmocka's header: ../cases.c judges failed assertions.
 */

#ifndef PITOT_TESTS_FAULT_CMOCKA_H
#define PITOT_TESTS_FAULT_CMOCKA_H

#include <stdbool.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
   const char *name;
   CMUnitTestFunction test_func;
   CMFixtureFunction setup_func;
   CMFixtureFunction teardown_func;
   void *initial_state;
};

#define cmocka_unit_test(RUN)                                                \
   {                                                                         \
      #RUN, RUN, NULL, NULL, NULL                                            \
   }
#define cmocka_unit_test_setup_teardown(RUN, SETUP, TEARDOWN)                \
   {                                                                         \
      #RUN, RUN, SETUP, TEARDOWN, NULL                                       \
   }

int
_cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                        size_t count, CMFixtureFunction setup,
                        CMFixtureFunction teardown);

#define cmocka_run_group_tests_name(GROUP, TESTS, SETUP, TEARDOWN)           \
   _cmocka_run_group_tests(GROUP, TESTS, sizeof(TESTS) / sizeof((TESTS)[0]), \
                           SETUP, TEARDOWN)
#define cmocka_run_group_tests(TESTS, SETUP, TEARDOWN)                       \
   cmocka_run_group_tests_name(#TESTS, TESTS, SETUP, TEARDOWN)

_Noreturn void
fault_fail(const char *file, int line, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

_Noreturn void
fault_skip(void);

void
fault_expect_equal(uint64_t value, uint64_t expected, bool is_equal,
                   const char *text, const char *file, int line);

void
fault_expect_range(uint64_t value, uint64_t low, uint64_t high,
                   const char *text, const char *file, int line);

void
cases_run_step(void (*step)(void *data), void *data);

#define run_step(STEP, DATA) cases_run_step(STEP, DATA)

#define fail_msg(...) fault_fail(__FILE__, __LINE__, __VA_ARGS__)
#define skip()        fault_skip()

/* The failed assertion is message enough. */
#define print_message(...) ((void)0)

#define fault_expect(IS_TRUE, TEXT)                                          \
   do {                                                                      \
      if (!(IS_TRUE))                                                        \
         fail_msg("%s", TEXT);                                               \
   } while (0)

#define assert_true(X)     fault_expect(X, #X)
#define assert_false(X)    fault_expect(!(X), "!(" #X ")")
#define assert_null(X)     fault_expect(!(X), #X " is NULL")
#define assert_non_null(X) fault_expect(X, #X " is not NULL")
#define assert_int_equal(A, B)                                               \
   fault_expect_equal((uint64_t)(A), (uint64_t)(B), true, #A, __FILE__,      \
                      __LINE__)
#define assert_int_not_equal(A, B)                                           \
   fault_expect_equal((uint64_t)(A), (uint64_t)(B), false, #A, __FILE__,     \
                      __LINE__)
#define assert_ptr_equal(A, B)     assert_true((const void *)(A) == (B))
#define assert_ptr_not_equal(A, B) assert_true((const void *)(A) != (B))
#define assert_in_range(X, LOW, HIGH)                                        \
   fault_expect_range((uint64_t)(X), (uint64_t)(LOW), (uint64_t)(HIGH), #X,  \
                      __FILE__, __LINE__)
#define assert_string_equal(A, B)                                            \
   do {                                                                      \
      if (strcmp(A, B) != 0)                                                 \
         fail_msg("\"%s\" is not \"%s\"", A, B);                             \
   } while (0)
#define assert_string_not_equal(A, B) assert_true(strcmp(A, B) != 0)
#define assert_memory_equal(A, B, SIZE) assert_true(memcmp(A, B, SIZE) == 0)

#endif /* PITOT_TESTS_FAULT_CMOCKA_H */
