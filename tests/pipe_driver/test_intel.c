/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The sets of counters of INTEL_performance_query that are Pitot's own.
 */

#include <string.h>

#include "../fail_memory.h"
#include "driver.h"

/* Each counter of a set has a qword of its own in the record. */
static void
check_layout(struct pipe_context *pipe, unsigned set, uint32_t expected_B)
{
   const char *name, *description, *last = "";
   uint32_t size_B, count, active, offset_B, value_B, type, data_type;
   uint64_t raw_max, places = 0;

   pipe->get_intel_perf_query_info(pipe, set, &name, &size_B, &count,
                                   &active);
   assert_int_equal(size_B, expected_B);
   assert_int_equal(active, 0);
   assert_int_equal(size_B, 8 * count);
   for (unsigned i = 0; i < count; i++) {
      description = NULL;
      pipe->get_intel_perf_query_counter_info(pipe, set, i, &name,
                                              &description, &offset_B,
                                              &value_B, &type, &data_type,
                                              &raw_max);
      assert_int_equal(value_B, 8);
      assert_non_null(description);
      assert_int_equal(type, PIPE_PERF_COUNTER_TYPE_RAW);
      assert_int_equal(data_type, PIPE_PERF_COUNTER_DATA_TYPE_UINT64);
      assert_int_equal(raw_max, 0);
      places |= UINT64_C(1) << offset_B / 8;
      assert_true(set == 1 || strcmp(last, name) < 0);
      last = name;
   }
   assert_int_equal(places, (UINT64_C(1) << count) - 1);
}

static void
sets_have_their_layout(struct driver *none)
{
   static const struct {
      const char *gpu;
      uint32_t sizes_B[2];
   } cases[] = { { "skl", { 160, 88 } }, { "tgl", { 160, 96 } } };

   (void)none;
   for (unsigned c = 0; c < ARRAY_LENGTH(cases); c++) {
      struct driver *d = open_driver(cases[c].gpu, false, NULL);

      assert_int_equal(d->pipe.init_intel_perf_query_info(&d->pipe), 2);
      for (unsigned set = 0; set < 2; set++)
         check_layout(&d->pipe, set, cases[c].sizes_B[set]);
      close_driver(d);
   }
}

static void
sets_count(struct driver *d)
{
   static const uint64_t expected[20] = { [10] = 13, [17] = 11, [18] = 12 };
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq = pipe->new_intel_perf_query_obj(pipe, 0);
   uint64_t record[20];
   uint32_t written_B = 0;

   assert_true(pipe->begin_intel_perf_query(pipe, pq));
   draw(d->f, PITOT_KIND_FS_INVOCATIONS, 11);
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 12);
   sim_cs_count(d->f->cs, PITOT_KIND_PRIMITIVES_WRITTEN, 3, 13);
   pipe->end_intel_perf_query(pipe, pq);
   d->f->cs->is_held = true;
   assert_false(pipe->is_intel_perf_query_ready(pipe, pq));
   assert_int_equal(d->f->cs->flush_count, 0);
   flush(d->f);
   assert_false(pipe->is_intel_perf_query_ready(pipe, pq));
   pipe->wait_intel_perf_query(pipe, pq);
   assert_true(pipe->is_intel_perf_query_ready(pipe, pq));
   assert_true(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                               (uint32_t *)record,
                                               &written_B));
   assert_int_equal(written_B, sizeof(expected));
   assert_memory_equal(record, expected, sizeof(expected));
   pipe->delete_intel_perf_query(pipe, pq);
}

/* Counts an amount of its own of each kind.  A draw that makes a stream
 * overflow counts what needed room, and nothing else.
 */
static void
count_all(struct driver *d)
{
   sim_cs_count(d->f->cs, PITOT_KIND_SAMPLES_PASSED, 0, 1);
   for (unsigned stream = 0; stream < 4; stream++) {
      sim_cs_count(d->f->cs, PITOT_KIND_PRIMITIVES_WRITTEN, stream,
                   10 + stream);
      sim_cs_count(d->f->cs, PITOT_KIND_STREAM_OVERFLOW, stream, 20 + stream);
   }
   for (unsigned i = 0; i < PITOT_HW_STATISTIC_COUNT; i++)
      draw(d->f, PITOT_KIND_FIRST_STATISTIC + i, 100 + i);
}

