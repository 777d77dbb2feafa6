/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "fixture.h"

struct fixture *
open_fixture(const struct pitot_gpu *gpu, bool has_compute)
{
   struct fixture *f = calloc(1, sizeof(*f));

   fake_stream_init(&f->fake, gpu);
   f->fake.base.has_compute = has_compute;
   assert_int_equal(pitot_hw_create(&f->fake.base, &f->hw), 0);
   return f;
}

void
close_fixture(struct fixture *f)
{
   pitot_hw_destroy(f->hw);
   assert_false(f->fake.overflowed);
   assert_int_equal(fake_stream_finish(&f->fake), 0);
   free(f);
}

struct pitot_hw_query *
create(struct fixture *f, enum pitot_kind kind, unsigned stream)
{
   struct pitot_hw_query *query = NULL;

   assert_int_equal(pitot_hw_query_create(f->hw, kind, stream, &query), 0);
   return query;
}

struct pitot_hw_query *
create_statistics(struct fixture *f)
{
   struct pitot_hw_count counts[PITOT_HW_STATISTIC_COUNT] = { { 0 } };
   struct pitot_hw_query *query = NULL;

   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      counts[i].kind = PITOT_KIND_VERTICES_SUBMITTED + i;
   assert_int_equal(pitot_hw_query_create_list(f->hw, counts,
                                               PITOT_HW_STATISTIC_COUNT,
                                               &query),
                    0);
   return query;
}

void
begin(struct fixture *f, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_begin(f->hw, query), 0);
}

void
end(struct fixture *f, struct pitot_hw_query *query)
{
   assert_int_equal(pitot_hw_query_end(f->hw, query), 0);
}

uint64_t
wait_for(struct fixture *f, struct pitot_hw_query *query)
{
   uint64_t value = 0;

   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), 1);
   return value;
}

void
draw(struct fixture *f, enum pitot_kind kind, uint64_t amount)
{
   fake_stream_draw(&f->fake, kind, 0, amount);
}
