/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The packets of each sample, as Mesa's drivers emit them.
 */

#include "amd/amd.h"
#include "fixture.h"
#include "hw_priv.h"
#include "intel/program.h"

#define MAX_DW 32

/* The addresses of the first snapshot: of its available word, and of its
 * first sample.  The high halves of addresses are all 1.  Some packets write
 * for nothing, to a buffer of its own, before it.
 */
#define AVAILABLE  0x00000000
#define DATA       0x00000008
#define AVAILABLE2 0x01000000
#define DATA2      0x01000008
#define SCRATCH    0x00000000
#define AMD_DATA   0x00000010
#define AMD_DATA2  0x01000010

/* The command stream's barriers. */
#define STALL    0x7a000004, 0x00100002, 0, 0, 0, 0
#define DEPTH    0x7a000004, 0x00002000, 0, 0, 0, 0
#define CS_STALL 0x7a000004, 0x00100000, 0, 0, 0, 0

#define PIPE_TIME      0x7a000004, 0xc000, DATA, 1, 0, 0
#define PIPE_SAMPLES   0x7a000004, 0xa000, DATA, 1, 0, 0
#define PIPE_AVAILABLE 0x7a000004, 0x00004080, AVAILABLE, 1, 1, 0
#define STORE(REG)                                                           \
   0x12000002, REG, DATA, 1, 0x12000002, (REG) + 4, DATA + 4, 1
#define STORE_RELATIVE(REG)                                                  \
   0x12080002, REG, DATA, 1, 0x12080002, (REG) + 4, DATA + 4, 1
#define STORE_AVAILABLE 0x10200003, AVAILABLE, 1, 1, 0
#define CHECK_AVAILABLE 0x10200403, AVAILABLE, 1, 1, 0
#define EOP_AVAILABLE   0xc0044700, 0x528, AVAILABLE, 0x23000001, 0x80000000, 0
#define RELEASE_AVAILABLE(ADDRESS)                                           \
   0xc0064900, 0x528, 0x23000000, ADDRESS, 1, 0x80000000, 0, 0

#define GOLDEN(GPU, KIND, STREAM, ...)                                       \
   {                                                                         \
      GPU, PITOT_KIND_##KIND, STREAM, { __VA_ARGS__ },                       \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)        \
   }

