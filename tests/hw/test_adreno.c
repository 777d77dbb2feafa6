/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adreno: the commands of each kind of query.
 */

#include <stdlib.h>
#include <string.h>

#include "adreno/adreno.h"
#include "test.h"

static const struct pitot_adreno_gpu a630 = {
   .base = { .family = &pitot_hw_adreno,
             .generation = 6,
             .timestamp_bits = PITOT_ADRENO_TIMESTAMP_BITS,
             .timestamp_hz = PITOT_ADRENO_TIMESTAMP_HZ },
};

/*
 * A command stream that lists commands
 */

struct list {
   struct pitot_cs base;
   struct pitot_cs_command commands[64];
   unsigned count, counting, counting_calls;
   uint64_t batch;
   bool is_done;
};

static int
buffer_create(struct pitot_cs *cs, unsigned size_B,
              struct pitot_cs_buffer **buffer_out)
{
   struct pitot_cs_buffer *buffer = calloc(1, sizeof(*buffer));

   (void)cs;
   assert_non_null(buffer);
   *buffer = (struct pitot_cs_buffer){
      .memory = calloc(1, size_B),
      .size_B = size_B,
   };
   assert_non_null(buffer->memory);
   *buffer_out = buffer;
   return 0;
}

static void
buffer_destroy(struct pitot_cs *cs, struct pitot_cs_buffer *buffer)
{
   (void)cs;
   free(buffer->memory);
   free(buffer);
}

static struct pitot_cs_position
position(struct pitot_cs *cs, enum pitot_ring ring)
{
   const struct list *list = (struct list *)cs;

   (void)ring;
   return (struct pitot_cs_position){ list->batch, list->count };
}

static void
use_buffer(struct pitot_cs *cs, enum pitot_ring ring,
           struct pitot_cs_buffer *buffer)
{
   (void)cs, (void)ring, (void)buffer;
}

static void
barrier(struct pitot_cs *cs, enum pitot_ring ring, unsigned kind)
{
   (void)cs, (void)ring;
   assert_in_range(kind, PITOT_BARRIER_STALL, PITOT_ADRENO_BARRIER_BATCHES);
}

static void
emit(struct pitot_cs *cs, enum pitot_ring ring,
     const struct pitot_cs_command *commands, unsigned count)
{
   struct list *list = (struct list *)cs;

   (void)ring;
   memcpy(&list->commands[list->count], commands,
          count * sizeof(commands[0]));
   list->count += count;
}

static void
set_counting(struct pitot_cs *cs, unsigned mask)
{
   struct list *list = (struct list *)cs;

   list->counting = mask;
   list->counting_calls++;
}

static enum pitot_batch_state
batch_state(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   (void)ring, (void)batch;
   return ((struct list *)cs)->is_done ? PITOT_BATCH_DONE
                                       : PITOT_BATCH_SUBMITTED;
}

static int
timestamp(struct pitot_cs *cs, uint64_t *ticks_out)
{
   (void)cs;
   *ticks_out = 1000;
   return 0;
}

static const struct pitot_cs_ops ops = {
   .buffer_create = buffer_create,
   .buffer_destroy = buffer_destroy,
   .position = position,
   .use_buffer = use_buffer,
   .barrier = barrier,
   .emit = emit,
   .set_counting = set_counting,
   .batch_state = batch_state,
   .timestamp = timestamp,
};

static struct list
make_list(void)
{
   return (struct list){
      .base = { .ops = &ops, .gpu = &a630.base, .ring_count = 1 },
      .batch = 1,
   };
}

static uint64_t *
memory_of(const struct pitot_cs_command *command)
{
   return (uint64_t *)(command->buffer->memory + command->offset_B);
}

/* The hardware wants stream-out at a multiple of 32, and sample counts at one
 * of 16; what is added up has its sum and its end behind its begin.
 */
