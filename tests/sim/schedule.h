/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Schedules: a seed makes the choices that hardware leaves open.
 *
 * A GPU writes later than it reads commands, in another order; it reads
 * ahead; its rings work concurrently; and the CPU reads at any time.  A
 * schedule chooses each of these orders, and the same seed makes the same
 * choices.  First a seed chooses habits, for example that two render backends
 * are always last: many small differences together would find less than a few
 * large ones.
 */

#ifndef PITOT_SIM_SCHEDULE_H
#define PITOT_SIM_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

struct sim_schedule {
   uint64_t seed; /* 0: no schedule, no delays */
   uint64_t state;

   /* The habits. */
   unsigned write_percent;   /* how often a write precedes a packet */
   uint32_t late_backends;   /* AMD: mask of backends that write last */
   unsigned max_ahead;       /* AMD: packets that are read ahead */
   unsigned max_steps;       /* GPU steps between two calls of the CPU */
   unsigned evict_percent;   /* how often a cache evicts a line */
   unsigned preempt_percent; /* AMD: how often others work in between */
};

void
sim_schedule_begin(struct sim_schedule *schedule, uint64_t seed);

static inline bool
sim_schedule_is_on(const struct sim_schedule *schedule)
{
   return schedule->seed != 0;
}

/* Returns a number below count, which is not 0. */
unsigned
sim_choose(struct sim_schedule *schedule, unsigned count);

bool
sim_choose_percent(struct sim_schedule *schedule, unsigned percent);

/* The seed of simulated machines created later; 0: none. */
extern uint64_t sim_next_seed;

#endif /* PITOT_SIM_SCHEDULE_H */
