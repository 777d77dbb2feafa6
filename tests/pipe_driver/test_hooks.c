/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "../fail_memory.h"
#include "../targets.h"
#include "driver.h"
#include "pitot_pipe_kind.h"

#define STATISTIC_COUNT EACH_STATISTIC_COUNT
#define STATISTIC(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, ...)      \
   { PIPE_STAT_QUERY_##GALLIUM, PITOT_KIND_##KIND },

/* Draws for one statistic: the struct of eleven has its count. */
static void
check_statistic(struct driver *d, unsigned index, enum pitot_kind kind)
{
   struct pipe_query *single =
      measure(d, PIPE_QUERY_PIPELINE_STATISTICS_SINGLE, index, kind, 5);
   struct pipe_query *all =
      measure(d, PIPE_QUERY_PIPELINE_STATISTICS, index, kind, 6);
   const union pipe_query_result result = finish_query(d, all);

   assert_int_equal(finish_query(d, single).u64, 5);
   for (unsigned i = 0; i < 13; i++)
      assert_int_equal(result.pipeline_statistics.counters[i],
                       i == index ? 6 : 0);
}

DRIVER_TEST(types_have_their_results, "polaris10")
{
   static const struct {
      unsigned type;
      enum pitot_kind kind;
      uint64_t amount, result;
   } types[] = {
      { PIPE_QUERY_OCCLUSION_COUNTER, PITOT_KIND_SAMPLES_PASSED, 9, 9 },
      { PIPE_QUERY_TIME_ELAPSED, PITOT_KIND_TIME_ELAPSED, 25, 1000 },
      { PIPE_QUERY_SO_STATISTICS, PITOT_KIND_PRIMITIVES_WRITTEN, 3, 3 },
   };
   static const struct {
      unsigned index;
      enum pitot_kind kind;
   } statistics[] = { EACH_STATISTIC(STATISTIC) };
   struct pipe_query *pq;

   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      pq = measure(d, types[i].type, 0, types[i].kind, types[i].amount);
      assert_int_equal(finish_query(d, pq).u64, types[i].result);
   }
   pq = measure(d, PIPE_QUERY_OCCLUSION_PREDICATE, 0,
                PITOT_KIND_SAMPLES_PASSED, 9);
   assert_true(finish_query(d, pq).b);
   pq = measure(d, PIPE_QUERY_SO_STATISTICS, 0, PITOT_KIND_PRIMITIVES_WRITTEN,
                3);
   assert_int_equal(
      finish_query(d, pq).so_statistics.primitives_storage_needed, 0);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++)
      check_statistic(d, statistics[i].index, statistics[i].kind);

   /* The GPU counts all of them, whichever index is given. */
   pq = measure(d, PIPE_QUERY_PIPELINE_STATISTICS, PITOT_STATISTIC_COUNT,
                PITOT_KIND_VS_INVOCATIONS, 5);
   (void)finish_query(d, pq);
   assert_null(d->pipe.create_query(&d->pipe, PIPE_QUERY_DRIVER_SPECIFIC, 0));
}

/* Statistics that are not in the mask are not counted. */
DRIVER_TEST(masked_statistics_are_counted, "polaris10")
{
   for (unsigned is_named = 0; is_named < 2; is_named++) {
      const unsigned statistic = is_named ? PIPE_STAT_QUERY_VS_INVOCATIONS
                                          : PIPE_STAT_QUERY_C_PRIMITIVES;
      struct pipe_query *pq =
         measure(d, PIPE_QUERY_PIPELINE_STATISTICS,
                 PITOT_PIPE_STATISTICS_OF_MASK | 1u << statistic |
                    1u << PIPE_STAT_QUERY_IA_VERTICES,
                 PITOT_KIND_VS_INVOCATIONS, 5);

      assert_int_equal(finish_query(d, pq).pipeline_statistics.vs_invocations,
                       is_named ? 5 : 0);
   }
}

/* Both counts are of the query's stream. */
DRIVER_TEST(streams_are_told_apart, "tgl")
{
   struct pipe_context *pipe = &d->pipe;

   for (unsigned stream = 0; stream < 4; stream++) {
      struct pipe_query *pq =
         pipe->create_query(pipe, PIPE_QUERY_SO_STATISTICS, stream);

      assert_true(pipe->begin_query(pipe, pq));
      for (unsigned s = 0; s < 4; s++) {
         sim_cs_count(d->f->cs, PITOT_KIND_PRIMITIVES_WRITTEN, s, 10 + s);
         sim_cs_count(d->f->cs, PITOT_KIND_STREAM_OVERFLOW, s, 20 + s);
      }
      assert_true(pipe->end_query(pipe, pq));

      const union pipe_query_result result = finish_query(d, pq);
      assert_int_equal(result.so_statistics.num_primitives_written,
                       10 + stream);
      assert_int_equal(result.so_statistics.primitives_storage_needed,
                       20 + stream);
   }
}