static void
records_are_aligned(void **state)
{
   struct list list = make_list();
   struct pitot_hw *hw;

   (void)state;
   assert_int_equal(pitot_hw_create(&list.base, &hw), 0);
   for (unsigned kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      struct pitot_hw_query *query;

      list.count = 0;
      list.batch++;
      assert_int_equal(pitot_hw_query_create(hw, kind, 0, &query), 0);
      assert_int_equal(pitot_hw_query_begin(hw, query), 0);
      assert_int_equal(pitot_hw_query_end(hw, query), 0);
      assert_int_equal(list.commands[list.count - 1].kind,
                       PITOT_COMMAND_FENCE);
      for (unsigned i = 0; i < list.count; i++) {
         const struct pitot_cs_command *command = &list.commands[i];

         if (command->kind == PITOT_COMMAND_OCCLUSION)
            assert_int_equal(command->offset_B % 16, 0);
         if (command->kind == PITOT_COMMAND_COUNTER &&
             command->argument == PITOT_ADRENO_ONCE)
            assert_int_equal(command->offset_B % 32, 0);
         if (command->kind == PITOT_COMMAND_ACCUMULATE) {
            assert_int_equal(list.commands[i - 1].offset_B,
                             command->offset_B + 16);
            assert_true(list.commands[i - 1].is_end);
            assert_int_equal(list.commands[0].offset_B, command->offset_B);
         }
      }
      pitot_hw_query_free(hw, query);
   }
   pitot_hw_destroy(hw);
}

/* The GPU's part in a measurement. */
struct work {
   uint64_t sum;   /* of the tiles, in each batch */
   unsigned qword; /* of stream-out: it advances by 100, and no other one */
};

static void
execute(const struct pitot_cs_command *command, unsigned number,
        const struct work *work)
{
   uint64_t *memory = memory_of(command);

   if (command->kind == PITOT_COMMAND_ACCUMULATE) {
      memory[1] += work->sum;
   } else if (command->kind == PITOT_COMMAND_FENCE ||
              command->kind == PITOT_COMMAND_VALUE) {
      *memory = command->value;
   } else if (command->argument == PITOT_ADRENO_ONCE) {
      for (unsigned k = 0; k < 8; k++)
         memory[k] = 7 + (command->is_end && k == work->qword) * 100;
   } else {
      *memory = 12345 + number; /* of the last tile */
   }
}

/* Returns the result of a query, once the GPU has done its part. */
static uint64_t
measure_work(enum pitot_kind kind, unsigned stream, bool has_batches,
             const struct work *work)
{
   struct list list = make_list();
   struct pitot_hw *hw;
   struct pitot_hw_query *query;
   uint64_t value = 0;

   assert_int_equal(pitot_hw_create(&list.base, &hw), 0);
   assert_int_equal(pitot_hw_query_create(hw, kind, stream, &query), 0);
   assert_int_equal(pitot_hw_query_begin(hw, query), 0);
   if (has_batches) {
      pitot_cs_batch_end(&list.base, PITOT_RING_RENDER);
      list.batch++;
      pitot_cs_batch_begin(&list.base, PITOT_RING_RENDER);
   }
   assert_int_equal(pitot_hw_query_end(hw, query), 0);
   assert_int_equal(pitot_hw_query_result(hw, query, false, &value), 0);

   for (unsigned i = 0; i < list.count; i++)
      execute(&list.commands[i], i, work);
   list.is_done = true;
   assert_int_equal(pitot_hw_query_result(hw, query, false, &value), 1);
   pitot_hw_query_free(hw, query);
   pitot_hw_destroy(hw);
   return value;
}

/* Of a kind whose sum the GPU finds to be this. */
static uint64_t
measure(enum pitot_kind kind, uint64_t sum, bool has_batches)
{
   return measure_work(kind, 0, has_batches, &(struct work){ .sum = sum });
}

/* Of a kind on a stream. */
static uint64_t
measure_stream(enum pitot_kind kind, unsigned stream, unsigned qword)
{
   return measure_work(kind, stream, false, &(struct work){ .qword = qword });
}

static void
sums_are_results(void **state)
{
   (void)state;
   assert_int_equal(measure(PITOT_KIND_SAMPLES_PASSED, 100, false), 100);
   assert_int_equal(measure(PITOT_KIND_SAMPLES_PASSED, 100, true), 200);
   assert_int_equal(measure(PITOT_KIND_ANY_SAMPLES_PASSED, 0, true), 0);
   assert_int_equal(measure(PITOT_KIND_FS_INVOCATIONS, 7, true), 14);
   assert_int_equal(measure(PITOT_KIND_TIME_ELAPSED, 192, false), 10000);
   assert_int_equal(measure(PITOT_KIND_TIME_ELAPSED, 192, true), 20000);

   /* The clock wraps, or goes back. */
   const uint64_t wrap = UINT64_C(1) << PITOT_ADRENO_TIMESTAMP_BITS;
   assert_int_equal(measure(PITOT_KIND_TIME_ELAPSED, 192 - wrap, false),
                    10000);
   assert_int_equal(measure(PITOT_KIND_TIME_ELAPSED, wrap - 192, false), 0);
}

