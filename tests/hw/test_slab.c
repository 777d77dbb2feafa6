/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Slabs are reused when the GPU has written them and no segment reads them,
 * the one that has been unread for longest first.  Each batch lists the
 * buffers that it reads and writes.  The simulator maps no others:
 * close_fixture() fails if a command uses one.
 */

#include "fixture.h"
#include "hw_priv.h"

#define RENDER PITOT_RING_RENDER

/* Uses up a slab for the current batch. */
static struct pitot_hw_slab *
take(struct fixture *f)
{
   struct pitot_hw_slab *slab;
   unsigned offset_B;

   assert_int_equal(pitot_hw_slab_alloc(f->hw, PITOT_HW_SLABS_CONDITIONS,
                                        f->gpu->family->slab_size_B, &slab,
                                        &offset_B),
                    0);
   assert_int_equal(offset_B, 0);
   pitot_hw_slab_use(f->hw, slab, RENDER, f->cs->rings[RENDER].batch);
   return slab;
}

static void
wait_for_batch(struct fixture *f, uint64_t batch)
{
   f->cs->base.ops->wait(&f->cs->base, RENDER, batch);
}

/* Takes slabs in a batch each, which are not done. */
static void
take_in_batches(struct fixture *f, struct pitot_hw_slab **slabs,
                unsigned count)
{
   f->cs->is_held = true;
   for (unsigned i = 0; i < count; i++) {
      slabs[i] = take(f);
      move(f, RENDER);
      flush(f);
   }
}

/* The GPU is done with the first of two slabs. */
HW_TEST(the_longest_unread_is_used_again, EVERY_GPU)
{
   struct pitot_hw_slab *slabs[3];

   take_in_batches(f, slabs, ARRAY_LENGTH(slabs));
   wait_for_batch(f, slabs[0]->last_batch[RENDER]);
   pitot_hw_slab_unref(slabs[0]);
   pitot_hw_slab_unref(slabs[1]);
   assert_ptr_equal(take(f), slabs[0]);
   run(f);
   assert_ptr_equal(take(f), slabs[1]);
}

/* The current slab becomes unread when another one takes its place. */
HW_TEST(the_current_one_is_unread_later, EVERY_GPU)
{
   struct pitot_hw_slab *slabs[2];

   take_in_batches(f, slabs, ARRAY_LENGTH(slabs));
   pitot_hw_slab_unref(slabs[0]);
   pitot_hw_slab_unref(slabs[1]);
   (void)take(f); /* a new one, since the GPU still writes the first */
   wait_for_batch(f, slabs[0]->last_batch[RENDER]);
   assert_ptr_equal(take(f), slabs[0]);
   run(f);
   assert_ptr_equal(take(f), slabs[1]);
}

/* A slab with a record that is read is not reused, nor is the current one. */
HW_TEST(what_is_read_is_left_alone, EVERY_GPU)
{
   struct pitot_hw_slab *first = take(f), *second;

   second = take(f);
   run(f);
   pitot_hw_slab_unref(second);
   assert_ptr_not_equal(take(f), first);
   pitot_hw_slab_unref(first);
   assert_ptr_equal(take(f), second);
   assert_ptr_equal(take(f), first);
}

/* Measures other queries until they get their memory from another buffer. */
static void
fill_buffer(struct fixture *f, enum pitot_kind kind)
{
   const unsigned made = f->cs->buffers_made;

   while (f->cs->buffers_made == made) {
      struct pitot_hw_query *other = begin_new(f, kind);

      move(f, PITOT_RING_RENDER);
      end(f, other);
   }
}

/* The begin and the end are in two buffers and two batches. */
static struct pitot_hw_query *
measure_over_buffers(struct fixture *f, enum pitot_kind kind)
{
   struct pitot_hw_query *query = begin_new(f, kind);

   draw(f, kind, 7);
   flush(f);
   fill_buffer(f, kind);
   end(f, query);
   flush(f);
   return query;
}

/* The batch of the store contains nothing else. */
HW_TEST(stores_list_all_samples, EVERY_GPU, .is_long = true)
{
   static const enum pitot_kind kinds[] = {
      PITOT_KIND_SAMPLES_PASSED,
      PITOT_KIND_VERTICES_SUBMITTED,
      PITOT_KIND_TIME_ELAPSED,
   };

   f->cs->is_held = true;
   for (unsigned i = 0; i < ARRAY_LENGTH(kinds); i++) {
      struct pitot_hw_query *query = measure_over_buffers(f, kinds[i]);

      prepare_target(f);
      store(f, query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
      flush(f);
      if (kinds[i] != PITOT_KIND_TIME_ELAPSED)
         assert_int_equal(stored(f), 7);
   }
}

HW_TEST(ends_list_their_own_samples, EVERY_GPU)
{
   struct pitot_hw_query *query =
      measure_over_buffers(f, PITOT_KIND_SAMPLES_PASSED);

   assert_int_equal(wait_for(f, query), 7);
}
