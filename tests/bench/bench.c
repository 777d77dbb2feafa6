/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Measures the cost of calls about queries.  Prints a line for each case:
 * unit, least and median of several rounds, calls, name.  The unit is calls
 * of Vulkan if tests/profile/vulkan_calls.c is preloaded, and nanoseconds
 * otherwise.
 */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define MAX_ROUNDS 32

GLuint ids[MAX_IDS];

static GLuint *live;
static bool is_es;

/* Calls of Vulkan so far; or NULL. */
static unsigned (*vulkan_calls)(void);

/* Runs cases whose names contain this, or after a '-' all others. */
static const char *wanted = "";

/* Callgrind counts from here down: tests/bench/run knows the name. */
__attribute__((noinline)) void
pitot_bench_measured(const struct bench *bench);

void
pitot_bench_measured(const struct bench *bench)
{
   bench->run(bench);
   __asm__ volatile("" ::: "memory"); /* no tail call */
}

/* Vulkan's calls are made when the work is flushed. */
static double
measure_round(const struct bench *bench)
{
   const double start = vulkan_calls ? vulkan_calls() : cpu_time_ns();

   pitot_bench_measured(bench);
   if (!vulkan_calls)
      return cpu_time_ns() - start;
   glFinish();
   return vulkan_calls() - start;
}

static double
run_round(const struct bench *bench)
{
   if (bench->live_count)
      glGenQueries(bench->live_count, live);
   if (bench->id_count)
      glGenQueries(bench->id_count, ids);
   if (bench->prepare)
      bench->prepare(bench);
   glFinish();

   const double cost = measure_round(bench);

   if (ids[0])
      glDeleteQueries(MAX_IDS, ids); /* also those that the calls generated */
   if (bench->live_count)
      glDeleteQueries(bench->live_count, live);
   return cost;
}

static int
compare(const void *a, const void *b)
{
   const double difference = *(const double *)a - *(const double *)b;

   return (difference > 0) - (difference < 0);
}

static bool
is_here(const struct bench *bench)
{
   const char *extension = is_es ? bench->es_extension : bench->gl_extension;

   return !(is_es && bench->is_desktop) &&
          (!extension || epoxy_has_gl_extension(extension)) &&
          (!bench->has_all_statistics ||
           (epoxy_has_gl_extension("GL_ARB_tessellation_shader") &&
            epoxy_has_gl_extension("GL_ARB_compute_shader")));
}

static bool
is_wanted(const struct bench *bench)
{
   return wanted[0] == '-' ? !strstr(bench->name, wanted + 1)
                           : strstr(bench->name, wanted) != NULL;
}

/* A GL error would make the case measure errors. */
static void
print_costs(const struct bench *bench, unsigned rounds)
{
   const unsigned count = bench->count ? bench->count : CALLS;
   double costs[MAX_ROUNDS];

   if (!is_here(bench) || !is_wanted(bench))
      return;
   for (unsigned i = 0; i < rounds; i++)
      costs[i] = run_round(bench) / count;
   qsort(costs, rounds, sizeof(costs[0]), compare);
   if (glGetError()) {
      fprintf(stderr, "pitot-bench: an error of GL in '%s'\n", bench->name);
      exit(1);
   }
   printf("%s\t%.2f\t%.2f\t%u\t%s\n", vulkan_calls ? "calls" : "ns", costs[0],
          costs[rounds / 2], count, bench->name);
}

static void
print_all(const char *part, const struct gl_context_kind *kind,
          unsigned rounds)
{
   if (strcmp(part, "calls") == 0) {
      for (unsigned i = 0; i < call_bench_count; i++)
         print_costs(&call_benches[i], rounds);
   } else if (strcmp(part, "frames") == 0) {
      frame_init(kind);
      for (unsigned i = 0; i < frame_bench_count; i++)
         print_costs(&frame_benches[i], rounds);
   } else if (strcmp(part, "plain") == 0) {
      if (!is_es)
         plain_init();
      print_costs(&plain_bench, rounds);
   } else {
      memory_print();
   }
}

int
main(int argc, char **argv)
{
   const bool is_usual = argc == 4 || argc == 5;
   const struct gl_context_kind *kind =
      is_usual ? gl_context_kind_find(argv[1]) : NULL;
   const unsigned rounds = is_usual ? atoi(argv[3]) : 0;

   if (!kind || rounds < 1 || rounds > MAX_ROUNDS) {
      fprintf(stderr, "usage: pitot-bench core|es3 calls|frames|plain|memory "
                      "ROUNDS [TEXT-IN-NAMES | -TEXT]\n");
      return 2;
   }
   if (argc == 5)
      wanted = argv[4];
   if (!egl_open(kind) || !egl_make_context(kind)) {
      fprintf(stderr, "pitot-bench: no GL on EGL's surfaceless platform; run "
                      "it with src/mesa/run\n");
      return 1;
   }
   is_es = kind->is_es;
   *(void **)&vulkan_calls = dlsym(RTLD_DEFAULT, "pitot_vulkan_calls");
   sim_set("is_live", false); /* so that work takes no time of the CPU's */
   live = malloc(1000000 * sizeof(live[0]));
   print_all(argv[2], kind, rounds);
   free(live);

   /* GALLIUM_NOOP crashes if its context is destroyed. */
   return 0;
}
