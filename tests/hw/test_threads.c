/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * One thread records, another one reads results and destroys queries: with
 * u_threaded_context that is the application's thread.
 */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fixture.h"

#define QUERY_COUNT 5000
#define SLOT_COUNT  8

/* Queries that one thread hands to the other: samples and times. */
struct handover {
   struct pitot_hw *hw;
   uint64_t values[2]; /* their results */
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
      handover->wrong += value != handover->values[i % 3 == 0];
      pitot_hw_query_free(handover->hw, query);
   }
   return NULL;
}

static void
record_and_read(struct fixture *f)
{
   const enum pitot_kind kinds[] = { PITOT_KIND_SAMPLES_PASSED,
                                     PITOT_KIND_TIME_ELAPSED };
   struct handover handover = { .hw = f->hw };
   pthread_t thread;

   sim_count_draws(f->cs->sim);
   handover.values[0] = f->cs->sim->draw.samples;
   handover.values[1] =
      pitot_ticks_to_ns(f->cs->sim->draw.ticks, f->gpu->timestamp_hz);
   assert_int_equal(pthread_create(&thread, NULL, read_all, &handover), 0);
   for (unsigned i = 0; i < QUERY_COUNT; i++) {
      struct pitot_hw_query *query;

      assert_int_equal(pitot_hw_query_create(f->hw, kinds[i % 3 == 0], 0,
                                             &query),
                       0);
      begin(f, query);
      sim_cs_draw(f->cs);
      end(f, query);
      flush(f);
      give(&handover, i, query);
   }
   pthread_join(thread, NULL);
   assert_int_equal(handover.wrong, 0);
}

HW_TEST_ALONE(one_thread_records_and_one_reads, .is_long = true)
{
   static const char *const gpus[] = { "skl", "vega10" };

   for (unsigned g = 0; g < ARRAY_LENGTH(gpus); g++) {
      struct fixture *f = open_fixture(gpus[g], false);

      record_and_read(f);
      close_fixture(f);
   }
}

/*
 * One thread interrupts another one.  A callback of the command stream marks
 * the moment, so that it is always the same.
 */

#define SAMPLES 7

