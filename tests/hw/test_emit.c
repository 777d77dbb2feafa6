/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Commands: by a driver's own functions, which add packets of their own
 * (none, or as many as it said that they take at most), and as Pitot encodes
 * them.
 */

#include <string.h>

#include "fixture.h"
#include "hw_priv.h"
#include "pitot/intel.h"

/* The most packets, of a dword each, that come before a command. */
#define MAX_EXTRA_DW 5

#define SCRATCH_SIZE_B 4096

#define MAX_DW 16

static struct {
   const struct pitot_cs_ops *stock;
   struct pitot_cs_ops ops; /* with emit() and size_dw() */
   unsigned extra_dw;       /* before each command from here on */
   unsigned command_count;
   struct pitot_cs_buffer *scratch; /* memory to write to for nothing */
} driver;

static unsigned
encode(struct pitot_cs *cs, const struct pitot_cs_command *commands,
       unsigned count, uint32_t dw[PITOT_HW_MAX_END_DW])
{
   const struct pitot_hw *hw = (struct pitot_hw *)cs->listener;
   struct pitot_hw_packets packets = {
      .gpu = cs->gpu,
      .next = dw,
      .scratch_address = driver.scratch->address,
   };

   hw->family->encode(&packets, commands, count);
   return (unsigned)(packets.next - dw);
}

/* There is room in the batch.  Nothing may come between a sample of occlusion
 * and what GFX9 writes at the end of the pipe.
 */
static void
emit(struct pitot_cs *cs, enum pitot_ring ring,
     const struct pitot_cs_command *commands, unsigned count)
{
   const uint64_t batch = cs->ops->current_batch(cs, ring);

   if (cs->has_tiles) { /* commands have sections */
      sim_cs_fill((struct sim_cs *)cs, ring, driver.extra_dw);
      driver.stock->emit(cs, ring, commands, count);
      driver.command_count += count;
      return;
   }
   cs->ops->use_buffer(cs, ring, driver.scratch);
   for (unsigned i = 0, together; i < count; i += together) {
      uint32_t dw[PITOT_HW_MAX_END_DW];

      together = 1;
      if (i + 1 < count && commands[i].kind == PITOT_COMMAND_OCCLUSION)
         together = 2;
      const unsigned size_dw = encode(cs, &commands[i], together, dw);

      sim_cs_fill((struct sim_cs *)cs, ring, driver.extra_dw);
      memcpy(cs->ops->reserve(cs, ring, size_dw), dw,
             size_dw * sizeof(dw[0]));
   }
   driver.command_count += count;
   assert_int_equal(cs->ops->current_batch(cs, ring), batch);
}

static unsigned
size_dw(struct pitot_cs *cs, enum pitot_ring ring,
        const struct pitot_cs_command *commands, unsigned count)
{
   unsigned size_dw = 0;

   if (cs->has_tiles)
      return MAX_EXTRA_DW +
             driver.stock->size_dw(cs, ring, commands, count);
   for (unsigned i = 0; i < count; i++) {
      uint32_t dw[PITOT_HW_MAX_END_DW];

      size_dw += MAX_EXTRA_DW + encode(cs, &commands[i], 1, dw);
   }
   return size_dw;
}

/* Opens a sampler again, on a driver that emits by itself. */
static void
take_over(struct fixture *f)
{
   struct pitot_cs *cs = &f->cs->base;

   driver.stock = cs->ops;
   driver.ops = *cs->ops;
   driver.ops.emit = emit;
   driver.ops.size_dw = size_dw;
   driver.command_count = 0;
   pitot_hw_destroy(f->hw);
   cs->ops = &driver.ops;
   assert_int_equal(pitot_hw_create(cs, &f->hw), 0);
   assert_int_equal(cs->ops->buffer_create(cs, SCRATCH_SIZE_B,
                                           &driver.scratch),
                    0);
   f->target = driver.scratch; /* which close_fixture() frees */
}

