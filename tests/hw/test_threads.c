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
#include "pitot/gpu_clock.h"
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
      assert_int_equal(pitot_hw_create(rig.cs, &handover.hw), 0);
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

/*
 * One thread in the midst of what another one does.  A callback of the stream
 * stands for the moment, so that it is always the same.
 */

#define TARGET_B 128 /* in the rig's buffer */
#define SAMPLES  7

static struct meeting {
   struct rig rig;
   struct pitot_hw *hw;
   struct pitot_hw_query *query;
   const struct pitot_cs_ops *ops; /* the stream's own */
   struct pitot_cs_ops hooked;
   void (*other)(struct meeting *meeting); /* to be called once, or NULL */
} meeting;

static void
call_other(void)
{
   void (*other)(struct meeting *) = meeting.other;

   meeting.other = NULL;
   if (other)
      other(&meeting);
}

static void
meet_in_wait(struct pitot_cs *cs, enum pitot_ring ring, uint64_t batch)
{
   call_other();
   meeting.ops->wait(cs, ring, batch);
}

static uint32_t *
meet_in_reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw,
                struct pitot_cs_position *position_out)
{
   call_other();
   return meeting.ops->reserve(cs, ring, count_dw, position_out);
}

static void
read_and_wait(struct meeting *m)
{
   uint64_t value = 0;

   assert_int_equal(pitot_hw_query_result(m->hw, m->query, true, &value), 1);
   assert_int_equal(value, SAMPLES);
}

/* The result is there by now, but not for who looks in this moment. */
static void
look(struct meeting *m)
{
   uint64_t value;

   sim_complete(m->rig.sim, 16);
   assert_int_equal(pitot_hw_query_result(m->hw, m->query, false, &value), 0);
}

static void
store(struct meeting *m)
{
   const struct pitot_hw_store request = {
      .kind = PITOT_STORE_RESULT,
      .type = PITOT_TYPE_U64,
      .buffer = m->rig.buffer,
      .offset_B = TARGET_B,
   };

   assert_int_equal(pitot_hw_query_store(m->hw, m->query, &request), 0);
}

static void
decide(struct meeting *m)
{
   struct pitot_hw_condition condition;

   pitot_hw_query_decide(m->hw, m->query, false, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
}

/* Has a thread do one thing, and another one another in the midst of it,
 * while the result is in flight.
 */
static void
meet(const char *gpu, void (*one)(struct meeting *), bool in_wait,
     void (*other)(struct meeting *))
{
   meeting = (struct meeting){ 0 };
   rig_open(&meeting.rig, gpu);
   sim_count_draws(meeting.rig.sim);
   meeting.rig.sim->draw.samples = SAMPLES;
   meeting.rig.sim->is_delayed = true;
   assert_int_equal(pitot_hw_create(meeting.rig.cs, &meeting.hw), 0);
   assert_int_equal(pitot_hw_query_create(meeting.hw,
                                          PITOT_KIND_SAMPLES_PASSED, 0,
                                          &meeting.query),
                    0);
   assert_int_equal(pitot_hw_query_begin(meeting.hw, meeting.query), 0);
   rig_draw(&meeting.rig);
   assert_int_equal(pitot_hw_query_end(meeting.hw, meeting.query), 0);
   rig_flush(&meeting.rig, PITOT_RING_RENDER);

   meeting.ops = meeting.rig.cs->ops;
   meeting.hooked = *meeting.ops;
   if (in_wait)
      meeting.hooked.wait = meet_in_wait;
   else
      meeting.hooked.reserve = meet_in_reserve;
   meeting.rig.cs->ops = &meeting.hooked;
   meeting.other = other;
   one(&meeting);
   meeting.rig.cs->ops = meeting.ops;

   rig_run(&meeting.rig, PITOT_RING_RENDER);
   if (one == store || other == store)
      assert_int_equal(rig_read(&meeting.rig, TARGET_B), SAMPLES);
   read_and_wait(&meeting);
   pitot_hw_query_free(meeting.hw, meeting.query);
   pitot_hw_destroy(meeting.hw);
   rig_close(&meeting.rig);
}

static void
waiting_keeps_nobody_out(void **unused)
{
   (void)unused;
   for (unsigned g = 0; g < sim_gpu_count; g++) {
      meet(sim_gpus[g].key, read_and_wait, true, store);
      meet(sim_gpus[g].key, store, true, read_and_wait);
      meet(sim_gpus[g].key, read_and_wait, true, read_and_wait);
   }
}

/* What the GPU is told to add up has to stay as it was described to it. */
static void
nobody_adds_up_what_the_gpu_will(void **unused)
{
   (void)unused;
   for (unsigned g = 0; g < sim_gpu_count; g++) {
      if (sim_gpus[g].facts.vendor == PITOT_VENDOR_INTEL)
         meet(sim_gpus[g].key, store, false, look);
      meet(sim_gpus[g].key, decide, false, look);
   }
}

/*
 * One clock for all contexts of a process.
 */

#define CLOCK_TICKS 1000

static _Atomic uint64_t the_cpu_ns;

static uint64_t
cpu_ns(void)
{
   return atomic_fetch_add(&the_cpu_ns, 4000000) + 4000000;
}

static void *
read_clock(void *data)
{
   struct pitot_gpu_clock *clock = data;

   for (unsigned i = 0; i < 20 * QUERY_COUNT; i++) {
      if (pitot_gpu_clock_now_ns(clock, CLOCK_TICKS) !=
          pitot_ticks_to_ns(CLOCK_TICKS, clock->gpu->timestamp_hz))
         return clock;
   }
   return NULL;
}

static void
threads_agree_on_the_time(void **unused)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };
   struct pitot_gpu_clock clock;
   pthread_t thread;
   void *wrong;

   (void)unused;
   assert_int_equal(pitot_gpu_clock_init(&clock, &gpu), 0);
   clock.cpu_ns = cpu_ns;
   assert_int_equal(pthread_create(&thread, NULL, read_clock, &clock), 0);
   assert_null(read_clock(&clock));
   pthread_join(thread, &wrong);
   assert_null(wrong);
   pitot_gpu_clock_finish(&clock);
}

int
main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_thread_records_and_one_reads),
      cmocka_unit_test(waiting_keeps_nobody_out),
      cmocka_unit_test(nobody_adds_up_what_the_gpu_will),
      cmocka_unit_test(threads_agree_on_the_time),
   };

   return cmocka_run_group_tests_name("hw threads", tests, NULL, NULL);
}
