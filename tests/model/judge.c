/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "generate.h"
#include "judge.h"
#include "threads.h"

/* A call hangs if all threads sleep that long... */
#define ASLEEP_S 60

/* ...or if it uses that much CPU time. */
#define AWAKE_S 300

static struct report *report; /* shared memory */

int64_t
now_s(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return time.tv_sec;
}

static void
conclude(enum verdict verdict, const char *trouble)
{
   report->verdict = verdict;
   snprintf(report->text, sizeof(report->text), "%s", trouble);
}

static void
run_programs(const struct job *job)
{
   for (uint64_t i = 0; i < job->count; i++) {
      if (job->end_s && (i & 63) == 0 && now_s() >= job->end_s)
         return;
      report->seed = job->seed + i;
      if (job->given)
         report->program = *job->given;
      else
         generate(report->seed, job->kind, job->world->features(),
                  &report->program);
      if (job->cycles)
         cycles_narrow(&report->program);

      const char *trouble = run_program(job, &report->program, report);

      report->programs++;
      if (trouble) {
         conclude(VERDICT_DIFFERENT, trouble);
         return;
      }
   }
}

static void
run_cycles(const struct job *job)
{
   struct job cycle = *job;
   const char *trouble = NULL;

   cycle.end_s = 0;
   cycle.world = cycles_open(job);
   for (unsigned i = 0; i < MAX_CYCLES && !trouble &&
                        (i < job->cycles || now_s() < job->end_s);
        i++) {
      run_programs(&cycle);
      if (report->verdict != VERDICT_SAME)
         return;
      trouble = cycles_end();
   }
   trouble = trouble ? trouble : cycles_judge();
   if (trouble) {
      conclude(VERDICT_DIFFERENT, trouble);
      report->program.count = report->at = 0; /* it is none's alone */
   }
}

static void
run_job(const struct job *job)
{
   const char *trouble =
      job->world->open(job->kind, job->has_no_errors,
                       job->quirks & (1u << QUIRK_OCCLUSION_AFTER_TIMESTAMP));

   if (trouble)
      conclude(VERDICT_NO_WORLD, trouble);
   else if (job->cycles)
      run_cycles(job);
   else
      run_programs(job);
}

/* Returns the status, or -1 after killing a process without progress. */
static int
watch(pid_t child)
{
   uint64_t calls = report->calls;
   unsigned asleep_s = 0;
   double begin_s = threads_cpu_s(child);
   int status;

   for (unsigned nap_us = 200;;
        nap_us = nap_us < 1000000 ? nap_us * 2 : 1000000) {
      const pid_t done = waitpid(child, &status, WNOHANG);

      if (done == child)
         return status;
      usleep(nap_us);
      if (calls != report->calls) {
         calls = report->calls;
         asleep_s = 0;
         begin_s = threads_cpu_s(child);
         continue;
      }
      if (nap_us >= 1000000)
         asleep_s = threads_all_sleep(child) ? asleep_s + 1 : 0;
      if (asleep_s > ASLEEP_S || threads_cpu_s(child) - begin_s > AWAKE_S)
         break;
   }
   kill(child, SIGKILL);
   waitpid(child, &status, 0);
   return -1;
}

static void
judge_status(const struct job *job, int status)
{
   if (status == -1) {
      report->verdict = VERDICT_HANG;
      strcpy(report->text, "it hangs");
   } else if (WIFSIGNALED(status)) {
      report->verdict = VERDICT_CRASH;
      snprintf(report->text, sizeof(report->text), "it crashes: %s",
               strsignal(WTERMSIG(status)));
   } else if (WEXITSTATUS(status)) {
      report->verdict = VERDICT_CRASH;
      snprintf(report->text, sizeof(report->text), "it exits with %d",
               WEXITSTATUS(status));
   } else if (report->verdict == VERDICT_SAME && !job->end_s &&
              report->programs < job->count) {
      report->verdict = VERDICT_CRASH;
      strcpy(report->text, "it exits before the last program");
   }
}

void
judge(const struct job *job, struct report *report_out)
{
   if (!report)
      report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (report == MAP_FAILED)
      abort();
   memset(report, 0, sizeof(*report));
   fflush(NULL);

   const pid_t child = fork();

   if (child == 0) {
      run_job(job);
      _exit(0);
   }
   judge_status(job, watch(child));
   if (report->verdict != VERDICT_NO_WORLD && !report->programs &&
       !report->program.count)
      report->verdict = VERDICT_NO_START;
   *report_out = *report;
}
