/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The packets of each sample, as Mesa's drivers emit them.
 */

#include <errno.h>

#include "amd/amd.h"
#include "fixture.h"
#include "hw_priv.h"
#include "intel/intel.h"

#define MAX_DW 32

/* Where the first snapshot is: its available word, and its first sample.  The
 * high halves of addresses are all 1.  What is written for nothing goes to a
 * buffer of its own, before it.
 */
#define AVAILABLE  0x00000000
#define DATA       0x00000008
#define AVAILABLE2 0x01000000
#define DATA2      0x01000008
#define SCRATCH    0x00000000

#define STALL FAKE_BARRIER(PITOT_BARRIER_STALL)
#define DEPTH FAKE_BARRIER(PITOT_BARRIER_DEPTH)

#define PIPE_AVAILABLE 0x7a000004, 0x00004080, AVAILABLE, 1, 1, 0
#define EOP_AVAILABLE  0xc0044700, 0x528, AVAILABLE, 0x23000001, 0x80000000, 0
#define RELEASE_AVAILABLE(ADDRESS)                                           \
   0xc0064900, 0x528, 0x23000000, ADDRESS, 1, 0x80000000, 0, 0

static const struct {
   const char *gpu;
   enum pitot_kind kind;
   unsigned stream;
   uint32_t dw[MAX_DW];
   unsigned count;
} goldens[] = {
   /* Intel */
   { "bdw",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0x7a000004, 0xc000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     12 },
   { "skl",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0x7a000004, 0xc000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     12 },
   { "skl gt4",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0x7a000004, 0x10c000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     12 },
   { "skl",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0x7a000004, 0xa000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     12 },
   { "skl gt4",
     PITOT_KIND_ANY_SAMPLES_PASSED,
     0,
     { 0x7a000004, 0x10a000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     12 },
   { "icl",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { DEPTH, 0x7a000004, 0xa000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     13 },
   { "dg2",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { DEPTH, 0x7a000004, 0xa000, DATA, 1, 0, 0, PIPE_AVAILABLE },
     13 },
   { "skl",
     PITOT_KIND_FS_INVOCATIONS,
     0,
     { STALL, 0x12000002, 0x2348, DATA, 1, 0x12000002, 0x234c, DATA + 4, 1,
       0x10200003, AVAILABLE, 1, 1, 0 },
     14 },
   { "icl",
     PITOT_KIND_FS_INVOCATIONS,
     0,
     { STALL, 0x12080002, 0x348, DATA, 1, 0x12080002, 0x34c, DATA + 4, 1,
       0x10200003, AVAILABLE, 1, 1, 0 },
     14 },
   { "tgl",
     PITOT_KIND_FS_INVOCATIONS,
     0,
     { STALL, 0x12080002, 0x348, DATA, 1, 0x12080002, 0x34c, DATA + 4, 1,
       0x10200403, AVAILABLE, 1, 1, 0 },
     14 },
   { "tgl",
     PITOT_KIND_PRIMITIVES_GENERATED,
     0,
     { STALL, 0x12080002, 0x338, DATA, 1, 0x12080002, 0x33c, DATA + 4, 1,
       0x10200403, AVAILABLE, 1, 1, 0 },
     14 },
   { "tgl",
     PITOT_KIND_PRIMITIVES_GENERATED,
     1,
     { STALL, 0x12000002, 0x5248, DATA, 1, 0x12000002, 0x524c, DATA + 4, 1,
       0x10200403, AVAILABLE, 1, 1, 0 },
     14 },
   { "tgl",
     PITOT_KIND_PRIMITIVES_WRITTEN,
     3,
     { STALL, 0x12000002, 0x5218, DATA, 1, 0x12000002, 0x521c, DATA + 4, 1,
       0x10200403, AVAILABLE, 1, 1, 0 },
     14 },
   { "skl",
     PITOT_KIND_STREAM_OVERFLOW,
     2,
     { STALL,     0x12000002, 0x5210, DATA,       1,      0x12000002,
       0x5214,    DATA + 4,   1,      0x12000002, 0x5250, DATA + 8,
       1,         0x12000002, 0x5254, DATA + 12,  1,      0x10200003,
       AVAILABLE, 1,          1,      0 },
     22 },

   /* AMD */
   { "pitcairn",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0xc0044700, 0x528, DATA, 0x63000001, 0, 0, EOP_AVAILABLE },
     12 },
   { "pitcairn",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0xc0024600, 0x115, DATA, 1, EOP_AVAILABLE },
     10 },
   { "pitcairn",
     PITOT_KIND_VS_INVOCATIONS,
     0,
     { 0xc0024600, 0x21e, DATA, 1, EOP_AVAILABLE },
     10 },
   { "pitcairn",
     PITOT_KIND_PRIMITIVES_WRITTEN,
     0,
     { 0xc0024600, 0x320, DATA, 1 },
     4 },
   { "pitcairn",
     PITOT_KIND_PRIMITIVES_GENERATED,
     2,
     { 0xc0024600, 0x302, DATA, 1 },
     4 },
   { "bonaire",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0xc0044700, 0x528, SCRATCH,    0x63000001, 0,          0,
       0xc0044700, 0x528, DATA2,      0x63000001, 0,          0,
       0xc0044700, 0x528, SCRATCH,    0x23000001, 0,          0,
       0xc0044700, 0x528, AVAILABLE2, 0x23000001, 0x80000000, 0 },
     24 },
   { "polaris10",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0xc0024600, 0x115, DATA2, 1, 0xc0044700, 0x528, SCRATCH, 0x23000001, 0,
       0, 0xc0044700, 0x528, AVAILABLE2, 0x23000001, 0x80000000, 0 },
     16 },
   { "vega10",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0xc0024600, 0x115, SCRATCH, 1, 0xc0064900, 0x528, 0x63000000, DATA2, 1,
       0, 0, 0, 0xc0024600, 0x115, SCRATCH, 1,
       RELEASE_AVAILABLE(AVAILABLE2) },
     24 },
   { "vega10",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0xc0024600, 0x115, DATA2, 1, RELEASE_AVAILABLE(AVAILABLE2) },
     12 },
   { "vega10",
     PITOT_KIND_CS_INVOCATIONS,
     0,
     { 0xc0024600, 0x21e, DATA2, 1, 0xc0024600, 0x115, SCRATCH, 1,
       RELEASE_AVAILABLE(AVAILABLE2) },
     16 },
   { "navi10",
     PITOT_KIND_TIME_ELAPSED,
     0,
     { 0xc0064900, 0x528, 0x63000000, DATA, 1, 0, 0, 0,
       RELEASE_AVAILABLE(AVAILABLE) },
     16 },
   { "navi21",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0xc0024600, 0x115, DATA, 1, RELEASE_AVAILABLE(AVAILABLE) },
     12 },
   { "navi31",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0xc001b100, DATA, 1, RELEASE_AVAILABLE(AVAILABLE) },
     11 },
   { "gfx11 old",
     PITOT_KIND_SAMPLES_PASSED,
     0,
     { 0xc0024600, 0x139, DATA, 1, RELEASE_AVAILABLE(AVAILABLE) },
     12 },
   { "navi31",
     PITOT_KIND_GS_INVOCATIONS,
     0,
     { 0xc0024600, 0x21e, DATA, 1, RELEASE_AVAILABLE(AVAILABLE) },
     12 },
};

