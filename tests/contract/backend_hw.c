/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <stdlib.h>

#include "hw_context.h"
#include "pitot_perf_pipe.h"

/* A frontend's client on a context with Pitot's own queries. */
struct backend_hw {
   struct backend base;
   struct hw_context context;
   struct pitot_pipe_client client;
   struct pitot_perf_pipe perf;
   unsigned counting;
};

static struct backend_hw *
hw_of(const struct backend *backend)
{
   return (struct backend_hw *)backend;
}

static struct backend *
create(const struct backend_ops *ops)
{
   struct backend_hw *backend = calloc(1, sizeof(*backend));
   struct hw_context *context = &backend->context;

   hw_context_init(context, ops->machine->create(ops->gpu->key),
                   ops->is_threaded);
   pitot_pipe_client_init(&backend->client,
                          &(struct pitot_pipe_info){
                             .pipe = &context->pipe,
                             .counting = &backend->counting,
                             .is_threaded = ops->is_threaded,
                             .stores_clamped = true,
                             .reports_losses = true,
                          });
   backend->base.ops = ops;
   backend->base.driver = &backend->client.base;
   backend->base.fail = context->fail;
   backend->base.providers =
      pitot_perf_pipe_init(&backend->perf, &backend->client);

   /* Creates the client's own query before calls fail. */
   backend->client.base.ops->poll_disjoint(&backend->client.base);
   return &backend->base;
}

static void
destroy(struct backend *backend)
{
   pitot_pipe_client_finish(&hw_of(backend)->client);
   hw_context_finish(&hw_of(backend)->context);
   free(backend);
}

static void
count(struct backend *backend, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   struct machine *machine = hw_of(backend)->context.machine;

   if (kind == PITOT_KIND_CS_INVOCATIONS)
      pitot_hw_dispatch(hw_of(backend)->context.hw, PITOT_RING_COMPUTE);
   machine->ops->count(machine, kind, stream, amount);
}

static void
set_time_ns(struct backend *backend, uint64_t time_ns)
{
   struct machine *machine = hw_of(backend)->context.machine;

   machine->ops->set_ticks(machine, time_ns);
}

#define CALL_MACHINE(NAME)                                                   \
   static void NAME(struct backend *backend)                                 \
   {                                                                         \
      struct machine *machine = hw_of(backend)->context.machine;             \
                                                                             \
      machine->ops->NAME(machine);                                           \
   }

CALL_MACHINE(hold)
CALL_MACHINE(lose)
CALL_MACHINE(release)
CALL_MACHINE(run)
CALL_MACHINE(look)

/* The application's flushes do not count. */
static void
submit(struct backend *backend)
{
   struct hw_context *context = &hw_of(backend)->context;
   const unsigned flushes = context->flushes;

   hw_context_flush(context);
   context->flushes = flushes;
}

static unsigned
flush_count(const struct backend *backend)
{
   return hw_of(backend)->context.flushes;
}

static unsigned
wait_count(const struct backend *backend)
{
   const struct hw_context *context = &hw_of(backend)->context;

   return context->waits + context->drains;
}

static int64_t
condition_result(const struct backend *backend)
{
   struct hw_context *context = &hw_of(backend)->context;
   union pipe_query_result result = { .u64 = 0 };

   if (!context->condition)
      return -1;
   context->pipe.get_query_result(&context->pipe, context->condition, true,
                                  &result);
   return (int64_t)result.u64;
}

/* Excludes the client's own query, for disjoint. */
static unsigned
alive_count(const struct backend *backend)
{
   const struct pitot_pipe_client *client = &hw_of(backend)->client;

   return hw_of(backend)->context.alive + hw_of(backend)->counting -
          (client->disjoint != NULL);
}

#define CLIPPED                                                              \
   "one register counts clipping input and primitives generated, which "     \
   "differ here"

static const struct backend_skip clipper_skips[] = {
   { "statistics_agree_with_queries", CLIPPED },
   { NULL, NULL },
};

/* GFX10: shaders count some statistics, so the caps have none... */
#define NO_STATISTICS                                                        \
   "some statistics are counted by the driver's shaders, so the caps have "  \
   "none of them"
#define GFX10_SKIPS                                                          \
   { "counts_between_begin_and_end", NO_STATISTICS },                        \
      { "kinds_overlap", NO_STATISTICS },                                    \
      { "poll_does_not_wait", NO_STATISTICS },                               \
      { "failed_begin_changes_nothing", NO_STATISTICS },                     \
      { "statistics_agree_with_queries", NO_STATISTICS },                    \
      { "perf_queries_overlap", NO_STATISTICS },                             \
      { "a_thousand_perf_queries", NO_STATISTICS },                          \
      { "begin_and_delete_do_not_wait", NO_STATISTICS },                     \
      { "failures_change_nothing", NO_STATISTICS },                          \
   {                                                                         \
      "failed_end_ends_the_perf_query", NO_STATISTICS                        \
   }

static const struct backend_skip gfx10_skips[] = { GFX10_SKIPS,
                                                   { NULL, NULL } };

/* ...GFX11: shaders count primitives as well, which fail to begin. */
#define NO_PRIMITIVES "primitives are counted by the driver's shaders"

static const struct backend_skip gfx11_skips[] = {
   GFX10_SKIPS,
   { "many_are_in_flight", NO_PRIMITIVES },
   { "dont_flush_never_flushes", NO_PRIMITIVES },
   { "measurements_stay_flat", NO_PRIMITIVES },
   { "lost_device_finishes_perf_queries", NO_PRIMITIVES },
   { "destroy_with_open_queries", NO_PRIMITIVES },
   { NULL, NULL },
};

static const struct backend_skip *
skips_of(const struct pitot_gpu *gpu)
{
   if (gpu->family == &pitot_hw_intel || gpu->family == &pitot_hw_adreno)
      return clipper_skips;
   if (gpu->generation >= 110)
      return gfx11_skips;
   return gpu->generation >= 100 ? gfx10_skips : NULL;
}

struct backend_ops
backend_hw(const struct machine_ops *machine, const struct sim_gpu *gpu,
           bool is_threaded)
{
   struct backend_ops ops = {
      .skips = skips_of(&gpu->facts),
      .stored_types = STORED_ALL,
      .create = create,
      .destroy = destroy,
      .count = count,
      .set_time_ns = set_time_ns,
      .hold = hold,
      .lose = lose,
      .release = release,
      .run = run,
      .look = look,
      .submit = submit,
      .flush_count = flush_count,
      .wait_count = wait_count,
      .condition_result = condition_result,
      .alive_count = alive_count,
      .machine = machine,
      .gpu = gpu,
      .is_threaded = is_threaded,
   };

   snprintf(ops.name, sizeof(ops.name), "%s %s%s", machine->name,
            is_threaded ? "threaded_" : "", gpu->key);
   return ops;
}
