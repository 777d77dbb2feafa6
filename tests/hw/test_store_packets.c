/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The programs by which Intel's command streamer stores a result and decides
 * a condition, dword by dword, in the encodings of Mesa's mi_builder.h and of
 * the register and command descriptions in src/intel/genxml.
 */

#include <string.h>

#include "fixture.h"
#include "intel/routine.h"

#define MAX_DW 72

/* The addresses of two segments: the samples of a begin, the availability
 * words and the samples of an end; and of what is stored.  The high halves of
 * addresses are all 1.
 */
#define BEGIN      0x00000008
#define AVAILABLE  0x00000010
#define END        0x00000018
#define BEGIN2     0x00000028
#define AVAILABLE2 0x00000030
#define END2       0x00000038
#define TARGET     (0x01000000 + TARGET_OFFSET_B)
#define BOOLEAN    0x02000000
#define ROUTINES   0x02000000

/* From Gen11 on, registers of the command streamer are relative to its first
 * one.
 */
#define GPR(N)          (0x2600 + 8 * (N))
#define RELATIVE_GPR(N) (0x600 + 8 * (N))

#define TWO_HALVES(HEADER, REG, ADDRESS)                                     \
   HEADER, REG, ADDRESS, 1, HEADER, (REG) + 4, (ADDRESS) + 4, 1

#define LOAD(N, ADDRESS)  TWO_HALVES(0x14800002, GPR(N), ADDRESS)
#define STORE(N, ADDRESS) TWO_HALVES(0x12000002, GPR(N), ADDRESS)
#define STORE_32(N)       0x12000002, GPR(N), TARGET, 1
#define COPY(TO, FROM)    0x17000003, TO, 1, FROM, 1

#define LOAD_RELATIVE(N, ADDRESS)                                            \
   TWO_HALVES(0x14880002, RELATIVE_GPR(N), ADDRESS)
#define STORE_RELATIVE(N, ADDRESS)                                           \
   TWO_HALVES(0x12080002, RELATIVE_GPR(N), ADDRESS)
#define STORE_RELATIVE_32(N) 0x12080002, RELATIVE_GPR(N), TARGET, 1

#define IMMEDIATE(N, LOW, HIGH) GPR(N), LOW, GPR(N) + 4, HIGH
#define LOAD_IMMEDIATE(N, LOW)  0x11000003, IMMEDIATE(N, LOW, 0)
#define RELATIVE_IMMEDIATE(N, LOW, HIGH)                                     \
   RELATIVE_GPR(N), LOW, RELATIVE_GPR(N) + 4, HIGH

/* MI_MATH with so many ALU dwords. */
#define MATH(COUNT) (0x0d000000 | ((COUNT)-1))

#define ADD 0x10000000
#define SUB 0x10100000
#define AND 0x10200000
#define OR  0x10300000

#define COMPUTE_INTO(STORED, TO, A, OPERATION, B)                            \
   0x08008000 | (A), 0x08008400 | (B), OPERATION, (STORED) | (TO) << 10
#define COMPUTE(...) COMPUTE_INTO(0x18000031, __VA_ARGS__)
#define BORROW(...)  COMPUTE_INTO(0x18000033, __VA_ARGS__)

/* All ones if a register is not 0, or if it is; and 1 of all ones. */
#define TEST(N)    0x08008000 | (N), 0x08108400, ADD, 0x58000032 | (N) << 10
#define IS_ZERO(N) 0x08008000 | (N), 0x08108400, ADD, 0x18000032 | (N) << 10
#define NEGATE(N)  0x08108000, 0x08008400 | (N), SUB, 0x18000031 | (N) << 10

#define CALL(OFFSET_DW) 0x18c00101, ROUTINES + 4 * (OFFSET_DW), 1
#define FLUSH           0x7a000004, 0x80, 0, 0, 0, 0
#define FENCE           0x04800003

enum request {
   REQUEST_RESULT,
   REQUEST_RESULT_NO_WAIT,
   REQUEST_AVAILABLE,
   REQUEST_CONDITION,
   REQUEST_INVERTED_CONDITION,
};

