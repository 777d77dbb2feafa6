/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clocks of screens: from the first context to the last one, on any
 * thread.
 */

#include <stdatomic.h>
#include <string.h>

#include "../listed.h"
#include "pipe/p_screen.h"
#include "pitot_screen_clock.h"
#include "turns.h"
#include "wrapped.h"

/* A family whose functions are never called. */
static const uint64_t family;
static const struct pitot_gpu gpu = {
   .family = (const void *)&family,
   .timestamp_bits = 36,
   .timestamp_hz = 12000000,
};

struct screen {
   struct pipe_screen base;
   _Atomic uint64_t time_ns;
   atomic_uint reads;
};

static int
read_clock(void *data, struct pitot_clock_reading *reading_out)
{
   struct screen *screen = data;

   screen->reads++;
   reading_out->ticks = screen->time_ns * gpu.timestamp_hz / PITOT_NS_PER_S;
   return 0;
}

static uint64_t
stock_timestamp(struct pipe_screen *base)
{
   return ((struct screen *)base)->time_ns;
}

static void
init_screen(struct screen *screen)
{
   memset(screen, 0, sizeof(*screen));
   screen->base.get_timestamp = stock_timestamp;
}

static struct pitot_clock *
take(struct screen *screen)
{
   return pitot_screen_clock_take(&screen->base, &gpu, read_clock);
}

static void
assert_is_stock(const struct screen *screen)
{
   assert_ptr_equal(screen->base.get_timestamp, stock_timestamp);
   assert_null(screen->base.pitot);
}

/* Contexts and the screen share a clock until the last context ends. */
TEST(contexts_share_a_clock)
{
   struct screen screen;

   init_screen(&screen);
   struct pitot_clock *clock = take(&screen);
   assert_non_null(clock);
   assert_ptr_equal(take(&screen), clock);
   screen.time_ns = 3 * PITOT_NS_PER_S;
   assert_int_equal(pitot_clock_now_ns(clock), 3 * PITOT_NS_PER_S);
   pitot_screen_clock_give(clock);
   assert_int_equal(screen.base.get_timestamp(&screen.base),
                    3 * PITOT_NS_PER_S);
   assert_int_equal(screen.reads, 2);
   uint64_t (*hook)(struct pipe_screen *) = screen.base.get_timestamp;
   pitot_screen_clock_give(clock);
   assert_is_stock(&screen);
   pitot_screen_clock_give(NULL);

   /* A frontend may have loaded the hook before. */
   screen.time_ns = 5 * PITOT_NS_PER_S;
   assert_int_equal(hook(&screen.base), 5 * PITOT_NS_PER_S);
   assert_int_equal(screen.reads, 2);
}

/* A later screen at the same address gets a new clock. */
TEST(later_screens_have_clocks_of_their_own)
{
   struct screen screen;

   for (unsigned i = 0; i < 2; i++) {
      init_screen(&screen);
      struct pitot_clock *clock = take(&screen);
      assert_non_null(clock);
      assert_false(clock->is_started);
      screen.time_ns = (2 - i) * PITOT_NS_PER_S;
      assert_int_equal(pitot_clock_now_ns(clock), screen.time_ns);
      assert_int_equal(screen.reads, 1);
      pitot_screen_clock_give(clock);
      assert_is_stock(&screen);
   }
}

/* The number of the calloc() that fails; 0: none. */
static unsigned failing_call;

/* Without memory, queries and times are the driver's; the next call works. */
TEST(a_clock_may_lack_memory)
{
   struct screen screen;

   init_screen(&screen);
   failing_call = 1;
   assert_null(take(&screen));
   assert_is_stock(&screen);
   struct pitot_clock *clock = take(&screen);
   assert_non_null(clock);
   pitot_screen_clock_give(clock);
   assert_is_stock(&screen);
}

WRAPPED(void *, calloc, (size_t count, size_t size_B))
{
   turns_point();
   return failing_call && --failing_call == 0 ? NULL
                                              : __real_calloc(count, size_B);
}

struct meeting {
   struct screen screen;
   struct pitot_clock *clocks[2];
};

static void
make_first(void *data)
{
   struct meeting *m = data;

   m->clocks[0] = take(&m->screen);
}

static void
make_second(void *data)
{
   struct meeting *m = data;

   m->clocks[1] = take(&m->screen);
}

static void
meet(void (*first)(void *data), void (*second)(void *data))
{
   struct turns turns = { .first = first, .second = second };

   do {
      struct meeting m;

      init_screen(&m.screen);
      turns.data = &m;
      turns_run(&turns);
      assert_non_null(m.clocks[0]);
      assert_ptr_equal(m.clocks[1], m.clocks[0]);
      pitot_screen_clock_give(m.clocks[0]);
      pitot_screen_clock_give(m.clocks[1]);
      assert_is_stock(&m.screen);
   } while (turns_next(&turns));
}

TEST(two_threads_make_one_clock)
{
   meet(make_first, make_second);
}

/* The hook that the thread loaded before the clock was freed. */
static uint64_t (*pitots_timestamp)(struct pipe_screen *screen);

static void
tell_time(void *data)
{
   struct meeting *m = data;

   assert_int_equal(pitots_timestamp(&m->screen.base), PITOT_NS_PER_S);
}

static void
give(void *data)
{
   struct meeting *m = data;

   pitot_screen_clock_give(m->clocks[0]);
}

/* One frontend reads the clock while the last context ends. */
TEST(a_clock_that_is_read_is_not_freed)
{
   struct turns turns = { .first = tell_time, .second = give };

   do {
      struct meeting m;

      init_screen(&m.screen);
      m.screen.time_ns = PITOT_NS_PER_S;
      m.clocks[0] = take(&m.screen);
      pitots_timestamp = m.screen.base.get_timestamp;
      turns.data = &m;
      turns_run(&turns);
      assert_is_stock(&m.screen);
   } while (turns_next(&turns));
}
