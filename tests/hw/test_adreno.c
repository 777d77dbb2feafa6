/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Adreno executes a batch once for each tile: the commands of each kind of
 * query, and the sums that they make.
 */

#include "cs_priv.h"
#include "fixture.h"
#include "pitot/adreno.h"
#include "pitot_hw_family.h"

#define RENDER PITOT_RING_RENDER

static unsigned
command_count(const struct fixture *f)
{
   return f->cs->tiles->command_count;
}

static const struct sim_cs_tile_command *
command_at(const struct fixture *f, unsigned number)
{
   return &f->cs->tiles->commands[number];
}

/* The hardware needs stream-out at a multiple of 32 bytes, and sample counts
 * at a multiple of 16.  Kinds that are summed have the sum and the end after
 * the begin.
 */
HW_TEST(records_are_aligned, "a630")
{
   for (unsigned kind = 0; kind < PITOT_KIND_TS_INVOCATIONS; kind++) {
      const unsigned first = command_count(f);
      struct pitot_hw_query *query = begin_new(f, kind);

      end(f, query);
      for (unsigned i = first; i < command_count(f); i++) {
         const struct pitot_cs_command *command = &command_at(f, i)->command;
         const uint64_t address = command_at(f, i)->address;

         if (command->kind == PITOT_COMMAND_OCCLUSION)
            assert_int_equal(address % 16, 0);
         if (command->kind == PITOT_COMMAND_COUNTER &&
             command->argument == PITOT_ADRENO_ONCE)
            assert_int_equal(address % 32, 0);
         if (command->kind == PITOT_COMMAND_ACCUMULATE) {
            assert_int_equal(command_at(f, i - 1)->address, address + 16);
            assert_true(command_at(f, i - 1)->command.is_end);
            assert_int_equal(command_at(f, first)->address, address);
         }
      }
      assert_int_equal(command_at(f, command_count(f) - 1)->command.kind,
                       PITOT_COMMAND_FENCE);
      flush(f);
   }
}

/* A query counts its own draws once, however many tiles execute a batch. */
HW_TEST(tiles_are_added_up, "a630")
{
   const enum pitot_kind kind = PITOT_KIND_SAMPLES_PASSED;

   for (unsigned flushes = 0; flushes < 9; flushes++) {
      struct pitot_hw_query *outer = begin_new(f, kind);

      draw(f, kind, 10);
      struct pitot_hw_query *inner = begin_new(f, kind);
      for (unsigned i = 0; i < flushes; i++) {
         draw(f, kind, 4);
         flush(f);
      }
      draw(f, kind, 7);
      end(f, inner);
      draw(f, kind, 100);
      assert_int_equal(end_and_wait(f, outer), 117 + 4 * flushes);
      assert_int_equal(wait_for(f, inner), 7 + 4 * flushes);
   }
}

/* A result is ready when the last tile is done, and not before. */
HW_TEST(results_are_those_of_all_tiles, "a630")
{
   uint64_t value;

   f->cs->is_held = true;
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_SAMPLES_PASSED);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 11);
   end(f, query);
   assert_int_equal(poll(f, query, &value), 0);
   assert_int_equal(f->cs->flush_count, 1);
   sim_cs_complete(f->cs);
   assert_int_equal(poll(f, query, &value), 1);
   assert_int_equal(value, 11);
}

/* The times of tiles add up, and the time between batches does not count.  A
 * wrap does no harm; a step back sets the disjoint flag.
 */
HW_TEST(times_are_added_up, "a630")
{
   struct pitot_hw_query *query = begin_new(f, PITOT_KIND_TIME_ELAPSED);

   pass(f, 192);
   flush(f);
   pass(f, 96);
   assert_int_equal(end_and_wait(f, query), 15000);

   sim_cs_set_ticks(f->cs, (UINT64_C(1) << PITOT_ADRENO_TIMESTAMP_BITS) - 9);
   begin(f, query);
   pass(f, 192);
   assert_int_equal(end_and_wait(f, query), 10000);
   (void)pitot_hw_take_disjoint(f->hw);

   begin(f, query);
   sim_cs_set_ticks(f->cs, f->cs->ticks - 1000);
   assert_int_equal(end_and_wait(f, query), 0);
   assert_true(pitot_hw_take_disjoint(f->hw));
}

/* Statistics are the registers from RBBM_PRIMCTR_0 on.  Registers that count
 * before the rasterizer are sampled once, not in each tile.
 */
HW_TEST(statistics_are_the_registers, "a630")
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

   for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
      const unsigned first = command_count(f);
      struct pitot_hw_query *query = begin_new(f, cases[i].kind);

      assert_in_range(command_count(f) - first, 1, 2); /* one more sets the
                                                        * sum to 0
                                                        */
      assert_int_equal(command_at(f, first)->command.kind,
                       PITOT_COMMAND_COUNTER);
      assert_int_equal(command_at(f, first)->command.argument,
                       cases[i].argument);
      end(f, query);
      move(f, RENDER);
   }
}

