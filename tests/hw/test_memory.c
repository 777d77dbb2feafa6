/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Whichever allocation fails: it is said, it is not missed, and nothing
 * stays. The linker puts these in place of malloc and calloc.
 */

#include <errno.h>
#include <stdlib.h>

#include "fixture.h"

static unsigned fail_nth;

void *
__real_malloc(size_t size);
void *
__real_calloc(size_t count, size_t size);
void *
__wrap_malloc(size_t size);
void *
__wrap_calloc(size_t count, size_t size);

static bool
fails(void)
{
   return fail_nth && --fail_nth == 0;
}

void *
__wrap_malloc(size_t size)
{
   return fails() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
   return fails() ? NULL : __real_calloc(count, size);
}

/* Measures, with a pause.  Returns whether all of it worked. */
static bool
measure(struct fake_stream *fake, struct pitot_hw *hw,
        struct pitot_hw_query *query)
{
   uint64_t value = 7;
   bool works = pitot_hw_query_begin(hw, query) == 0;

   assert_true(works || fake->counting == 0);
   fake_stream_draw(fake, PITOT_KIND_SAMPLES_PASSED, 0, 3);
   pitot_hw_set_active(hw, false);
   fake_stream_draw(fake, PITOT_KIND_SAMPLES_PASSED, 0, 100);
   pitot_hw_set_active(hw, true);
   fake_stream_draw(fake, PITOT_KIND_SAMPLES_PASSED, 0, 4);
   fake_stream_flush(fake, PITOT_RING_RENDER);
   works &= pitot_hw_query_end(hw, query) == 0;

   const int status = pitot_hw_query_result(hw, query, true, &value);
   assert_true(status == 1 || status == -EIO);
   works &= status == 1;
   assert_int_equal(value, works ? 7 : 0);
   return works;
}

static bool
try_all(const struct pitot_gpu *gpu)
{
   struct fake_stream *fake = __real_calloc(1, sizeof(*fake));
   struct pitot_hw_query *query = NULL, *stamp = NULL;
   struct pitot_hw *hw = NULL;

   fake_stream_init(fake, gpu);
   bool works = pitot_hw_create(&fake->base, &hw) == 0;
   if (works) {
      works =
         pitot_hw_query_create(hw, PITOT_KIND_SAMPLES_PASSED, 0, &query) == 0;
      works = works &&
              pitot_hw_query_create(hw, PITOT_KIND_TIMESTAMP, 0, &stamp) == 0;
      works = works && measure(fake, hw, query);
      works = works && pitot_hw_query_end(hw, stamp) == 0;
      pitot_hw_query_free(hw, query);
      pitot_hw_query_free(hw, stamp);
   }
   pitot_hw_destroy(hw);
   assert_int_equal(fake_stream_finish(fake), 0);
   free(fake);
   return works;
}

static void
every_allocation_fails_in_turn(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      bool works = false;

      for (unsigned n = 1; !works; n++) {
         assert_in_range(n, 1, 100);
         fail_nth = n;
         works = try_all(gpu);
      }
      fail_nth = 0;
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_allocation_fails_in_turn),
   };

   return cmocka_run_group_tests_name("hw memory", tests, NULL, NULL);
}
