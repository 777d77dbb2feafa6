/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Many threads read a GPU's clock together: each time is exact, however often
 * the counter wraps.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "../model/random.h"
#include "../listed.h"
#include "pitot/gpu.h"
#include "pitot_clock.h"

#define THREAD_COUNT    4
#define EPOCH_COUNT     1000
#define EPOCHS_A_SECOND 128
#define EPOCHS_A_JUMP   20
#define JUMP_S          2000
#define READINGS        64 /* of a thread in an epoch */
#define SAMPLE_COUNT    32 /* in flight, of a thread */
#define RESTART_COUNT   2000
#define NS_PER_S        PITOT_NS_PER_S

/*
 * The test knows all bits of this counter.  Time passes in epochs: a thread
 * reads ticks of its epoch, and begins the next one when no other thread is
 * two epochs behind.  So no read is much older than the CPU's clock says. Now
 * and then the counter jumps between two epochs, while no thread reads it.
 * All accesses to the test's own data are relaxed: only the clock orders its
 * accesses.
 */

static struct counter {
   const struct pitot_gpu *gpu;
   struct pitot_clock clock;
   uint64_t begin_ticks;           /* when readers are opened */
   atomic_uint newest;             /* that any thread began */
   atomic_uint done[THREAD_COUNT]; /* epochs that each thread ended */
} counter;

struct sample {
   uint64_t expected_ticks, ticks;
};

struct reader {
   pthread_t thread;
   unsigned index;
   unsigned seen_restarts;
   struct random random;
   uint64_t ticks; /* latest read */
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

/* Waits for the other threads, then begins an epoch. */
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

/* Returns more ticks than the thread's previous read. */
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

/* This thread's reader. */
static _Thread_local const struct reader *self;

static int
read_own(void *data, struct pitot_clock_reading *reading_out)
{
   (void)data;
   reading_out->ticks = self->ticks & range_ticks();
   return 0;
}

static void
check_now(struct reader *reader)
{
   reader->wrong +=
      pitot_clock_now_ns(&counter.clock) !=
      pitot_ticks_to_ns(reader->ticks, counter.gpu->timestamp_hz);
}

/* Checks all samples, the latest first. */
static void
check_samples(struct reader *reader)
{
   while (reader->sample_count > 0) {
      const struct sample *sample = &reader->samples[--reader->sample_count];

      reader->wrong +=
         pitot_clock_extend(&counter.clock, sample->expected_ticks,
                            sample->ticks & range_ticks()) != sample->ticks;
   }
}

static void
take_sample(struct reader *reader, unsigned epoch)
{
   const uint64_t expected_ticks = pitot_clock_expect(&counter.clock);

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

   self = reader;
   for (unsigned epoch = 0; epoch < EPOCH_COUNT; epoch++) {
      begin_epoch(epoch);
      for (unsigned i = 0; i < READINGS; i += 2) {
         read_counter(reader, epoch);
         check_now(reader);
         take_sample(reader, epoch);
      }
      atomic_store_explicit(&counter.done[reader->index], epoch + 1,
                            memory_order_relaxed);
   }
   check_samples(reader);
   return NULL;
}

/* Opens a reader, as a new context does. */
static void
open_reader(struct reader *reader, unsigned index)
{
   *reader = (struct reader){
      .index = index,
      .ticks = counter.begin_ticks,
      .random = { index },
   };
   self = reader;
   (void)pitot_clock_now_ns(&counter.clock);
   (void)pitot_clock_take_restart(&counter.clock, &reader->seen_restarts);
}

static bool
is_reported(struct reader *reader)
{
   return pitot_clock_take_restart(&counter.clock, &reader->seen_restarts);
}

static void
open_counter(const struct pitot_gpu *gpu,
             int (*read)(void *data, struct pitot_clock_reading *reading_out),
             uint64_t (*cpu)(void))
{
   const struct pitot_clock_info info = {
      .width_bits = gpu->timestamp_bits,
      .frequency_hz = gpu->timestamp_hz,
      .read = read,
      .cpu_ns = cpu,
   };

   counter = (struct counter){ .gpu = gpu };
   pitot_clock_init(&counter.clock, &info);
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

   open_counter(gpu, read_own, cpu_ns);
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      open_reader(&readers[i], i);
   start(readers, read_clock);
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      pthread_join(readers[i].thread, NULL);
      assert_int_equal(readers[i].wrong, 0);
      assert_false(is_reported(&readers[i]));
   }
   pitot_clock_finish(&counter.clock);
}