static const struct golden {
   const char *gpu;
   enum pitot_kind kind;
   unsigned stream;
   uint32_t dw[MAX_DW];
   unsigned count;
} goldens[] = {
   /* Intel */
   GOLDEN("bdw", TIME_ELAPSED, 0, PIPE_TIME, PIPE_AVAILABLE),
   GOLDEN("skl", TIME_ELAPSED, 0, PIPE_TIME, PIPE_AVAILABLE),
   GOLDEN("skl gt4", TIME_ELAPSED, 0, 0x7a000004, 0x10c000, DATA, 1, 0, 0,
          PIPE_AVAILABLE),
   GOLDEN("skl", SAMPLES_PASSED, 0, PIPE_SAMPLES, PIPE_AVAILABLE),
   GOLDEN("skl gt4", ANY_SAMPLES_PASSED, 0, 0x7a000004, 0x10a000, DATA, 1, 0,
          0, PIPE_AVAILABLE),
   GOLDEN("icl", SAMPLES_PASSED, 0, DEPTH, PIPE_SAMPLES, PIPE_AVAILABLE),
   GOLDEN("dg2", SAMPLES_PASSED, 0, DEPTH, PIPE_SAMPLES, PIPE_AVAILABLE),
   GOLDEN("bmg", SAMPLES_PASSED, 0, DEPTH, PIPE_SAMPLES, PIPE_AVAILABLE),
   GOLDEN("bmg", TIME_ELAPSED, 0, PIPE_TIME, PIPE_AVAILABLE),
   GOLDEN("lnl", FS_INVOCATIONS, 0, STALL, STORE_RELATIVE(0x348),
          CHECK_AVAILABLE),
   GOLDEN("skl", FS_INVOCATIONS, 0, STALL, STORE(0x2348), STORE_AVAILABLE),
   GOLDEN("icl", FS_INVOCATIONS, 0, STALL, STORE_RELATIVE(0x348),
          STORE_AVAILABLE),
   GOLDEN("tgl", FS_INVOCATIONS, 0, STALL, STORE_RELATIVE(0x348),
          CHECK_AVAILABLE),
   GOLDEN("tgl", PRIMITIVES_GENERATED, 0, STALL, STORE_RELATIVE(0x338),
          CHECK_AVAILABLE),
   GOLDEN("tgl", PRIMITIVES_GENERATED, 1, STALL, STORE(0x5248),
          CHECK_AVAILABLE),
   GOLDEN("tgl", PRIMITIVES_WRITTEN, 3, STALL, STORE(0x5218),
          CHECK_AVAILABLE),
   GOLDEN("skl", STREAM_OVERFLOW, 2, STALL, STORE(0x5210), 0x12000002, 0x5250,
          DATA + 8, 1, 0x12000002, 0x5254, DATA + 12, 1, STORE_AVAILABLE),
   /* AMD */
   GOLDEN("pitcairn", TIME_ELAPSED, 0, 0xc0044700, 0x528, AMD_DATA,
          0x63000001, 0, 0, EOP_AVAILABLE),
   GOLDEN("pitcairn", SAMPLES_PASSED, 0, 0xc0024600, 0x115, AMD_DATA, 1,
          EOP_AVAILABLE),
   GOLDEN("pitcairn", VS_INVOCATIONS, 0, 0xc0024600, 0x21e, AMD_DATA, 1,
          EOP_AVAILABLE),
   GOLDEN("pitcairn", PRIMITIVES_WRITTEN, 0, 0xc0024600, 0x320, AMD_DATA, 1),
   GOLDEN("pitcairn", PRIMITIVES_GENERATED, 2, 0xc0024600, 0x302, AMD_DATA,
          1),
   GOLDEN("bonaire", TIME_ELAPSED, 0, 0xc0044700, 0x528, SCRATCH, 0x63000001,
          0, 0, 0xc0044700, 0x528, AMD_DATA2, 0x63000001, 0, 0, 0xc0044700,
          0x528, SCRATCH, 0x23000001, 0, 0, 0xc0044700, 0x528, AVAILABLE2,
          0x23000001, 0x80000000, 0),
   GOLDEN("polaris10", SAMPLES_PASSED, 0, 0xc0024600, 0x115, AMD_DATA2, 1,
          0xc0044700, 0x528, SCRATCH, 0x23000001, 0, 0, 0xc0044700, 0x528,
          AVAILABLE2, 0x23000001, 0x80000000, 0),
   GOLDEN("vega10", TIME_ELAPSED, 0, 0xc0024600, 0x115, SCRATCH, 1,
          0xc0064900, 0x528, 0x63000000, AMD_DATA2, 1, 0, 0, 0, 0xc0024600,
          0x115, SCRATCH, 1, RELEASE_AVAILABLE(AVAILABLE2)),
   GOLDEN("vega10", SAMPLES_PASSED, 0, 0xc0024600, 0x115, AMD_DATA2, 1,
          RELEASE_AVAILABLE(AVAILABLE2)),
   GOLDEN("vega10", CS_INVOCATIONS, 0, 0xc0024600, 0x21e, AMD_DATA2, 1,
          0xc0024600, 0x115, SCRATCH, 1, RELEASE_AVAILABLE(AVAILABLE2)),
   GOLDEN("navi10", TIME_ELAPSED, 0, 0xc0064900, 0x528, 0x63000000, AMD_DATA,
          1, 0, 0, 0, RELEASE_AVAILABLE(AVAILABLE)),
   GOLDEN("navi21", SAMPLES_PASSED, 0, 0xc0024600, 0x115, AMD_DATA, 1,
          RELEASE_AVAILABLE(AVAILABLE)),
   GOLDEN("navi31", SAMPLES_PASSED, 0, 0xc001b100, AMD_DATA, 1,
          RELEASE_AVAILABLE(AVAILABLE)),
   GOLDEN("gfx11 old", SAMPLES_PASSED, 0, 0xc0024600, 0x139, AMD_DATA, 1,
          RELEASE_AVAILABLE(AVAILABLE)),
   GOLDEN("navi31", GS_INVOCATIONS, 0, 0xc0024600, 0x21e, AMD_DATA, 1,
          RELEASE_AVAILABLE(AVAILABLE)),
   GOLDEN("navi48", SAMPLES_PASSED, 0, 0xc001b100, AMD_DATA, 1,
          RELEASE_AVAILABLE(AVAILABLE)),
   GOLDEN("navi48", TIME_ELAPSED, 0, 0xc0064900, 0x528, 0x63000000, AMD_DATA,
          1, 0, 0, 0, RELEASE_AVAILABLE(AVAILABLE)),
};

/* Samples as at the end of a query. */
static void
take_end(struct fixture *f, const struct pitot_hw_query *query)
{
   struct pitot_hw_boundary boundary = { .count = 0 };

   assert_int_equal(pitot_hw_take(f->hw, PITOT_RING_RENDER,
                                  query->rings[PITOT_RING_RENDER].samples,
                                  true, NULL, &boundary),
                    0);
   pitot_hw_release(f->hw, &boundary);
}

