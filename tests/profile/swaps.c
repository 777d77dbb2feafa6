/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A library to preload: measures the frames of a program that it knows
 * nothing about, from one swap of buffers to the next.  When the program
 * ends, it writes a line to the file that PITOT_SWAPS names:
 *
 *    FRAMES LEAST-ns LEAST-CPU-ns
 *
 * the time of a frame, and the CPU time that all threads of the program took
 * for it, in the stretches of the program that were the shortest: another
 * program did not disturb these.  A stretch has several frames, since drivers
 * queue some of them.
 */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SWAPS_MAX 65536
/* The first frames compile shaders. */
#define SWAPS_LEFT_OUT 5
#define STRETCH        10

static uint64_t times_ns[SWAPS_MAX], cpu_times_ns[SWAPS_MAX];
static unsigned swap_count;

static uint64_t
read_ns(clockid_t clock)
{
   struct timespec now;

   clock_gettime(clock, &now);
   return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
swapped(void)
{
   if (swap_count == SWAPS_MAX)
      return;
   times_ns[swap_count] = read_ns(CLOCK_MONOTONIC);
   cpu_times_ns[swap_count++] = read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the time of a frame in the shortest stretch. */
static uint64_t
least_ns(const uint64_t *swaps_ns)
{
   uint64_t least = UINT64_MAX;

   for (unsigned i = SWAPS_LEFT_OUT; i + STRETCH < swap_count; i++) {
      const uint64_t stretch_ns = swaps_ns[i + STRETCH] - swaps_ns[i];

      least = stretch_ns < least ? stretch_ns : least;
   }
   return least / STRETCH;
}

static void __attribute__((destructor)) finish(void)
{
   const char *path = getenv("PITOT_SWAPS");
   FILE *file;

   if (!path || swap_count <= SWAPS_LEFT_OUT + STRETCH ||
       !(file = fopen(path, "a")))
      return;
   fprintf(file, "%u %llu %llu\n", swap_count,
           (unsigned long long)least_ns(times_ns),
           (unsigned long long)least_ns(cpu_times_ns));
   fclose(file);
}

/* Programs find the functions by linking, or by dlsym() in a library. */
static void *
real_dlsym(void *handle, const char *name)
{
   static void *(*real)(void *, const char *);

   if (!real)
      real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym",
                                                     "GLIBC_2.2.5");
   return real(handle, name);
}

void
glXSwapBuffers(void *display, unsigned long drawable)
{
   static void (*real)(void *, unsigned long);

   if (!real)
      real = (void (*)(void *, unsigned long))real_dlsym(dlopen("libGL.so.1",
                                                                RTLD_LAZY),
                                                         "glXSwapBuffers");
   real(display, drawable);
   swapped();
}

unsigned
eglSwapBuffers(void *display, void *surface)
{
   static unsigned (*real)(void *, void *);

   if (!real)
      real = (unsigned (*)(void *, void *))real_dlsym(dlopen("libEGL.so.1",
                                                             RTLD_LAZY),
                                                      "eglSwapBuffers");
   const unsigned result = real(display, surface);

   swapped();
   return result;
}

void *
dlsym(void *handle, const char *name)
{
   if (strcmp(name, "glXSwapBuffers") == 0)
      return (void *)glXSwapBuffers;
   if (strcmp(name, "eglSwapBuffers") == 0)
      return (void *)eglSwapBuffers;
   return real_dlsym(handle, name);
}
