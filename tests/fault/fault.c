/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail_memory.h"
#include "fault.h"
#include "pitot_arena.h"

/* More calls than any case makes: ends a loop that calls forever. */
#define MAX_CALLS 10000000

/* A busy kernel fails many times, but not forever. */
#define BURST 40

const struct fault_kind fault_kinds[] = {
   { "no memory", FAULT_MEMORY, .error = ENOMEM },
   { "driver: no query", FAULT_DRIVER_CREATE, .error = ENOMEM },
   { "driver: no begin", FAULT_DRIVER_BEGIN, .error = ENOMEM },
   { "driver: begin broken", FAULT_DRIVER_BEGIN, .error = EIO },
   { "driver: no end", FAULT_DRIVER_END, .error = EIO },
   { "driver: result lost", FAULT_DRIVER_RESULT, .error = EIO },
   { "driver: no fence", FAULT_DRIVER_FENCE, .error = ENOMEM },
   { "driver: no store", FAULT_DRIVER_STORE, .error = EIO },
   { "hook: no query", FAULT_HOOK_CREATE, .error = ENOMEM },
   { "hook: no begin", FAULT_HOOK_BEGIN, .error = ENOMEM },
   { "hook: no end", FAULT_HOOK_END, .error = EIO },
   { "hook: result lost", FAULT_HOOK_RESULT, .error = EIO },
   { "hook: no fence", FAULT_HOOK_FENCE, .error = ENOMEM },
   { "stream: no buffer", FAULT_STREAM_BUFFER, .error = ENOMEM },
   { "stream: reset", FAULT_STREAM, .event = FAULT_RESET },
   { "ioctl: ENOMEM", FAULT_IOCTL, .error = ENOMEM },
   { "ioctl: ENODEV", FAULT_IOCTL, .error = ENODEV },
   { "ioctl: EIO", FAULT_IOCTL, .error = EIO },
   { "ioctl: EINVAL", FAULT_IOCTL, .error = EINVAL },
   { "ioctl: ECANCELED", FAULT_IOCTL, .error = ECANCELED },
   { "ioctl: ENOSPC", FAULT_IOCTL, .error = ENOSPC },
   { "ioctl: ETIME", FAULT_IOCTL, .error = ETIME },
   { "ioctl: EINTR", FAULT_IOCTL, .error = EINTR, .burst = BURST,
     .is_silent = true },
   { "ioctl: EAGAIN", FAULT_IOCTL, .error = EAGAIN, .burst = BURST,
     .is_silent = true },
   { "ioctl: reset", FAULT_IOCTL, .event = FAULT_RESET },
   { "ioctl: reset of the clock", FAULT_IOCTL, .event = FAULT_RESET_CLOCK },
   { "ioctl: hang", FAULT_IOCTL, .event = FAULT_HANG },
   { "mmap: ENOMEM", FAULT_MMAP, .error = ENOMEM },
};

const unsigned fault_kind_count =
   sizeof(fault_kinds) / sizeof(fault_kinds[0]);

unsigned fail_memory;

/* A driver's threads make calls, too. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct fault *armed;
static unsigned counts[FAULT_SITE_COUNT];
static unsigned injected, total;
static unsigned suspended = 1; /* nothing fails at first */
static int live;

void
fault_arm(const struct fault *fault)
{
   pthread_mutex_lock(&lock);
   armed = fault;
   memset(counts, 0, sizeof(counts));
   injected = total = 0;
   suspended = 0;
   fail_memory = 0;
   pthread_mutex_unlock(&lock);
}

void
fault_disarm(void)
{
   pthread_mutex_lock(&lock);
   suspended = 1;
   fail_memory = 0;
   pthread_mutex_unlock(&lock);
}

void
fault_suspend(void)
{
   suspended++;
}

void
fault_resume(void)
{
   suspended--;
}

const struct fault_kind *
fault_armed(void)
{
   return armed ? armed->kind : NULL;
}

