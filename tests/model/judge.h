/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Has programs run in a world, beside the model, in processes of their own:
 * one may crash, or not come to an end.
 */

#ifndef PITOT_MODEL_JUDGE_H
#define PITOT_MODEL_JUDGE_H

#include "model.h"

enum verdict {
   VERDICT_SAME, /* as the model */
   VERDICT_DIFFERENT,
   VERDICT_CRASH,
   VERDICT_HANG,
   VERDICT_NO_WORLD,
   VERDICT_NO_START, /* it breaks before the first program */
};

/* The programs to run. */
struct job {
   const struct world *world;
   enum kind kind;
   bool has_no_errors;
   unsigned quirks;
   uint64_t seed;  /* of the first program */
   uint64_t count; /* of programs */
   const struct program
      *given;     /* one, so often, in place of those of seeds */
   int64_t end_s; /* stop at that time; 0: not before the end */
};

/* How it went; shared by the processes. */
struct report {
   enum verdict verdict;
   uint64_t programs, calls; /* done so far */
   uint64_t seed;            /* of the program at hand */
   struct program program;   /* itself */
   unsigned at;              /* its call at hand */
   unsigned left_out; /* the first that cannot be made here, from 1; or 0 */
   char text[300];
};

/* Runs a program in this process, in the world that is open.  Counts its
 * calls in the report.  Returns how it differs from the model, or NULL.
 */
const char *
run_program(const struct job *job, const struct program *program,
            struct report *report);

/* Runs a job until its end or the first difference. */
void
judge(const struct job *job, struct report *report_out);

/* Makes the program of a report as short as it can be, so that it still shows
 * the difference, which changes to that of the shorter one.  Returns in how
 * many of so many runs of it the difference shows; 0 if it does not without
 * the programs before it: then it is as it was.
 */
unsigned
shrink(const struct job *job, struct report *report, unsigned runs);

/* Returns the time of a clock that goes on steadily, in seconds. */
int64_t
now_s(void);

#endif /* PITOT_MODEL_JUDGE_H */