static struct meeting {
   struct fixture *f;
   struct pitot_hw_query *query;
   const struct pitot_cs_ops *ops;
   struct pitot_cs_ops hooked;
   void (*other)(struct meeting *meeting); /* called once, or NULL */
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

static bool
meet_in_store(struct pitot_cs *cs, const struct pitot_cs_result *result)
{
   call_other();
   return meeting.ops->store(cs, result);
}

static uint64_t
meet_in_current_batch(struct pitot_cs *cs, enum pitot_ring ring)
{
   call_other();
   return meeting.ops->current_batch(cs, ring);
}

static void
read_and_wait(struct meeting *m)
{
   assert_int_equal(wait_for(m->f, m->query), SAMPLES);
}

/* The result is ready now, but this thread cannot have the lock. */
static void
look(struct meeting *m)
{
   uint64_t value;

   sim_cs_complete(m->f->cs);
   assert_int_equal(poll(m->f, m->query, &value), 0);
}

static void
store_result(struct meeting *m)
{
   store(m->f, m->query, PITOT_STORE_RESULT, PITOT_TYPE_U64);
}

static void
decide(struct meeting *m)
{
   struct pitot_hw_condition condition;

   pitot_hw_query_decide(m->f->hw, m->query, false, true, &condition);
   assert_int_equal(condition.decision, PITOT_HW_DECISION_BY_GPU);
}

/* Calls one() with the result in flight, and other() in the midst of it. */
static void
meet(struct fixture *f, void (*one)(struct meeting *), bool in_wait,
     void (*other)(struct meeting *))
{
   struct pitot_cs *cs = &f->cs->base;

   meeting = (struct meeting){
      .f = f,
      .query = create(f, PITOT_KIND_SAMPLES_PASSED, 0),
      .ops = cs->ops,
      .hooked = *cs->ops,
      .other = other,
   };
   learn_backends(f);
   f->cs->is_held = true;
   begin(f, meeting.query);
   draw(f, PITOT_KIND_SAMPLES_PASSED, SAMPLES);
   end(f, meeting.query);
   flush(f);

   if (in_wait)
      meeting.hooked.wait = meet_in_wait;
   else if (f->gpu->family == &pitot_hw_amd) /* records nothing */
      meeting.hooked.current_batch = meet_in_current_batch;
   else
      meeting.hooked.store = meet_in_store;
   cs->ops = &meeting.hooked;
   one(&meeting);
   cs->ops = meeting.ops;
   assert_null(meeting.other);

   if (one == store_result || other == store_result)
      assert_int_equal(stored(f), SAMPLES);
   run(f);
   read_and_wait(&meeting);
}

HW_TEST(waiting_does_not_hold_the_lock, EVERY_GPU)
{
   meet(f, read_and_wait, true, store_result);
   meet(f, read_and_wait, true, read_and_wait);
   if (f->gpu->family == &pitot_hw_amd) { /* Intel's GPUs store without
                                           * store()
                                           */
      f->cs->ops.store = NULL;
      meet(f, store_result, true, read_and_wait);
   }
}

/* The segments that the GPU was told to add up must stay as they are. */
HW_TEST(stored_segments_are_not_merged, DECIDING_GPUS)
{
   meet(f, store_result, false, look);
   meet(f, decide, false, look);
}

/* One thread that waits for another one. */

/* A thread that does not sleep soon uses this much CPU time. */
#define MAX_CPU_NS (NS_PER_S / 2)

static struct sleeper {
   pthread_t thread;
   atomic_int id;
   uint64_t value; /* that the thread reads */
   bool has_slept;
} sleeper;

static void *
read_beside(void *data)
{
   struct meeting *m = data;

   atomic_store(&sleeper.id, gettid());
   (void)pitot_hw_query_result(m->f->hw, m->query, true, &sleeper.value);
   return NULL;
}

/* Returns the state of a thread in /proc: 'S' if it sleeps. */
static char
state_of(int id)
{
   char path[64], line[256] = "";

   snprintf(path, sizeof(path), "/proc/self/task/%d/stat", id);
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   assert_non_null(fgets(line, sizeof(line), file));
   fclose(file);
   return strrchr(line, ')')[2];
}

static uint64_t
cpu_time_ns(pthread_t thread)
{
   struct timespec time;
   clockid_t clock;

   assert_int_equal(pthread_getcpuclockid(thread, &clock), 0);
   assert_int_equal(clock_gettime(clock, &time), 0);
   return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

/* Another thread's read must sleep until this thread unlocks the query. */
static void
watch_sleeper(struct meeting *m)
{
   assert_int_equal(pthread_create(&sleeper.thread, NULL, read_beside, m), 0);
   while (atomic_load(&sleeper.id) == 0)
      sched_yield();
   while (!sleeper.has_slept && cpu_time_ns(sleeper.thread) < MAX_CPU_NS) {
      sleeper.has_slept = state_of(atomic_load(&sleeper.id)) == 'S';
      sched_yield();
   }
}

static void
store_and_join(struct meeting *m)
{
   store_result(m);
   assert_int_equal(pthread_join(sleeper.thread, NULL), 0);
}

/* The query is locked while it is recorded, which may flush.  A waiting
 * thread must sleep, so that it does not starve the other one.
 */
HW_TEST(threads_sleep_for_each_other, "skl", .is_long = true)
{
   sleeper = (struct sleeper){ .id = 0 };
   meet(f, store_and_join, false, watch_sleeper);
   assert_int_equal(sleeper.value, SAMPLES);
   assert_true(sleeper.has_slept);
}

/* One clock for all contexts of a process. */

static _Atomic uint64_t the_cpu_ns;

static uint64_t
cpu_ns(void)
{
   return atomic_fetch_add(&the_cpu_ns, 4000000) + 4000000;
}

/* This thread's read of the counter. */
static _Thread_local uint64_t read_ticks;

static int
read_counter(void *data, struct pitot_clock_reading *reading_out)
{
   (void)data;
   read_ticks = atomic_load(&the_cpu_ns) / 1000 * 12;
   reading_out->ticks = read_ticks & ((UINT64_C(1) << 36) - 1);
   return 0;
}

static void *
read_clock(void *data)
{
   struct pitot_clock *clock = data;

   for (unsigned i = 0; i < 20 * QUERY_COUNT; i++) {
      const uint64_t now_ns = pitot_clock_now_ns(clock);

      if (now_ns != pitot_ticks_to_ns(read_ticks, clock->info.frequency_hz))
         return clock;
   }
   return NULL;
}

HW_TEST_ALONE(threads_agree_on_the_time, .is_long = true)
{
   static const struct pitot_clock_info info = {
      .width_bits = 36,
      .frequency_hz = 12000000,
      .read = read_counter,
      .cpu_ns = cpu_ns,
   };
   struct pitot_clock clock;
   pthread_t thread;
   void *wrong;

   atomic_store(&the_cpu_ns, 0);
   pitot_clock_init(&clock, &info);
   assert_int_equal(pthread_create(&thread, NULL, read_clock, &clock), 0);
   assert_null(read_clock(&clock));
   pthread_join(thread, &wrong);
   assert_null(wrong);
   pitot_clock_finish(&clock);
}