#define GOLDEN(GPU, KIND, STREAM, SEGMENTS, REQUEST, TYPE, ...)              \
   {                                                                         \
      GPU, PITOT_KIND_##KIND, STREAM, SEGMENTS, REQUEST_##REQUEST,           \
         PITOT_TYPE_##TYPE, { __VA_ARGS__ },                                 \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)        \
   }

static const struct golden {
   const char *gpu;
   enum pitot_kind kind;
   unsigned stream, segment_count;
   enum request request;
   enum pitot_type type;
   uint32_t dw[MAX_DW];
   unsigned count;
} goldens[] = {
   GOLDEN("skl", SAMPLES_PASSED, 0, 1, RESULT, U64, LOAD(1, BEGIN),
          LOAD(0, END), MATH(4), COMPUTE(0, 0, SUB, 1), STORE(0, TARGET)),
   GOLDEN("skl", SAMPLES_PASSED, 0, 1, RESULT_NO_WAIT, U64, LOAD(1, BEGIN),
          LOAD(0, END), MATH(4), COMPUTE(0, 0, SUB, 1), STORE(0, TARGET)),
   GOLDEN("icl", SAMPLES_PASSED, 0, 1, RESULT_NO_WAIT, U64,
          LOAD_RELATIVE(1, BEGIN), LOAD_RELATIVE(0, END), MATH(4),
          COMPUTE(0, 0, SUB, 1), STORE_RELATIVE(0, TARGET)),
   GOLDEN("lnl", SAMPLES_PASSED, 0, 1, RESULT_NO_WAIT, U64,
          LOAD_RELATIVE(1, BEGIN), LOAD_RELATIVE(0, END), MATH(4),
          COMPUTE(0, 0, SUB, 1), STORE_RELATIVE(0, TARGET), FENCE),
   GOLDEN("lnl", VS_INVOCATIONS, 0, 1, RESULT_NO_WAIT, U64, FENCE,
          LOAD_RELATIVE(1, BEGIN), LOAD_RELATIVE(0, END), MATH(4),
          COMPUTE(0, 0, SUB, 1), STORE_RELATIVE(0, TARGET), FENCE),
   GOLDEN("skl", VS_INVOCATIONS, 0, 2, RESULT_NO_WAIT, U64, LOAD(1, BEGIN),
          LOAD(0, END), MATH(4), COMPUTE(0, 0, SUB, 1), LOAD(1, BEGIN2),
          LOAD(2, END2), MATH(8), COMPUTE(2, 2, SUB, 1),
          COMPUTE(0, 0, ADD, 2), STORE(0, TARGET)),
   GOLDEN("bdw", FS_INVOCATIONS, 0, 1, RESULT, U64, LOAD(1, BEGIN),
          LOAD(0, END), MATH(4), COMPUTE(0, 0, SUB, 1), CALL(112),
          STORE(0, TARGET)),

   /* Clamped, and booleans, which need not be. */
   GOLDEN("skl", SAMPLES_PASSED, 0, 1, RESULT, U32, LOAD(1, BEGIN),
          LOAD(0, END), MATH(4), COMPUTE(0, 0, SUB, 1),
          LOAD_IMMEDIATE(4, 0xffffffff), MATH(8), BORROW(2, 4, SUB, 0),
          COMPUTE(0, 0, OR, 2), STORE_32(0)),
   GOLDEN("skl", SAMPLES_PASSED, 0, 1, RESULT, I32, LOAD(1, BEGIN),
          LOAD(0, END), MATH(4), COMPUTE(0, 0, SUB, 1),
          LOAD_IMMEDIATE(4, 0x7fffffff), MATH(12), BORROW(2, 4, SUB, 0),
          COMPUTE(0, 0, OR, 2), COMPUTE(0, 0, AND, 4), STORE_32(0)),
   GOLDEN("icl", ANY_SAMPLES_PASSED, 0, 1, RESULT, U32,
          LOAD_RELATIVE(1, BEGIN), LOAD_RELATIVE(0, END), MATH(12),
          COMPUTE(0, 0, SUB, 1), TEST(0), NEGATE(0), STORE_RELATIVE_32(0)),
   GOLDEN("skl", STREAM_OVERFLOW, 1, 1, RESULT, U64, LOAD(1, BEGIN + 8),
          LOAD(0, END + 24), MATH(4), COMPUTE(0, 0, SUB, 1), LOAD(1, BEGIN),
          LOAD(3, END + 16), MATH(16), COMPUTE(3, 3, SUB, 1),
          COMPUTE(0, 0, SUB, 3), TEST(0), NEGATE(0), STORE(0, TARGET)),

   /* Times: the window of 36 bits, the routines that add and scale. */
   GOLDEN("skl", TIMESTAMP, 0, 1, RESULT, U64, 0x1100000b, IMMEDIATE(0, 0, 0),
          IMMEDIATE(1, 0, 0), IMMEDIATE(2, 0xffffffff, 0xf), LOAD(6, BEGIN),
          CALL(80), CALL(400), STORE(0, TARGET)),
   GOLDEN("icl", TIME_ELAPSED, 0, 1, RESULT, U64, 0x11080013,
          RELATIVE_IMMEDIATE(0, 0, 0), RELATIVE_IMMEDIATE(1, 0, 0),
          RELATIVE_IMMEDIATE(2, 0xffffffff, 0xf), RELATIVE_IMMEDIATE(3, 0, 0),
          RELATIVE_IMMEDIATE(4, 0, 0), LOAD_RELATIVE(5, BEGIN),
          LOAD_RELATIVE(6, END), CALL(0), CALL(400),
          STORE_RELATIVE(0, TARGET)),

   /* Availability: a copy of the word, or the words of both segments. */
   GOLDEN("skl", SAMPLES_PASSED, 0, 1, AVAILABLE, U32,
          COPY(TARGET, AVAILABLE)),
   GOLDEN("icl", SAMPLES_PASSED, 0, 1, AVAILABLE, U64,
          COPY(TARGET, AVAILABLE), COPY(TARGET + 4, AVAILABLE + 4)),
   GOLDEN("skl", VS_INVOCATIONS, 0, 2, AVAILABLE, U32, LOAD_IMMEDIATE(0, 1),
          LOAD(2, AVAILABLE), MATH(4), COMPUTE(0, 0, AND, 2),
          LOAD(2, AVAILABLE2), MATH(4), COMPUTE(0, 0, AND, 2), STORE_32(0)),

   /* Conditions: the boolean goes to memory and to the predicate register
    * (0x2418).  A flush of the writes of the pipe comes before it.
    */
   GOLDEN("skl", SAMPLES_PASSED, 0, 1, CONDITION, U64, FLUSH, LOAD(1, BEGIN),
          LOAD(0, END), MATH(12), COMPUTE(0, 0, SUB, 1), TEST(0), NEGATE(0),
          STORE(0, BOOLEAN), 0x15000001, GPR(0), 0x2418),
   GOLDEN("icl", STREAM_OVERFLOW, 0, 1, INVERTED_CONDITION, U64,
          LOAD_RELATIVE(1, BEGIN + 8), LOAD_RELATIVE(0, END + 24), MATH(4),
          COMPUTE(0, 0, SUB, 1), LOAD_RELATIVE(1, BEGIN),
          LOAD_RELATIVE(3, END + 16), MATH(16), COMPUTE(3, 3, SUB, 1),
          COMPUTE(0, 0, SUB, 3), IS_ZERO(0), NEGATE(0),
          STORE_RELATIVE(0, BOOLEAN), 0x150c0001, RELATIVE_GPR(0), 0x418),
};

