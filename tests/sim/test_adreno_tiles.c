/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The decoder of Adreno commands: the binning pass, and tiles. */

#include "msm_machine.h"

#define WAIT_FOR_IDLE  0x26
#define SKIP_GLOBALLY  0x1d
#define SKIP_LOCALLY   0x23
#define MEM_WRITE      0x3d
#define CALL           0x3f
#define COND_REG_EXEC  0x47
#define SET_VISIBILITY 0x64
#define SET_MARKER     0x65

#define IN_BINNING (1u << 25)
#define IN_TILES   (1u << 26)
#define IN_DIRECT  (1u << 27)
#define IN_MODE    (3u << 28)
#define BINNING    2
#define TILE       4

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

static void
each_pass_counts(struct msm_machine *m)
{
   check_passes(m, 3);
}

/* The draw does not touch the second tile. */
static void
a_tile_skips_invisible_draws(struct msm_machine *m)
{
   MSM_SET(m, 0x80b0, 0, 99 << 16 | 49);
   check_passes(m, 2);
}

static void
commands_are_left_out_by_the_mode(struct msm_machine *m)
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
static void
a_draw_returns_if_none_is_left(void **state)
{
   (void)state;
   assert_false(reaches_end(true, true, false));
   assert_true(reaches_end(false, true, false));
   assert_true(reaches_end(true, false, false));
   assert_true(reaches_end(true, true, true));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      ON_MSM("a630", msm_count, each_pass_counts),
      ON_MSM("a750", msm_count, a_tile_skips_invisible_draws),
      ON_MSM("a630", NULL, commands_are_left_out_by_the_mode),
      cmocka_unit_test(a_draw_returns_if_none_is_left),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
