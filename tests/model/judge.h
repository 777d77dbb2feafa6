/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs programs in a world and the model, in other processes: a program may
 * crash or hang.
 */

#ifndef PITOT_MODEL_JUDGE_H
#define PITOT_MODEL_JUDGE_H

#include "model.h"

enum verdict {
   VERDICT_SAME, /* as in the model */
   VERDICT_DIFFERENT,
   VERDICT_CRASH,
   VERDICT_HANG,
   VERDICT_NO_WORLD,
   VERDICT_NO_START, /* fails before the first program */
};

struct job {
   const struct world *world;
   enum kind kind;
   bool has_no_errors;
   unsigned quirks;
   uint64_t seed;               /* of the first program */
   uint64_t count;              /* of programs */
   const struct program *given; /* NULL, or run this one count times */
   int64_t end_s;               /* stop at this time, or 0 */
   unsigned cycles;             /* of all programs; 0: each runs once */
   const char *fault;           /* NULL, or to play in cycles */
};

/* The result, in memory shared by the processes. */
struct report {
   enum verdict verdict;
   uint64_t programs, calls; /* so far */
   uint64_t seed;            /* of the current program */
   struct program program;
   unsigned at;       /* its current call */
   unsigned left_out; /* first call that was skipped, from 1; 0: none */
   char text[300];
};

/* Runs it in this process and open world.  Returns the difference or NULL. */
const char *
run_program(const struct job *job, const struct program *program,
            struct report *report);

/* Stops at the first difference. */
void
judge(const struct job *job, struct report *report_out);

/* Makes the report's program as short as possible while it differs, and
 * reports how.  Returns in how many of the runs; 0, and no change, if it
 * needs the programs before it.
 */
unsigned
shrink(const struct job *job, struct report *report, unsigned runs);

/* More would show the 64 bytes that stock llvmpipe loses with a context. */
#define MAX_CYCLES 2048

/* Returns the world of a job, which is open, as cycles want it. */
const struct world *
cycles_open(const struct job *job);

/* Leaves one context in a program, and no large scenes. */
void
cycles_narrow(struct program *program);

/* Deletes all that is left of a cycle, and measures. */
const char *
cycles_end(void);

/* Returns what has grown over the cycles, or NULL. */
const char *
cycles_judge(void);

/* CLOCK_MONOTONIC, in seconds. */
int64_t
now_s(void);

#endif /* PITOT_MODEL_JUDGE_H */