/* Measures so many segments, suspended in between, at other positions. */
static struct pitot_hw_query *
measure(struct fixture *f, const struct golden *g)
{
   struct pitot_hw_query *query = create(f, g->kind, g->stream);

   if (!pitot_kind_info(g->kind)->is_instant)
      begin(f, query);
   for (unsigned i = 1; i < 2 * g->segment_count - 1; i++) {
      move(f, PITOT_RING_RENDER);
      pitot_hw_set_active(f->hw, i % 2 == 0);
   }
   move(f, PITOT_RING_RENDER);
   end(f, query);
   return query;
}

static void
make_request(struct fixture *f, struct pitot_hw_query *query,
             const struct golden *g)
{
   static const enum pitot_store kinds[] = {
      [REQUEST_RESULT] = PITOT_STORE_RESULT,
      [REQUEST_RESULT_NO_WAIT] = PITOT_STORE_RESULT_NO_WAIT,
      [REQUEST_AVAILABLE] = PITOT_STORE_AVAILABLE,
   };
   struct pitot_hw_condition condition;

   if (g->request <= REQUEST_AVAILABLE) {
      store(f, query, kinds[g->request], g->type);
      return;
   }
   pitot_hw_query_decide(f->hw, query,
                         g->request == REQUEST_INVERTED_CONDITION, true,
                         &condition);
   assert_int_equal(condition.predicate, PITOT_PREDICATE_BOOLEAN);
   assert_int_equal(condition.records[0].buffer->address +
                       condition.records[0].offset_B - SIM_CS_ADDRESS,
                    BOOLEAN);
}

