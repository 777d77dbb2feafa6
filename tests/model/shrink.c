/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "judge.h"

#define MAX_TRIES 400

struct shrinker {
   struct job job;
   struct report *best;
   enum verdict verdict;
   int op; /* of the differing call; -1: at the end */
   unsigned tries;
};

static int
op_of(const struct report *report)
{
   return report->at < report->program.count
             ? report->program.calls[report->at].op
             : -1;
}

/* Makes a program the best one, if it shows the difference. */
static bool
shows(struct shrinker *shrinker, const struct program *program)
{
   struct report report;

   shrinker->tries++;
   shrinker->job.given = program;
   judge(&shrinker->job, &report);
   if (report.verdict != shrinker->verdict || op_of(&report) != shrinker->op)
      return false;
   report.program = *program;
   report.seed = shrinker->best->seed;
   *shrinker->best = report;
   return true;
}

/* Copies a program without these calls, and those after the difference. */
static void
leave_out(const struct report *report, unsigned first, unsigned count,
          struct program *program_out)
{
   const struct program *program = &report->program;
   const unsigned end =
      report->at < program->count ? report->at + 1 : program->count;

   *program_out = (struct program){ .kind = program->kind };
   for (unsigned i = 0; i < end; i++)
      if (i < first || i >= first + count)
         program_out->calls[program_out->count++] = program->calls[i];
}

static bool
shorten(struct shrinker *shrinker, unsigned size)
{
   struct program program;
   bool is_shorter = false;

   for (unsigned i = shrinker->best->program.count; i-- > 0;) {
      if (shrinker->tries >= MAX_TRIES)
         return false;
      if (i % size || i >= shrinker->best->program.count)
         continue;
      leave_out(shrinker->best, i, size, &program);
      if (program.count < shrinker->best->program.count)
         is_shorter |= shows(shrinker, &program);
   }
   return is_shorter;
}

/* The number of runs in which a program differs. */
static unsigned
count_shows(struct shrinker *shrinker, unsigned runs)
{
   const struct program program = shrinker->best->program;
   unsigned count = 0;

   shrinker->job.count = 1;
   for (unsigned i = 0; i < runs; i++)
      count += shows(shrinker, &program);
   return count;
}

unsigned
shrink(const struct job *job, struct report *report, unsigned runs)
{
   struct shrinker shrinker = {
      .job = *job,
      .best = report,
      .verdict = report->verdict,
      .op = op_of(report),
   };
   const struct report original = *report;
   const struct program program = report->program;

   shrinker.job.end_s = shrinker.job.cycles = 0;
   shrinker.job.count = runs;
   if (!shows(&shrinker, &program)) {
      *report = original;
      return 0;
   }
   for (unsigned size = program.count / 2; size; size /= 2)
      while (shorten(&shrinker, size) && size == 1)
         ;
   return count_shows(&shrinker, runs);
}