/* If an allocation fails, no query is created. */
DRIVER_TEST(queries_need_memory, "skl")
{
   static const unsigned types[] = {
      PIPE_QUERY_OCCLUSION_COUNTER,
      PIPE_QUERY_SO_STATISTICS,
      PIPE_QUERY_PIPELINE_STATISTICS,
   };
   struct pipe_context *pipe = &d->pipe;

   for (unsigned i = 0; i < ARRAY_LENGTH(types); i++) {
      struct pipe_query *pq = NULL;
      unsigned n;

      for (n = 0; !pq; n++) {
         fail_memory = n + 1;
         pq = pipe->create_query(pipe, types[i], 0);
      }
      fail_memory = 0;
      assert_in_range(n, 3, 5);
      pipe->destroy_query(pipe, pq);
   }
}

/* Hooks that only call the driver's are NULL if the driver's are. */
DRIVER_TEST(hooks_stay_away, "skl")
{
   assert_null(d->pipe.create_batch_query);
   assert_null(d->pipe.set_frontend_noop);
   assert_null(d->pipe.render_condition);
}

/* Those that the render ring counts without shaders share a query. */
DRIVER_TEST_ALONE(statistics_are_in_one_query)
{
   const unsigned gs_invocations = 1u << PIPE_STAT_QUERY_GS_INVOCATIONS;
   const unsigned gs_primitives = 1u << PIPE_STAT_QUERY_GS_PRIMITIVES;
   const unsigned cs_invocations = 1u << PIPE_STAT_QUERY_CS_INVOCATIONS;
   const unsigned all = (1u << STATISTIC_COUNT) - 1;
   const struct {
      const char *gpu;
      unsigned statistics;
   } cases[] = {
      { "skl", all & ~cs_invocations },
      { "dg2", all & ~cs_invocations },
      { "pitcairn", all },
      { "vega10", all },
      { "navi10", all & ~gs_invocations & ~gs_primitives },
      { "navi21", all & ~gs_invocations & ~gs_primitives },
      { "navi31", all & ~gs_primitives },
      { "navi48", all & ~gs_primitives },
   };

   for (unsigned c = 0; c < ARRAY_LENGTH(cases); c++) {
      struct driver *d = open_driver(cases[c].gpu, false, NULL);
      const struct pitot_pipe_info info = pitot_pipe_driver_info(&d->pitot);

      assert_int_equal(info.struct_statistics, cases[c].statistics);
      assert_ptr_equal(info.clock, &d->f->cs->clock);
      close_driver(d);
   }
}

/* Covers all work, also work that no query samples, such as the blitter's. */
DRIVER_TEST(gpu_finishes, "tgl")
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq =
      pipe->create_query(pipe, PIPE_QUERY_GPU_FINISHED, 0);
   union pipe_query_result result = { .b = false };

   for (unsigned i = 0; i < 2; i++) {
      d->is_finished = false;
      assert_true(pipe->end_query(pipe, pq));
      run(d->f);
      assert_false(pipe->get_query_result(pipe, pq, false, &result));
      d->is_finished = i == 0;
      assert_true(pipe->get_query_result(pipe, pq, i == 1, &result));
      assert_true(result.b);
   }
   assert_ptr_equal(d->fence_context, pipe);

   /* A flushed query can be read by any thread. */
   threaded_query(pq)->flushed = true;
   assert_true(pipe->get_query_result(pipe, pq, false, &result));
   assert_null(d->fence_context);

   /* While nothing is executed, no fence would signal. */
   d->pitot.is_noop = true;
   d->is_finished = false;
   assert_true(pipe->end_query(pipe, pq));
   assert_true(pipe->get_query_result(pipe, pq, false, &result));
   pipe->destroy_query(pipe, pq);
}

DRIVER_TEST(time_is_reported, "skl")
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *stamp =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP, 0);
   struct pipe_query *disjoint =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP_DISJOINT, 0);

   pass(d->f, 12000000);
   assert_true(pipe->end_query(pipe, stamp));
   assert_int_equal(finish_query(d, stamp).u64, NS_PER_S);
   assert_int_equal(pipe->get_timestamp(pipe), NS_PER_S);

   for (unsigned i = 0; i < 5; i++) {
      assert_true(pipe->begin_query(pipe, disjoint));
      d->f->cs->was_reset = i % 2;
      assert_true(pipe->end_query(pipe, disjoint));
      const union pipe_query_result result = wait_query(d, disjoint);
      assert_int_equal(result.timestamp_disjoint.frequency, NS_PER_S);
      assert_int_equal(result.timestamp_disjoint.disjoint, i % 2);
   }
   pipe->destroy_query(pipe, disjoint);
}

static bool
read_polled(struct driver *d, struct pipe_query *pq)
{
   union pipe_query_result result;

   assert_true(d->pipe.get_query_result(&d->pipe, pq, false, &result));
   assert_int_equal(result.timestamp_disjoint.frequency, NS_PER_S);
   return result.timestamp_disjoint.disjoint;
}

