/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries that Pitot leaves to the driver's own hooks.
 */

#include <stdlib.h>

#include "driver.h"
#include "pitot_pipe_kind.h"

#define OWN_TYPE   (PIPE_QUERY_DRIVER_SPECIFIC + 7)
#define OWN_RESULT 1234

struct stock_query {
   struct threaded_query base;
   unsigned type;
   unsigned begun, ended;
};

static struct stock_query *
query_of(struct pipe_query *pq)
{
   return (struct stock_query *)pq;
}

static struct pipe_query *
stock_create(struct pipe_context *pipe, unsigned type, unsigned index)
{
   struct stock_query *query = calloc(1, sizeof(*query));

   (void)index;
   query->type = type;
   driver_of(pipe)->alive++;
   return (struct pipe_query *)query;
}

static struct pipe_query *
stock_create_batch(struct pipe_context *pipe, unsigned count, unsigned *types)
{
   assert_int_equal(count, 2);
   return stock_create(pipe, types[1], 0);
}

static void
stock_destroy(struct pipe_context *pipe, struct pipe_query *pq)
{
   driver_of(pipe)->alive--;
   free(pq);
}

static bool
stock_begin(struct pipe_context *pipe, struct pipe_query *pq)
{
   (void)pipe;
   query_of(pq)->begun++;
   return true;
}

static bool
stock_end(struct pipe_context *pipe, struct pipe_query *pq)
{
   (void)pipe;
   query_of(pq)->ended++;
   return true;
}

/* The driver's query has the state that u_threaded_context set on Pitot's. */
static bool
stock_result(struct pipe_context *pipe, struct pipe_query *pq, bool wait,
             union pipe_query_result *result)
{
   (void)pipe;
   (void)wait;
   assert_int_equal(query_of(pq)->begun, 1);
   assert_int_equal(query_of(pq)->ended, 1);
   assert_true(query_of(pq)->base.flushed);
   result->u64 = OWN_RESULT + query_of(pq)->type;
   return true;
}

static void
stock_store(struct pipe_context *pipe, struct pipe_query *pq,
            enum pipe_query_flags flags, enum pipe_query_value_type type,
            int index, struct pipe_resource *resource, unsigned offset)
{
   (void)flags, (void)type, (void)index, (void)resource, (void)offset;
   assert_int_equal(query_of(pq)->type, OWN_TYPE);
   driver_of(pipe)->stored++;
}

static void
stock_condition(struct pipe_context *pipe, struct pipe_query *pq,
                bool condition, enum pipe_render_cond_flag mode)
{
   (void)condition, (void)mode;
   assert_int_equal(query_of(pq)->type, OWN_TYPE);
   driver_of(pipe)->conditions++;
}

static void
stock_set_active(struct pipe_context *pipe, bool is_active)
{
   driver_of(pipe)->is_active = is_active;
}

/* Like drivers, ends the batch. */
static void
stock_set_noop(struct pipe_context *pipe, bool is_noop)
{
   struct fixture *f = driver_of(pipe)->f;

   flush(f);
   f->cs->writes_nothing = is_noop;
}

static void
set_hooks(struct pipe_context *pipe)
{
   pipe->create_query = stock_create;
   pipe->create_batch_query = stock_create_batch;
   pipe->destroy_query = stock_destroy;
   pipe->begin_query = stock_begin;
   pipe->end_query = stock_end;
   pipe->get_query_result = stock_result;
   pipe->get_query_result_resource = stock_store;
   pipe->render_condition = stock_condition;
   pipe->set_active_query_state = stock_set_active;
   pipe->set_frontend_noop = stock_set_noop;
}

static void
check_own_query(struct driver *d, struct pipe_query *query, unsigned type)
{
   struct pipe_context *pipe = &d->pipe;
   union pipe_query_result result;

   assert_non_null(query);
   assert_int_equal(d->alive, 1);
   assert_true(pipe->begin_query(pipe, query));
   assert_true(pipe->end_query(pipe, query));
   threaded_query(query)->flushed = true;
   assert_true(pipe->get_query_result(pipe, query, true, &result));
   assert_int_equal(result.u64, OWN_RESULT + type);
}

static bool
stock_has_no_result(struct pipe_context *pipe, struct pipe_query *pq,
                    bool wait, union pipe_query_result *result)
{
   (void)pipe, (void)pq, (void)wait, (void)result;
   return false;
}

/* A result that is not ready is not lost. */
DRIVER_TEST(no_result_of_its_own_is_false, "skl", .set_hooks = set_hooks)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *query = pipe->create_query(pipe, OWN_TYPE, 0);
   union pipe_query_result result = { .b = true };

   d->pitot.stock.get_query_result = stock_has_no_result;
   assert_false(pipe->get_query_result(pipe, query, false, &result));
   assert_false(result.b);
   pipe->destroy_query(pipe, query);
}