/* The GPU's statistics, by the registers RBBM_PRIMCTR_0 and on; those of the
 * stages before the rasterizer are sampled once.
 */
static void
statistics_are_the_registers(void **state)
{
   static const struct {
      enum pitot_kind kind;
      uint32_t argument;
   } cases[] = {
      { PITOT_KIND_VERTICES_SUBMITTED, 0x540 | PITOT_ADRENO_ONCE },
      { PITOT_KIND_PRIMITIVES_SUBMITTED, 0x542 | PITOT_ADRENO_ONCE },
      { PITOT_KIND_VS_INVOCATIONS, 0x544 | PITOT_ADRENO_ONCE },
      { PITOT_KIND_TCS_PATCHES, 0x546 | PITOT_ADRENO_ONCE },
      { PITOT_KIND_TES_INVOCATIONS, 0x548 | PITOT_ADRENO_ONCE },
      { PITOT_KIND_GS_INVOCATIONS, 0x54a | PITOT_ADRENO_ONCE },
      { PITOT_KIND_GS_PRIMITIVES, 0x54c | PITOT_ADRENO_ONCE },
      { PITOT_KIND_CLIPPING_INPUT, 0x54e | PITOT_ADRENO_ONCE },
      { PITOT_KIND_CLIPPING_OUTPUT, 0x550 | PITOT_ADRENO_ONCE },
      { PITOT_KIND_PRIMITIVES_GENERATED, 0x54e | PITOT_ADRENO_ONCE },
      { PITOT_KIND_FS_INVOCATIONS, 0x552 },
      { PITOT_KIND_CS_INVOCATIONS, 0x554 },
   };

   (void)state;
   for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct list list = make_list();
      struct pitot_hw *hw;
      struct pitot_hw_query *query;

      assert_int_equal(pitot_hw_create(&list.base, &hw), 0);
      assert_int_equal(pitot_hw_query_create(hw, cases[i].kind, 0, &query),
                       0);
      assert_int_equal(pitot_hw_query_begin(hw, query), 0);
      assert_in_range(list.count, 1, 2); /* and a sum is zeroed */
      assert_int_equal(list.commands[0].kind, PITOT_COMMAND_COUNTER);
      assert_int_equal(list.commands[0].argument, cases[i].argument);
      assert_int_equal(pitot_hw_query_end(hw, query), 0);
      pitot_hw_query_free(hw, query);
      pitot_hw_destroy(hw);
   }
}

/* The counters that a driver has to turn on for each kind. */
static void
kinds_say_what_to_count(void **state)
{
   static const struct {
      enum pitot_kind kind;
      unsigned counting;
   } cases[] = {
      { PITOT_KIND_SAMPLES_PASSED, PITOT_COUNTING_SAMPLES },
      { PITOT_KIND_ANY_SAMPLES_PASSED, PITOT_COUNTING_BOOLEAN },
      { PITOT_KIND_PRIMITIVES_GENERATED,
        PITOT_COUNTING_GENERATED | PITOT_COUNTING_STREAMOUT },
      { PITOT_KIND_PRIMITIVES_WRITTEN, PITOT_COUNTING_STREAMOUT },
      { PITOT_KIND_STREAM_OVERFLOW, PITOT_COUNTING_STREAMOUT },
      { PITOT_KIND_FS_INVOCATIONS, PITOT_COUNTING_STATISTICS },
      { PITOT_KIND_TIME_ELAPSED, 0 },
   };

   (void)state;
   for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct list list = make_list();
      struct pitot_hw *hw;
      struct pitot_hw_query *query;

      assert_int_equal(pitot_hw_create(&list.base, &hw), 0);
      assert_int_equal(pitot_hw_query_create(hw, cases[i].kind, 0, &query),
                       0);
      assert_int_equal(pitot_hw_query_begin(hw, query), 0);
      assert_int_equal(list.counting, cases[i].counting);
      assert_int_equal(pitot_hw_query_end(hw, query), 0);
      assert_int_equal(list.counting, 0);
      pitot_hw_query_free(hw, query);
      pitot_hw_destroy(hw);
   }
}

