/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * pitot-model: random programs of GL calls, compared with the model.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "quirks.h"

#define MAX_DIFFERENCES 10

/* Runs of a program that may differ only sometimes. */
#define RUNS 10

struct options {
   struct job job;
   const char *replay;
   unsigned runs;
   bool is_shrinking;
};

struct totals {
   uint64_t programs, calls;
   unsigned differences;
};

static int
usage(void)
{
   fputs(
      "Usage: pitot-model null|gl KIND [--seed=N] [--programs=N]\n"
      "                   [--for=SECONDS] [--quirks=NAME,...]\n"
      "                   [--no-error] [--no-shrink] [--runs=N] [FILE]\n"
      "                   [--cycles=N [--fault=NAME]]\n"
      "\n"
      "Runs random programs, or that of FILE, in contexts of a KIND\n"
      "(compat, core, es2 or es3).  The last line says how many programs,\n"
      "calls and differences there were; the exit status is 1 if there\n"
      "were differences, 77 if there are no such contexts, or a call of\n"
      "FILE cannot be made in them.\n"
      "\n"
      "--cycles repeats all programs so often or for so long, and checks\n"
      "that nothing grows, and that the GPU's clock does not drift; --fault\n"
      "plants a fault: heap, mapped, files, names, handles or clock.\n",
      stderr);
   return 2;
}

static bool
take_value(const char *argument, const char *name, const char **value)
{
   const size_t length = strlen(name);

   *value = argument + length;
   return strncmp(argument, name, length) == 0;
}

static bool
parse_option(struct options *options, const char *argument)
{
   struct job *job = &options->job;
   const char *value;

   if (take_value(argument, "--seed=", &value)) {
      job->seed = strtoull(value, NULL, 10);
   } else if (take_value(argument, "--programs=", &value)) {
      job->count = strtoull(value, NULL, 10);
   } else if (take_value(argument, "--runs=", &value)) {
      options->runs = strtoul(value, NULL, 10);
   } else if (take_value(argument, "--for=", &value)) {
      job->end_s = now_s() + strtoll(value, NULL, 10);
   } else if (take_value(argument, "--cycles=", &value)) {
      job->cycles = strtoul(value, NULL, 10);
   } else if (take_value(argument, "--fault=", &value)) {
      job->fault = value;
   } else if (take_value(argument, "--quirks=", &value)) {
      return quirks_parse(value, &job->quirks);
   } else if (strcmp(argument, "--no-error") == 0) {
      job->has_no_errors = true;
   } else if (strcmp(argument, "--no-shrink") == 0) {
      options->is_shrinking = false;
   } else if (argument[0] != '-' && !options->replay) {
      options->replay = argument;
   } else {
      return false;
   }
   return true;
}

static bool
parse_arguments(int argc, char **argv, struct options *options)
{
   struct job *job = &options->job;

   if (argc < 3)
      return false;
   job->world = strcmp(argv[1], "null") == 0 ? &null_world
                : strcmp(argv[1], "gl") == 0 ? &gl_world
                                             : NULL;
   while (job->kind < KIND_COUNT && strcmp(kind_names[job->kind], argv[2]))
      job->kind++;
   if (!job->world || job->kind == KIND_COUNT)
      return false;
   for (int i = 3; i < argc; i++)
      if (!parse_option(options, argv[i]))
         return false;
   if (job->end_s && !job->cycles)
      job->count = UINT64_MAX;
   return true;
}

static void
print_difference(const struct job *job, const struct report *report,
                 unsigned shown, unsigned runs)
{
   printf("# %s %s, seed %" PRIu64 ", call %u", job->world->name,
          kind_names[job->kind], report->seed, report->at + 1);
   if (runs)
      printf(", in %u of %u runs", shown, runs);
   printf(": %s\n", report->text);
   print_program(stdout, &report->program);
   if (report->at < report->program.count) {
      printf("# differs: ");
      print_call(stdout, &report->program.calls[report->at]);
   }
   printf("\n");
}

static void
add(struct totals *totals, const struct report *report)
{
   totals->programs += report->programs;
   totals->calls += report->calls;
   totals->differences += report->verdict != VERDICT_SAME;
}

static bool
has_begun(const struct report *report)
{
   if (report->verdict == VERDICT_NO_WORLD)
      printf("skipped: %s\n", report->text);
   else if (report->verdict == VERDICT_NO_START)
      printf("there is no GL: %s\n", report->text);
   return report->verdict != VERDICT_NO_WORLD &&
          report->verdict != VERDICT_NO_START;
}

static int
run_seeds(const struct options *options, struct totals *totals)
{
   struct job job = options->job;
   const uint64_t end = job.seed + job.count;

   do {
      struct report report;

      judge(&job, &report);
      if (!has_begun(&report))
         return report.verdict == VERDICT_NO_WORLD ? 77 : 2;
      add(totals, &report);
      job.seed = report.seed + 1;
      job.count = end - job.seed;
      if (report.verdict == VERDICT_SAME)
         break;

      unsigned shown = 0;

      if (options->is_shrinking)
         shown = shrink(&job, &report, options->runs);
      print_difference(&job, &report, shown,
                       options->is_shrinking ? options->runs : 0);
   } while (totals->differences < MAX_DIFFERENCES && job.count &&
            !job.cycles && (!job.end_s || now_s() < job.end_s));
   return totals->differences > 0;
}

/* Without one of its calls a kept program shows nothing. */
static int
skip_left_out(const struct report *report)
{
   printf("skipped: call %u cannot be made here: ", report->left_out);
   print_call(stdout, &report->program.calls[report->left_out - 1]);
   return 77;
}

/* Runs a kept program several times. */
static int
run_file(const struct options *options, struct totals *totals)
{
   struct program program;
   struct report report;
   struct job job = options->job;
   FILE *file = fopen(options->replay, "r");

   if (!file || !parse_program(file, options->replay, &program)) {
      fprintf(stderr, "pitot-model: cannot read %s\n", options->replay);
      return 2;
   }
   fclose(file);
   if (program.kind != job.kind) {
      printf("skipped: it is a program for %s\n", kind_names[program.kind]);
      return 77;
   }
   job.given = &program;
   job.count = options->runs;
   judge(&job, &report);
   if (!has_begun(&report))
      return report.verdict == VERDICT_NO_WORLD ? 77 : 2;
   if (report.verdict == VERDICT_SAME && report.left_out)
      return skip_left_out(&report);
   add(totals, &report);
   if (report.verdict != VERDICT_SAME)
      print_difference(&job, &report, 0, 0);
   return report.verdict != VERDICT_SAME;
}

int
main(int argc, char **argv)
{
   struct options options = {
      .job = { .count = 1000 },
      .runs = RUNS,
      .is_shrinking = true,
   };
   struct totals totals = { 0 };
   int status;

   if (!parse_arguments(argc, argv, &options))
      return usage();
   status = options.replay ? run_file(&options, &totals)
                           : run_seeds(&options, &totals);
   if (status < 2)
      printf("%" PRIu64 " programs, %" PRIu64 " calls, %u differences\n",
             totals.programs, totals.calls, totals.differences);
   return status;
}
