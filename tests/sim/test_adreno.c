/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The decoder of Adreno commands. */

#include "msm_machine.h"

#define WAIT_MEM_WRITES 0x12
#define WAIT_FOR_IDLE   0x26
#define MEM_WRITE       0x3d
#define CALL            0x3f
#define SET_DRAW_STATE  0x43
#define EVENT           0x46
#define MEM_TO_MEM      0x73

#define STOP  12
#define SUM   (1u << 29 | 1u << 2)
#define WAITS (1u << 30)

TEST_ON_MSM("a630", msm_count, counters_are_stale_without_a_wait)
{
   msm_draw(m, 5);
   msm_store(m, 1, 0);
   msm_emit_empty(m, WAIT_FOR_IDLE);
   msm_store(m, 1, 8);
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), 0);
   assert_int_equal(msm_qword(m, 8), 5);
}

TEST_ON_MSM("a750", msm_count, counters_go_on_from_batch_to_batch)
{
   msm_draw(m, 5);
   msm_run(m);
   msm_draw(m, 2);
   msm_emit_empty(m, WAIT_FOR_IDLE);
   msm_store(m, 0, 0);
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), 21);
}

TEST_ON_MSM("a630", msm_count, counters_that_are_stopped_stand_still)
{
   MSM_EMIT(m, EVENT, STOP);
   msm_draw(m, 5);
   msm_emit_empty(m, WAIT_FOR_IDLE);
   msm_store(m, 1, 0);
   msm_store(m, 9, 8);
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), 0);
   assert_int_equal(msm_qword(m, 8), 5);
}

TEST_ON_MSM("a630", NULL, the_streamer_does_not_see_what_it_has_posted)
{
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 7, 0);
   MSM_EMIT(m, MEM_TO_MEM, 0, MSM_AT(m, 8), MSM_AT(m, 0));
   MSM_EMIT(m, MEM_TO_MEM, 1u << 30, MSM_AT(m, 16), MSM_AT(m, 0));
   msm_emit_empty(m, WAIT_MEM_WRITES);
   MSM_EMIT(m, MEM_TO_MEM, 0, MSM_AT(m, 24), MSM_AT(m, 0));
   msm_run(m);
   assert_int_equal(msm_qword(m, 8), 0);
   assert_int_equal(msm_qword(m, 16), 7);
   assert_int_equal(msm_qword(m, 24), 7);
}

/* A wait for memory does not wait for work. */
TEST_ON_MSM("a630", msm_count, memory_that_waits_leaves_work_unfinished)
{
   msm_draw(m, 5);
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 16), 7, 0);
   msm_emit_empty(m, WAIT_MEM_WRITES);
   msm_store(m, 1, 0);
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), 0);
}

TEST_ON_MSM("a630", NULL, differences_are_added)
{
   m->data[0] = 100;
   m->data[2] = 30;
   m->data[4] = 7;
   MSM_EMIT(m, MEM_TO_MEM, SUM, MSM_AT(m, 0), MSM_AT(m, 0), MSM_AT(m, 8),
            MSM_AT(m, 16));
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), 123);
}

TEST_ON_MSM("a630", msm_count, samples_are_counted_by_registers)
{
   MSM_SET(m, 0x8891, 2);
   MSM_SET(m, 0x8927, MSM_AT(m, 16));
   MSM_EMIT(m, EVENT, 21);
   msm_draw(m, 5);
   MSM_SET(m, 0x8927, MSM_AT(m, 32));
   MSM_EMIT(m, EVENT, 21);
   msm_run(m);
   assert_int_equal(msm_qword(m, 32) - msm_qword(m, 16), 5);
}

TEST_ON_MSM("a750", msm_count, samples_are_added_by_events)
{
   MSM_EMIT(m, EVENT, 21 | 1 << 12, MSM_AT(m, 16));
   MSM_SET(m, 0x8891, 2);
   for (unsigned i = 0; i < 2; i++) {
      MSM_EMIT(m, EVENT, 21 | 1 << 12, MSM_AT(m, 16));
      msm_draw(m, 5);
      MSM_EMIT(m, EVENT, 21 | 7 << 12, MSM_AT(m, 16));
   }
   msm_run(m);
   assert_int_equal(msm_qword(m, 24), 10);
   assert_int_equal(msm_qword(m, 32) - msm_qword(m, 16), 5);
   msm_take_violations(m,
                       "CP_EVENT_WRITE: a sample count that is not copied\n");
}

