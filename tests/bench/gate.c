/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "gate.h"

#define SLICE_NS 200000

#define PUBLIC __attribute__((visibility("default")))

/* dlsym() finds a function's oldest version; programs link with this one. */
#define NEXT(NAME, VERSION)                                                  \
   ({                                                                        \
      static void *_Atomic next;                                             \
      if (!next) {                                                           \
         void *found = dlvsym(RTLD_NEXT, #NAME, VERSION);                    \
         next = found ? found : dlsym(RTLD_NEXT, #NAME);                     \
      }                                                                      \
      (__typeof__(NAME) *)next;                                              \
   })

#define NEXT_COND_WAIT NEXT(pthread_cond_wait, "GLIBC_2.3.2")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool is_closed;        /* by the caller */
static unsigned waiter_count; /* calls in progress that opened the gate */
static _Atomic unsigned scene_count;

/* Of the thread that makes GL calls. */
static _Thread_local bool is_in_call, is_waiter;
static _Thread_local const void
   *suspect; /* what the call slept for when all others slept */

static void
change(bool closed, int waiters)
{
   pthread_mutex_lock(&lock);
   is_closed = closed;
   waiter_count += waiters;
   pthread_cond_broadcast(&opened);
   pthread_mutex_unlock(&lock);
}

void
gate_close(void)
{
   change(true, 0);
}

void
gate_open(void)
{
   change(false, 0);
}

void
gate_begin_call(void)
{
   is_in_call = true;
   suspect = NULL;
}

bool
gate_end_call(void)
{
   const bool waited = is_waiter;

   is_in_call = is_waiter = false;
   if (waited)
      change(is_closed, -1);
   return waited;
}

unsigned
gate_scene_count(void)
{
   return scene_count / 2;
}

/* llvmpipe's rasterizer threads meet here before and after each scene. */
PUBLIC int
pthread_barrier_wait(pthread_barrier_t *barrier)
{
   pthread_mutex_lock(&lock);
   while (is_closed && waiter_count == 0)
      NEXT_COND_WAIT(&opened, &lock);
   pthread_mutex_unlock(&lock);

   const int result = NEXT(pthread_barrier_wait, "GLIBC_2.34")(barrier);
   scene_count += result == PTHREAD_BARRIER_SERIAL_THREAD;
   return result;
}

/* Whether a thread runs or is runnable. */
static bool
is_running(const char *id)
{
   char path[300], text[128] = "";

   snprintf(path, sizeof(path), "/proc/self/task/%s/stat", id);
   FILE *file = fopen(path, "r");
   if (!file)
      return true;
   const bool is_read = fgets(text, sizeof(text), file) != NULL;
   const char *end = strrchr(text, ')');
   fclose(file);
   return !is_read || !end || end[1] == '\0' || end[2] != 'S';
}

static bool
do_others_sleep(void)
{
   char self[16];
   bool all_sleep = true;
   DIR *tasks = opendir("/proc/self/task");

   if (!tasks)
      abort();
   snprintf(self, sizeof(self), "%d", gettid());
   for (struct dirent *task; all_sleep && (task = readdir(tasks)) != NULL;) {
      if (task->d_name[0] != '.' && strcmp(task->d_name, self) != 0)
         all_sleep = !is_running(task->d_name);
   }
   closedir(tasks);
   return all_sleep;
}

/* Called after a slice of sleep.  If all other threads sleep at the second
 * slice for this object, only the gate can end the sleep.  The object may
 * have been signaled just now: the caller checks, and sleeps again if not.
 */
static void
look_for_deadlock(const void *object)
{
   const bool is_second = suspect == object;

   suspect = do_others_sleep() ? object : NULL;
   if (is_waiter || !is_second || !suspect)
      return;
   is_waiter = true;
   change(is_closed, 1);
}

static struct timespec
slice_end(clockid_t clock)
{
   struct timespec end;

   clock_gettime(clock, &end);
   end.tv_nsec += SLICE_NS;
   if (end.tv_nsec >= 1000000000) {
      end.tv_nsec -= 1000000000;
      end.tv_sec++;
   }
   return end;
}

static bool
is_before(const struct timespec *a, const struct timespec *b)
{
   return a->tv_sec < b->tv_sec ||
          (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

/* The caller takes the end of a slice for a spurious wake-up. */
static int
wait_for_slice(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
   const struct timespec end = slice_end(CLOCK_MONOTONIC);
   const int result =
      NEXT(pthread_cond_clockwait, "GLIBC_2.34")(condition, mutex,
                                                 CLOCK_MONOTONIC, &end);

   if (result != ETIMEDOUT) {
      suspect = NULL;
      return result;
   }
   look_for_deadlock(condition);
   return 0;
}

PUBLIC int
pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
   return is_in_call ? wait_for_slice(condition, mutex)
                     : NEXT_COND_WAIT(condition, mutex);
}

PUBLIC int
pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                       const struct timespec *until)
{
   /* pthread_cond_timedwait() uses the condition's clock, which cannot be
    * queried: a time below 30 years since 1970 must be monotonic.
    */
   const bool is_monotonic = until->tv_sec < 1000000000;
   const struct timespec end =
      slice_end(is_monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME);

   if (is_in_call && is_before(&end, until))
      return wait_for_slice(condition, mutex);
   return NEXT(pthread_cond_timedwait, "GLIBC_2.3.2")(condition, mutex,
                                                      until);
}

/* The GNU C library's mtx_t and cnd_t are pthread types. */
PUBLIC int
cnd_wait(cnd_t *condition, mtx_t *mutex)
{
   return pthread_cond_wait((pthread_cond_t *)condition,
                            (pthread_mutex_t *)mutex) == 0
             ? thrd_success
             : thrd_error;
}

PUBLIC int
cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until)
{
   const int result = pthread_cond_timedwait((pthread_cond_t *)condition,
                                             (pthread_mutex_t *)mutex, until);

   return result == 0           ? thrd_success
          : result == ETIMEDOUT ? thrd_timedout
                                : thrd_error;
}

/* Mesa's own locks and fences sleep by this system call. */
PUBLIC long
syscall(long number, ...)
{
   long values[6];
   va_list arguments;

   va_start(arguments, number);
   for (unsigned i = 0; i < 6; i++)
      values[i] = va_arg(arguments, long);
   va_end(arguments);

   const bool is_sleep = number == SYS_futex && is_in_call && !values[3] &&
                         (values[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
   const struct timespec end =
      is_sleep ? slice_end(CLOCK_MONOTONIC) : (struct timespec){ 0 };
   if (is_sleep)
      values[3] = (long)(uintptr_t)&end;

   const long result =
      NEXT(syscall, "GLIBC_2.2.5")(number, values[0], values[1], values[2],
                                   values[3], values[4], values[5]);
   if (is_sleep && result == -1 && errno == ETIMEDOUT) {
      look_for_deadlock((const void *)values[0]);
      errno = EINTR;
   }
   return result;
}