static const struct sim_cs_ring *
ring_of(const struct fixture *f)
{
   return &f->cs->rings[PITOT_RING_RENDER];
}

static void
assert_recorded(const struct fixture *f, const uint32_t *dw, unsigned count)
{
   assert_int_equal(ring_of(f)->used_dw, count);
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(ring_of(f)->commands[i], dw[i]);
}

static void
samples_are_golden(struct fixture *none)
{
   (void)none;
   for (const struct golden *g = goldens; g < goldens + ARRAY_LENGTH(goldens);
        g++) {
      struct fixture *f = open_fixture(g->gpu, false);

      take_end(f, create(f, g->kind, g->stream));
      assert_recorded(f, g->dw, g->count);
      close_fixture(f);
   }
}

/* A begin does not say that it is available, because it is when its end is.
 * Samples of stream-out say so by themselves.
 */
static void
begins_write_no_availability(struct fixture *none)
{
   (void)none;
   for (const struct golden *g = goldens; g < goldens + ARRAY_LENGTH(goldens);
        g++) {
      struct fixture *f = open_fixture(g->gpu, false);
      const unsigned least_available_dw = g->count > 4 ? 5 : 0;

      begin(f, create(f, g->kind, g->stream));
      assert_in_range(ring_of(f)->used_dw, 3, g->count - least_available_dw);
      assert_recorded(f, g->dw, ring_of(f)->used_dw);
      close_fixture(f);
   }
}

/* A write by the pipe on the compute ring comes after a stall, and the end
 * says that it is available behind a fence: the time is written later than
 * the command is reached.
 */
static void
compute_ends_are_golden(struct fixture *f)
{
   static const uint32_t dw[] = {
      STALL, CS_STALL, 0x7a000004, 0x10c000, AVAILABLE2 + 0x18, 1, 0,
      0,     CS_STALL, 0x7a000004, 0x104080, AVAILABLE2 + 0x10, 1, 1,
      0,
   };
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_COMPUTE];
   struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);

   begin(f, query);
   pitot_hw_dispatch(f->hw, PITOT_RING_COMPUTE);
   move(f, PITOT_RING_COMPUTE);
   const unsigned before_dw = ring->used_dw;
   end(f, query);
   assert_int_equal(ring->used_dw - before_dw, ARRAY_LENGTH(dw));
   for (unsigned i = 0; i < ARRAY_LENGTH(dw); i++)
      assert_int_equal(ring->commands[before_dw + i], dw[i]);
}

/* Counters of both sorts in one query: the stall for the registers, the one
 * for the depth count just before that, and at last that all is available.
 */
static void
sorts_are_mixed(struct fixture *f)
{
   static const struct pitot_hw_count measures[] = {
      { PITOT_KIND_VS_INVOCATIONS, 0 },
      { PITOT_KIND_SAMPLES_PASSED, 0 },
   };
   static const uint32_t dw[] = {
      STALL, DEPTH,      PIPE_SAMPLES, 0x12080002, 0x320, DATA + 8,
      1,     0x12080002, 0x324,        DATA + 12,  1,     PIPE_AVAILABLE,
   };

   take_end(f, create_list(f, measures, ARRAY_LENGTH(measures)));
   assert_recorded(f, dw, ARRAY_LENGTH(dw));
}

/* The memory that packets of AMD's write does not reach into the next record,
 * which begins at a multiple of 16 behind it.
 */
static void
snapshots_have_room(struct fixture *none)
{
   static const struct {
      const char *gpu;
      enum pitot_kind kind;
      unsigned size_B; /* of what they write */
   } cases[] = {
      { "pitcairn", PITOT_KIND_VS_INVOCATIONS, 2 * 11 * 8 },
      { "navi21", PITOT_KIND_VS_INVOCATIONS, 2 * 11 * 8 },
      { "navi31", PITOT_KIND_VS_INVOCATIONS, 2 * 14 * 8 },
      { "navi48", PITOT_KIND_VS_INVOCATIONS, 2 * 14 * 8 },
      { "gfx11 old", PITOT_KIND_VS_INVOCATIONS, 2 * 14 * 8 },
      { "vega10", PITOT_KIND_SAMPLES_PASSED, 16 * 16 },
      { "navi31", PITOT_KIND_SAMPLES_PASSED, 24 * 16 },
      { "navi48", PITOT_KIND_SAMPLES_PASSED, 16 * 16 },
      { "navi10", PITOT_KIND_PRIMITIVES_WRITTEN, 2 * 16 },
   };

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct fixture *f = open_fixture(cases[i].gpu, false);

      begin(f, create(f, cases[i].kind, 0));
      assert_int_equal(f->hw->slabs[PITOT_RING_RENDER].current->used_B,
                       16 + cases[i].size_B);
      close_fixture(f);
   }
}