/* Samples as at the end of a query. */
static void
take_end(struct fixture *f, const struct pitot_hw_query *query)
{
   struct pitot_hw_boundary boundary = { .count = 0 };

   assert_int_equal(pitot_hw_take(f->hw, PITOT_RING_RENDER,
                                  query->rings[PITOT_RING_RENDER].samples,
                                  true, &boundary),
                    0);
   pitot_hw_release(f->hw, &boundary);
}

static void
samples_are_golden(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(goldens); i++) {
      struct fixture *f = open_fixture(fake_gpu(goldens[i].gpu), false);
      struct pitot_hw_query *query =
         create(f, goldens[i].kind, goldens[i].stream);
      const struct fake_ring *ring = &f->fake.rings[PITOT_RING_RENDER];

      take_end(f, query);
      assert_int_equal(ring->used_dw, goldens[i].count);
      for (unsigned dw = 0; dw < ring->used_dw; dw++)
         assert_int_equal(ring->log[dw], goldens[i].dw[dw]);
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* What is begun is available when its end has: there, nothing says so.  What
 * stream-out writes says so by itself.
 */
static void
begins_do_not_land(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(goldens); i++) {
      struct fixture *f = open_fixture(fake_gpu(goldens[i].gpu), false);
      struct pitot_hw_query *query =
         create(f, goldens[i].kind, goldens[i].stream);
      const struct fake_ring *ring = &f->fake.rings[PITOT_RING_RENDER];

      const unsigned least_landing_dw = goldens[i].count > 4 ? 5 : 0;

      begin(f, query);
      assert_in_range(ring->used_dw, 3, goldens[i].count - least_landing_dw);
      assert_memory_equal(ring->log, goldens[i].dw,
                          ring->used_dw * sizeof(ring->log[0]));
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* Counters of both sorts in one query: the stall for the registers, the one
 * for the depth count just before that, and a landing after everything.
 */
static void
sorts_are_mixed(void **unused)
{
   static const struct pitot_hw_count measures[] = {
      { PITOT_KIND_VS_INVOCATIONS, 0 },
      { PITOT_KIND_SAMPLES_PASSED, 0 },
   };
   static const uint32_t dw[] = {
      STALL,      DEPTH, 0x7a000004, 0xa000, DATA,           1,
      0,          0,     0x12080002, 0x320,  DATA + 8,       1,
      0x12080002, 0x324, DATA + 12,  1,      PIPE_AVAILABLE,
   };
   struct fixture *f = open_fixture(fake_gpu("icl"), false);
   const struct fake_ring *ring = &f->fake.rings[PITOT_RING_RENDER];
   struct pitot_hw_query *query;

   (void)unused;
   pitot_hw_query_create_list(f->hw, measures, ARRAY_LENGTH(measures),
                              &query);
   take_end(f, query);
   assert_int_equal(ring->used_dw, ARRAY_LENGTH(dw));
   assert_memory_equal(ring->log, dw, sizeof(dw));
   pitot_hw_query_free(f->hw, query);
   close_fixture(f);
}

/* What a packet of AMD's writes does not reach into the next snapshot, which
 * begins at a multiple of 16 behind it.
 */
static void
snapshots_have_room(void **unused)
{
   static const struct {
      const char *gpu;
      enum pitot_kind kind;
      unsigned size_B; /* of what the packet writes */
   } cases[] = {
      { "pitcairn", PITOT_KIND_VS_INVOCATIONS, 11 * 8 },
      { "navi21", PITOT_KIND_VS_INVOCATIONS, 11 * 8 },
      { "navi31", PITOT_KIND_VS_INVOCATIONS, 14 * 8 },
      { "gfx11 old", PITOT_KIND_VS_INVOCATIONS, 14 * 8 },
      { "vega10", PITOT_KIND_SAMPLES_PASSED, 16 * 16 },
      { "navi31", PITOT_KIND_SAMPLES_PASSED, 24 * 16 },
      { "navi10", PITOT_KIND_PRIMITIVES_WRITTEN, 16 },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct fixture *f = open_fixture(fake_gpu(cases[i].gpu), false);
      struct pitot_hw_query *query = create(f, cases[i].kind, 0);

      begin(f, query);
      assert_int_equal(f->hw->slabs.current->used_B,
                       (8 + cases[i].size_B + 15) / 16 * 16);
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* Dwords of all statistics, and of an overflow of all streams, at one end:
 * with the word that says that they are available, unless they do so
 * themselves.
 */
static const struct {
   const char *gpu;
   unsigned statistics_dw; /* of those that the GPU can count */
   unsigned overflow_dw;   /* 0: not supported */
} budgets[] = {
   { "bdw", 1 + 88 + 5, 1 + 64 + 5 },
   { "dg2", 1 + 88 + 5, 1 + 64 + 5 },
   { "pitcairn", 4 + 6, 16 },
   { "bonaire", 4 + 12, 16 },
   { "vega10", 4 + 12, 16 },
   { "navi10", 4 + 8, 16 },
   { "navi31", 4 + 8, 0 },
};

static void
budgets_are_kept(void **unused)
{
   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(budgets); i++) {
      struct fixture *f = open_fixture(fake_gpu(budgets[i].gpu), false);
      struct fake_ring *ring = &f->fake.rings[PITOT_RING_RENDER];
      struct pitot_hw_query *query;

      query = create_statistics(f);
      take_end(f, query);
      assert_int_equal(ring->used_dw, budgets[i].statistics_dw);
      pitot_hw_query_free(f->hw, query);

      fake_stream_flush(&f->fake, PITOT_RING_RENDER);
      const int status =
         pitot_hw_query_create(f->hw, PITOT_KIND_ANY_STREAM_OVERFLOW, 0,
                               &query);
      assert_int_equal(status, budgets[i].overflow_dw ? 0 : -ENOTSUP);
      if (!status) {
         take_end(f, query);
         assert_int_equal(ring->used_dw, budgets[i].overflow_dw);
         pitot_hw_query_free(f->hw, query);
      }
      close_fixture(f);
   }
}

/* Of an address of 48 bits, the MI commands want the last one repeated. */
static void
addresses_are_canonical(void **unused)
{
   const uint64_t address = UINT64_C(0xfffffffe00001008);
   const uint64_t amd_address = UINT64_C(0xffff800100002000);
   const struct pitot_gpu *gfx6 = fake_gpu("pitcairn");
   uint32_t dw[8];
   struct pitot_hw_packets packets = { .gpu = fake_gpu("skl"), .next = dw };

   (void)unused;
   pitot_intel_pipe_control(&packets, 0, address);
   assert_int_equal(dw[2], 0x1008);
   assert_int_equal(dw[3], 0x0000fffe);
   packets.next = dw;
   pitot_intel_store_register(&packets, 0x2348, address & 0xffffffffffff);
   assert_int_equal(dw[3], 0xfffffffe);
   assert_int_equal(dw[6], 0x100c);
   packets.next = dw;
   pitot_intel_store_data(&packets, address, 1, 8);
   assert_int_equal(dw[2], 0xfffffffe);
   packets.next = dw;
   pitot_intel_store_data(&packets, UINT64_C(0x7fff00001008), 1, 8);
   assert_int_equal(dw[2], 0x7fff);

   packets = (struct pitot_hw_packets){ .gpu = gfx6, .next = dw };
   pitot_amd_end_of_pipe(&packets, PITOT_AMD_WRITE_AVAILABLE, amd_address);
   assert_int_equal(dw[3], 0x23008001);
   packets = (struct pitot_hw_packets){ fake_gpu("navi21"), dw, 0, false };
   pitot_amd_end_of_pipe(&packets, PITOT_AMD_WRITE_AVAILABLE, amd_address);
   assert_int_equal(dw[4], 0xffff8001);
   assert_int_equal(pitot_amd_nop(gfx6), 0x80000000);
   assert_int_equal(pitot_amd_nop(fake_gpu("bonaire")), 0xffff1000);
}

/* What the driver's shaders would have to count is refused, not 0. */
static void
what_cannot_be_counted_is_refused(void **unused)
{
   static const struct {
      const char *gpu;
      enum pitot_kind kind;
      unsigned bits;
   } cases[] = {
      { "navi10", PITOT_KIND_GS_INVOCATIONS, 0 },
      { "navi21", PITOT_KIND_GS_PRIMITIVES, 0 },
      { "navi21", PITOT_KIND_PRIMITIVES_GENERATED, 63 },
      { "navi31", PITOT_KIND_GS_INVOCATIONS, 64 },
      { "navi31", PITOT_KIND_GS_PRIMITIVES, 0 },
      { "navi31", PITOT_KIND_PRIMITIVES_GENERATED, 0 },
      { "navi31", PITOT_KIND_PRIMITIVES_WRITTEN, 0 },
      { "navi31", PITOT_KIND_STREAM_OVERFLOW, 0 },
      { "vega10", PITOT_KIND_GS_PRIMITIVES, 64 },
      { "vega10", PITOT_KIND_SAMPLES_PASSED, 63 },
      { "skl", PITOT_KIND_SAMPLES_PASSED, 64 },
      { "skl", PITOT_KIND_ANY_SAMPLES_PASSED, 1 },
      { "skl", PITOT_KIND_TIMESTAMP, 64 },
   };

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      struct fixture *f = open_fixture(fake_gpu(cases[i].gpu), false);
      struct pitot_hw_query *query = NULL;

      assert_int_equal(pitot_hw_counter_bits(f->hw, cases[i].kind),
                       cases[i].bits);
      assert_int_equal(pitot_hw_query_create(f->hw, cases[i].kind, 0, &query),
                       cases[i].bits ? 0 : -ENOTSUP);
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(samples_are_golden),
      cmocka_unit_test(begins_do_not_land),
      cmocka_unit_test(sorts_are_mixed),
      cmocka_unit_test(snapshots_have_room),
      cmocka_unit_test(budgets_are_kept),
      cmocka_unit_test(addresses_are_canonical),
      cmocka_unit_test(what_cannot_be_counted_is_refused),
   };

   return cmocka_run_group_tests_name("hw packets", tests, NULL, NULL);
}