/* The batch is flushed before availability is asked for, which has to come.
 */
static void
check(const struct golden *g)
{
   struct fixture *f = open_fixture(g->gpu, false);
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];

   f->cs->is_held = true;
   struct pitot_hw_query *query = measure(f, g);
   prepare_target(f);
   const unsigned before_dw =
      g->request == REQUEST_AVAILABLE ? 0 : ring->used_dw;
   make_request(f, query, g);
   assert_int_equal(ring->used_dw - before_dw, g->count);
   for (unsigned i = 0; i < g->count; i++)
      assert_int_equal(ring->commands[before_dw + i], g->dw[i]);
   run(f);
   close_fixture(f);
}

static void
programs_are_golden(struct fixture *none)
{
   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(goldens); i++)
      check(&goldens[i]);
}

#define OP_MI_MATH      0x1a
#define OP_MI_BATCH_END 0x0a
#define MAX_ALU_DW      63
#define ROUTINES_DW     (PITOT_INTEL_ROUTINES_SIZE_B / 4)
#define READ_AHEAD_DW   256

/* Checks the packets of a routine, of which none reaches into another one.
 */
static void
check_routine(const uint32_t *dw, enum pitot_intel_routine routine)
{
   const unsigned begin = pitot_intel_routine_address(0, routine) / 4;
   unsigned at = begin;

   while (dw[at] >> 23 != OP_MI_BATCH_END) {
      const unsigned body_dw = (dw[at] & 0xff) + 1;

      if (dw[at] >> 23 == OP_MI_MATH)
         assert_in_range(body_dw, 1, MAX_ALU_DW);
      at += 1 + body_dw;
      assert_in_range(at, 1, ROUTINES_DW - READ_AHEAD_DW - 1);
   }
   for (unsigned r = 0; r < PITOT_INTEL_ROUTINE_COUNT; r++) {
      const unsigned other = pitot_intel_routine_address(0, r) / 4;

      assert_true(other <= begin || other > at);
   }
}

/* The length of MI_MATH has 6 bits on Gen8, and the command streamer reads
 * ahead behind the last routine.
 */
static void
routines_have_room(struct fixture *none)
{
   static const uint64_t frequencies_hz[] = { 12000000, 12500000, 19200000,
                                              38400000, 99999989 };
   static uint32_t dw[ROUTINES_DW];
   struct pitot_gpu gpu = sim_gpu("bdw")->facts;

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(frequencies_hz); i++) {
      gpu.timestamp_hz = frequencies_hz[i];
      memset(dw, 0, sizeof(dw));
      assert_true(pitot_intel_write_routines(&gpu, dw));
      for (unsigned r = 0; r < PITOT_INTEL_ROUTINE_COUNT; r++)
         check_routine(dw, r);
   }
}

static struct pitot_hw_query *
measure_segments(struct fixture *f, unsigned count)
{
   const struct golden many = { .kind = PITOT_KIND_SAMPLES_PASSED,
                                .segment_count = count };

   f->cs->is_held = true;
   return measure(f, &many);
}

/* A query that was suspended more than seven times is the CPU's. */
static void
many_segments_are_the_cpus(struct fixture *f)
{
   store(f, measure_segments(f, 8), PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(f->cs->wait_count, 0);
   store(f, measure_segments(f, 9), PITOT_STORE_RESULT, PITOT_TYPE_U64);
   assert_int_equal(f->cs->wait_count, 1);
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(NO_GPU, programs_are_golden),
      TEST_ON(NO_GPU, routines_have_room),
      TEST_ON("skl", many_segments_are_the_cpus),
   };

   return RUN_SCHEDULED_ROWS("hw packets of stores", tests, run_hw_test);
}
