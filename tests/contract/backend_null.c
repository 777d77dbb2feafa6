/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "backend.h"
#include "../perf/null_sets.h"

struct backend_null {
   struct backend base;
   struct pitot_null null;
   struct null_sets sets;
};

static struct pitot_null *
null_of(struct backend *backend)
{
   return &((struct backend_null *)backend)->null;
}

static struct backend *
create(const struct backend_ops *ops)
{
   struct backend_null *backend = calloc(1, sizeof(*backend));

   pitot_null_init(&backend->null);
   backend->null.can_store = true;
   backend->base.ops = ops;
   backend->base.driver = &backend->null.base;
   backend->base.fail = backend->null.fail;
   backend->base.providers = null_sets_init(&backend->sets, &backend->null);
   return &backend->base;
}

static void
destroy(struct backend *backend)
{
   free(backend);
}

static void
count(struct backend *backend, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   null_of(backend)->counters[kind][stream] += amount;
}

static void
set_time_ns(struct backend *backend, uint64_t time_ns)
{
   null_of(backend)->time_ns = time_ns;
}

static void
hold(struct backend *backend)
{
   null_of(backend)->done = null_of(backend)->issued;
}

static void
lose(struct backend *backend)
{
   null_of(backend)->is_lost = true;
}

static void
release(struct backend *backend)
{
   null_of(backend)->done = UINT64_MAX;
}

static void
submit(struct backend *backend)
{
   pitot_null_flush(null_of(backend));
}

static unsigned
flush_count(const struct backend *backend)
{
   return null_of((struct backend *)backend)->flushes;
}

static unsigned
wait_count(const struct backend *backend)
{
   return null_of((struct backend *)backend)->waits;
}

static int64_t
condition_result(const struct backend *backend)
{
   const struct pitot_null *null = null_of((struct backend *)backend);
   uint64_t result;

   if (!null->condition)
      return -1;
   null->base.ops->query_result(backend->driver, null->condition, true,
                                &result);
   return result;
}

static unsigned
alive_count(const struct backend *backend)
{
   return null_of((struct backend *)backend)->alive;
}

const struct backend_ops backend_null = {
   .name = "null",
   .stored_types = STORED_ALL,
   .create = create,
   .destroy = destroy,
   .count = count,
   .set_time_ns = set_time_ns,
   .hold = hold,
   .lose = lose,
   .release = release,
   .submit = submit,
   .flush_count = flush_count,
   .wait_count = wait_count,
   .condition_result = condition_result,
   .alive_count = alive_count,
};
