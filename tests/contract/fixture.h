/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_FIXTURE_H
#define PITOT_TESTS_FIXTURE_H

#include "../test.h"
#include "backend.h"
#include "pitot_condition.h"

struct fixture {
   struct backend *backend;
   struct pitot_context *context;
   struct pitot_perf *perf;
};

struct fixture *
open_fixture(void **state, bool delete_ends_active);

/* Asserts that nothing outlives the context. */
void
close_fixture(struct fixture *f);

void
count(struct fixture *f, enum pitot_kind kind, unsigned stream,
      uint64_t amount);

struct pitot_query *
obtain(struct fixture *f, uint32_t name);

void
begin(struct fixture *f, struct pitot_query *query, enum pitot_kind kind);

void
end(struct fixture *f, enum pitot_kind kind);

void
measure(struct fixture *f, struct pitot_query *query, enum pitot_kind kind,
        uint64_t amount);

uint64_t
wait_for(struct fixture *f, struct pitot_query *query);

/* As in struct backend_ops. wait_count() includes drains, which may wait. */
void
hold(struct fixture *f);

void
release(struct fixture *f);

void
lose(struct fixture *f);

/* The GPU works on at each look(): see backend_ops.run. */
void
run_gpu(struct fixture *f);

/* Polls once, after the GPU has worked a little. */
bool
look(struct fixture *f, struct pitot_query *query);

unsigned
wait_count(const struct fixture *f);

/* Wraps memory for stores: see backend_ops.resource. */
void *
resource(struct fixture *f, void *memory);

/* Polls up to three times, since the first poll may only flush. */
bool
poll(struct fixture *f, struct pitot_query *query);

/* Each file has one group of tests. */
#define TEST(NAME)                                                           \
   {                                                                         \
      .name = #NAME, .test_func = NAME                                       \
   }

struct test_group {
   const struct CMUnitTest *tests;
   size_t count;
};

#define TEST_GROUP(NAME, TESTS)                                              \
   const struct test_group NAME = { TESTS, ARRAY_LENGTH(TESTS) }

extern const struct test_group measure_tests;
extern const struct test_group reuse_tests;
extern const struct test_group fail_tests;
extern const struct test_group time_tests;
extern const struct test_group condition_tests;
extern const struct test_group store_tests;
extern const struct test_group counters_tests;
extern const struct test_group polling_tests;

#endif /* PITOT_TESTS_FIXTURE_H */
