/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>

#include "test.h"
#include "world.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_US UINT64_C(1000)

#define WORLD_COUNT   2000
#define READING_COUNT 250
#define MAX_RECORDS   16

/* A time that the GPU recorded, and the truth about it. */
struct record {
   uint64_t gpu_ns, cpu_ns;
   uint64_t earliest_ns;
   unsigned due; /* the number of the reading after which it is looked at */
};

struct life {
   uint64_t seed;
   struct world world;
   struct pitot_clock_source source;
   struct pitot_calibration calibration;
   struct record records[MAX_RECORDS];
   unsigned answers, finals, refusals;
};

static void
record(struct life *life, struct record *record, unsigned reading)
{
   struct world *world = &life->world;

   *record = (struct record){
      .gpu_ns = world_gpu_ns(world),
      .cpu_ns = world->now_ns,
      .earliest_ns = world->now_ns - world_any_size(world, 5 * NS_PER_MS),
      .due = reading + (unsigned)world_any_size(world, READING_COUNT) - 1,
   };
}

/* A time that was recorded after the last reading is only known if the clock
 * has not stepped since.
 */
static bool
can_be_known(const struct life *life, const struct pitot_cpu_time *time)
{
   const struct pitot_calibration *c = &life->calibration;
   const struct pitot_calibration_reading *last =
      &c->readings[c->reading_count - 1];

   return time->is_final || life->world.stepped_ns < last->clocks.before_ns;
}

static uint64_t
apart_ns(uint64_t a, uint64_t b)
{
   return a < b ? b - a : a - b;
}

static void
look_at(struct life *life, struct record *record)
{
   struct pitot_cpu_time time;

   if (!pitot_calibration_to_cpu(&life->calibration, record->gpu_ns,
                                 record->earliest_ns, life->world.now_ns,
                                 &time)) {
      life->refusals++;
      return;
   }
   life->answers++;
   life->finals += time.is_final;
   if (can_be_known(life, &time) &&
       apart_ns(time.ns, record->cpu_ns) > time.error_ns) {
      fail_msg("seed %" PRIu64 " fit %u, final %u: %" PRIu64 " for %" PRIu64
               ": %" PRIu64 " > %" PRIu64,
               life->seed, time.fit, time.is_final, time.ns, record->cpu_ns,
               apart_ns(time.ns, record->cpu_ns), time.error_ns);
   }
}

static void
live(struct life *life, uint64_t seed)
{
   struct world *world = &life->world;

   *life = (struct life){ .seed = seed };
   world_init(world, seed);
   life->source = world_source;
   life->source.data = world;
   pitot_calibration_init(&life->calibration,
                          (NS_PER_S - 1) / world->frequency_hz + 1);

   for (unsigned i = 0; i < READING_COUNT; i++) {
      pitot_calibration_read(&life->calibration, &life->source);
      for (unsigned k = 0; k < MAX_RECORDS; k++) {
         if (life->records[k].cpu_ns != 0 && life->records[k].due <= i)
            look_at(life, &life->records[k]);
         if (life->records[k].due <= i) {
            world_pass(world,
                       world_random(world,
                                    world->period_ns / MAX_RECORDS + 1));
            record(life, &life->records[k], i);
         }
      }
      world_pass(world, world_any_size(world, world->period_ns));
      if (world->has_news)
         pitot_calibration_restart(&life->calibration);
      world->has_news = false;
   }
}

/* The truth is within the error, whatever the clocks do. */
static void
truth_is_within_the_error(void **unused)
{
   static struct life life;
   unsigned answers = 0, finals = 0, refusals = 0;

   (void)unused;
   for (unsigned seed = 0; seed < WORLD_COUNT; seed++) {
      live(&life, seed);
      answers += life.answers;
      finals += life.finals;
      refusals += life.refusals;
   }
   printf("# %u answers, %u final, %u refusals\n", answers, finals, refusals);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(truth_is_within_the_error),
   };

   return cmocka_run_group_tests_name("clock_worlds", tests, NULL, NULL);
}
