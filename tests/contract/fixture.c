/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "fixture.h"

struct fixture *
open_fixture(void **state, bool delete_ends_active)
{
   const struct backend_ops *ops = ((const struct subject *)*state)->backend;
   struct fixture *f = calloc(1, sizeof(*f));

   f->backend = ops->create(ops);
   assert_int_equal(pitot_context_create(
                       &(struct pitot_context_info){
                          .driver = f->backend->driver,
                          .delete_ends_active = delete_ends_active,
                       },
                       &f->context),
                    0);
   assert_int_equal(pitot_perf_create(f->context, f->backend->providers,
                                      &f->perf),
                    0);
   return f;
}

void
close_fixture(struct fixture *f)
{
   pitot_perf_destroy(f->perf);
   pitot_context_destroy(f->context);
   assert_int_equal(f->backend->ops->alive_count(f->backend), 0);
   f->backend->ops->destroy(f->backend);
   free(f);
}

enum pitot_kind
end_of_kinds(const struct fixture *f)
{
   return pitot_counter_bits(f->context, PITOT_KIND_MS_PRIMITIVES)
             ? PITOT_KIND_COUNT
             : PITOT_KIND_TS_INVOCATIONS;
}

void
count(struct fixture *f, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   f->backend->ops->count(f->backend, kind, stream, amount);
}

struct pitot_query *
obtain(struct fixture *f, uint32_t name)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(f->context, name, &query), 0);
   return query;
}

void
begin(struct fixture *f, struct pitot_query *query, enum pitot_kind kind)
{
   assert_int_equal(pitot_query_begin(f->context, query, kind, 0), 0);
}

void
end(struct fixture *f, enum pitot_kind kind)
{
   assert_int_equal(pitot_query_end(f->context, kind, 0), 0);
}

void
measure(struct fixture *f, struct pitot_query *query, enum pitot_kind kind,
        uint64_t amount)
{
   begin(f, query, kind);
   count(f, kind, 0, amount);
   end(f, kind);
}

uint64_t
wait_for(struct fixture *f, struct pitot_query *query)
{
   assert_true(pitot_query_resolve(f->context, query, true));
   assert_int_equal(query->state, PITOT_STATE_AVAILABLE);
   return query->result;
}

void
hold(struct fixture *f)
{
   f->backend->ops->hold(f->backend);
}

void
release(struct fixture *f)
{
   f->backend->ops->release(f->backend);
}

void
lose(struct fixture *f)
{
   f->backend->ops->lose(f->backend);
}

void
run_gpu(struct fixture *f)
{
   if (f->backend->ops->run)
      f->backend->ops->run(f->backend);
}

bool
look(struct fixture *f, struct pitot_query *query)
{
   if (f->backend->ops->look)
      f->backend->ops->look(f->backend);
   return pitot_query_resolve(f->context, query, false);
}

unsigned
wait_count(const struct fixture *f)
{
   return f->backend->ops->wait_count(f->backend);
}

bool
poll(struct fixture *f, struct pitot_query *query)
{
   bool is_available = false;

   for (unsigned i = 0; i < 3 && !is_available; i++)
      is_available = pitot_query_resolve(f->context, query, false);
   return is_available;
}

void *
resource(struct fixture *f, void *memory)
{
   return f->backend->ops->resource
             ? f->backend->ops->resource(f->backend, memory)
             : memory;
}