/* The next draw in one of a group's modes executes it first. */
TEST_ON_MSM("a630", NULL, groups_come_before_draws)
{
   const uint32_t in_direct = 1u << 22, in_tiles = 1u << 21;

   const uint64_t address = m->command_address;

   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 5);
   const unsigned group_dw = m->submitted_dw = m->used_dw;
   MSM_EMIT(m, SET_DRAW_STATE, group_dw | in_tiles | 3u << 24,
            (uint32_t)address, (uint32_t)(address >> 32));
   msm_draw(m, 1);
   msm_run(m);
   assert_int_equal(m->data[0], 0);

   MSM_EMIT(m, SET_DRAW_STATE, group_dw | in_direct | 3u << 24,
            (uint32_t)address, (uint32_t)(address >> 32));
   msm_run(m);
   assert_int_equal(m->data[0], 0);

   MSM_EMIT(m, SET_DRAW_STATE, group_dw | in_direct | 3u << 24,
            (uint32_t)address, (uint32_t)(address >> 32));
   msm_draw(m, 1);
   msm_run(m);
   assert_int_equal(m->data[0], 5);
}

TEST_ON_MSM("a630", NULL, the_low_half_of_the_time_is_written)
{
   m->sim->now_ticks = (UINT64_C(1) << 32) + 1000;
   MSM_EMIT(m, EVENT, 22 | 1u << 30, MSM_AT(m, 0), 0);
   msm_run(m);
   assert_in_range(msm_qword(m, 0), 1000, 1010);
}

TEST_ON_MSM("a750", NULL, time_is_written_by_events)
{
   m->sim->now_ticks = 1000;
   MSM_EMIT(m, EVENT, 22 | 3u << 20 | 1u << 27, MSM_AT(m, 0));
   MSM_EMIT(m, EVENT, 4 | 1u << 27, MSM_AT(m, 8), 77);
   msm_run(m);
   assert_in_range(msm_qword(m, 0), 1000, 1010);
   assert_int_equal(m->data[2], 77);
}

TEST_ON_MSM("a630", msm_count, captured_primitives_are_counted)
{
   MSM_SET(m, 0x9305, 1u << 15 | 1);                  /* stream 0 */
   MSM_SET(m, 0x921a, MSM_AT(m, 1024), 4 * 3 * 4, 1); /* 4 triangles */
   MSM_SET(m, 0x921f, MSM_AT(m, 64));
   MSM_SET(m, 0x9218, MSM_AT(m, 0));
   msm_draw(m, 6);
   MSM_EMIT(m, EVENT, 17);
   MSM_EMIT(m, EVENT, 9);
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), 4);
   assert_int_equal(msm_qword(m, 8), 6);
   assert_int_equal(m->data[16], 12); /* dwords */
}

/* PC_SO_STREAM_CNTL survives the batch. */
TEST_ON_MSM("a750", msm_count, streams_that_go_nowhere_are_violations)
{
   MSM_SET(m, 0x9808, 1);
   msm_run(m);
   MSM_SET(m, 0x9305, 1u << 15);
   msm_draw(m, 3);
   MSM_SET(m, 0x9305, 0);
   msm_draw(m, 3);
   MSM_SET(m, 0x9808, 0);
   msm_draw(m, 3);
   msm_run(m);
   msm_take_violations(m, "draw: with streams that go nowhere\n");
}

TEST_ON_MSM("a630", NULL, bad_commands_are_violations)
{
   uint32_t address[2];

   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 1);
   m->commands[0] ^= 1u << 23;
   msm_run(m);
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0));
   msm_run(m);
   address[0] = (uint32_t)m->command_address + 4 * m->used_dw;
   address[1] = (uint32_t)(m->command_address >> 32);
   MSM_EMIT(m, CALL, address[0], address[1], 4); /* itself */
   msm_run(m);
   assert_int_equal(m->data[0], 0);
   msm_take_violations(m, "command buffer: has a header of no packet\n"
                          "command buffer: has too short a packet\n"
                          "command buffer: has too deep a call\n");
}

/* The binning pass, and tiles */

#define SKIP_GLOBALLY  0x1d
#define SKIP_LOCALLY   0x23
#define COND_REG_EXEC  0x47
#define SET_VISIBILITY 0x64
#define SET_MARKER     0x65
#define IN_BINNING     (1u << 25)
#define IN_TILES       (1u << 26)
#define IN_DIRECT      (1u << 27)
#define IN_MODE        (3u << 28)
#define BINNING        2
#define TILE           4

