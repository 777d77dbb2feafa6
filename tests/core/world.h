/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A world: the clocks of a CPU and of a GPU that do all that clocks do, drawn
 * from a seed.  The time of the world is that of the CPU's clock, so that the
 * truth about each time of the GPU is known.
 */

#ifndef PITOT_WORLD_H
#define PITOT_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "pitot/clock.h"

#define WORLD_MAX_STEPS 4

/* A step of the GPU's clock, or a suspend, in which the CPU's stands still.
 */
struct world_step {
   uint64_t at_ns; /* UINT64_MAX: none */
   int64_t by_ns;
   bool is_reset; /* to 0; by_ns is not used */
   bool is_told;  /* by the system: a suspend, or a reset */
};

struct world {
   uint64_t random;
   uint64_t now_ns;
   uint64_t period_ns; /* about: of the readings */

   /* The GPU's clock: a straight line from a time on, to the next knee. */
   uint64_t line_cpu_ns, line_gpu_ns;
   int64_t drift_ppb, line_ppb;
   uint64_t wander_ppb;
   uint64_t knee_ns;

   /* Its counter, which wraps; or is extended to 64 bits. */
   uint64_t frequency_hz;
   unsigned width_bits;
   bool is_extended;
   struct pitot_tick_extender extender;

   struct world_step steps[WORLD_MAX_STEPS];
   unsigned step_count, steps_done;
   uint64_t stepped_ns; /* when it last stepped */
   bool has_news;       /* a step that was told has not been told on yet */

   /* The time of a reading of the GPU's clock, and of an interruption. */
   uint64_t latency_ns;
   unsigned preempted_percent;
   uint64_t preempted_ns;
};

/* Creates a world from a seed. */
void
world_init(struct world *world, uint64_t seed);

/* Returns a number of 0 to below. */
uint64_t
world_random(struct world *world, uint64_t below);

/* Returns a number of 1 to max, of which small ones are as likely as large
 * ones.
 */
uint64_t
world_any_size(struct world *world, uint64_t max);

/* Lets time pass. */
void
world_pass(struct world *world, uint64_t ns);

/* Returns the GPU's clock as it is now, as a driver would. */
uint64_t
world_gpu_ns(struct world *world);

/* Reads both clocks, which takes time. */
extern const struct pitot_clock_source world_source;

#endif /* PITOT_WORLD_H */
