/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "world.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

#define MAX_DRIFT_PPM  200 /* of the crystals */
#define MAX_SLEW_PPM   500 /* of the CPU's clock, by the kernel */
#define MAX_WANDER_PPM 100
#define PPB_PER_PPM    1000

uint64_t
world_random(struct world *world, uint64_t below)
{
   world->random =
      world->random * UINT64_C(6364136223846793005) + 1442695040888963407;
   return ((world->random ^ world->random >> 29) >> 8) % below;
}

uint64_t
world_any_size(struct world *world, uint64_t max)
{
   unsigned bits = 0;

   while (bits < 63 && max >> bits > 1)
      bits++;
   const uint64_t top = UINT64_C(1) << world_random(world, bits + 1);
   const uint64_t size = top + world_random(world, top);
   return size < max ? size : max;
}

static bool
is_lucky(struct world *world, unsigned percent)
{
   return world_random(world, 100) < percent;
}

static int64_t
either_sign(struct world *world, uint64_t below)
{
   const int64_t size = (int64_t)world_random(world, below);

   return is_lucky(world, 50) ? size : -size;
}

/* The clock as a continuous time. */
static uint64_t
line_at(const struct world *world, uint64_t cpu_ns)
{
   const int64_t ns = (int64_t)(cpu_ns - world->line_cpu_ns);

   return world->line_gpu_ns +
          (uint64_t)(ns + ns / 1000 * world->line_ppb / 1000000 +
                     ns % 1000 * world->line_ppb / (int64_t)NS_PER_S);
}

static void
begin_line(struct world *world, uint64_t gpu_ns)
{
   world->line_gpu_ns = gpu_ns;
   world->line_cpu_ns = world->now_ns;
   world->line_ppb =
      world->drift_ppb + either_sign(world, world->wander_ppb + 1);
   world->knee_ns =
      world->now_ns + world_any_size(world, 10 * NS_PER_S) + NS_PER_MS;
}

static void
step(struct world *world)
{
   const struct world_step *step = &world->steps[world->steps_done++];
   const uint64_t gpu_ns = line_at(world, world->now_ns);

   begin_line(world, step->is_reset ? 0 : gpu_ns + (uint64_t)step->by_ns);
   world->has_news |= step->is_told;
   world->stepped_ns = world->now_ns;
}

void
world_pass(struct world *world, uint64_t ns)
{
   const uint64_t until_ns = world->now_ns + ns;

   for (;;) {
      const uint64_t step_ns = world->steps_done < world->step_count
                                  ? world->steps[world->steps_done].at_ns
                                  : UINT64_MAX;
      const uint64_t next_ns =
         step_ns < world->knee_ns ? step_ns : world->knee_ns;

      if (next_ns > until_ns)
         break;
      world->now_ns = next_ns;
      if (next_ns == step_ns)
         step(world);
      else
         begin_line(world, line_at(world, next_ns));
   }
   world->now_ns = until_ns;
}

static uint64_t
ticks_of(const struct world *world)
{
   const uint64_t ns = line_at(world, world->now_ns);
   const uint64_t ticks = ns / NS_PER_S * world->frequency_hz +
                          ns % NS_PER_S * world->frequency_hz / NS_PER_S;

   return ticks & UINT64_MAX >> (64 - world->width_bits);
}

uint64_t
world_gpu_ns(struct world *world)
{
   uint64_t ticks = ticks_of(world);

   if (world->is_extended)
      ticks = pitot_ticks_extend(&world->extender, ticks);
   return pitot_ticks_to_ns(ticks, world->frequency_hz);
}

/* Lets pass what a call takes, which may be interrupted. */
static void
call(struct world *world)
{
   world_pass(world, world_random(world, world->latency_ns) + 1);
   if (is_lucky(world, world->preempted_percent))
      world_pass(world, world_any_size(world, world->preempted_ns));
}

static uint64_t
source_cpu_ns(void *data)
{
   struct world *world = data;

   call(world);
   return world->now_ns;
}

static uint64_t
source_gpu_ns(void *data)
{
   struct world *world = data;

   call(world);
   const uint64_t ns = world_gpu_ns(world);
   return ns ? ns : 1; /* 0 is a clock that cannot be read */
}

/* Steps are so far apart that readings come in between.  One may be too small
 * to be seen; the others are too large to be missed, or are told.
 */
static void
draw_steps(struct world *world)
{
   const uint64_t reading_ns =
      world->period_ns + 8 * (world->latency_ns + world->preempted_ns);
   uint64_t at_ns = world->now_ns;

   world->step_count = (unsigned)world_random(world, WORLD_MAX_STEPS + 1);
   for (unsigned i = 0; i < world->step_count; i++) {
      struct world_step *step = &world->steps[i];

      at_ns += reading_ns * (10 + world_random(world, 20));
      step->at_ns = at_ns;
      step->is_reset = is_lucky(world, 20);
      step->is_told = is_lucky(world, 50);
      if (i == 0 && !step->is_told)
         step->by_ns =
            (int64_t)world_any_size(world, PITOT_MAX_HIDDEN_STEP_NS);
      else
         step->by_ns = (int64_t)world_any_size(world, 1000 * NS_PER_S) +
                       (step->is_told ? 0 : (int64_t)NS_PER_S);
      if (is_lucky(world, 50) &&
          step->by_ns < (int64_t)line_at(world, world->now_ns) / 2)
         step->by_ns = -step->by_ns;
   }
}

void
world_init(struct world *world, uint64_t seed)
{
   static const uint64_t frequencies_hz[] = {
      1000000, 12000000, 19200000, 27000000, 100000000, NS_PER_S,
   };

   *world = (struct world){ .random = seed };
   for (unsigned i = 0; i < 8; i++)
      world_random(world, 2);
   world->now_ns = NS_PER_S + world_random(world, 1000000 * NS_PER_S);
   world->drift_ppb = either_sign(world, MAX_DRIFT_PPM * PPB_PER_PPM + 1);
   if (is_lucky(world, 30))
      world->drift_ppb += either_sign(world, MAX_SLEW_PPM * PPB_PER_PPM + 1);
   if (is_lucky(world, 50))
      world->wander_ppb = world_any_size(world, MAX_WANDER_PPM * PPB_PER_PPM);
   world->frequency_hz = frequencies_hz[world_random(world, 6)];
   world->is_extended = is_lucky(world, 30);
   world->width_bits =
      is_lucky(world, 60) ? 64 : 36 + (unsigned)world_random(world, 8);
   world->latency_ns = world_any_size(world, 20000) + 1;
   world->preempted_percent = (unsigned)world_random(world, 60);
   world->preempted_ns = world_any_size(world, 50 * NS_PER_MS);
   world->period_ns = NS_PER_MS / 10 + world_any_size(world, NS_PER_S);
   begin_line(world, world_random(world, 1000000 * NS_PER_S));
   world->extender =
      (struct pitot_tick_extender){ world->width_bits, ticks_of(world) };
   if (!world->is_extended)
      draw_steps(world);
}

const struct pitot_clock_source world_source = {
   .cpu_ns = source_cpu_ns,
   .gpu_ns = source_gpu_ns,
};