/* The samples of one position and their barrier are in one batch, and the
 * room that was kept at its end is enough, with any room left in the batch
 * and any number of packets that the driver adds.
 */
static void
batches_have_room(struct fixture *f)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];

   take_over(f);
   f->cs->batch_dw = 600;
   struct pitot_hw_query *statistics = create_statistics(f);
   struct pitot_hw_query *samples = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   for (unsigned left_dw = 0; left_dw < 300; left_dw++) {
      driver.extra_dw = left_dw % 2 ? MAX_EXTRA_DW : 0;
      sim_cs_fill(f->cs, PITOT_RING_RENDER,
                  left_dw + ring->used_dw > 600
                     ? 0
                     : 600 - left_dw - ring->used_dw);
      begin(f, statistics);
      begin(f, samples);
      draw(f, PITOT_KIND_SAMPLES_PASSED, left_dw);
      draw(f, PITOT_KIND_VS_INVOCATIONS, 2 * left_dw);
      end(f, samples);
      end(f, statistics);
      assert_int_equal(wait_for(f, samples), left_dw);

      uint64_t values[PITOT_HW_STATISTIC_COUNT];
      assert_int_equal(pitot_hw_query_result(f->hw, statistics, true, values),
                       1);
      assert_int_equal(
         values[PITOT_KIND_VS_INVOCATIONS - PITOT_KIND_VERTICES_SUBMITTED],
         2 * left_dw);
   }
}

/* So has a wait for samples, before a shader adds them up. */
static void
waits_have_room(struct fixture *f)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];

   take_over(f);
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   struct pitot_cs_buffer *scratch = f->target;

   f->target = NULL;
   learn_backends(f);
   f->cs->is_held = true;
   driver.extra_dw = MAX_EXTRA_DW;
   for (unsigned left_dw = 0; left_dw < 30; left_dw++) {
      begin(f, query);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 7);
      end(f, query);
      sim_cs_fill(f->cs, PITOT_RING_RENDER,
                  f->cs->batch_dw - ring->used_dw - left_dw);
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      assert_int_equal(stored(f), 7);
   }
   f->cs->base.ops->buffer_destroy(&f->cs->base, scratch);
}

/* Samples, availability and values that the CPU knows: all that a sampler
 * writes goes by way of the driver, but for programs that compute.
 */
static void
all_commands_are_the_drivers(struct fixture *f)
{
   take_over(f);
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   begin(f, query);
   assert_int_equal(driver.command_count,
                    f->gpu->family->accumulated ? 2 : 1);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 7);
   end(f, query);
   assert_int_equal(driver.command_count,
                    f->gpu->family->accumulated ? 5 : 3);
   assert_int_equal(wait_for(f, query), 7);

   const unsigned before = driver.command_count;
   store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(driver.command_count,
                    before + !f->cs->base.has_tiles);
   assert_int_equal(stored(f), 7);
}

/* Batches that grow have room for all that is recorded. */
static void
growing_batches_need_no_room(struct fixture *f)
{
   f->cs->ops.require = NULL;
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 7);
   end(f, query);
   assert_int_equal(wait_for(f, query), 7);
}

/* No memory of the sampler's is needed to write to for nothing. */
static void
no_scratch_is_made(struct fixture *f)
{
   take_over(f);
   assert_null(f->hw->scratch);
}

#define COMMAND(GPU, RING, KIND, SIZE_B, ...)                                \
   {                                                                         \
      GPU, PITOT_RING_##RING, PITOT_COMMAND_##KIND, SIZE_B, { __VA_ARGS__ }, \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)        \
   }

#define CS_STALL 0x7a000004, 0x00100000, 0, 0, 0, 0

/* Encoded commands that no begin or end has, and those of Intel's compute
 * ring: the value is 0x300000001, at 0x100001000.
 */
