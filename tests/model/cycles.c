/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Cycles: the same programs again and again, in contexts that live on.  What
 * a program leaves is deleted later, so that the number of queries rises and
 * falls.  At the end of a cycle there are none: if nothing leaks, memory,
 * names and files are those of the cycle before.
 */

#include <inttypes.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"

/* So many programs' names live at a time. */
#define MAX_PILE 96

#define KiB 1024

/* What the second half of the cycles may have more.  Heap: llvmpipe keeps a
 * few blocks of 64 KiB for long.  Mapped, which includes a GPU's buffers:
 * malloc's heaps grow by 132 KiB.
 */
enum { HEAP, MAPPED, FILES, NAMES, HANDLES, MEASURES };
static const struct {
   const char *name;
   int64_t limit;
} measures[] = {
   { "heap", 320 * KiB }, { "mapped", 1024 * KiB }, { "files", 0 },
   { "names", 0 },        { "handles", 0 },
};

static const struct job *job;
static int64_t cycles[MAX_CYCLES][MEASURES];
static unsigned cycle_count;

static struct leftover pile[MAX_PILE];
static unsigned pile_count;

/* Returns the growth of a fault on purpose, if it has that name. */
static int64_t
planted_growth(const char *name)
{
   return job->fault && strcmp(job->fault, name) == 0
             ? cycle_count * INT64_C(1048576)
             : 0;
}

static void
note_most(unsigned measure, int64_t number)
{
   if (cycles[cycle_count][measure] < number)
      cycles[cycle_count][measure] = number;
}

static const char *
delete_pile(void)
{
   const char *trouble = NULL;

   while (pile_count && !trouble)
      trouble = job->world->clean(0, &pile[--pile_count]);
   return trouble;
}

static const char *
cycle_world_end(void)
{
   const char *trouble = pile_count < MAX_PILE ? NULL : delete_pile();

   return trouble ? trouble : job->world->end();
}

static const char *
cycle_world_clean(unsigned context, const struct leftover *leftover)
{
   struct leftover active = *leftover, *names = &pile[pile_count++];

   active.name_count = active.handle_count = active.monitor_count = 0;
   *names = *leftover;
   names->active_count = names->has_condition = 0;
   memset(names->is_mapped, 0, sizeof(names->is_mapped));
   return job->world->clean(context, &active);
}

/* The CPU's clock is read before and after the GPU's, which limits their
 * difference from both sides.  Without drift, one difference is within the
 * limits of all readings, however far apart a busy machine makes them.
 */
static const char *
check_clock(const struct outcome *outcome)
{
   static int64_t least_ns = INT64_MIN, most_ns = INT64_MAX;
   static char text[80];
   const int64_t gpu_ns = outcome->value + planted_growth("clock");

   if (gpu_ns - outcome->after_ns > least_ns)
      least_ns = gpu_ns - outcome->after_ns;
   if (gpu_ns - outcome->before_ns < most_ns)
      most_ns = gpu_ns - outcome->before_ns;
   if (least_ns <= most_ns + CLOCK_TICK_NS)
      return NULL;
   snprintf(text, sizeof(text),
            "clock: the GPU's has drifted by %" PRId64 " ns",
            least_ns - most_ns);
   return text;
}

static void
cycle_world_call(const struct call *made, const struct variables *variables,
                 struct outcome *outcome)
{
   const bool creates = made->op == OP_CREATE;

   job->world->call(made, variables, outcome);
   if (made->op == OP_PERF_QUERY || made->op == OP_MONITOR)
      note_most(HANDLES, outcome->names[0]);
   if (made->op == OP_GEN || creates)
      for (int i = 0; i < made->arguments[1 + creates]; i++)
         note_most(NAMES, outcome->names[i]);
   if (made->op == OP_NOW && outcome->after_ns && !outcome->trouble)
      outcome->trouble = check_clock(outcome);
}

/* Contexts live on, but for those that come and go when there are no names:
 * what a thread frees of them is free by the end of the cycle.
 */
static void
cycle_world_begin(void)
{
   for (unsigned i = 0; i < 4 && !pile_count && job->world->leave &&
                        !(job->quirks & 1u << QUIRK_MEMORY_KEPT);
        i++)
      job->world->leave();
}

const struct world *
cycles_open(const struct job *cycles_job)
{
   static struct world world;

   job = cycles_job;
   world = *job->world;
   world.begin = cycle_world_begin;
   world.end = cycle_world_end;
   world.clean = cycle_world_clean;
   world.call = cycle_world_call;
   return &world;
}

/* Each context would fill pools of its own.  Llvmpipe may keep the memory of
 * many pixels in flight for long.
 */
void
cycles_narrow(struct program *program)
{
   unsigned kept = 0;

   for (unsigned i = 0; i < program->count; i++) {
      struct call *call = &program->calls[i];

      if (call->op == OP_BURST)
         call->arguments[2] = SCENE_OUTSIDE;
      if (call->context == 0)
         program->calls[kept++] = *call;
   }
   program->count = kept;
}

static long
mapped_pages(void)
{
   FILE *file = fopen("/proc/self/statm", "r");
   long pages;

   if (!file || fscanf(file, "%ld", &pages) != 1)
      abort();
   fclose(file);
   return pages;
}

const char *
cycles_end(void)
{
   static const struct variables variables;
   const struct call finish = { .op = OP_FINISH };
   struct outcome outcome = { .expected = E_NONE };
   int64_t *now = cycles[cycle_count];
   const char *trouble = delete_pile();

   job->world->call(&finish, &variables, &outcome);

   const struct mallinfo2 heap = mallinfo2();

   now[HEAP] = heap.uordblks + heap.hblkhd;
   now[MAPPED] = mapped_pages() * sysconf(_SC_PAGESIZE);
   now[FILES] = dup(STDIN_FILENO); /* the lowest one that is not open */
   close(now[FILES]);
   for (unsigned i = 0; i < MEASURES; i++)
      now[i] += planted_growth(measures[i].name);
   cycle_count++;
   return trouble;
}

/* Memory that leaks stays, while what a driver keeps for a while is free in
 * some cycle: the lowest values count.  Of names and files the highest do.
 */
static int64_t
extreme(unsigned measure, unsigned first, unsigned count)
{
   int64_t found = cycles[first][measure];

   for (unsigned i = first + 1; i < first + count; i++) {
      const int64_t number = cycles[i][measure];

      if (measures[measure].limit ? number < found : number > found)
         found = number;
   }
   return found;
}

/* The first quarter fills caches, and pools: these grow until most queries
 * are in flight at once, which a driver's threads decide.
 */
const char *
cycles_judge(void)
{
   static char text[160];
   const unsigned first = cycle_count / 4, half = (cycle_count - first) / 2;

   if (half < 2)
      return "too few cycles";
   for (unsigned i = 0; i < MEASURES; i++) {
      const int64_t before = extreme(i, first, half);
      const int64_t after = extreme(i, first + half, half);
      const bool is_kept = job->quirks & 1u << QUIRK_MEMORY_KEPT;

      if (after - before > measures[i].limit * (is_kept ? 16 : 1)) {
         snprintf(text, sizeof(text),
                  "%s: %" PRId64 " in cycles %u to %u, %" PRId64
                  " in as many later ones",
                  measures[i].name, before, first + 1, first + half, after);
         return text;
      }
   }
   return NULL;
}
