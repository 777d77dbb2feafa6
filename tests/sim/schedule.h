/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Schedules: the choices that hardware leaves open, made by a seed.
 *
 * A GPU writes later than it reads commands, and not in the order of these;
 * it reads commands ahead; its rings work side by side; and the CPU looks at
 * any moment.  With a schedule each of these orders is drawn by lot, and the
 * same seed draws the same lots.  A seed first decides on habits, for example
 * that two of the render backends are always last: many small differences at
 * once would find less than a few large ones.
 */

#ifndef PITOT_SIM_SCHEDULE_H
#define PITOT_SIM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_schedule {
   uint64_t seed; /* 0: no schedule; everything happens at once */
   uint64_t state;

   /* The habits. */
   unsigned write_percent;   /* how often a write comes before a packet */
   uint32_t late_backends;   /* AMD: a mask of those that write last */
   unsigned max_ahead;       /* AMD: packets that are read ahead */
   unsigned max_steps;       /* between two looks of the CPU */
   unsigned evict_percent;   /* how often a line of a cache is evicted */
   unsigned preempt_percent; /* AMD: how often others work in between */
};

/* Begins the schedule of a seed. */
void
sim_schedule_begin(struct sim_schedule *schedule, uint64_t seed);

static inline bool
sim_schedule_is_on(const struct sim_schedule *schedule)
{
   return schedule->seed != 0;
}

/* Returns a number less than count, which is not 0. */
unsigned
sim_choose(struct sim_schedule *schedule, unsigned count);

/* Decides on something that happens so often. */
bool
sim_choose_percent(struct sim_schedule *schedule, unsigned percent);

/* The seed of simulated machines that are created from now on; 0: none. */
extern uint64_t sim_next_seed;

#endif /* PITOT_SIM_SCHEDULE_H */