DRIVER_TEST(types_of_its_own, "skl", .set_hooks = set_hooks)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *query = pipe->create_query(pipe, OWN_TYPE, 0);

   check_own_query(d, query, OWN_TYPE);
   pipe->get_query_result_resource(pipe, query, 0, PIPE_QUERY_TYPE_U64, 0,
                                   NULL, 0);
   pipe->render_condition(pipe, query, false, PIPE_RENDER_COND_WAIT);
   assert_int_equal(d->stored, 1);
   assert_int_equal(d->conditions, 1);
   pipe->destroy_query(pipe, query);

   unsigned types[] = { OWN_TYPE + 1, OWN_TYPE + 2 };
   query = pipe->create_batch_query(pipe, 2, types);
   check_own_query(d, query, OWN_TYPE + 2);
   pipe->destroy_query(pipe, query);
}

/* Two of the eleven statistics: such a query is the driver's. */
DRIVER_TEST(what_only_its_shaders_count, "navi21", .set_hooks = set_hooks)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *query =
      pipe->create_query(pipe, PIPE_QUERY_PIPELINE_STATISTICS,
                         PIPE_STAT_QUERY_GS_PRIMITIVES);

   check_own_query(d, query, PIPE_QUERY_PIPELINE_STATISTICS);
   pipe->destroy_query(pipe, query);

   /* Pitot's own queries create none of the driver's. */
   query = pipe->create_query(pipe, PIPE_QUERY_PIPELINE_STATISTICS,
                              PIPE_STAT_QUERY_VS_INVOCATIONS);
   assert_non_null(query);
   assert_int_equal(d->alive, 0);
   pipe->destroy_query(pipe, query);
   query = pipe->create_query(pipe, PIPE_QUERY_PIPELINE_STATISTICS,
                              PITOT_PIPE_STATISTICS_OF_MASK |
                                 1u << PIPE_STAT_QUERY_VS_INVOCATIONS);
   assert_non_null(query);
   assert_int_equal(d->alive, 0);
   pipe->destroy_query(pipe, query);
   query = pipe->create_query(pipe, PIPE_QUERY_OCCLUSION_COUNTER, 0);
   assert_non_null(query);
   assert_int_equal(d->alive, 0);
   pipe->destroy_query(pipe, query);
}

/* From GFX11 on shaders count all kinds of stream-out. */
DRIVER_TEST(streamout_of_shaders, "navi31", .set_hooks = set_hooks)
{
   struct pipe_context *pipe = &d->pipe;
   static const unsigned types[] = {
      PIPE_QUERY_SO_STATISTICS,
      PIPE_QUERY_PRIMITIVES_GENERATED,
      PIPE_QUERY_PRIMITIVES_EMITTED,
      PIPE_QUERY_SO_OVERFLOW_PREDICATE,
      PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE,
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      struct pipe_query *query = pipe->create_query(pipe, types[i], 0);

      check_own_query(d, query, types[i]);
      pipe->destroy_query(pipe, query);
   }
}

DRIVER_TEST(own_draws_are_reported, "skl", .set_hooks = set_hooks)
{
   d->pipe.set_active_query_state(&d->pipe, true);
   assert_true(d->is_active);
   d->pipe.set_active_query_state(&d->pipe, false);
   assert_false(d->is_active);
}

/* The driver is called while the queries are suspended: one may end then. */
DRIVER_TEST(unexecuted_draws_do_not_count, "skl", .set_hooks = set_hooks)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq =
      pipe->create_query(pipe, PIPE_QUERY_OCCLUSION_COUNTER, 0);
   struct pipe_query *first =
      pipe->create_query(pipe, PIPE_QUERY_OCCLUSION_COUNTER, 0);

   assert_true(pipe->begin_query(pipe, pq));
   assert_true(pipe->begin_query(pipe, first));
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 3);
   pipe->set_frontend_noop(pipe, true);
   assert_true(d->f->cs->writes_nothing);
   assert_true(d->pitot.is_noop);
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 1000);
   assert_true(pipe->end_query(pipe, first));
   pipe->set_frontend_noop(pipe, false);
   assert_false(d->f->cs->writes_nothing);
   assert_false(d->pitot.is_noop);
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 40);
   assert_true(pipe->end_query(pipe, pq));
   assert_int_equal(finish_query(d, pq).u64, 43);
   assert_int_equal(finish_query(d, first).u64, 3);
}
