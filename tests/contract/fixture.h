/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_FIXTURE_H
#define PITOT_TESTS_FIXTURE_H

#include "../listed.h"
#include "backend.h"
#include "pitot_condition.h"

struct fixture {
   struct backend *backend;
   struct pitot_context *context;
   struct pitot_perf *perf;
};

/* The test's back end, and the test's index of those of
 * CONTRACT_TEST_EACH.
 */
struct subject {
   const struct backend_ops *backend;
   unsigned index;
};

struct fixture *
open_fixture(void **state, bool delete_ends_active);

/* Asserts that nothing outlives the context. */
void
close_fixture(struct fixture *f);

/* The driver counts the kinds below this one: all, or all but those of mesh
 * shaders, which come last.
 */
enum pitot_kind
end_of_kinds(const struct fixture *f);

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

/* Opens a fixture in which deletes end active queries, and closes it. */
#define CONTRACT_TEST(NAME)                                                  \
   static void NAME(struct fixture *f);                                      \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      struct fixture *f = open_fixture(state, true);                         \
                                                                             \
      NAME(f);                                                               \
      close_fixture(f);                                                      \
   }                                                                         \
   LIST_TEST(NAME, .test_func = run_##NAME)                                  \
   static void NAME(struct fixture *f)

/* A test for each INDEX below COUNT. */
#define CONTRACT_TEST_EACH(NAME, INDEX, COUNT)                               \
   static void NAME(struct fixture *f, unsigned INDEX);                      \
   static void run_##NAME(void **state)                                      \
   {                                                                         \
      struct fixture *f = open_fixture(state, true);                         \
                                                                             \
      NAME(f, ((const struct subject *)*state)->index);                      \
      close_fixture(f);                                                      \
   }                                                                         \
   LIST_TEST_EACH(NAME, COUNT, .test_func = run_##NAME)                      \
   static void NAME(struct fixture *f, unsigned INDEX)

/* A test that opens fixtures itself. */
#define CONTRACT_TEST_ALONE(NAME)                                            \
   static void NAME(void **state);                                           \
   LIST_TEST(NAME, .test_func = NAME)                                        \
   static void NAME(void **state)

#endif /* PITOT_TESTS_FIXTURE_H */