/* Records the passes of a batch in 50x100 tiles. */
static void
draw_in_tiles(struct msm_machine *m, unsigned triangles)
{
   MSM_EMIT(m, SET_MARKER, BINNING);
   msm_draw(m, triangles);
   MSM_EMIT(m, SET_MARKER, TILE);
   MSM_EMIT(m, SET_VISIBILITY, 0);
   MSM_SET(m, 0x80f0, 0, 99 << 16 | 49);
   msm_draw(m, triangles);
   MSM_SET(m, 0x80f0, 50, 99 << 16 | 99);
   msm_draw(m, triangles);
}

/* Draws seven triangles: this many passes count them. */
static void
check_passes(struct msm_machine *m, unsigned passes)
{
   draw_in_tiles(m, 7);
   msm_emit_empty(m, WAIT_FOR_IDLE);
   msm_store(m, 7, 0);
   msm_store(m, 9, 8);
   msm_run(m);
   assert_int_equal(msm_qword(m, 0), passes * 7);
   assert_int_equal(msm_qword(m, 8), 7);
}

TEST_ON_MSM("a630", msm_count, each_pass_counts)
{
   check_passes(m, 3);
}

/* The draw does not touch the second tile. */
TEST_ON_MSM("a750", msm_count, a_tile_skips_invisible_draws)
{
   MSM_SET(m, 0x80b0, 0, 99 << 16 | 49);
   check_passes(m, 2);
}

TEST_ON_MSM("a630", NULL, commands_are_left_out_by_the_mode)
{
   for (unsigned mode = 1; mode <= TILE; mode++) {
      MSM_EMIT(m, SET_MARKER, mode);
      MSM_EMIT(m, COND_REG_EXEC, IN_MODE | IN_BINNING | IN_DIRECT, 4);
      MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 4 * mode), mode);
   }
   msm_run(m);
   assert_int_equal(m->data[1], 1);
   assert_int_equal(m->data[2], 2);
   assert_int_equal(m->data[3] | m->data[4], 0);
}

/* Commands to call: a draw on the left, one on the right, then a write. */
static void
record_draws(struct msm_machine *m)
{
   MSM_SET(m, 0x80d0, 0, 99 << 16 | 49);
   msm_draw(m, 7);
   MSM_SET(m, 0x80d0, 50, 99 << 16 | 99);
   msm_draw(m, 5);
   MSM_EMIT(m, COND_REG_EXEC, IN_MODE | IN_TILES, 4);
   MSM_EMIT(m, MEM_WRITE, MSM_AT(m, 0), 9);
}

static void
call(struct msm_machine *m, unsigned count_dw)
{
   MSM_EMIT(m, CALL, (uint32_t)m->command_address,
            (uint32_t)(m->command_address >> 32), count_dw);
}

/* Whether a tile on the left half reaches the end of these commands. */
static bool
reaches_end(bool skips_globally, bool skips_locally, bool ignores_visibility)
{
   struct msm_machine m;

   msm_open(&m, "a630");
   msm_count(&m);
   msm_run(&m);
   const unsigned begin_dw = m.used_dw;
   record_draws(&m);
   m.submitted_dw = m.used_dw; /* they are only called */
   m.command_address += begin_dw * sizeof(uint32_t);

   MSM_EMIT(&m, SET_MARKER, BINNING);
   call(&m, m.submitted_dw - begin_dw);
   MSM_EMIT(&m, SKIP_GLOBALLY, skips_globally);
   MSM_EMIT(&m, SKIP_LOCALLY, skips_locally);
   MSM_EMIT(&m, SET_MARKER, TILE);
   MSM_EMIT(&m, SET_VISIBILITY, ignores_visibility);
   MSM_SET(&m, 0x80f0, 0, 99 << 16 | 49);
   call(&m, m.submitted_dw - begin_dw);
   msm_run(&m);
   const bool is_reached = m.data[0] == 9;
   msm_close(&m);
   return is_reached;
}

/* Mesa's register database: "if both GLOBAL and LOCAL are 1 and nothing is
 * left in the visibility stream, [...] draws will early return from their
 * IB".
 */
TEST(a_draw_returns_if_none_is_left)
{
   assert_false(reaches_end(true, true, false));
   assert_true(reaches_end(false, true, false));
   assert_true(reaches_end(true, false, false));
   assert_true(reaches_end(true, true, true));
}