/* Intel's counter wraps after 95 minutes, here a few times. */
TEST(readings_of_a_counter_that_wraps_are_exact)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };

   check_readings(&gpu);
}

TEST(readings_of_a_whole_counter_are_exact)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 64,
      .timestamp_hz = 100000000,
   };

   check_readings(&gpu);
}

/* A counter that restarts while other threads create contexts. */

static _Atomic uint64_t shared_ticks;

static int
read_shared(void *data, struct pitot_clock_reading *reading_out)
{
   (void)data;
   reading_out->ticks =
      atomic_load_explicit(&shared_ticks, memory_order_relaxed);
   return 0;
}

static void *
create_contexts(void *data)
{
   struct reader *reader = data;

   for (unsigned i = 0; i < RESTART_COUNT; i++) {
      (void)pitot_clock_now_ns(&counter.clock);
      (void)is_reported(reader);
   }
   return NULL;
}

/* Contexts from before a restart set their disjoint flag, once. */
TEST(restarts_are_reported_to_all_contexts)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };
   struct reader readers[THREAD_COUNT], old;

   open_counter(&gpu, read_shared, NULL);
   open_reader(&old, 0);
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      open_reader(&readers[i], i);
   start(readers, create_contexts);
   for (unsigned i = 0; i < RESTART_COUNT; i++) {
      atomic_store_explicit(&shared_ticks, gpu.timestamp_hz * (i % 2 ? 1 : 9),
                            memory_order_relaxed);
      (void)pitot_clock_now_ns(&counter.clock);
   }
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      pthread_join(readers[i].thread, NULL);
   assert_true(is_reported(&old));
   assert_false(is_reported(&old));
   pitot_clock_finish(&counter.clock);
}

/* Extends samples of a counter that jumps and that no thread reads. */
static void *
extend_strange_samples(void *data)
{
   struct reader *reader = data;
   const uint64_t hz = counter.gpu->timestamp_hz;

   for (unsigned i = 0; i < RESTART_COUNT; i++) {
      const uint64_t expected_ticks = pitot_clock_expect(&counter.clock);
      const uint64_t ticks =
         pitot_clock_extend(&counter.clock, expected_ticks,
                            i % 2 ? 1000 * hz : 0);

      reader->wrong +=
         (int64_t)(ticks - expected_ticks) < -(int64_t)hz / 10 ||
         (int64_t)(ticks - pitot_clock_expect(&counter.clock)) >
            (int64_t)hz / 10;
   }
   return NULL;
}

/* Each sample is a restart, near the time of its recording. */
TEST(strange_samples_are_reported_to_all_contexts)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
   };
   struct reader readers[THREAD_COUNT];

   atomic_store_explicit(&shared_ticks, 500 * gpu.timestamp_hz,
                         memory_order_relaxed);
   open_counter(&gpu, read_shared, NULL);
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      open_reader(&readers[i], i);
   start(readers, extend_strange_samples);
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      pthread_join(readers[i].thread, NULL);
      assert_int_equal(readers[i].wrong, 0);
      assert_true(is_reported(&readers[i]));
   }
   pitot_clock_finish(&counter.clock);
}

static atomic_bool is_failing;

static int
read_or_fail(void *data, struct pitot_clock_reading *reading_out)
{
   (void)data;
   reading_out->ticks = NS_PER_S;
   return atomic_load_explicit(&is_failing, memory_order_relaxed) ? -EIO : 0;
}

static void *
miss_readings(void *data)
{
   struct reader *reader = data;

   for (unsigned i = 0; i < RESTART_COUNT; i++) {
      struct pitot_correlation clocks;

      reader->wrong += pitot_clock_read(&counter.clock, &clocks) ||
                       clocks.gpu_ns != NS_PER_S;
   }
   return NULL;
}

/* Only the failing calls report it: no disjoint flag is set. */
TEST(failures_are_reported_to_who_reads)
{
   static const struct pitot_gpu gpu = {
      .timestamp_bits = 36,
      .timestamp_hz = 1000000000,
   };
   struct reader readers[THREAD_COUNT];

   open_counter(&gpu, read_or_fail, cpu_ns);
   for (unsigned i = 0; i < THREAD_COUNT; i++)
      open_reader(&readers[i], i);
   atomic_store_explicit(&is_failing, true, memory_order_relaxed);
   start(readers, miss_readings);
   for (unsigned i = 0; i < THREAD_COUNT; i++) {
      pthread_join(readers[i].thread, NULL);
      assert_int_equal(readers[i].wrong, 0);
      assert_false(is_reported(&readers[i]));
   }
   pitot_clock_finish(&counter.clock);
}
