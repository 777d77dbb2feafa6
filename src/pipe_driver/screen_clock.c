/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "pipe/p_screen.h"
#include "pitot_screen_clock.h"

/* pipe_screen::pitot, while there is a context. */
struct pitot_screen_clock {
   struct pitot_clock base;
   unsigned context_count;
   uint64_t (*stock_timestamp)(struct pipe_screen *screen);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* pipe_screen::get_timestamp.  The caller may have no context: if the last
 * one goes before the lock is acquired, the stock hook is installed again.
 */
static uint64_t
get_timestamp(struct pipe_screen *screen)
{
   pthread_mutex_lock(&lock);
   const uint64_t now_ns = screen->pitot
                              ? pitot_clock_now_ns(&screen->pitot->base)
                              : screen->get_timestamp(screen);
   pthread_mutex_unlock(&lock);
   return now_ns;
}

static struct pitot_screen_clock *
create_clock(struct pipe_screen *screen, const struct pitot_gpu *gpu,
             pitot_read_screen_clock *read)
{
   struct pitot_screen_clock *clock = calloc(1, sizeof(*clock));

   if (!clock)
      return NULL;
   pitot_clock_init(&clock->base, &(struct pitot_clock_info){
                                     .width_bits = gpu->timestamp_bits,
                                     .frequency_hz = gpu->timestamp_hz,
                                     .read = read,
                                     .data = screen,
                                  });
   clock->stock_timestamp = screen->get_timestamp;
   screen->get_timestamp = get_timestamp;
   return clock;
}

struct pitot_clock *
pitot_screen_clock_take(struct pipe_screen *screen,
                        const struct pitot_gpu *gpu,
                        pitot_read_screen_clock *read)
{
   pthread_mutex_lock(&lock);
   if (!screen->pitot)
      screen->pitot = create_clock(screen, gpu, read);
   struct pitot_screen_clock *clock = screen->pitot;
   if (clock)
      clock->context_count++;
   pthread_mutex_unlock(&lock);
   return clock ? &clock->base : NULL;
}

void
pitot_screen_clock_give(struct pitot_clock *base)
{
   struct pitot_screen_clock *clock = (struct pitot_screen_clock *)base;

   if (!clock)
      return;
   pthread_mutex_lock(&lock);
   if (--clock->context_count == 0) {
      struct pipe_screen *screen = base->info.data;

      screen->pitot = NULL;
      screen->get_timestamp = clock->stock_timestamp;
      pitot_clock_finish(base);
      free(clock);
   }
   pthread_mutex_unlock(&lock);
}
