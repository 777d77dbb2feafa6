/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Contexts on many threads of one device, created and destroyed with queries
 * active and in flight.  Each context has two threads, as with
 * u_threaded_context: one records, the other reads and destroys queries.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "../sim/sim.h"
#include "../listed.h"
#include "context.h"
#include "pitot/hw.h"

#define CONTEXT_COUNT    3  /* at the same time */
#define ROUND_COUNT      3  /* contexts of a thread, one after another */
#define QUERY_COUNT      40 /* of a context */
#define SAMPLES_PER_DRAW 7

static struct {
   struct sim *sim;
   bool is_lossy; /* the GPU hangs */
   struct pitot_drm_device *device;
} shared;

/* The query is handed from the recording thread to the reading one. */
struct context {
   struct pitot_cs *cs;
   struct pitot_hw *hw;
   pthread_t recorder, reader;
   _Atomic(struct pitot_hw_query *) ended;
   unsigned wrong;      /* on the recording thread */
   unsigned read_wrong; /* on the reading thread */
};

static void
draw(struct context *c)
{
   uint32_t dw[SIM_WORK_DW];
   const unsigned count_dw = sim_draw(shared.sim, dw);
   uint32_t *room = pitot_drm_reserve((struct pitot_drm_context *)c->cs,
                                      PITOT_RING_RENDER, count_dw);

   if (room)
      memcpy(room, dw, count_dw * sizeof(dw[0]));
   c->wrong += !room && !shared.is_lossy;
}

static void
flush(struct context *c)
{
   c->cs->ops->flush(c->cs, PITOT_RING_RENDER);
}

static struct pitot_hw_query *
begin(struct context *c, enum pitot_kind kind)
{
   struct pitot_hw_query *query = NULL;

   c->wrong += pitot_hw_query_create(c->hw, kind, 0, &query) != 0;
   c->wrong += pitot_hw_query_begin(c->hw, query) != 0 && !shared.is_lossy;
   return query;
}

/* A lost result is 0. */
static bool
is_right(int status, uint64_t value)
{
   if (status == -EIO)
      return shared.is_lossy && value == 0;
   return status == 1 && value == 2 * SAMPLES_PER_DRAW;
}

static void *
read_results(void *data)
{
   struct context *c = data;

   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      struct pitot_hw_query *query;
      uint64_t value = 0;
      int status;

      while (!(query = atomic_exchange(&c->ended, NULL)))
         sched_yield();
      /* A delayed GPU works only if a thread waits. */
      status = pitot_hw_query_result(c->hw, query, false, &value);
      if (status == 0)
         status = pitot_hw_query_result(c->hw, query, true, &value);
      c->read_wrong += !is_right(status, value);
      pitot_hw_query_free(c->hw, query);
   }
   return NULL;
}

/* Measures over two batches, and hands the query to the reader. */
static void
measure(struct context *c)
{
   struct pitot_hw_query *query = begin(c, PITOT_KIND_SAMPLES_PASSED);

   draw(c);
   flush(c);
   draw(c);
   c->wrong += pitot_hw_query_end(c->hw, query) != 0 && !shared.is_lossy;
   flush(c);
   while (atomic_load(&c->ended))
      sched_yield();
   atomic_store(&c->ended, query);
}

static void
open_context(struct context *c)
{
   assert_int_equal(pitot_drm_context_create(shared.device, &c->cs), 0);
   assert_int_equal(pitot_hw_create(c->cs, &c->hw), 0);
   assert_int_equal(pthread_create(&c->reader, NULL, read_results, c), 0);
}

static void
run_round(struct context *c)
{
   uint64_t before_ns, now_ns;

   open_context(c);
   before_ns = pitot_hw_timestamp_ns(c->hw);
   struct pitot_hw_query *active = begin(c, PITOT_KIND_TIME_ELAPSED);
   for (unsigned i = 0; i < QUERY_COUNT; i++)
      measure(c);
   struct pitot_hw_query *pending = begin(c, PITOT_KIND_PRIMITIVES_GENERATED);
   draw(c);
   c->wrong += pitot_hw_query_end(c->hw, pending) != 0 && !shared.is_lossy;
   now_ns = pitot_hw_timestamp_ns(c->hw);
   c->wrong += now_ns < before_ns;
   c->wrong += pitot_hw_take_disjoint(c->hw) && !shared.is_lossy;
   pthread_join(c->reader, NULL);
   pitot_hw_query_free(c->hw, active);
   pitot_hw_query_free(c->hw, pending);
   pitot_hw_destroy(c->hw);
   pitot_drm_context_destroy(c->cs);
}

static void *
run_context(void *data)
{
   for (unsigned i = 0; i < ROUND_COUNT; i++)
      run_round(data);
   return NULL;
}

static void
run_threads(struct sim *sim)
{
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct context contexts[CONTEXT_COUNT];

   memset(contexts, 0, sizeof(contexts));
   shared.sim = sim;
   sim->draw.samples = SAMPLES_PER_DRAW;
   assert_int_equal(pitot_drm_open(&sim->io, NULL, &shared.device, message),
                    0);
   for (unsigned i = 0; i < CONTEXT_COUNT; i++)
      assert_int_equal(pthread_create(&contexts[i].recorder, NULL,
                                      run_context, &contexts[i]),
                       0);
   for (unsigned i = 0; i < CONTEXT_COUNT; i++) {
      pthread_join(contexts[i].recorder, NULL);
      assert_int_equal(contexts[i].wrong, 0);
      assert_int_equal(contexts[i].read_wrong, 0);
   }
   pitot_drm_close(shared.device);
   assert_string_equal(sim->violations, "");
   assert_int_equal(sim->object_count, 0);
}

static void
run_on_gpus(bool is_delayed, unsigned hang_on_submit)
{
   static const char *const gpus[] = { "skl", "vega10" };

   for (unsigned i = 0; i < ARRAY_LENGTH(gpus); i++) {
      struct sim *sim = sim_create(gpus[i]);

      sim->is_delayed = is_delayed;
      sim->hang_on_submit = hang_on_submit;
      shared.is_lossy = hang_on_submit > 0;
      run_threads(sim);
      sim_destroy(sim);
   }
}

TEST(contexts_of_many_threads_count)
{
   run_on_gpus(false, 0);
}

TEST(contexts_of_many_threads_wait)
{
   run_on_gpus(true, 0);
}

/* A hang loses one context, or all: their results are right or lost. */
TEST(contexts_of_many_threads_are_lost)
{
   for (unsigned submission = 20; submission <= 100; submission += 20) {
      run_on_gpus(false, submission);
      run_on_gpus(true, submission);
   }
}
