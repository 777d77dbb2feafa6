/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include "pipe_fixture.h"

static void
open_fixture(struct fixture *f, bool is_intel)
{
   memset(f, 0, sizeof(*f));
   fake_pipe_init(&f->fake);
   fake_counters_init(&f->fake);
   f->intel = is_intel ? fake_intel_init(&f->fake) : NULL;
   pitot_pipe_client_init(&f->client, &(struct pitot_pipe_info){
                                         .pipe = &f->fake.base,
                                         .counting = &f->counting,
                                      });
   assert_int_equal(
      pitot_context_create(&(struct pitot_context_info){ .driver =
                                                            &f->client.base },
                           &f->context),
      0);
   assert_int_equal(
      pitot_perf_create(f->context,
                        pitot_perf_pipe_init(&f->pipe, &f->client), &f->perf),
      0);
}

static void
close_fixture(struct fixture *f)
{
   pitot_perf_destroy(f->perf);
   pitot_context_destroy(f->context);
   pitot_pipe_client_finish(&f->client);
   assert_int_equal(f->fake.alive, 0);
   assert_int_equal(f->counting, 0);
   if (f->intel) {
      assert_int_equal(f->intel->alive, 0);
      assert_int_equal(f->intel->deleted_in_flight, 0);
   }
}

void
reopen(struct fixture *f)
{
   const bool is_intel = f->intel;

   close_fixture(f);
   open_fixture(f, is_intel);
}

int
set_up_fake(void **state)
{
   *state = malloc(sizeof(struct fixture));
   open_fixture(*state, false);
   return 0;
}

int
set_up_intel(void **state)
{
   *state = malloc(sizeof(struct fixture));
   open_fixture(*state, true);
   return 0;
}

int
tear_down(void **state)
{
   close_fixture(*state);
   free(*state);
   return 0;
}