static void
commands_are_golden(struct fixture *none)
{
   static const struct {
      const char *gpu;
      enum pitot_ring ring;
      enum pitot_command_kind kind;
      unsigned size_B;
      uint32_t dw[MAX_DW];
      unsigned count;
   } commands[] = {
      COMMAND("bdw", COMPUTE, TIMESTAMP, 0, /* the stall is in it */
              0x7a000004, 0x10c000, 0x1000, 1, 0, 0),
      COMMAND("skl", COMPUTE, TIMESTAMP, 0, CS_STALL, 0x7a000004, 0x10c000,
              0x1000, 1, 0, 0),
      COMMAND("skl", COMPUTE, FENCE, 0, CS_STALL, 0x7a000004, 0x104080,
              0x1000, 1, 1, 0),
      COMMAND("skl", RENDER, FENCE, 0, 0x7a000004, 0x4080, 0x1000, 1, 1, 0),
      COMMAND("skl", RENDER, VALUE, 4, 0x10000002, 0x1000, 1, 1),
      COMMAND("skl", RENDER, VALUE, 8, 0x10200003, 0x1000, 1, 1, 3),
      COMMAND("pitcairn", RENDER, VALUE, 4, 0xc0033700, 0x100100, 0x1000, 1,
              1),
      COMMAND("navi21", RENDER, VALUE, 8, 0xc0043700, 0x100500, 0x1000, 1, 1,
              3),
   };
   struct pitot_cs_buffer buffer = { .address = 0x100000000 };

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(commands); i++) {
      const struct pitot_gpu *gpu = &sim_gpu(commands[i].gpu)->facts;
      uint32_t dw[MAX_DW];
      struct pitot_hw_packets packets = { .gpu = gpu,
                                          .ring = commands[i].ring,
                                          .next = dw };

      gpu->family->encode(&packets,
                          &(struct pitot_cs_command){
                             .kind = commands[i].kind,
                             .buffer = &buffer,
                             .offset_B = 0x1000,
                             .value = 0x300000001,
                             .size_B = commands[i].size_B,
                          },
                          1);
      assert_int_equal(packets.next - dw, commands[i].count);
      assert_memory_equal(dw, commands[i].dw,
                          commands[i].count * sizeof(*dw));
   }
}

/* Counters of Intel's are encoded for drivers that emit all else by their own
 * functions: the two halves of each register.
 */
static void
counters_are_golden(struct fixture *none)
{
   static const struct {
      const char *gpu;
      uint32_t header, first;
   } cases[] = { { "skl", 0x12000002, 0x2310 },
                 { "icl", 0x12080002, 0x310 } };
   struct pitot_cs_buffer buffer = { .address = 0x100000000 };
   const struct pitot_cs_command commands[] = {
      { PITOT_COMMAND_COUNTER, 0x2310, .buffer = &buffer, .offset_B = 8 },
      { PITOT_COMMAND_COUNTER, 0x2318, .buffer = &buffer, .offset_B = 24 },
   };

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      const uint32_t header = cases[i].header, first = cases[i].first;
      const uint32_t expected[] = {
         header, first,     8,  1, header, first + 4,  12, 1,
         header, first + 8, 24, 1, header, first + 12, 28, 1,
      };
      uint32_t dw[2 * PITOT_INTEL_COUNTER_DW];

      pitot_intel_encode_counters(
         (const struct pitot_intel_gpu *)&sim_gpu(cases[i].gpu)->facts,
         commands, 2, dw);
      assert_memory_equal(dw, expected, sizeof(dw));
   }
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_LONG_ON(EVERY_GPU, batches_have_room),
      TEST_ON("vega10", waits_have_room),
      TEST_ON(EVERY_GPU, all_commands_are_the_drivers),
      TEST_ON("skl", growing_batches_need_no_room),
      TEST_ON(EVERY_GPU, no_scratch_is_made),
      TEST_ON(NO_GPU, commands_are_golden),
      TEST_ON(NO_GPU, counters_are_golden),
   };

   return RUN_SCHEDULED_ROWS("hw emit", tests, run_hw_test);
}