/* Returns the value of a counter after count_all(). */
static uint64_t
counted(const char *name)
{
   static const struct {
      const char *name;
      uint64_t value;
   } values[] = {
      { "N z-pass fragments", 1 },
      { "SO_NUM_PRIMS_WRITTEN (Stream 0)", 10 },
      { "SO_NUM_PRIMS_WRITTEN (Stream 1)", 11 },
      { "SO_NUM_PRIMS_WRITTEN (Stream 2)", 12 },
      { "SO_NUM_PRIMS_WRITTEN (Stream 3)", 13 },
      { "SO_PRIM_STORAGE_NEEDED (Stream 0)", 20 },
      { "SO_PRIM_STORAGE_NEEDED (Stream 1)", 21 },
      { "SO_PRIM_STORAGE_NEEDED (Stream 2)", 22 },
      { "SO_PRIM_STORAGE_NEEDED (Stream 3)", 23 },
      { "N vertices submitted", 100 },
      { "N primitives submitted", 101 },
      { "N vertex shader invocations", 102 },
      { "N TCS shader invocations", 103 },
      { "N TES shader invocations", 104 },
      { "N geometry shader invocations", 105 },
      { "N geometry shader primitives emitted", 106 },
      { "N fragment shader invocations", 107 },
      { "N compute shader invocations", 108 },
      { "Reserved1", 108 },
      { "N primitives entering clipping", 109 },
      { "N primitives leaving clipping", 110 },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(values); i++) {
      if (!strcmp(values[i].name, name))
         return values[i].value;
   }
   fail_msg("no counter has the name \"%s\"", name);
   return 0;
}

/* Each counter of both sets counts as it is named. */
static void
counters_count_their_kind(struct driver *d)
{
   struct pipe_context *pipe = &d->pipe;

   for (unsigned set = 0; set < 2; set++) {
      struct pipe_query *pq = pipe->new_intel_perf_query_obj(pipe, set);
      const char *name, *description;
      uint32_t size_B, count, unused, offset_B;
      uint64_t record[20], raw_max;

      assert_true(pipe->begin_intel_perf_query(pipe, pq));
      count_all(d);
      pipe->end_intel_perf_query(pipe, pq);
      assert_true(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                                  (uint32_t *)record,
                                                  &size_B));
      pipe->get_intel_perf_query_info(pipe, set, &name, &size_B, &count,
                                      &unused);
      for (unsigned i = 0; i < count; i++) {
         pipe->get_intel_perf_query_counter_info(pipe, set, i, &name,
                                                 &description, &offset_B,
                                                 &unused, &unused, &unused,
                                                 &raw_max);
         print_message("# %s\n", name);
         assert_int_equal(record[offset_B / 8], counted(name));
      }
      pipe->delete_intel_perf_query(pipe, pq);
   }
}

/* A record is there when it is asked for, or there is none: before the first
 * begin, while the query is active, in too little memory, or if the begin
 * failed.
 */
static void
records_are_whole_or_none(struct driver *d)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq = pipe->new_intel_perf_query_obj(pipe, 0);
   uint64_t record[20] = { [18] = 7 };
   uint32_t written_B = 5;

   assert_false(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                                (uint32_t *)record,
                                                &written_B));
   assert_int_equal(written_B, 0);

   d->f->cs->is_held = true;
   assert_true(pipe->begin_intel_perf_query(pipe, pq));
   draw(d->f, PITOT_KIND_SAMPLES_PASSED, 12);
   written_B = 5;
   assert_false(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                                (uint32_t *)record,
                                                &written_B));
   assert_int_equal(written_B, 0);
   pipe->end_intel_perf_query(pipe, pq);
   written_B = 5;
   assert_false(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record) - 1,
                                                (uint32_t *)record,
                                                &written_B));
   assert_int_equal(written_B, 0);
   assert_int_equal(record[18], 7);
   assert_true(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                               (uint32_t *)record,
                                               &written_B));
   assert_int_equal(written_B, sizeof(record));
   assert_int_equal(record[18], 12);

   d->f->cs->is_lost = true;
   assert_false(pipe->begin_intel_perf_query(pipe, pq));
   assert_false(pipe->get_intel_perf_query_data(pipe, pq, sizeof(record),
                                                (uint32_t *)record,
                                                &written_B));
   assert_int_equal(written_B, 0);
   pipe->delete_intel_perf_query(pipe, pq);
}

/* Each allocation of a query fails in turn: there is none then. */
static void
queries_need_memory(struct driver *d)
{
   struct pipe_context *pipe = &d->pipe;
   struct pipe_query *pq = NULL;
   unsigned n = 0;

   while (!pq) {
      fail_memory = ++n;
      pq = pipe->new_intel_perf_query_obj(pipe, 1);
   }
   fail_memory = 0;
   assert_int_equal(n, 3);
   pipe->delete_intel_perf_query(pipe, pq);
}

int
main(void)
{
   static const struct driver_test tests[] = {
      TEST(sets_have_their_layout, .gpu = NULL),
      TEST(sets_count, .gpu = "bdw"),
      TEST(counters_count_their_kind, .gpu = "tgl"),
      TEST(records_are_whole_or_none, .gpu = "tgl"),
      TEST(queries_need_memory, .gpu = "skl"),
   };

   return RUN_SCHEDULED_ROWS("sets of Intel's", tests, run_driver_test);
}