/* Takes an end, which is to have so many dwords; 0: there is no such query.
 */
static void
check_budget(struct fixture *f, const struct pitot_hw_query *query,
             unsigned budget_dw)
{
   assert_int_equal(query != NULL, budget_dw != 0);
   if (query)
      take_end(f, query);
   assert_int_equal(ring_of(f)->used_dw, budget_dw);
}

/* Dwords of all statistics, and of an overflow of all streams, at one end:
 * with the word that says that they are available, unless they do so
 * themselves.
 */
static void
budgets_are_kept(struct fixture *none)
{
   static const struct {
      const char *gpu;
      unsigned statistics_dw; /* of those that the GPU can count */
      unsigned overflow_dw;   /* 0: not supported */
   } budgets[] = {
      { "bdw", 6 + 88 + 5, 6 + 64 + 5 },
      { "skl", 6 + 88 + 5, 6 + 64 + 5 },
      { "dg2", 6 + 88 + 5, 6 + 64 + 5 },
      { "pitcairn", 4 + 6, 16 },
      { "bonaire", 4 + 12, 16 },
      { "vega10", 4 + 12, 16 },
      { "navi10", 4 + 8, 16 },
      { "navi21", 4 + 8, 16 },
      { "navi31", 4 + 8, 0 },
   };
   const enum pitot_kind overflow = PITOT_KIND_ANY_STREAM_OVERFLOW;

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(budgets); i++) {
      struct fixture *f = open_fixture(budgets[i].gpu, false);

      check_budget(f, create_statistics(f), budgets[i].statistics_dw);
      flush(f);
      check_budget(f,
                   is_supported(f, overflow) ? create(f, overflow, 0) : NULL,
                   budgets[i].overflow_dw);
      close_fixture(f);
   }
}

/* Of an address of 48 bits, the MI commands want the last one repeated. */
static void
addresses_are_canonical(struct fixture *none)
{
   const uint64_t address = UINT64_C(0xfffffffe00001008);
   const uint64_t amd_address = UINT64_C(0xffff800100002000);
   const struct pitot_gpu *gfx6 = &sim_gpu("pitcairn")->facts;
   uint32_t dw[8];
   struct pitot_hw_packets packets = { .gpu = &sim_gpu("skl")->facts,
                                       .next = dw };

   (void)none;
   pitot_intel_pipe_control(&packets, 0, address);
   assert_int_equal(dw[2], 0x1008);
   assert_int_equal(dw[3], 0x0000fffe);
   packets.next = dw;
   pitot_intel_store_register(&packets, 0x2348, address & 0xffffffffffff);
   assert_int_equal(dw[3], 0xfffffffe);
   assert_int_equal(dw[6], 0x100c);
   packets.next = dw;
   pitot_intel_store_data(&packets, address, 1, 8);
   assert_int_equal(dw[2], 0x0000fffe);
   packets.next = dw;
   pitot_intel_store_data(&packets, UINT64_C(0x7fff00001008), 1, 8);
   assert_int_equal(dw[2], 0x7fff);

   packets.next = dw;
   pitot_intel_call(&(struct pitot_intel_program){ .packets = &packets },
                    address);
   assert_int_equal(dw[2], 0x0000fffe);

   struct pitot_cs_buffer buffer = { .address = amd_address };
   const struct pitot_cs_command fence = { .kind = PITOT_COMMAND_FENCE,
                                           .buffer = &buffer };
   packets = (struct pitot_hw_packets){ .gpu = gfx6, .next = dw };
   pitot_amd_encode(&packets, &fence, 1);
   assert_int_equal(dw[3], 0x23008001);
   packets = (struct pitot_hw_packets){ .gpu = &sim_gpu("navi21")->facts,
                                        .next = dw };
   pitot_amd_encode(&packets, &fence, 1);
   assert_int_equal(dw[4], 0xffff8001);
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(NO_GPU, samples_are_golden),
      TEST_ON(NO_GPU, begins_write_no_availability),
      TEST_COMPUTE_ON("skl", compute_ends_are_golden),
      TEST_ON("icl", sorts_are_mixed),
      TEST_ON(NO_GPU, snapshots_have_room),
      TEST_ON(NO_GPU, budgets_are_kept),
      TEST_ON(NO_GPU, addresses_are_canonical),
   };

   return RUN_SCHEDULED_ROWS("hw packets", tests, run_hw_test);
}
