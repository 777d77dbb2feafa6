/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GPU's clock, read by many threads at once: each reading is exact,
 * however often the counter wrapped.
 */

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "../model/random.h"
#include "../test.h"
#include "hw_priv.h"

#define THREAD_COUNT    4
#define EPOCH_COUNT     1000
#define EPOCHS_A_SECOND 128
#define EPOCHS_A_JUMP   20
#define JUMP_S          2000
#define READINGS        64 /* of a thread in an epoch */
#define SAMPLE_COUNT    32 /* that a thread has in flight */
#define RESTART_COUNT   2000
#define NS_PER_S        UINT64_C(1000000000)

/*
 * A counter of which the test knows all bits.  Time goes by in epochs: a
 * thread reads some ticks of its epoch, and begins the next epoch when no
 * other thread is two epochs behind.  So no reading is much older than the
 * CPU's clock says.  The counter jumps between two epochs now and then, while
 * no thread has a reading.  All accesses to the test's own data are relaxed,
 * so that they order nothing: only the clock orders its accesses.
 */

static struct counter {
   const struct pitot_gpu *gpu;
   struct pitot_gpu_clock clock;
   uint64_t begin_ticks;           /* when readers are opened */
   atomic_uint newest;             /* epoch that a thread began */
   atomic_uint done[THREAD_COUNT]; /* how many epochs a thread ended */
} counter;

struct sample {
   uint64_t expected_ticks, ticks;
};

struct reader {
   struct pitot_cs cs;
   struct pitot_hw hw;
   pthread_t thread;
   unsigned index;
   struct random random;
   uint64_t ticks; /* the latest reading */
   struct sample samples[SAMPLE_COUNT];
   unsigned sample_count;
   unsigned wrong;
};

static uint64_t
range_ticks(void)
{
   return UINT64_MAX >> (64 - counter.gpu->timestamp_bits);
}

static uint64_t
first_ticks(unsigned epoch)
{
   return epoch / EPOCHS_A_JUMP * counter.gpu->timestamp_hz * JUMP_S +
          epoch * (counter.gpu->timestamp_hz / EPOCHS_A_SECOND);
}

static uint64_t
cpu_ns(void)
{
   const unsigned newest =
      atomic_load_explicit(&counter.newest, memory_order_relaxed);

   return pitot_ticks_to_ns(first_ticks(newest), counter.gpu->timestamp_hz);
}

/* Waits for the other threads, and begins an epoch. */
static void
begin_epoch(unsigned epoch)
{
   const unsigned lag = epoch % EPOCHS_A_JUMP == 0 ? 0 : 1;
   unsigned newest =
      atomic_load_explicit(&counter.newest, memory_order_relaxed);

   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      while (atomic_load_explicit(&counter.done[i], memory_order_relaxed) +
                lag <
             epoch)
         sched_yield();
   }
   while (newest < epoch &&
          !atomic_compare_exchange_weak_explicit(&counter.newest, &newest,
                                                 epoch, memory_order_relaxed,
                                                 memory_order_relaxed))
      ;
}

/* Reads the counter, later than the thread did before. */
static void
read_counter(struct reader *reader, unsigned epoch)
{
   const uint64_t epoch_ticks = counter.gpu->timestamp_hz / EPOCHS_A_SECOND;
   const uint64_t first = first_ticks(epoch);

   if (reader->ticks < first)
      reader->ticks = first;
   reader->ticks +=
      random_below(&reader->random, (unsigned)(epoch_ticks / 2 / READINGS));
}

static int
timestamp(struct pitot_cs *cs, uint64_t *ticks_out)
{
   *ticks_out = ((struct reader *)cs)->ticks & range_ticks();
   return 0;
}

/* The clock is exact. */
static void
check_now(struct reader *reader, unsigned epoch)
{
   const uint64_t before_ns =
      pitot_ticks_to_ns(first_ticks(epoch), counter.gpu->timestamp_hz);
   const uint64_t now_ns =
      pitot_gpu_clock_now_ns(&counter.clock, before_ns,
                             reader->ticks & range_ticks());

   reader->wrong +=
      now_ns != pitot_ticks_to_ns(reader->ticks, counter.gpu->timestamp_hz);
}

/* Looks at all samples that were taken, the latest first. */
static void
check_samples(struct reader *reader)
{
   while (reader->sample_count > 0) {
      const struct sample *sample = &reader->samples[--reader->sample_count];

      reader->wrong +=
         pitot_hw_clock_extend(&reader->hw, sample->expected_ticks,
                               sample->ticks & range_ticks()) !=
         sample->ticks;
   }
}

static void
take_sample(struct reader *reader, unsigned epoch)
{
   const uint64_t expected_ticks = pitot_hw_clock_expect(&reader->hw);

   read_counter(reader, epoch);
   reader->samples[reader->sample_count++] =
      (struct sample){ expected_ticks, reader->ticks };
   if (reader->sample_count == SAMPLE_COUNT)
      check_samples(reader);
}

static void *
read_clock(void *data)
{
   struct reader *reader = data;

   for (unsigned epoch = 0; epoch < EPOCH_COUNT; epoch++) {
      begin_epoch(epoch);
      for (unsigned i = 0; i < READINGS; i += 2) {
         read_counter(reader, epoch);
         check_now(reader, epoch);
         take_sample(reader, epoch);
      }
      atomic_store_explicit(&counter.done[reader->index], epoch + 1,
                            memory_order_relaxed);
   }
   check_samples(reader);
   return NULL;
}

