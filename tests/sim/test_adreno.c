/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The decoder of Adreno's commands.
 */

#include "msm_machine.h"

#define WAIT_MEM_WRITES 0x12
#define WAIT_FOR_IDLE   0x26
#define DRAW            0x38
#define MEM_WRITE       0x3d
#define REG_TO_MEM      0x3e
#define CALL            0x3f
#define SET_DRAW_STATE  0x43
#define EVENT           0x46
#define COND_REG_EXEC   0x47
#define SET_VISIBILITY  0x64
#define SET_MARKER      0x65
#define MEM_TO_MEM      0x73

#define PRIMCTR(N) (1u << 30 | 2u << 18 | (0x540 + 2 * (N)))
#define TRIANGLES  (4u | 2u << 6 | 1u << 8)
#define START      11
#define STOP       12
#define START_FS   13
#define SUM        (1u << 29 | 1u << 2)
#define WAITS      (1u << 30)
#define IN_BINNING (1u << 25)
#define IN_DIRECT  (1u << 27)
#define IN_MODE    (3u << 28)
#define BINNING    2
#define TILE       4

static void
emit_empty(struct msm_machine *m, uint32_t op)
{
   msm_emit(m, op, NULL, 0);
}

static void
open_counting(struct msm_machine *m, const char *gpu)
{
   msm_open(m, gpu);
   sim_count_commands(m->sim);
   MSM_SET(m, 0x80b0, 0, 99 << 16 | 99); /* screen scissor: 100 by 100 */
   MSM_SET(m, 0x80d0, 0, 99 << 16 | 99); /* viewport scissor */
   MSM_SET(m, 0x80f0, 0, 99 << 16 | 99); /* window scissor */
   MSM_EMIT(m, EVENT, START);
   MSM_EMIT(m, EVENT, START_FS);
}

/* Stores a counter at an offset of the data. */
static void
store(struct msm_machine *m, unsigned counter, unsigned offset_B)
{
   MSM_EMIT(m, REG_TO_MEM, PRIMCTR(counter), MSM_AT(m, offset_B));
}

static void
draw(struct msm_machine *m, unsigned triangles)
{
   MSM_EMIT(m, DRAW, TRIANGLES, 1, 3 * triangles);
}

static void
counters_are_stale_without_a_wait(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a630");
   draw(&m, 5);
   store(&m, 1, 0);
   emit_empty(&m, WAIT_FOR_IDLE);
   store(&m, 1, 8);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 0);
   assert_int_equal(msm_qword(&m, 8), 5);
   msm_close(&m, "");
}

static void
counters_go_on_from_batch_to_batch(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a750");
   draw(&m, 5);
   msm_run(&m);
   draw(&m, 2);
   emit_empty(&m, WAIT_FOR_IDLE);
   store(&m, 0, 0);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 21);
   msm_close(&m, "");
}

static void
counters_that_are_stopped_stand_still(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a630");
   MSM_EMIT(&m, EVENT, STOP);
   draw(&m, 5);
   emit_empty(&m, WAIT_FOR_IDLE);
   store(&m, 1, 0);
   store(&m, 9, 8);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 0);
   assert_int_equal(msm_qword(&m, 8), 5);
   msm_close(&m, "");
}

static void
the_streamer_does_not_see_what_it_has_posted(void **state)
{
   struct msm_machine m;

   (void)state;
   msm_open(&m, "a630");
   MSM_EMIT(&m, MEM_WRITE, MSM_AT(&m, 0), 7, 0);
   MSM_EMIT(&m, MEM_TO_MEM, 0, MSM_AT(&m, 8), MSM_AT(&m, 0));
   MSM_EMIT(&m, MEM_TO_MEM, 1u << 30, MSM_AT(&m, 16), MSM_AT(&m, 0));
   emit_empty(&m, WAIT_MEM_WRITES);
   MSM_EMIT(&m, MEM_TO_MEM, 0, MSM_AT(&m, 24), MSM_AT(&m, 0));
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 8), 0);
   assert_int_equal(msm_qword(&m, 16), 7);
   assert_int_equal(msm_qword(&m, 24), 7);
   msm_close(&m, "");
}

/* A wait for memory is none for the work. */
static void
memory_that_waits_leaves_work_unfinished(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a630");
   draw(&m, 5);
   MSM_EMIT(&m, MEM_WRITE, MSM_AT(&m, 16), 7, 0);
   emit_empty(&m, WAIT_MEM_WRITES);
   store(&m, 1, 0);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 0);
   msm_close(&m, "");
}