unsigned
fault_calls(enum fault_site site)
{
   return counts[site];
}

unsigned
fault_injected(void)
{
   return injected;
}

int
fault_live(void)
{
   return live;
}

/* Whether the nth call of the site fails. */
static bool
is_hit(const struct fault *fault, unsigned n)
{
   const unsigned burst = fault->kind->burst ? fault->kind->burst : 1;
   const unsigned again = fault->first + burst + fault->first % 4;

   if (n < fault->first)
      return false;
   if (fault->times == FAULT_ALWAYS)
      return true;
   return n < fault->first + burst ||
          (fault->times == FAULT_TWICE && n >= again && n < again + burst);
}

static const struct fault_kind *
take(enum fault_site site)
{
   if (suspended)
      return NULL;
   counts[site]++;
   if (++total > MAX_CALLS)
      abort();
   if (!armed || armed->kind->site != site || !is_hit(armed, counts[site]))
      return NULL;
   injected++;
   return armed->kind;
}

const struct fault_kind *
fault_take(enum fault_site site)
{
   pthread_mutex_lock(&lock);
   const struct fault_kind *kind = take(site);
   pthread_mutex_unlock(&lock);
   return kind;
}

static const char *const times_names[FAULT_TIMES_COUNT] = {
   [FAULT_ONCE] = "once",
   [FAULT_TWICE] = "twice",
   [FAULT_ALWAYS] = "always",
};

void
fault_print(const struct fault *fault, char *text, size_t size)
{
   snprintf(text, size, "%s, call %u, %s", fault->kind->name, fault->first,
            times_names[fault->times]);
}

/* Parses ", call 3, once". */
static bool
read_call(const char *text, struct fault *fault)
{
   char times[8], rest;

   if (sscanf(text, ", call %u, %7s%c", &fault->first, times, &rest) != 2 ||
       fault->first == 0)
      return false;
   fault->times = FAULT_ONCE;
   while (fault->times < FAULT_TIMES_COUNT &&
          strcmp(times, times_names[fault->times]) != 0)
      fault->times++;
   return fault->times < FAULT_TIMES_COUNT;
}

bool
fault_read(const char *text, struct fault *fault_out)
{
   for (unsigned i = 0; i < fault_kind_count; i++) {
      const size_t length = strlen(fault_kinds[i].name);

      fault_out->kind = &fault_kinds[i];
      if (strncmp(text, fault_kinds[i].name, length) == 0 &&
          read_call(text + length, fault_out))
         return true;
   }
   return false;
}

/*
 * Memory: Pitot is compiled with its allocation functions defined as these.
 */

void *
fault_malloc(size_t size);
void *
fault_calloc(size_t count, size_t size);
void *
fault_realloc(void *memory, size_t size);
void
fault_free(void *memory);

/* Scripts can make allocations fail, too: see fail_memory.h. */
static bool
has_no_memory(void)
{
   const bool is_scripted = !suspended && fail_memory && --fail_memory == 0;

   return fault_take(FAULT_MEMORY) || is_scripted;
}

void *
fault_malloc(size_t size)
{
   void *memory = has_no_memory() ? NULL : malloc(size);

   live += memory != NULL;
   return memory;
}

void *
fault_calloc(size_t count, size_t size)
{
   void *memory = has_no_memory() ? NULL : calloc(count, size);

   live += memory != NULL;
   return memory;
}

void *
fault_realloc(void *memory, size_t size)
{
   void *grown = has_no_memory() ? NULL : realloc(memory, size);

   live += !memory && grown;
   return grown;
}

void
fault_free(void *memory)
{
   live -= memory != NULL;
   free(memory);
}

/* An arena's object counts as one allocation, even if it needs no memory. */
WRAPPED(void *, pitot_arena_alloc, (struct pitot_arena *arena))
{
   if (has_no_memory())
      return NULL;
   fault_suspend();
   void *object = __real_pitot_arena_alloc(arena);
   fault_resume();
   return object;
}
