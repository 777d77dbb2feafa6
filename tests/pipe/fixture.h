/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_PIPE_FIXTURE_H
#define PITOT_TESTS_PIPE_FIXTURE_H

#include "fake_pipe.h"
#include "pipe_priv.h"
#include "pitot_query.h"
#include "listed.h"

struct fixture {
   struct fake_pipe fake;
   struct pitot_pipe_client client;
   struct pitot_context *context;
   unsigned counting;
};

struct pipe_caps *
caps_of(struct fixture *f);

/* Creates a context on f->fake, which the test has initialized. */
void
open_fixture(struct fixture *f);

/* The same, with given driver info. */
void
open_info_fixture(struct fixture *f, struct pitot_pipe_info info);

/* The same, with the driver info for the fake's name. */
void
open_driver_fixture(struct fixture *f);

/* Asserts that nothing is left in the pipe. */
void
close_fixture(struct fixture *f);

/* Has a fixture with a fake, which the test opens. */
#define FAKE_TEST(NAME)                                                      \
   TEST_WITH(set_up_fake, tear_down_fake, struct fixture *f, NAME)

#define FAKE_TEST_EACH(NAME, INDEX, COUNT)                                   \
   TEST_EACH_WITH(set_up_fake, tear_down_fake, struct fixture *f, NAME,      \
                  INDEX, COUNT)

int
set_up_fake(void **state);

int
tear_down_fake(void **state);

struct pitot_query *
measure(struct fixture *f, uint32_t name, enum pitot_kind kind);

/* Stores a result as a U64.  Returns whether the driver does. */
bool
store_result(struct fixture *f, struct pitot_query *query, uint64_t *memory);

#endif /* PITOT_TESTS_PIPE_FIXTURE_H */
