/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "hw_context.h"
#include "pitot/perf_pipe.h"

/* A frontend's client on a context whose queries are Pitot's. */
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
create(const struct backend_ops *ops, const struct machine_ops *machine_ops,
       const char *gpu, bool is_threaded)
{
   struct backend_hw *backend = calloc(1, sizeof(*backend));
   struct hw_context *context = &backend->context;

   hw_context_init(context, machine_ops->create(gpu), is_threaded);
   pitot_pipe_client_init(&backend->client, &(struct pitot_pipe_info){
                                               .pipe = &context->pipe,
                                               .counting = &backend->counting,
                                               .is_threaded = is_threaded,
                                               .stores_clamped = true,
                                            });
   backend->base.ops = ops;
   backend->base.driver = &backend->client.base;
   backend->base.providers =
      pitot_perf_pipe_init(&backend->perf, &backend->client, NULL);
   return &backend->base;
}

static void
destroy(struct backend *backend)
{
   hw_context_finish(&hw_of(backend)->context);
   free(backend);
}

static void
count(struct backend *backend, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   struct machine *machine = hw_of(backend)->context.machine;

   machine->ops->count(machine, kind, stream, amount);
}

static void
set_time_ns(struct backend *backend, uint64_t time_ns)
{
   struct machine *machine = hw_of(backend)->context.machine;

   machine->ops->set_ticks(machine, time_ns);
}

static void
hold(struct backend *backend)
{
   struct machine *machine = hw_of(backend)->context.machine;

   machine->ops->hold(machine);
}

static void
lose(struct backend *backend)
{
   struct hw_context *context = &hw_of(backend)->context;

   context->is_lost = true;
   context->machine->ops->lose(context->machine);
}

static void
release(struct backend *backend)
{
   struct machine *machine = hw_of(backend)->context.machine;

   machine->ops->release(machine);
}

/* What was flushed for an application does not count. */
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

static void
fail_next(struct backend *backend, enum backend_call call)
{
   hw_of(backend)->context.fail[call] = 1;
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

static unsigned
alive_count(const struct backend *backend)
{
   return hw_of(backend)->context.alive + hw_of(backend)->counting;
}

static void *
resource(struct backend *backend, void *memory)
{
   (void)backend;
   return memory;
}

#define CLIPPED                                                              \
   "one counter tells what enters clipping and what is generated, which "    \
   "are counted apart here"

static const struct backend_skip intel_skips[] = {
   { "statistics_agree_with_queries", CLIPPED },
   { NULL, NULL },
};

/* Where the driver's shaders would have to count some of the statistics, the
 * caps have none of them...
 */
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
      { "nobody_waits_but_who_asks", NO_STATISTICS },                        \
      { "failures_change_nothing", NO_STATISTICS },                          \
   {                                                                         \
      "failed_end_ends_the_perf_query", NO_STATISTICS                        \
   }

static const struct backend_skip gfx10_skips[] = { GFX10_SKIPS,
                                                   { NULL, NULL } };

/* ...and where they would have to count primitives, those are refused. */
#define NO_PRIMITIVES "primitives are counted by the driver's shaders"

static const struct backend_skip gfx11_skips[] = {
   GFX10_SKIPS,
   { "many_are_in_flight", NO_PRIMITIVES },
   { "a_look_never_flushes", NO_PRIMITIVES },
   { "nothing_piles_up", NO_PRIMITIVES },
   { "lost_device_finishes_perf_queries", NO_PRIMITIVES },
   { "perf_takes_its_queries_along", NO_PRIMITIVES },
   { NULL, NULL },
};

#define BACKEND(MACHINE, GPU, SKIPS, NAME, IS_THREADED)                      \
   static struct backend *create_##MACHINE##_##NAME(void)                    \
   {                                                                         \
      return create(&backend_##MACHINE##_##NAME, &machine_##MACHINE, GPU,    \
                    IS_THREADED);                                            \
   }                                                                         \
   const struct backend_ops backend_##MACHINE##_##NAME = {                   \
      .name = #MACHINE " " #NAME,                                            \
      .skips = SKIPS,                                                        \
      .stored_types = STORED_ALL,                                            \
      .create = create_##MACHINE##_##NAME,                                   \
      .destroy = destroy,                                                    \
      .count = count,                                                        \
      .set_time_ns = set_time_ns,                                            \
      .hold = hold,                                                          \
      .lose = lose,                                                          \
      .release = release,                                                    \
      .submit = submit,                                                      \
      .flush_count = flush_count,                                            \
      .fail_next = fail_next,                                                \
      .wait_count = wait_count,                                              \
      .condition_result = condition_result,                                  \
      .alive_count = alive_count,                                            \
      .resource = resource,                                                  \
   };

/* All GPUs, and one of each family threaded. */
#define BACKENDS(MACHINE)                                                    \
   BACKEND(MACHINE, "bdw", intel_skips, bdw, false)                          \
   BACKEND(MACHINE, "skl", intel_skips, skl, false)                          \
   BACKEND(MACHINE, "icl", intel_skips, icl, false)                          \
   BACKEND(MACHINE, "tgl", intel_skips, tgl, false)                          \
   BACKEND(MACHINE, "dg2", intel_skips, dg2, false)                          \
   BACKEND(MACHINE, "pitcairn", NULL, pitcairn, false)                       \
   BACKEND(MACHINE, "bonaire", NULL, bonaire, false)                         \
   BACKEND(MACHINE, "polaris10", NULL, polaris10, false)                     \
   BACKEND(MACHINE, "vega10", NULL, vega10, false)                           \
   BACKEND(MACHINE, "navi10", gfx10_skips, navi10, false)                    \
   BACKEND(MACHINE, "navi21", gfx10_skips, navi21, false)                    \
   BACKEND(MACHINE, "navi31", gfx11_skips, navi31, false)                    \
   BACKEND(MACHINE, "tgl", intel_skips, threaded_tgl, true)                  \
   BACKEND(MACHINE, "vega10", NULL, threaded_vega10, true)

BACKENDS(fake)
#ifdef PITOT_HAS_DRM
BACKENDS(sim)
#endif
