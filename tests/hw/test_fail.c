/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What goes wrong comes to an end.
 */

#include <errno.h>
#include <string.h>
#include <pthread.h>

#include "fixture.h"

static int
poll(struct fixture *f, struct pitot_hw_query *query, uint64_t *value)
{
   return pitot_hw_query_result(f->hw, query, false, value);
}

/* A lost batch: an answer, whether it is waited for or not, of 0, and it is
 * said once that times may be worthless.
 */
static void
lost_batches_have_an_answer(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      for (unsigned wait = 0; wait < 2; wait++) {
         struct fixture *f = open_fixture(gpu, false);
         struct pitot_hw_query *query =
            create(f, PITOT_KIND_SAMPLES_PASSED, 0);
         uint64_t value = 7;

         f->fake.is_held = true;
         begin(f, query);
         draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
         end(f, query);
         assert_int_equal(poll(f, query, &value), 0);
         assert_false(pitot_hw_take_disjoint(f->hw));
         f->fake.is_lost = true;
         f->fake.was_reset = true;
         assert_int_equal(pitot_hw_query_result(f->hw, query, wait, &value),
                          -EIO);
         assert_int_equal(value, 0);
         assert_int_equal(poll(f, query, &value), -EIO);
         assert_true(pitot_hw_take_disjoint(f->hw));
         assert_int_equal(poll(f, query, &value), -EIO);
         assert_false(pitot_hw_take_disjoint(f->hw));
         pitot_hw_query_free(f->hw, query);
         close_fixture(f);
      }
   }
}

/* A device that is lost before the end, or before the begin. */
static void
lost_devices_refuse(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
      struct pitot_hw_query *stamp = create(f, PITOT_KIND_TIMESTAMP, 0);
      struct pitot_hw_query *paused = create(f, PITOT_KIND_VS_INVOCATIONS, 0);
      uint64_t value = 7;

      begin(f, query);
      begin(f, paused);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 5);
      f->fake.is_lost = true;
      assert_int_equal(pitot_hw_query_end(f->hw, query), -EIO);
      assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value),
                       -EIO);
      assert_int_equal(value, 0);
      assert_int_equal(pitot_hw_query_begin(f->hw, query), -EIO);
      assert_int_equal(pitot_hw_query_end(f->hw, stamp), -EIO);

      /* A pause that failed is a result that is lost. */
      pitot_hw_set_active(f->hw, false);
      f->fake.is_lost = false;
      pitot_hw_set_active(f->hw, true);
      end(f, paused);
      assert_int_equal(pitot_hw_query_result(f->hw, paused, true, &value),
                       -EIO);

      /* Afterwards it works again. */
      begin(f, query);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 6);
      end(f, query);
      assert_int_equal(wait_for(f, query), 6);
      assert_int_equal(f->fake.counting, 0);
      pitot_hw_query_free(f->hw, query);
      pitot_hw_query_free(f->hw, stamp);
      pitot_hw_query_free(f->hw, paused);
      close_fixture(f);
   }
}

/* A batch that is done without having written: no garbage, no hang. */
static void
what_never_lands_is_lost(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *query = create(f, PITOT_KIND_TIME_ELAPSED, 0);
      uint64_t value = 7;

      f->fake.never_lands = true;
      begin(f, query);
      draw(f, PITOT_KIND_TIME_ELAPSED, 500);
      end(f, query);
      assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value),
                       -EIO);
      assert_int_equal(value, 0);
      pitot_hw_query_free(f->hw, query);
      close_fixture(f);
   }
}

/* A backend that is there and writes nothing: no count that is too low. */
static void
what_is_missing_is_lost(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("vega10"), false);
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   uint64_t value = 7;

   (void)unused;
   f->fake.mute_backends = 1 << 3;
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 100);
   end(f, query);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), -EIO);
   assert_int_equal(value, 0);
   pitot_hw_query_free(f->hw, query);
   close_fixture(f);
}

/* Executes what is submitted, but for what the render backends write. */
static void
execute_without_backends(struct fake_stream *fake)
{
   const struct fake_ring *ring = &fake->rings[PITOT_RING_RENDER];

   for (unsigned i = 0; i < ring->write_count; i++) {
      const struct fake_write *write = &ring->writes[i];
      const uint64_t offset_B = write->address - FAKE_ADDRESS;
      uint8_t *memory = fake->buffers[offset_B / FAKE_STRIDE_B]->memory;

      if (!(write->value >> 63))
         memcpy(memory + offset_B % FAKE_STRIDE_B, &write->value,
                write->size_B);
   }
}

/* A backend that is later than the availability word of its batch is waited
 * for. */
static void
what_is_late_is_not_lost(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("vega10"), false);
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   uint64_t value = 7;

   (void)unused;
   f->fake.is_held = true;
   begin(f, query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, 100);
   end(f, query);
   fake_stream_flush(&f->fake, PITOT_RING_RENDER);
   execute_without_backends(&f->fake);
   assert_int_equal(pitot_hw_query_result(f->hw, query, false, &value), 0);
   fake_stream_complete(&f->fake);
   assert_int_equal(pitot_hw_query_result(f->hw, query, false, &value), 1);
   assert_int_equal(value, 100);
   assert_false(pitot_hw_take_disjoint(f->hw));
   pitot_hw_query_free(f->hw, query);
   close_fixture(f);
}

