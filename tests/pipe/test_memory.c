/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Allocations that fail in a begin or a draw.
 */

#include <errno.h>

#include "fail_memory.h"
#include "statistics.h"

/* One allocation fails.  Returns whether none did. */
static bool
measure_failing(struct statistics *s, enum pitot_kind kind, unsigned failing)
{
   struct pitot_query *query;

   assert_int_equal(pitot_query_obtain(s->f.context, 1, &query), 0);
   s->error = 0;
   fail_memory = failing;
   const int error = pitot_query_begin(s->f.context, query, kind, 0);
   if (!error)
      draw(s);
   fail_memory = 0;
   if (error) {
      assert_int_equal(error, -ENOMEM);
      return false;
   }
   assert_true(s->error == 0 || s->error == -ENOMEM);
   assert_int_equal(pitot_query_end(s->f.context, kind, 0), 0);
   assert_true(pitot_query_resolve(s->f.context, query, true));
   if (s->error)
      assert_int_equal(query->result, 0);
   return !s->error;
}

/* Each failure returns an error, and the next query measures again. */
TEST(no_memory_measures_nothing)
{
   static const struct {
      enum pitot_kind kind;
      unsigned least; /* allocations */
   } cases[] = {
      { PITOT_KIND_SAMPLES_PASSED, 1 },
      { PITOT_KIND_FIRST_STATISTIC, 3 }, /* with its group and segment */
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(cases); i++) {
      unsigned failing = 1;
      bool is_done = false;

      for (; !is_done; failing++) {
         struct statistics s = { .is_watched = false };

         fake_pipe_init(&s.f.fake);
         open_statistics(&s, true, false);
         is_done = measure_failing(&s, cases[i].kind, failing);
         assert_true(measure_failing(&s, cases[i].kind, 0));
         close_fixture(&s.f);
      }
      assert_true(failing > cases[i].least + 1);
   }
}

FAKE_TEST(no_memory_makes_no_fence)
{
   struct pitot_fence *fence;

   open_fixture(f);
   fail_memory = 1;
   assert_int_equal(f->client.base.ops->fence_create(&f->client.base, &fence),
                    -ENOMEM);
   assert_int_equal(fail_memory, 0);
}
