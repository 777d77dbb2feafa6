/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A library to preload: measures the frames of any program, from one swap of
 * buffers to the next.  When the program ends, it appends a line to the file
 * PITOT_SWAPS:
 *
 *    FRAMES LEAST-ns LEAST-CPU-ns
 *
 * the time of a frame, and the CPU time of all threads for it, in the fastest
 * stretches of the program, which no other program disturbed.  A stretch has
 * several frames, because drivers queue frames.
 *
 * The program itself (not its libraries) gets a clock that advances by 1/60 s
 * with each frame, so that each run draws the same frames.
 *
 * A profiler may count one stretch: from pitot_swaps_first() to
 * pitot_swaps_last().
 *
 * With PITOT_SWAPS_FLUSH a swap also flushes, as Mesa does if a swap is
 * shown; a swap of a surface without a window does nothing.
 */

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SWAPS_MAX 65536
/* The first frames compile shaders. */
#define SWAPS_LEFT_OUT 5
#define STRETCH        10
/* The stretch for a profiler: drivers have compiled everything by then. */
#define FIRST_COUNTED 40

#define CLOCK_BEGIN_S 1000
#define FRAME_NS      16666667
#define NS_PER_S      1000000000

static uint64_t times_ns[SWAPS_MAX], cpu_times_ns[SWAPS_MAX];
static unsigned swap_count;

/* Covers programs that link functions, and those that call dlsym(). */
static void *
real_dlsym(void *handle, const char *name)
{
   static void *(*real)(void *, const char *);

   if (!real)
      real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym",
                                                     "GLIBC_2.2.5");
   return real(handle, name);
}

/* The program's memory, without libraries. */
static uintptr_t program_begin, program_end;

/* A callback for dl_iterate_phdr(): the program is the first object. */
static int
find_program(struct dl_phdr_info *info, size_t size_B, void *data)
{
   (void)size_B;
   (void)data;
   program_begin = UINTPTR_MAX;
   for (unsigned i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[i];
      const uintptr_t begin = info->dlpi_addr + part->p_vaddr;

      if (part->p_type != PT_LOAD)
         continue;
      program_begin = begin < program_begin ? begin : program_begin;
      program_end = begin + part->p_memsz;
   }
   return 1;
}

static int
real_clock_gettime(clockid_t clock, struct timespec *now_out)
{
   static int (*real)(clockid_t, struct timespec *);

   if (!real)
      real =
         (int (*)(clockid_t, struct timespec *))real_dlsym(RTLD_NEXT,
                                                           "clock_gettime");
   return real(clock, now_out);
}

int
clock_gettime(clockid_t clock, struct timespec *now_out)
{
   const uintptr_t caller = (uintptr_t)__builtin_return_address(0);

   if (program_end == 0)
      dl_iterate_phdr(find_program, NULL);
   if (caller < program_begin || caller >= program_end)
      return real_clock_gettime(clock, now_out);

   const uint64_t passed_ns = (uint64_t)swap_count * FRAME_NS;
   now_out->tv_sec = (time_t)(CLOCK_BEGIN_S + passed_ns / NS_PER_S);
   now_out->tv_nsec = (long)(passed_ns % NS_PER_S);
   return 0;
}

/* A side effect, so that the compiler keeps the calls. */
static volatile bool is_counted;

__attribute__((noinline)) void
pitot_swaps_first(void)
{
   is_counted = true;
}

__attribute__((noinline)) void
pitot_swaps_last(void)
{
   is_counted = false;
}

static uint64_t
read_ns(clockid_t clock)
{
   struct timespec now;

   real_clock_gettime(clock, &now);
   return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void
swapped(void)
{
   if (swap_count == SWAPS_MAX)
      return;
   times_ns[swap_count] = read_ns(CLOCK_MONOTONIC);
   cpu_times_ns[swap_count++] = read_ns(CLOCK_PROCESS_CPUTIME_ID);
   if (swap_count == FIRST_COUNTED)
      pitot_swaps_first();
   else if (swap_count == FIRST_COUNTED + STRETCH)
      pitot_swaps_last();
}

/* Mesa's functions, which libEGL_mesa calls. */
static void *
mesa_function(const char *name)
{
   return real_dlsym(dlopen("libEGL_mesa.so.0", RTLD_LAZY), name);
}

/* The program's context and surface in Mesa. */
static void *mesa_context, *mesa_drawable;

int
driBindContext(void *context, void *draw, void *read)
{
   static int (*real)(void *, void *, void *);

   if (!real)
      real = (int (*)(void *, void *, void *))mesa_function("driBindContext");
   mesa_context = context;
   mesa_drawable = draw;
   return real(context, draw, read);
}

#define FLUSH_DRAWABLE_AND_CONTEXT 3
#define BECAUSE_OF_SWAP            0

static void
flush(void)
{
   static void (*real)(void *, void *, unsigned, unsigned);

   if (!getenv("PITOT_SWAPS_FLUSH"))
      return;
   if (!real)
      real = (void (*)(void *, void *, unsigned, unsigned))mesa_function(
         "dri_flush");
   real(mesa_context, mesa_drawable, FLUSH_DRAWABLE_AND_CONTEXT,
        BECAUSE_OF_SWAP);
}

/* The time of a frame in the fastest stretch. */
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

   flush();
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
