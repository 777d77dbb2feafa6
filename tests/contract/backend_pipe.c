/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <assert.h>
#include <stdlib.h>

#include "backend.h"
#include "fake_pipe.h"
#include "pitot_perf_pipe.h"
#include "pitot_pipe_kind.h"

struct backend_pipe {
   struct backend base;
   struct fake_pipe fake;
   struct pitot_pipe_client client;
   struct pitot_perf_pipe perf;
   unsigned counting;
   bool bins_time;
   bool shares_statistics;
   bool counts_once;
   bool has_struct;
   bool is_watched; /* the client wants the next draw */
};

static struct fake_pipe *
fake_of(struct backend *backend)
{
   return &((struct backend_pipe *)backend)->fake;
}

static struct pipe_caps *
caps_of(struct backend *backend)
{
   return (struct pipe_caps *)&fake_of(backend)->screen.caps;
}

/* Statistics as one struct, like radeonsi and llvmpipe. */
static void
configure_struct(struct backend *backend)
{
   caps_of(backend)->query_pipeline_statistics_single = false;
   caps_of(backend)->query_pipeline_statistics = true;
}

/* No TIME_ELAPSED, like svga. */
static void
configure_timestamps(struct backend *backend)
{
   caps_of(backend)->query_time_elapsed = false;
}

/* u_threaded_context, like iris, radeonsi and zink. */
static void
configure_threaded(struct backend *backend)
{
   fake_of(backend)->is_threaded = true;
}

/* Times in bins, like llvmpipe. */
static void
configure_bins(struct backend *backend)
{
   ((struct backend_pipe *)backend)->bins_time = true;
}

/* Statistics that share a struct, like llvmpipe in Mesa. */
static void
configure_shared(struct backend *backend)
{
   configure_struct(backend);
   ((struct backend_pipe *)backend)->shares_statistics = true;
}

/* One active count of each statistic, like stock zink. */
static void
configure_once(struct backend *backend)
{
   ((struct backend_pipe *)backend)->shares_statistics = true;
   ((struct backend_pipe *)backend)->counts_once = true;
}

/* One active query of all statistics, like zink with Mesa's fixes. */
static void
configure_once_in_struct(struct backend *backend)
{
   configure_once(backend);
   ((struct backend_pipe *)backend)->has_struct = true;
}

static void
watch_draws(void *backend)
{
   ((struct backend_pipe *)backend)->is_watched = true;
}

static struct backend *
create(const struct backend_ops *ops)
{
   struct backend_pipe *backend = calloc(1, sizeof(*backend));

   fake_pipe_init(&backend->fake);
   if (ops->configure)
      ops->configure(&backend->base);
   pitot_pipe_client_init(&backend->client,
                          &(struct pitot_pipe_info){
                             .pipe = &backend->fake.base,
                             .counting = &backend->counting,
                             .is_threaded = backend->fake.is_threaded,
                             .stores_wait = true,
                             .bins_time = backend->bins_time,
                             .watch_draws = backend->shares_statistics
                                               ? watch_draws
                                               : NULL,
                             .data = backend,
                             .struct_statistics = PITOT_PIPE_ALL_STATISTICS,
                             .counts_once = backend->counts_once,
                             .has_struct = backend->has_struct,
                          });
   backend->base.providers =
      pitot_perf_pipe_init(&backend->perf, &backend->client);
   backend->base.ops = ops;
   backend->base.driver = &backend->client.base;
   backend->base.fail = backend->fake.fail;
   return &backend->base;
}

static void
destroy(struct backend *backend)
{
   assert(!((struct backend_pipe *)backend)->counts_once ||
          !fake_of(backend)->has_two_alike);
   pitot_pipe_client_finish(&((struct backend_pipe *)backend)->client);
   free(backend);
}

static void
count(struct backend *backend, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   struct backend_pipe *pipe = (struct backend_pipe *)backend;
   const struct pitot_pipe_kind *row = pitot_pipe_kind(kind);

   if (pipe->is_watched) {
      pipe->is_watched = false;
      (void)pitot_pipe_client_before_draw(&pipe->client);
   }
   if (row->type == PIPE_QUERY_PIPELINE_STATISTICS_SINGLE)
      fake_of(backend)->statistics[row->statistic] += amount;
   else
      fake_of(backend)->counters[row->type][stream] += amount;
}

static void
set_time_ns(struct backend *backend, uint64_t time_ns)
{
   fake_of(backend)->time_ns = time_ns;
}

static void
hold(struct backend *backend)
{
   fake_of(backend)->is_held = true;
}

static void
lose(struct backend *backend)
{
   fake_of(backend)->is_lost = true;
}

static void
release(struct backend *backend)
{
   fake_of(backend)->is_held = false;
}

static void
submit(struct backend *backend)
{
   struct fake_pipe *fake = fake_of(backend);

   fake->base.flush(&fake->base, NULL, 0);
   fake->flushes--;
}

static unsigned
flush_count(const struct backend *backend)
{
   return fake_of((struct backend *)backend)->flushes;
}

static unsigned
wait_count(const struct backend *backend)
{
   const struct fake_pipe *fake = fake_of((struct backend *)backend);

   return fake->waits + fake->drains;
}

static int64_t
condition_result(const struct backend *backend)
{
   const struct pipe_query *query =
      fake_of((struct backend *)backend)->condition;

   return query ? (int64_t)fake_pipe_value(query) : -1;
}

static unsigned
alive_count(const struct backend *backend)
{
   const struct backend_pipe *pipe = (const struct backend_pipe *)backend;

   return pipe->fake.alive + pipe->counting;
}

static void *
resource(struct backend *backend, void *memory)
{
   return fake_pipe_resource(fake_of(backend), memory);
}

/* Begin at the next draw: tests/pipe/test_statistics.c has the failures. */
static const struct backend_skip shared_skips[] = {
   { "failed_begin_changes_nothing",
     "a statistic begins with the next draw" },
   { "failures_change_nothing", "a statistic begins with the next draw" },
   { NULL, NULL },
};

#define BACKEND(NAME, CONFIGURE, SKIPS)                                      \
   {                                                                         \
      .name = NAME, .skips = SKIPS, .stored_types = STORED_64,               \
      .create = create, .destroy = destroy, .count = count,                  \
      .set_time_ns = set_time_ns, .hold = hold, .lose = lose,                \
      .release = release, .submit = submit, .flush_count = flush_count,      \
      .wait_count = wait_count, .condition_result = condition_result,        \
      .alive_count = alive_count, .resource = resource,                      \
      .configure = CONFIGURE,                                                \
   }

const struct backend_ops backends_pipe[] = {
   BACKEND("pipe", NULL, NULL),
   BACKEND("pipe-struct", configure_struct, NULL),
   BACKEND("pipe-shared", configure_shared, shared_skips),
   BACKEND("pipe-once", configure_once, shared_skips),
   BACKEND("pipe-once-struct", configure_once_in_struct, shared_skips),
   BACKEND("pipe-timestamps", configure_timestamps, NULL),
   BACKEND("pipe-threaded", configure_threaded, NULL),
   BACKEND("pipe-bins", configure_bins, NULL),
};

const unsigned backend_pipe_count =
   sizeof(backends_pipe) / sizeof(backends_pipe[0]);
