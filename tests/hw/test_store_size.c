/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * How many dwords the stores of Intel's command streamer take.
 */

#include "fixture.h"

/* A result that the GPU stores: the loads of a begin and an end (16 dwords),
 * their difference (5) and the write (8, or 4 of 4 bytes).  A boolean takes 8
 * more, a number that may be too large for 4 bytes 14, and 4 more if they are
 * signed.  A division, as on Gen8, is a call (3).
 */
struct store_size {
   enum pitot_kind kind;
   enum pitot_store what;
   enum pitot_type type;
   unsigned count_dw;
};

#define SIZE(KIND, STORE, TYPE, COUNT_DW)                                    \
   {                                                                         \
      .kind = PITOT_KIND_##KIND, .what = PITOT_STORE_##STORE,                \
      .type = PITOT_TYPE_##TYPE, .count_dw = COUNT_DW                        \
   }

static const struct store_size sizes[] = {
   SIZE(VS_INVOCATIONS, RESULT, U64, 29),
   SIZE(VS_INVOCATIONS, RESULT, U32, 29 - 4 + 14),
   SIZE(VS_INVOCATIONS, RESULT, I32, 29 - 4 + 18),
   SIZE(VS_INVOCATIONS, RESULT_NO_WAIT, U64, 29),
   SIZE(PRIMITIVES_WRITTEN, RESULT, U64, 29),
   SIZE(PRIMITIVES_GENERATED, RESULT_NO_WAIT, U64, 29),
   SIZE(FS_INVOCATIONS, RESULT, U64, 29),
   SIZE(SAMPLES_PASSED, RESULT, U64, 29),
   SIZE(SAMPLES_PASSED, RESULT_NO_WAIT, U64, 29),
   SIZE(ANY_SAMPLES_PASSED, RESULT, U32, 29 - 4 + 8),
   SIZE(ANY_SAMPLES_PASSED, RESULT, I32, 29 - 4 + 8),
};

static void
check_size(struct fixture *f, const struct store_size *size)
{
   const struct sim_cs_ring *ring = &f->cs->rings[PITOT_RING_RENDER];
   struct pitot_hw_query *query = create(f, size->kind, 0);
   const bool is_quarter =
      f->gpu->generation == 80 && size->kind == PITOT_KIND_FS_INVOCATIONS;

   begin(f, query);
   draw(f, size->kind, 1);
   end(f, query);
   const unsigned used_dw = ring->used_dw;
   store(f, query, size->what, size->type);
   assert_int_equal(ring->used_dw - used_dw,
                    size->count_dw + (is_quarter ? 3 : 0));
   run(f);
}

static void
check_sizes(struct fixture *f)
{
   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(sizes); i++)
      check_size(f, &sizes[i]);
}

static void
stores_are_short(struct fixture *none)
{
   static const char *const gpus[] = { "bdw", "skl", "tgl" };

   (void)none;
   for (unsigned i = 0; i < ARRAY_LENGTH(gpus); i++) {
      struct fixture *f = open_fixture(gpus[i], false);

      check_sizes(f);
      close_fixture(f);
   }
}

int
main(void)
{
   static const struct hw_test tests[] = {
      TEST_ON(NO_GPU, stores_are_short),
   };

   return RUN_SCHEDULED_ROWS("hw store size", tests, run_hw_test);
}