static void
differences_are_added(void **state)
{
   struct msm_machine m;

   (void)state;
   msm_open(&m, "a630");
   m.data[0] = 100;
   m.data[2] = 30;
   m.data[4] = 7;
   MSM_EMIT(&m, MEM_TO_MEM, SUM, MSM_AT(&m, 0), MSM_AT(&m, 0), MSM_AT(&m, 8),
            MSM_AT(&m, 16));
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 123);
   msm_close(&m, "");
}

static void
samples_are_counted_by_registers(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a630");
   MSM_SET(&m, 0x8891, 2);
   MSM_SET(&m, 0x8927, MSM_AT(&m, 16));
   MSM_EMIT(&m, EVENT, 21);
   draw(&m, 5);
   MSM_SET(&m, 0x8927, MSM_AT(&m, 32));
   MSM_EMIT(&m, EVENT, 21);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 32) - msm_qword(&m, 16), 5);
   msm_close(&m, "");
}

static void
samples_are_added_by_events(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a750");
   for (unsigned i = 0; i < 2; i++) {
      MSM_EMIT(&m, EVENT, 21 | 1 << 12, MSM_AT(&m, 16));
      draw(&m, 5);
      MSM_EMIT(&m, EVENT, 21 | 7 << 12, MSM_AT(&m, 16));
   }
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 24), 10);
   assert_int_equal(msm_qword(&m, 32) - msm_qword(&m, 16), 5);
   msm_close(&m, "");
}

/* Records the passes of a batch in tiles of 50 by 100. */
static void
draw_in_tiles(struct msm_machine *m, unsigned triangles)
{
   MSM_EMIT(m, SET_MARKER, BINNING);
   draw(m, triangles);
   MSM_EMIT(m, SET_MARKER, TILE);
   MSM_EMIT(m, SET_VISIBILITY, 0);
   MSM_SET(m, 0x80f0, 0, 99 << 16 | 49);
   draw(m, triangles);
   MSM_SET(m, 0x80f0, 50, 99 << 16 | 99);
   draw(m, triangles);
}

static void
each_pass_counts(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a630");
   draw_in_tiles(&m, 7);
   emit_empty(&m, WAIT_FOR_IDLE);
   store(&m, 7, 0);
   store(&m, 9, 8);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 3 * 7);
   assert_int_equal(msm_qword(&m, 8), 7);
   msm_close(&m, "");
}

/* Nothing of the draw is in the second tile. */
static void
a_tile_skips_invisible_draws(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a750");
   MSM_SET(&m, 0x80b0, 0, 99 << 16 | 49);
   draw_in_tiles(&m, 7);
   emit_empty(&m, WAIT_FOR_IDLE);
   store(&m, 7, 0);
   store(&m, 9, 8);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 2 * 7);
   assert_int_equal(msm_qword(&m, 8), 7);
   msm_close(&m, "");
}

static void
commands_are_left_out_by_the_mode(void **state)
{
   struct msm_machine m;

   (void)state;
   msm_open(&m, "a630");
   for (unsigned mode = 1; mode <= TILE; mode++) {
      MSM_EMIT(&m, SET_MARKER, mode);
      MSM_EMIT(&m, COND_REG_EXEC, IN_MODE | IN_BINNING | IN_DIRECT, 4);
      MSM_EMIT(&m, MEM_WRITE, MSM_AT(&m, 4 * mode), mode);
   }
   msm_run(&m);
   assert_int_equal(m.data[1], 1);
   assert_int_equal(m.data[2], 2);
   assert_int_equal(m.data[3] | m.data[4], 0);
   msm_close(&m, "");
}