/* What was not begun has no result, whoever forgets that it failed. */
static void
failed_begins_have_no_result(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("vega10"), false);
   struct pitot_hw_query *query = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   uint64_t value = 7;

   (void)unused;
   f->fake.is_lost = true;
   assert_int_equal(pitot_hw_query_begin(f->hw, query), -EIO);
   (void)pitot_hw_query_end(f->hw, query);
   assert_int_equal(pitot_hw_query_result(f->hw, query, true, &value), -EIO);
   assert_int_equal(value, 0);
   pitot_hw_query_free(f->hw, query);
   close_fixture(f);
}

/* Returns what a query says that is begun with so much memory. */
static int
begin_with(struct fake_stream *fake, struct pitot_hw *hw)
{
   struct pitot_hw_query *query = NULL;

   assert_int_equal(pitot_hw_query_create(hw, PITOT_KIND_SAMPLES_PASSED, 0,
                                          &query),
                    0);
   const int status = pitot_hw_query_begin(hw, query);
   assert_int_equal(fake->counting, status ? 0 : PITOT_COUNTING_SAMPLES);
   pitot_hw_query_free(hw, query);
   return status;
}

/* Whichever buffer there is no memory for: it is said, and nothing stays. */
static void
failed_buffers_are_told(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      bool has_failed = false;

      for (unsigned n = 1; n <= 3; n++) {
         struct fake_stream fake;
         struct pitot_hw *hw = NULL;

         fake_stream_init(&fake, gpu);
         fake.fail_buffer = n;
         int status = pitot_hw_create(&fake.base, &hw);
         if (status == 0) {
            status = begin_with(&fake, hw);
            pitot_hw_destroy(hw);
         }
         assert_int_equal(status, fake.fail_buffer ? 0 : -ENOMEM);
         has_failed |= status != 0;
         assert_null(fake.base.listener);
         assert_int_equal(fake_stream_finish(&fake), 0);
      }
      assert_true(has_failed);
   }
}

/* Freed or begun again while active or in flight: nothing waits, nothing of
 * the one before shows, and no memory is written to that is somebody else's.
 */
static void
nothing_waits_to_be_freed(void **unused)
{
   (void)unused;
   FOR_EACH_GPU(gpu)
   {
      struct fixture *f = open_fixture(gpu, false);
      struct pitot_hw_query *kept = create(f, PITOT_KIND_SAMPLES_PASSED, 0);

      f->fake.is_held = true;
      for (unsigned i = 1; i <= 3000; i++) {
         struct pitot_hw_query *gone =
            create(f, PITOT_KIND_SAMPLES_PASSED, 0);

         begin(f, gone);
         begin(f, kept);
         draw(f, PITOT_KIND_SAMPLES_PASSED, i);
         if (i % 2)
            end(f, gone);
         pitot_hw_query_free(f->hw, gone);
         if (i % 3) {
            end(f, kept);
            fake_stream_move(&f->fake, PITOT_RING_RENDER);
         }
         if (i % 10 == 0)
            fake_stream_flush(&f->fake, PITOT_RING_RENDER);
         if (i % 500 == 0)
            fake_stream_complete(&f->fake);
      }
      begin(f, kept);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 77);
      end(f, kept);
      assert_int_equal(f->fake.wait_count, 0);
      assert_int_equal(wait_for(f, kept), 77);
      pitot_hw_query_free(f->hw, kept);
      close_fixture(f);
   }
}

/* Results are read, and queries freed, by one thread while another records.
 */
struct reader {
   struct pitot_hw *hw;
   struct pitot_hw_query **queries;
   unsigned count;
   uint64_t total;
};

static void *
read_and_free(void *data)
{
   struct reader *reader = data;

   for (unsigned i = 0; i < reader->count; i++) {
      uint64_t value = 0;

      (void)pitot_hw_query_result(reader->hw, reader->queries[i], false,
                                  &value);
      reader->total += value;
      pitot_hw_query_free(reader->hw, reader->queries[i]);
   }
   return NULL;
}

static void
threads_share(void **unused)
{
   struct fixture *f = open_fixture(fake_gpu("vega10"), false);
   static struct pitot_hw_query *queries[2000];
   struct reader reader = { f->hw, queries, ARRAY_LENGTH(queries), 0 };
   struct pitot_hw_query *own = create(f, PITOT_KIND_SAMPLES_PASSED, 0);
   pthread_t thread;

   (void)unused;
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++) {
      queries[i] =
         create(f,
                i % 2 ? PITOT_KIND_TIME_ELAPSED : PITOT_KIND_SAMPLES_PASSED,
                0);
      begin(f, queries[i]);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 1);
      end(f, queries[i]);
   }
   fake_stream_flush(&f->fake, PITOT_RING_RENDER);
   assert_int_equal(pthread_create(&thread, NULL, read_and_free, &reader), 0);
   for (unsigned i = 0; i < ARRAY_LENGTH(queries); i++) {
      begin(f, own);
      draw(f, PITOT_KIND_SAMPLES_PASSED, 3);
      end(f, own);
   }
   assert_int_equal(pthread_join(thread, NULL), 0);
   assert_int_equal(reader.total, ARRAY_LENGTH(queries) / 2);
   assert_int_equal(wait_for(f, own), 3);
   pitot_hw_query_free(f->hw, own);
   close_fixture(f);
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(lost_batches_have_an_answer),
      cmocka_unit_test(lost_devices_refuse),
      cmocka_unit_test(what_never_lands_is_lost),
      cmocka_unit_test(what_is_missing_is_lost),
      cmocka_unit_test(what_is_late_is_not_lost),
      cmocka_unit_test(failed_begins_have_no_result),
      cmocka_unit_test(failed_buffers_are_told),
      cmocka_unit_test(nothing_waits_to_be_freed),
      cmocka_unit_test(threads_share),
   };

   return cmocka_run_group_tests_name("hw failures", tests, NULL, NULL);
}