/* Each reader gets each event once, and not before a result shows it. */
DRIVER_TEST(disjoint_is_polled, "skl")
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *polled[2];
   struct pipe_query *stamp =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP, 0);

   for (unsigned i = 0; i < 2; i++)
      polled[i] = pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP_DISJOINT, 0);
   for (unsigned i = 0; i < 5; i++) {
      assert_true(pipe->end_query(pipe, stamp));
      d->f->cs->was_reset = i % 2;
      assert_false(read_polled(d, polled[0]));
      (void)wait_query(d, stamp);
      for (unsigned k = 0; k < 2; k++) {
         assert_int_equal(read_polled(d, polled[k]), i % 2);
         assert_false(read_polled(d, polled[k]));
      }
   }
   for (unsigned i = 0; i < 2; i++)
      pipe->destroy_query(pipe, polled[i]);
   pipe->destroy_query(pipe, stamp);
}

/* index -1: availability.  Returns the bytes at the offset, 0 if not stored.
 */
static uint64_t
store_in_resource(struct driver *d, struct pipe_query *pq,
                  enum pipe_query_flags flags,
                  enum pipe_query_value_type type, int index, unsigned offset)
{
   uint64_t value;

   memset(d->resource, 0, sizeof(d->resource));
   d->written_B = 0;
   d->pipe.get_query_result_resource(&d->pipe, pq, flags, type, index, NULL,
                                     offset);
   memcpy(&value, d->resource + offset, sizeof(value));
   return value;
}

/* Results are clamped, and stored only if available or waited for. */
DRIVER_TEST(results_are_stored, "skl")
{
   const uint64_t amount = (uint64_t)UINT32_MAX + 5;

   d->f->cs->is_held = true;
   struct pipe_query *pq = measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0,
                                   PITOT_KIND_SAMPLES_PASSED, amount);
   store_in_resource(d, pq, 0, PIPE_QUERY_TYPE_U64, 0, 8);
   assert_int_equal(d->written_B, 0);
   assert_int_equal(store_in_resource(d, pq, 0, PIPE_QUERY_TYPE_U32, -1, 4),
                    0);
   assert_int_equal(d->written_B, 4);
   assert_int_equal(d->f->cs->wait_count, 0);

   assert_int_equal(store_in_resource(d, pq, PIPE_QUERY_WAIT,
                                      PIPE_QUERY_TYPE_I32, 0, 4),
                    INT32_MAX);
   assert_int_equal(store_in_resource(d, pq, 0, PIPE_QUERY_TYPE_U64, 0, 8),
                    amount);
   assert_int_equal(store_in_resource(d, pq, 0, PIPE_QUERY_TYPE_U64, -1, 8),
                    1);
   d->pipe.destroy_query(&d->pipe, pq);
}

static void
expect_loss_once(struct driver *d, struct pipe_query *pq)
{
   union pipe_query_result result = { .u64 = 7 };

   assert_false(d->pipe.get_query_result(&d->pipe, pq, true, &result));
   assert_true(result.b);
   assert_int_equal(wait_query(d, pq).u64, 0);
}

/* A lost result fails once, then reads 0; a late result is not lost. */
DRIVER_TEST(lost_result_fails_once, "vega10")
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *stamp =
      pipe->create_query(pipe, PIPE_QUERY_TIMESTAMP, 0);

   d->f->cs->is_held = true;
   struct pipe_query *pq = measure(d, PIPE_QUERY_OCCLUSION_COUNTER, 0,
                                   PITOT_KIND_SAMPLES_PASSED, 5);
   flush(d->f);
   union pipe_query_result result = { .b = true };
   assert_false(pipe->get_query_result(pipe, pq, false, &result));
   assert_false(result.b);
   d->f->cs->is_lost = true;
   expect_loss_once(d, pq);
   assert_false(pipe->begin_query(pipe, pq));
   expect_loss_once(d, pq);
   for (unsigned i = 0; i < 2; i++) {
      assert_false(pipe->end_query(pipe, stamp));
      expect_loss_once(d, stamp);
   }
   assert_null(pipe->create_query(pipe, PIPE_QUERY_TYPES, 0));
   pipe->destroy_query(pipe, stamp);
   pipe->destroy_query(pipe, pq);
}

/* Its part of a query is first; flushed queries are read without context. */
DRIVER_TEST(queries_are_threaded, "tgl")
{
   struct pipe_query *pq =
      measure(d, PIPE_QUERY_TIME_ELAPSED, 0, PITOT_KIND_TIME_ELAPSED, 19200);
   struct threaded_query *threaded = threaded_query(pq);
   union pipe_query_result result;

   assert_false(threaded->flushed);
   assert_null(threaded->head_unflushed.next);
   flush(d->f);
   threaded->flushed = true;
   assert_true(d->pipe.get_query_result(&d->pipe, pq, false, &result));
   assert_int_equal(result.u64, 1000000);
   assert_int_equal(d->f->cs->flush_count, 0);
   d->pipe.destroy_query(&d->pipe, pq);
}
