/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Results that are read, and queries that are freed, by another thread than
 * the one that records: below u_threaded_context that is the application's.
 */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "../drm/rig.h"
#include "pitot/hw.h"

#define QUERY_COUNT 5000
#define SLOT_COUNT  8

/* Queries on their way from one thread to the other. */
struct handover {
   struct pitot_hw *hw;
   _Atomic(struct pitot_hw_query *) slots[SLOT_COUNT];
   unsigned wrong;
};

static struct pitot_hw_query *
take(struct handover *handover, unsigned i)
{
   struct pitot_hw_query *query;

   while (!(query = atomic_exchange(&handover->slots[i % SLOT_COUNT], NULL)))
      sched_yield();
   return query;
}

static void
give(struct handover *handover, unsigned i, struct pitot_hw_query *query)
{
   struct pitot_hw_query *none = NULL;

   while (!atomic_compare_exchange_weak(&handover->slots[i % SLOT_COUNT],
                                        &none, query)) {
      none = NULL;
      sched_yield();
   }
}

static void *
read_all(void *data)
{
   struct handover *handover = data;

   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      struct pitot_hw_query *query = take(handover, i);
      uint64_t value = 0;

      while (!pitot_hw_query_result(handover->hw, query, i % 2, &value))
         sched_yield();
      handover->wrong += value != 64;
      pitot_hw_query_free(handover->hw, query);
   }
   return NULL;
}

static void
one_thread_records_and_one_reads(void **unused)
{
   static const char *const gpus[] = { "skl", "vega10" };

   (void)unused;
   for (unsigned g = 0; g < ARRAY_LENGTH(gpus); g++) {
      struct handover handover = { 0 };
      struct rig rig;
      pthread_t thread;

      rig_open(&rig, gpus[g]);
      sim_count_draws(rig.sim);
      assert_int_equal(pitot_hw_create(rig.stream, &handover.hw), 0);
      assert_int_equal(pthread_create(&thread, NULL, read_all, &handover), 0);
      for (unsigned i = 0; i < QUERY_COUNT; i++) {
         struct pitot_hw_query *query;

         assert_int_equal(pitot_hw_query_create(handover.hw,
                                                PITOT_KIND_SAMPLES_PASSED, 0,
                                                &query),
                          0);
         assert_int_equal(pitot_hw_query_begin(handover.hw, query), 0);
         rig_draw(&rig);
         assert_int_equal(pitot_hw_query_end(handover.hw, query), 0);
         rig_flush(&rig, PITOT_RING_RENDER);
         give(&handover, i, query);
      }
      pthread_join(thread, NULL);
      assert_int_equal(handover.wrong, 0);
      pitot_hw_destroy(handover.hw);
      rig_close(&rig);
   }
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_thread_records_and_one_reads),
   };

   return cmocka_run_group_tests_name("hw threads", tests, NULL, NULL);
}
