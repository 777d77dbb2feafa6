/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "pipe/p_screen.h"
#include "screen_clock.h"
#include "util/simple_mtx.h"
#include "util/u_atomic.h"

struct screen_clock {
   struct screen_clock *next;
   const struct pipe_screen *screen;
   pitot_get_timestamp *get_timestamp;
   pitot_get_correlation *get_correlation;
   struct pitot_gpu gpu;
   struct pitot_gpu_clock clock;
};

/* The clocks of all screens, which are few.  None is ever removed, so that a
 * search needs no lock.
 */
static struct screen_clock *clocks;
static simple_mtx_t lock = SIMPLE_MTX_INITIALIZER;

static struct screen_clock *
create(const struct pipe_screen *screen, const struct pitot_gpu *gpu,
       pitot_get_timestamp *get_timestamp,
       pitot_get_correlation *get_correlation)
{
   struct screen_clock *clock = calloc(1, sizeof(*clock));
   if (!clock)
      return NULL;

   clock->gpu = *gpu;
   if (pitot_gpu_clock_init(&clock->clock, &clock->gpu)) {
      free(clock);
      return NULL;
   }
   clock->screen = screen;
   clock->get_timestamp = get_timestamp;
   clock->get_correlation = get_correlation;
   clock->next = clocks;
   p_atomic_set(&clocks, clock);
   return clock;
}

/* Compares the facts that the users of a clock depend on. */
static bool
has_same_clock(const struct pitot_gpu *a, const struct pitot_gpu *b)
{
   return a->family == b->family && a->generation == b->generation &&
          a->timestamp_bits == b->timestamp_bits &&
          a->timestamp_hz == b->timestamp_hz;
}

/* Finds the clock of a screen: the newest at its address.  Another GPU needs
 * another clock.
 */
static struct screen_clock *
find(const struct pipe_screen *screen, const struct pitot_gpu *gpu)
{
   struct screen_clock *clock = p_atomic_read(&clocks);

   while (clock && clock->screen != screen)
      clock = clock->next;
   return clock && has_same_clock(&clock->gpu, gpu) ? clock : NULL;
}

struct pitot_gpu_clock *
pitot_screen_clock_make(const struct pipe_screen *screen,
                        const struct pitot_gpu *gpu,
                        pitot_get_timestamp *get_timestamp,
                        pitot_get_correlation *get_correlation)
{
   simple_mtx_lock(&lock);
   struct screen_clock *clock = find(screen, gpu);
   if (!clock)
      clock = create(screen, gpu, get_timestamp, get_correlation);
   simple_mtx_unlock(&lock);
   return clock ? &clock->clock : NULL;
}

static struct screen_clock *
find_hooked(const struct pipe_screen *screen)
{
   struct screen_clock *clock = p_atomic_read(&clocks);

   while (clock && (clock->screen != screen ||
                    clock->get_timestamp != screen->get_timestamp))
      clock = clock->next;
   return clock;
}

struct pitot_gpu_clock *
pitot_screen_clock(const struct pipe_screen *screen)
{
   struct screen_clock *clock = find_hooked(screen);

   return clock ? &clock->clock : NULL;
}

pitot_get_correlation *
pitot_screen_correlation(const struct pipe_screen *screen)
{
   const struct screen_clock *clock = find_hooked(screen);

   return clock ? clock->get_correlation : NULL;
}
