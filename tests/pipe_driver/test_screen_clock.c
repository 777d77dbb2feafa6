/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The clocks of screens: many threads create the first context of a screen at
 * once, while others ask for the clocks of other screens.
 */

#include <pthread.h>
#include <stdlib.h>

#include "../test.h"
#include "pipe/p_screen.h"
#include "screen_clock.h"
#include "turns.h"
#include "util/simple_mtx.h"

#define THREAD_COUNT 4
#define SCREEN_COUNT 200

/*
 * Mesa's locks, of which the functions are in its library: by mutexes, which
 * ThreadSanitizer knows.
 */

int
mtx_lock(mtx_t *mutex)
{
   return pthread_mutex_lock(mutex);
}

int
mtx_unlock(mtx_t *mutex)
{
   return pthread_mutex_unlock(mutex);
}

void
_simple_mtx_plain_init_once(simple_mtx_t *lock)
{
   pthread_mutex_init(&lock->mtx, NULL);
}

void
util_call_once_data_slow(once_flag *once, util_call_once_data_func init,
                         const void *data)
{
   static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
   static const once_flag first = ONCE_FLAG_INIT;

   pthread_mutex_lock(&lock);
   if (*once == first)
      init(data);
   *once = first + 1;
   pthread_mutex_unlock(&lock);
}

static const struct pitot_gpu gpu = {
   .timestamp_bits = 36,
   .timestamp_hz = 12000000,
};

static struct pipe_screen screens[SCREEN_COUNT];
static pthread_barrier_t start;

struct user {
   pthread_t thread;
   struct pitot_gpu_clock *clocks[SCREEN_COUNT];
   unsigned wrong;
};

static uint64_t
get_timestamp(struct pipe_screen *screen)
{
   (void)screen;
   return 0;
}

static void *
use_clocks(void *data)
{
   struct user *user = data;

   for (unsigned i = 0; i < SCREEN_COUNT; i++) {
      pthread_barrier_wait(&start);
      user->clocks[i] =
         pitot_screen_clock_make(&screens[i], &gpu, get_timestamp, NULL);
      for (unsigned k = 0; k <= i; k++)
         user->wrong += pitot_screen_clock(&screens[k]) != user->clocks[k];
      pitot_gpu_clock_now_ns(user->clocks[i], 0, 1000);
   }
   return NULL;
}

/* All contexts of a screen get one clock, of this screen only. */
static void
threads_share_the_clock_of_a_screen(void **state)
{
   static struct user users[THREAD_COUNT];
   static const struct pipe_screen first;

   (void)state;
   /* Initialises Mesa's lock, which orders nothing after its first use. */
   assert_non_null(
      pitot_screen_clock_make(&first, &gpu, get_timestamp, NULL));
   for (unsigned i = 0; i < SCREEN_COUNT; i++)
      screens[i].get_timestamp = get_timestamp;
   assert_int_equal(pthread_barrier_init(&start, NULL, THREAD_COUNT), 0);
   for (unsigned t = 0; t < THREAD_COUNT; t++)
      assert_int_equal(pthread_create(&users[t].thread, NULL, use_clocks,
                                      &users[t]),
                       0);
   for (unsigned t = 0; t < THREAD_COUNT; t++) {
      pthread_join(users[t].thread, NULL);
      assert_int_equal(users[t].wrong, 0);
      assert_memory_equal(users[t].clocks, users[0].clocks,
                          sizeof(users[0].clocks));
   }
   pthread_barrier_destroy(&start);
   for (unsigned i = 1; i < SCREEN_COUNT; i++)
      assert_ptr_not_equal(users[0].clocks[i], users[0].clocks[i - 1]);
}

/*
 * One screen, and two threads that interrupt each other
 */

void *
__real_calloc(size_t count, size_t size_B);
void *
__wrap_calloc(size_t count, size_t size_B);

void *
__wrap_calloc(size_t count, size_t size_B)
{
   turns_point();
   return __real_calloc(count, size_B);
}

struct meeting {
   struct pipe_screen screen;
   struct pitot_gpu_clock *clocks[2]; /* of each thread */
};

static void
make_first(void *data)
{
   struct meeting *m = data;

   m->clocks[0] =
      pitot_screen_clock_make(&m->screen, &gpu, get_timestamp, NULL);
}

static void
make_second(void *data)
{
   struct meeting *m = data;

   m->clocks[1] =
      pitot_screen_clock_make(&m->screen, &gpu, get_timestamp, NULL);
}

/* There may be none yet. */
static void
find(void *data)
{
   struct meeting *m = data;

   m->clocks[1] = pitot_screen_clock(&m->screen);
   if (m->clocks[1])
      pitot_gpu_clock_now_ns(m->clocks[1], 0, 1000);
}

static void
meet(void (*first)(void *data), void (*second)(void *data))
{
   struct turns turns = { .first = first, .second = second };

   do {
      /* A clock knows its screen by an address, which is used once. */
      struct meeting *m = calloc(1, sizeof(*m));

      m->screen.get_timestamp = get_timestamp;
      turns.data = m;
      turns_run(&turns);

      struct pitot_gpu_clock *clock = pitot_screen_clock(&m->screen);
      assert_non_null(clock);
      assert_true(!m->clocks[0] || m->clocks[0] == clock);
      assert_true(!m->clocks[1] || m->clocks[1] == clock);
   } while (turns_next(&turns));
}

static void
two_threads_make_one_clock(void **state)
{
   (void)state;
   meet(make_first, make_second);
}

/* A clock is looked for without a lock. */
static void
a_clock_is_whole_when_it_is_found(void **state)
{
   (void)state;
   meet(make_first, find);
   meet(find, make_first);
}

static bool
get_correlation(struct pipe_screen *screen,
                struct pitot_correlation *clocks_out)
{
   (void)screen;
   (void)clocks_out;
   return false;
}

/* A screen whose queries are not Pitot's has another hook, and no clock. */
static void
another_hook_has_no_clock(void **state)
{
   struct pipe_screen screen = { .get_timestamp = get_timestamp };

   (void)state;
   assert_null(pitot_screen_clock(&screen));
   assert_null(pitot_screen_correlation(&screen));
   assert_non_null(
      pitot_screen_clock_make(&screen, &gpu, get_timestamp, get_correlation));
   assert_ptr_equal(pitot_screen_correlation(&screen), get_correlation);
   screen.get_timestamp = NULL;
   assert_null(pitot_screen_clock(&screen));
   assert_null(pitot_screen_correlation(&screen));
}

/* A screen at the address of one that is gone, of another GPU. */
static void
another_gpu_has_another_clock(void **state)
{
   struct pipe_screen screen = { .get_timestamp = get_timestamp };
   const struct pitot_gpu other = {
      .timestamp_bits = 36,
      .timestamp_hz = 19200000,
   };
   struct pitot_gpu_clock *clock =
      pitot_screen_clock_make(&screen, &gpu, get_timestamp, NULL);

   (void)state;
   assert_ptr_equal(pitot_screen_clock_make(&screen, &gpu, get_timestamp,
                                            NULL),
                    clock);
   assert_ptr_not_equal(pitot_screen_clock_make(&screen, &other,
                                                get_timestamp, NULL),
                        clock);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_the_clock_of_a_screen),
      cmocka_unit_test(two_threads_make_one_clock),
      cmocka_unit_test(a_clock_is_whole_when_it_is_found),
      cmocka_unit_test(another_hook_has_no_clock),
      cmocka_unit_test(another_gpu_has_another_clock),
   };

   return cmocka_run_group_tests_name("pipe_driver screen_clock", tests, NULL,
                                      NULL);
}