/* Commands in a group are executed by the next draw in one of its modes. */
static void
groups_come_before_draws(void **state)
{
   const uint32_t in_direct = 1u << 22, in_tiles = 1u << 21;
   struct msm_machine m;

   (void)state;
   msm_open(&m, "a630");
   const uint64_t address = m.command_address;

   MSM_EMIT(&m, MEM_WRITE, MSM_AT(&m, 0), 5);
   const unsigned group_dw = m.submitted_dw = m.used_dw;
   MSM_EMIT(&m, SET_DRAW_STATE, group_dw | in_tiles | 3u << 24,
            (uint32_t)address, (uint32_t)(address >> 32));
   draw(&m, 1);
   msm_run(&m);
   assert_int_equal(m.data[0], 0);

   MSM_EMIT(&m, SET_DRAW_STATE, group_dw | in_direct | 3u << 24,
            (uint32_t)address, (uint32_t)(address >> 32));
   msm_run(&m);
   assert_int_equal(m.data[0], 0);

   MSM_EMIT(&m, SET_DRAW_STATE, group_dw | in_direct | 3u << 24,
            (uint32_t)address, (uint32_t)(address >> 32));
   draw(&m, 1);
   msm_run(&m);
   assert_int_equal(m.data[0], 5);
   msm_close(&m, "");
}

static void
time_is_written_by_events(void **state)
{
   struct msm_machine m;

   (void)state;
   msm_open(&m, "a630");
   m.sim->now_ticks = 1000;
   MSM_EMIT(&m, EVENT, 22 | 1u << 30, MSM_AT(&m, 0), 0);
   msm_run(&m);
   assert_in_range(msm_qword(&m, 0), 1000, 1010);
   msm_close(&m, "");

   msm_open(&m, "a750");
   m.sim->now_ticks = 1000;
   MSM_EMIT(&m, EVENT, 22 | 3u << 20 | 1u << 27, MSM_AT(&m, 0));
   MSM_EMIT(&m, EVENT, 4 | 1u << 27, MSM_AT(&m, 8), 77);
   msm_run(&m);
   assert_in_range(msm_qword(&m, 0), 1000, 1010);
   assert_int_equal(m.data[2], 77);
   msm_close(&m, "");
}

static void
captured_primitives_are_counted(void **state)
{
   struct msm_machine m;

   (void)state;
   open_counting(&m, "a630");
   MSM_SET(&m, 0x9305, 1u << 15 | 1);                   /* stream 0 */
   MSM_SET(&m, 0x921a, MSM_AT(&m, 1024), 4 * 3 * 4, 1); /* 4 triangles */
   MSM_SET(&m, 0x921f, MSM_AT(&m, 64));
   MSM_SET(&m, 0x9218, MSM_AT(&m, 0));
   draw(&m, 6);
   MSM_EMIT(&m, EVENT, 17);
   MSM_EMIT(&m, EVENT, 9);
   msm_run(&m);
   assert_int_equal(msm_qword(&m, 0), 4);
   assert_int_equal(msm_qword(&m, 8), 6);
   assert_int_equal(m.data[16], 12); /* dwords */
   msm_close(&m, "");
}

static void
bad_commands_are_violations(void **state)
{
   struct msm_machine m;
   uint32_t address[2];

   (void)state;
   msm_open(&m, "a630");
   MSM_EMIT(&m, MEM_WRITE, MSM_AT(&m, 0), 1);
   m.commands[0] ^= 1u << 23;
   msm_run(&m);
   MSM_EMIT(&m, MEM_WRITE, MSM_AT(&m, 0));
   msm_run(&m);
   address[0] = (uint32_t)m.command_address + 4 * m.used_dw;
   address[1] = (uint32_t)(m.command_address >> 32);
   MSM_EMIT(&m, CALL, address[0], address[1], 4); /* itself */
   msm_run(&m);
   assert_int_equal(m.data[0], 0);
   msm_close(&m, "command buffer: has a header of no packet\n"
                 "command buffer: has too short a packet\n"
                 "command buffer: has too deep a call\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(counters_are_stale_without_a_wait),
      cmocka_unit_test(counters_go_on_from_batch_to_batch),
      cmocka_unit_test(counters_that_are_stopped_stand_still),
      cmocka_unit_test(the_streamer_does_not_see_what_it_has_posted),
      cmocka_unit_test(memory_that_waits_leaves_work_unfinished),
      cmocka_unit_test(differences_are_added),
      cmocka_unit_test(samples_are_counted_by_registers),
      cmocka_unit_test(samples_are_added_by_events),
      cmocka_unit_test(each_pass_counts),
      cmocka_unit_test(a_tile_skips_invisible_draws),
      cmocka_unit_test(commands_are_left_out_by_the_mode),
      cmocka_unit_test(groups_come_before_draws),
      cmocka_unit_test(time_is_written_by_events),
      cmocka_unit_test(captured_primitives_are_counted),
      cmocka_unit_test(bad_commands_are_violations),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