/* The counters that a driver must enable for each kind. */
HW_TEST(kinds_say_what_to_count, "a630")
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

   for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct pitot_hw_query *query = begin_new(f, cases[i].kind);

      assert_int_equal(f->cs->counting, cases[i].counting);
      end(f, query);
      assert_int_equal(f->cs->counting, 0);
   }
}

/* Each of the four streams has two qwords: the primitives written, and those
 * that needed space.  A statistic counts what stream 0 generates.
 */
HW_TEST(streams_have_their_counters, "a630")
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_PRIMITIVES_WRITTEN,
                                            PITOT_KIND_STREAM_OVERFLOW,
                                            PITOT_KIND_ANY_STREAM_OVERFLOW,
                                            PITOT_KIND_PRIMITIVES_GENERATED };

   for (unsigned i = 0; i < ARRAY_LENGTH(kinds) * PITOT_MAX_STREAMS; i++) {
      const enum pitot_kind kind = kinds[i / PITOT_MAX_STREAMS];
      const unsigned stream = i % PITOT_MAX_STREAMS;
      const bool is_any = kind == PITOT_KIND_ANY_STREAM_OVERFLOW;
      struct pitot_hw_query *query = create(f, kind, is_any ? 0 : stream);

      for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
         const bool is_mine = s == stream;
         uint64_t expected = is_mine || is_any;

         begin(f, query);
         sim_cs_count(f->cs, PITOT_KIND_PRIMITIVES_WRITTEN, s, 100);
         sim_cs_count(f->cs, PITOT_KIND_STREAM_OVERFLOW, s, 130);
         if (kind == PITOT_KIND_PRIMITIVES_WRITTEN)
            expected = is_mine ? 100 : 0;
         if (kind == PITOT_KIND_PRIMITIVES_GENERATED)
            expected = is_mine && stream ? 130 : 0;
         assert_int_equal(end_and_wait(f, query), expected);
      }
   }
}

/* A driver without a current batch makes a query wait for the next batch. A
 * query that ends before the next batch counts nothing.
 */
HW_TEST(batches_begin_late, "a630")
{
   static const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                            PITOT_KIND_FS_INVOCATIONS,
                                            PITOT_KIND_TIME_ELAPSED };
   struct pitot_cs *cs = &f->cs->base;

   cs->begins_late = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_hw_query *query = create(f, kinds[i], 0);

      assert_false(pitot_hw_has_active(f->hw));
      pitot_cs_batch_end(cs, RENDER);
      const unsigned before = command_count(f);
      begin(f, query);
      assert_true(pitot_hw_has_active(f->hw));
      assert_int_equal(end_and_wait(f, query), 0);
      begin(f, query);
      draw(f, kinds[i], 1920);
      assert_int_equal(command_count(f), before);
      pitot_cs_batch_begin(cs, RENDER);
      draw(f, kinds[i], 192);
      assert_int_equal(end_and_wait(f, query),
                       kinds[i] == PITOT_KIND_TIME_ELAPSED ? 10000 : 192);
   }
}

static unsigned counting_calls;

static void
note_counting(struct pitot_cs *cs, unsigned mask)
{
   (void)cs, (void)mask;
   counting_calls++;
}

/* The driver hears of a time query that begins between batches, although it
 * enables no counter: it must begin a batch before the next draw.
 */
HW_TEST(a_time_between_batches_is_reported, "a630")
{
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   counting_calls = 0;
   f->cs->ops.set_counting = note_counting;
   f->cs->base.begins_late = true;
   begin(f, query);
   end(f, query);
   assert_int_equal(counting_calls, 0);
   pitot_cs_batch_end(&f->cs->base, RENDER);
   begin(f, query);
   assert_int_equal(counting_calls, 1);
}

/* A GPU that decides no condition leaves it to the CPU, which waits. */
HW_TEST(conditions_are_decided_by_the_cpu, "a630")
{
   for (unsigned i = 0; i < 4; i++) {
      const bool is_inverted = i & 1, has_passed = i & 2;
      struct pitot_hw_query *query = begin_new(f, PITOT_KIND_SAMPLES_PASSED);
      struct pitot_hw_condition condition;

      draw(f, PITOT_KIND_SAMPLES_PASSED, has_passed ? 7 : 0);
      end(f, query);
      pitot_hw_query_decide(f->hw, query, is_inverted, true, &condition);
      assert_int_equal(condition.decision, has_passed != is_inverted
                                              ? PITOT_HW_DECISION_ALWAYS
                                              : PITOT_HW_DECISION_NEVER);
   }
}

/* A timestamp, and no other sample, is taken after all earlier batches. */
HW_TEST(timestamps_order_batches, "a630")
{
   const struct pitot_hw_family *family = f->gpu->family;
   const unsigned timestamp =
      family->measure(f->gpu, PITOT_KIND_TIMESTAMP)->qwords[0].sample;

   for (unsigned i = 0; i < family->sample_count; i++) {
      const struct pitot_hw_sample *sample = &family->samples[i];

      assert_int_equal(sample->command == PITOT_COMMAND_TIMESTAMP &&
                          sample->argument == PITOT_ADRENO_LAST,
                       i == timestamp);
   }
}