static void
open_reader(struct reader *reader, unsigned index)
{
   static const struct pitot_cs_ops ops = { .timestamp = timestamp };

   *reader = (struct reader){
      .cs = { .ops = &ops, .gpu = counter.gpu, .clock = &counter.clock },
      .index = index,
      .ticks = counter.begin_ticks,
      .random = { index },
   };
   reader->hw.cs = &reader->cs;
   assert_int_equal(pitot_hw_clock_init(&reader->hw), 0);
}

static void
start(struct reader *readers, void *(*run)(void *reader))
{
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      assert_int_equal(pthread_create(&readers[i].thread, NULL, run,
                                      &readers[i]),
                       0);
}

static void
check_readings(const struct pitot_gpu *gpu)
{
   struct reader readers[THREAD_COUNT];

   counter = (struct counter){ .gpu = gpu };
   assert_int_equal(pitot_gpu_clock_init(&counter.clock, gpu), 0);
   counter.clock.cpu_ns = cpu_ns;
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      open_reader(&readers[i], i);
   start(readers, read_clock);
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      pthread_join(readers[i].thread, NULL);
      assert_int_equal(readers[i].wrong, 0);
      assert_false(pitot_hw_clock_take_restart(&readers[i].hw));
   }
   pitot_gpu_clock_finish(&counter.clock);
}

/* Intel's counter wraps after 95 minutes, a few times here. */
static void
readings_of_a_counter_that_wraps_are_exact(void **state)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };

   (void)state;
   check_readings(&gpu);
}

static void
readings_of_a_whole_counter_are_exact(void **state)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 64,
      .timestamp_hz = 100000000,
   };

   (void)state;
   check_readings(&gpu);
}

/*
 * A counter that begins anew while other threads create contexts.
 */

static _Atomic uint64_t shared_ticks;

static int
shared_timestamp(struct pitot_cs *cs, uint64_t *ticks_out)
{
   (void)cs;
   *ticks_out = atomic_load_explicit(&shared_ticks, memory_order_relaxed);
   return 0;
}

static void *
create_contexts(void *data)
{
   struct reader *reader = data;

   for (unsigned i = 0; i < RESTART_COUNT; i++) {
      assert_int_equal(pitot_hw_clock_init(&reader->hw), 0);
      (void)pitot_hw_clock_take_restart(&reader->hw);
   }
   return NULL;
}

/* The contexts from before are told, once. */
static void
restarts_are_told_to_all_contexts(void **state)
{
   static const struct pitot_cs_ops ops = { .timestamp = shared_timestamp };
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };
   struct reader readers[THREAD_COUNT], old;

   (void)state;
   counter = (struct counter){ .gpu = &gpu };
   assert_int_equal(pitot_gpu_clock_init(&counter.clock, &gpu), 0);
   open_reader(&old, 0);
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      open_reader(&readers[i], i);
      readers[i].cs.ops = &ops;
   }
   start(readers, create_contexts);
   for (unsigned i = 0; i < RESTART_COUNT; i++) {
      atomic_store_explicit(&shared_ticks, gpu.timestamp_hz * (i % 2 ? 1 : 9),
                            memory_order_relaxed);
      pitot_gpu_clock_now_ns(&counter.clock, counter.clock.cpu_ns(),
                             shared_ticks);
   }
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      pthread_join(readers[i].thread, NULL);
   assert_true(pitot_hw_clock_take_restart(&old.hw));
   assert_false(pitot_hw_clock_take_restart(&old.hw));
   pitot_gpu_clock_finish(&counter.clock);
}

static void *
miss_readings(void *data)
{
   struct reader *reader = data;

   for (unsigned i = 0; i < RESTART_COUNT; i++)
      reader->wrong += pitot_gpu_clock_missed_ns(&counter.clock) != NS_PER_S;
   return NULL;
}

/* Threads that all fail to read the counter: each failure counts. */
static void
failures_are_told_to_all_contexts(void **state)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };
   struct reader readers[THREAD_COUNT];

   (void)state;
   counter = (struct counter){ .gpu = &gpu };
   assert_int_equal(pitot_gpu_clock_init(&counter.clock, &gpu), 0);
   counter.clock.cpu_ns = cpu_ns;
   counter.begin_ticks = gpu.timestamp_hz;
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      open_reader(&readers[i], i);
   start(readers, miss_readings);
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      pthread_join(readers[i].thread, NULL);
      assert_int_equal(readers[i].wrong, 0);
      assert_true(pitot_hw_clock_take_restart(&readers[i].hw));
   }
   assert_int_equal(counter.clock.restart_count,
                    THREAD_COUNT * RESTART_COUNT);
   pitot_gpu_clock_finish(&counter.clock);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(readings_of_a_counter_that_wraps_are_exact),
      cmocka_unit_test(readings_of_a_whole_counter_are_exact),
      cmocka_unit_test(restarts_are_told_to_all_contexts),
      cmocka_unit_test(failures_are_told_to_all_contexts),
   };

   return cmocka_run_group_tests_name("hw clock threads", tests, NULL, NULL);
}
