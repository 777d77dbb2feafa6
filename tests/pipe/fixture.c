/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "fixture.h"

struct pipe_caps *
caps_of(struct fixture *f)
{
   return (struct pipe_caps *)&f->fake.screen.caps;
}

void
open_info_fixture(struct fixture *f, struct pitot_pipe_info info)
{
   f->counting = 0;
   info.pipe = &f->fake.base;
   info.counting = &f->counting;
   info.is_threaded = f->fake.is_threaded;
   pitot_pipe_client_init(&f->client, &info);
   assert_int_equal(
      pitot_context_create(&(struct pitot_context_info){ .driver =
                                                            &f->client.base },
                           &f->context),
      0);
}

void
open_fixture(struct fixture *f)
{
   open_info_fixture(f, (struct pitot_pipe_info){ 0 });
}

void
open_driver_fixture(struct fixture *f)
{
   open_info_fixture(f, pitot_pipe_info_of(&f->fake.screen));
}

void
close_fixture(struct fixture *f)
{
   pitot_context_destroy(f->context);
   pitot_pipe_client_finish(&f->client);
   assert_int_equal(f->fake.alive, 0);
   assert_int_equal(f->fake.active, 0);
   assert_int_equal(f->counting, 0);
}

int
set_up_fake(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));

   fake_pipe_init(&f->fake);
   *state = f;
   return 0;
}

int
tear_down_fake(void **state)
{
   close_fixture(*state);
   free(*state);
   return 0;
}

struct pitot_query *
measure(struct fixture *f, uint32_t name, enum pitot_kind kind)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(f->context, name, &query), 0);
   if (pitot_kind_info(kind)->is_instant) {
      assert_int_equal(pitot_query_begin(f->context, query,
                                         PITOT_KIND_TIMESTAMP, 0),
                       0);
      return query;
   }
   assert_int_equal(pitot_query_begin(f->context, query, kind, 0), 0);
   assert_int_equal(pitot_query_end(f->context, kind, 0), 0);
   return query;
}

bool
store_result(struct fixture *f, struct pitot_query *query, uint64_t *memory)
{
   return pitot_query_store(f->context, query, PITOT_STORE_RESULT,
                            PITOT_TYPE_U64,
                            fake_pipe_resource(&f->fake, memory), 0);
}
