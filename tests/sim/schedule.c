/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "schedule.h"

uint64_t sim_next_seed;

/* splitmix64: similar seeds give unrelated sequences. */
static uint64_t
next(struct sim_schedule *schedule)
{
   uint64_t z = schedule->state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

unsigned
sim_choose(struct sim_schedule *schedule, unsigned count)
{
   return (unsigned)((next(schedule) >> 32) * count >> 32);
}

bool
sim_choose_percent(struct sim_schedule *schedule, unsigned percent)
{
   return sim_choose(schedule, 100) < percent;
}

#define CHOOSE_FROM(SCHEDULE, VALUES)                                        \
   (VALUES)[sim_choose(SCHEDULE, sizeof(VALUES) / sizeof((VALUES)[0]))]

void
sim_schedule_begin(struct sim_schedule *schedule, uint64_t seed)
{
   static const unsigned write_percents[] = { 0, 10, 50, 90 };
   static const unsigned max_aheads[] = { 1, 2, 8, 32 };
   static const unsigned max_steps[] = { 1, 1, 3, 30 };
   static const unsigned evict_percents[] = { 0, 0, 20, 100 };
   static const unsigned preempt_percents[] = { 0, 1, 10, 50 };

   *schedule = (struct sim_schedule){ .seed = seed, .state = seed };
   if (seed == 0)
      return;
   schedule->write_percent = CHOOSE_FROM(schedule, write_percents);
   schedule->max_ahead = CHOOSE_FROM(schedule, max_aheads);
   schedule->max_steps = CHOOSE_FROM(schedule, max_steps);
   schedule->evict_percent = CHOOSE_FROM(schedule, evict_percents);
   schedule->preempt_percent = CHOOSE_FROM(schedule, preempt_percents);

   /* Often none, sometimes one or all. */
   schedule->late_backends = (uint32_t)next(schedule);
   switch (sim_choose(schedule, 4)) {
   case 0:
      schedule->late_backends = 0;
      break;
   case 1:
      schedule->late_backends = 1u << schedule->late_backends % 8;
      break;
   case 2:
      schedule->late_backends = UINT32_MAX;
      break;
   }
}
