/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "turns.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "wrapped.h"

struct thread {
   pthread_t thread;
   struct turns *turns;
   void (*run)(void *data);
   unsigned point_count, held_count; /* of locks */
   atomic_bool has_returned, is_asleep;
};

static struct thread threads[TURNS_THREAD_COUNT];
static atomic_uint turn; /* index of the running thread */
static _Thread_local struct thread *self;

static unsigned
index_of(const struct thread *thread)
{
   return (unsigned)(thread - threads);
}

static struct thread *
other(void)
{
   return &threads[1 - index_of(self)];
}

/* The fence orders memory for the CPU; ThreadSanitizer ignores it. */
static void
let_other_run(void)
{
   atomic_thread_fence(memory_order_seq_cst);
   atomic_store_explicit(&turn, index_of(other()), memory_order_relaxed);
}

static void
wait_for_turn(void)
{
   while (atomic_load_explicit(&turn, memory_order_relaxed) != index_of(self))
      sched_yield();
   atomic_thread_fence(memory_order_seq_cst);
}

static bool
is(const atomic_bool *fact)
{
   return atomic_load_explicit(fact, memory_order_relaxed);
}

static void
set(atomic_bool *fact, bool value)
{
   atomic_store_explicit(fact, value, memory_order_relaxed);
}

static void
yield(void)
{
   sched_yield();
   if (is(&other()->has_returned) || is(&other()->is_asleep))
      return;
   let_other_run();
   wait_for_turn();
}

void
turns_point(void)
{
   if (self != NULL &&
       self->point_count++ == self->turns->yields_at[index_of(self)])
      yield();
}

/* Both end together: ThreadSanitizer knows both when it finds a race. */
static void *
run_thread(void *data)
{
   self = data;
   wait_for_turn();
   self->run(self->turns->data);
   set(&self->has_returned, true);
   let_other_run();
   while (!is(&other()->has_returned))
      sched_yield();
   return NULL;
}

void
turns_run(struct turns *turns)
{
   memset(threads, 0, sizeof(threads));
   atomic_store(&turn, 0);
   for (unsigned i = 0; i < TURNS_THREAD_COUNT; i++) {
      threads[i].turns = turns;
      threads[i].run = i == 0 ? turns->first : turns->second;
   }
   for (unsigned i = 0; i < TURNS_THREAD_COUNT; i++)
      assert_int_equal(pthread_create(&threads[i].thread, NULL, run_thread,
                                      &threads[i]),
                       0);
   for (unsigned i = 0; i < TURNS_THREAD_COUNT; i++) {
      assert_int_equal(pthread_join(threads[i].thread, NULL), 0);
      turns->point_count[i] = threads[i].point_count;
   }
}

/* A thread with fewer points ran to its end: later points change nothing. */
bool
turns_next(struct turns *turns)
{
   if (turns->yields_at[1]++ < turns->point_count[1])
      return true;
   turns->yields_at[1] = 0;
   return turns->yields_at[0]++ < turns->point_count[0];
}

/* Runs the other thread until the lock is free.  Other threads are ignored.
 */
WRAPPED(int, pthread_mutex_lock, (pthread_mutex_t * mutex))
{
   if (self == NULL)
      return __real_pthread_mutex_lock(mutex);
   while (pthread_mutex_trylock(mutex) != 0)
      yield();
   self->held_count++;
   turns_point();
   return 0;
}

/* Without a lock, a thread could miss the wakeup and sleep forever. */
static void
require_lock(const char *function)
{
   if (self->held_count > 0)
      return;
   printf("Bail out! %s without the lock\n", function);
   fflush(stdout);
   _Exit(1);
}

WRAPPED(int, pthread_mutex_unlock, (pthread_mutex_t * mutex))
{
   turns_point();
   if (self != NULL) {
      require_lock("pthread_mutex_unlock()");
      self->held_count--;
   }
   return __real_pthread_mutex_unlock(mutex);
}

WRAPPED(int, pthread_cond_wait,
        (pthread_cond_t *cond, pthread_mutex_t *mutex))
{
   if (self == NULL)
      return __real_pthread_cond_wait(cond, mutex);
   require_lock("pthread_cond_wait()");
   set(&self->is_asleep, true);
   let_other_run();
   const int error = __real_pthread_cond_wait(cond, mutex);
   set(&self->is_asleep, false);
   return error;
}

WRAPPED(int, pthread_cond_broadcast, (pthread_cond_t *cond))
{
   if (self != NULL)
      require_lock("pthread_cond_broadcast()");
   return __real_pthread_cond_broadcast(cond);
}
