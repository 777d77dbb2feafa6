/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_PIPE_FIXTURE_H
#define PITOT_TESTS_PIPE_FIXTURE_H

#include "fake_pipe.h"
#include "pipe_priv.h"
#include "pitot_query.h"
#include "test.h"

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

/* The state is a fixture with a fake; the test opens it. */
#define ON_FAKE(NAME)                                                        \
   cmocka_unit_test_setup_teardown(NAME, set_up_fake, tear_down_fake)

int
set_up_fake(void **state);

int
tear_down_fake(void **state);

struct pitot_query *
measure(struct fixture *f, uint32_t name, enum pitot_kind kind);

#endif /* PITOT_TESTS_PIPE_FIXTURE_H */