/* Each of the four streams has two qwords: the primitives that were written,
 * and those that needed room.
 */
static void
streams_have_their_counters(void **state)
{
   (void)state;
   for (unsigned stream = 0; stream < 4; stream++) {
      for (unsigned qword = 0; qword < 8; qword++) {
         const bool is_mine = qword / 2 == stream;

         assert_int_equal(measure_stream(PITOT_KIND_PRIMITIVES_WRITTEN,
                                         stream, qword),
                          qword == 2 * stream ? 100 : 0);
         assert_int_equal(measure_stream(PITOT_KIND_STREAM_OVERFLOW, stream,
                                         qword),
                          is_mine);
         assert_int_equal(measure_stream(PITOT_KIND_ANY_STREAM_OVERFLOW, 0,
                                         qword),
                          1);
         if (stream != 0)
            assert_int_equal(measure_stream(PITOT_KIND_PRIMITIVES_GENERATED,
                                            stream, qword),
                             qword == 2 * stream + 1 ? 100 : 0);
      }
   }
}

/* A query that begins before a batch, on a command stream whose batches begin
 * late, is not sampled before it; one that ends before any counts nothing.
 */
static void
batches_begin_late(void **state)
{
   struct list list = make_list();
   struct pitot_hw *hw;
   struct pitot_hw_query *query;
   uint64_t value = 1;

   (void)state;
   list.base.begins_late = true;
   assert_int_equal(pitot_hw_create(&list.base, &hw), 0);
   pitot_cs_batch_end(&list.base, PITOT_RING_RENDER);
   assert_int_equal(pitot_hw_query_create(hw, PITOT_KIND_SAMPLES_PASSED, 0,
                                          &query),
                    0);

   assert_false(pitot_hw_has_active(hw));
   assert_int_equal(pitot_hw_query_begin(hw, query), 0);
   assert_true(pitot_hw_has_active(hw));
   assert_int_equal(pitot_hw_query_end(hw, query), 0);
   assert_int_equal(list.count, 0);
   assert_int_equal(pitot_hw_query_result(hw, query, false, &value), 1);
   assert_int_equal(value, 0);

   assert_int_equal(pitot_hw_query_begin(hw, query), 0);
   pitot_cs_batch_begin(&list.base, PITOT_RING_RENDER);
   assert_int_equal(list.count, 2);
   assert_int_equal(pitot_hw_query_end(hw, query), 0);
   assert_int_equal(list.count, 5);
   pitot_hw_query_free(hw, query);
   pitot_hw_destroy(hw);
}

/* The driver is told of a query between batches though it counts nothing: it
 * has to begin a batch before the next draw.
 */
static void
a_time_between_batches_is_told(void **state)
{
   struct list list = make_list();
   struct pitot_hw *hw;
   struct pitot_hw_query *query;

   (void)state;
   list.base.begins_late = true;
   assert_int_equal(pitot_hw_create(&list.base, &hw), 0);
   assert_int_equal(pitot_hw_query_create(hw, PITOT_KIND_TIME_ELAPSED, 0,
                                          &query),
                    0);
   assert_int_equal(pitot_hw_query_begin(hw, query), 0);
   assert_int_equal(pitot_hw_query_end(hw, query), 0);
   assert_int_equal(list.counting_calls, 0);

   pitot_cs_batch_end(&list.base, PITOT_RING_RENDER);
   assert_int_equal(pitot_hw_query_begin(hw, query), 0);
   assert_int_equal(list.counting_calls, 1);
   pitot_hw_query_free(hw, query);
   pitot_hw_destroy(hw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_are_aligned),
      cmocka_unit_test(sums_are_results),
      cmocka_unit_test(statistics_are_the_registers),
      cmocka_unit_test(kinds_say_what_to_count),
      cmocka_unit_test(streams_have_their_counters),
      cmocka_unit_test(batches_begin_late),
      cmocka_unit_test(a_time_between_batches_is_told),
   };

   return cmocka_run_group_tests_name("hw adreno", tests, NULL, NULL);
}
