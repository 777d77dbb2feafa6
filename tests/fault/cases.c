/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "cases_priv.h"
#include "test.h"

/* A run takes milliseconds: longer ones hang. */
#define MAX_RUN_CPU_S 120

/* Only a fault that lasts fails a step and both of its repetitions. */
#define MAX_REPEATS 2

enum outcome { PASSED, BROKEN, EXCUSED, SKIPPED };

static struct {
   const struct CMUnitTest *test;
   struct fault fault;
   bool is_faulty;
   bool is_broken, is_finished;
   bool is_strict;  /* failures are not excused any more */
   bool is_excused; /* the last one is */
   bool is_told;    /* one was excused */
   jmp_buf end;
   char text[400];
} the;

struct cases_figures cases_figures;

bool
cases_is_broken(void)
{
   return the.is_broken;
}

_Noreturn static void
end_case(enum outcome outcome)
{
   longjmp(the.end, outcome);
}

bool
cases_survives(void (*run)(void *data), void *data)
{
   jmp_buf end;
   volatile bool survives = false;

   memcpy(&end, &the.end, sizeof(end));
   if (!setjmp(the.end)) {
      run(data);
      survives = true;
   }
   memcpy(&the.end, &end, sizeof(end));
   return survives;
}

static void
judge(void *text)
{
   the.is_excused = rig_is_reported(text);
}

/* Whether the failed assertion is excused.  The test still exists.  No call
 * fails in the judgement, and a judgement that itself fails excuses nothing.
 */
static bool
is_excused(void)
{
   char text[sizeof(the.text)];

   if (!the.is_faulty || the.is_strict || the.fault.kind->is_silent ||
       !fault_injected())
      return false;
   memcpy(text, the.text, sizeof(text));
   fault_suspend();
   the.is_strict = true;
   const bool is_excused = cases_survives(judge, text) && the.is_excused;
   the.is_strict = false;
   fault_resume();
   the.is_told |= is_excused;
   return is_excused;
}

void
fault_fail(const char *file, int line, const char *format, ...)
{
   va_list arguments;
   const int length =
      snprintf(the.text, sizeof(the.text), "%s:%d: ", file, line);

   va_start(arguments, format);
   vsnprintf(the.text + length, sizeof(the.text) - length, format, arguments);
   va_end(arguments);
   the.is_excused = is_excused();
   end_case(the.is_excused ? EXCUSED : BROKEN);
}

void
fault_skip(void)
{
   fault_disarm();
   end_case(SKIPPED);
}

void
fault_expect_equal(uint64_t value, uint64_t expected, bool is_equal,
                   const char *text, const char *file, int line)
{
   if ((value == expected) != is_equal)
      fault_fail(file, line, "%s is %" PRId64 ", %sexpected %" PRId64, text,
                 (int64_t)value, is_equal ? "" : "not ", (int64_t)expected);
}

void
fault_expect_range(uint64_t value, uint64_t low, uint64_t high,
                   const char *text, const char *file, int line)
{
   if (value < low || value > high)
      fault_fail(file, line,
                 "%s is %" PRId64 ", not from %" PRId64 " to %" PRId64, text,
                 (int64_t)value, (int64_t)low, (int64_t)high);
}

__attribute__((weak)) void
rig_explain(char *text, size_t size)
{
   (void)text;
   (void)size;
}

static void
describe_run(char *text, size_t size)
{
   char fault[100] = "no fault", call[40] = "";

   if (the.is_faulty)
      fault_print(&the.fault, fault, sizeof(fault));
   rig_explain(call, sizeof(call));
   snprintf(text, size, "%s under %s%s",
            the.test ? the.test->name : "nothing", fault, call);
}

static void
complain(const char *why)
{
   char text[300];

   cases_figures.failures++;
   describe_run(text, sizeof(text));
   printf("# %s: %s\n", text, why);
   fflush(stdout);
}

static enum outcome
guard(void (*run)(void **state), void **state)
{
   const int outcome = setjmp(the.end);

   if (outcome)
      return outcome;
   run(state);
   return PASSED;
}

static void
run_fixture(void **state)
{
   const struct CMUnitTest *test = the.test;

   if (test->setup_func)
      (void)test->setup_func(state);
   test->test_func(state);
   if (test->teardown_func)
      (void)test->teardown_func(state);
}

static void
finish(void **state)
{
   (void)state;
   the.is_finished = rig_finish();
}

void
cases_end_fault(void)
{
   fault_disarm();
   the.is_strict = true;
}

__attribute__((weak)) void
rig_begin_step(void *data)
{
   (void)data;
}

__attribute__((weak)) void
rig_end_step(void)
{
}

__attribute__((weak)) enum rig_next
rig_after_step(void)
{
   return RIG_ENDS_CASE;
}

struct step {
   void (*run)(void *data);
   void *data;
};

static void
run_once(void *data)
{
   const struct step *step = data;

   rig_begin_step(step->data);
   step->run(step->data);
   rig_end_step();
}

void
cases_run_step(void (*run)(void *data), void *data)
{
   struct step step = { run, data };
   unsigned repeats = 0;

   while (!cases_survives(run_once, &step)) {
      if (!the.is_excused)
         end_case(BROKEN);
      const enum rig_next next = rig_after_step();
      if (next == RIG_GOES_ON)
         return;
      if (next == RIG_ENDS_CASE || repeats++ == MAX_REPEATS)
         end_case(EXCUSED);
   }
}

/* A case and what follows it.  Returns whether all is well. */
static bool
run_and_judge(const struct CMUnitTest *test)
{
   const int live = fault_live();
   void *state = test->initial_state;

   rig_begin();
   fault_arm(the.is_faulty ? &the.fault : NULL);
   const enum outcome outcome = guard(run_fixture, &state);
   fault_disarm();
   the.is_broken = outcome != PASSED;
   the.is_strict = true;
   if (outcome == BROKEN) {
      complain(the.text);
      (void)guard(finish, &state);
      return false;
   }
   if (guard(finish, &state) != PASSED) {
      complain(the.text);
      return false;
   }
   if (the.is_finished && fault_live() != live) {
      complain("Pitot leaks");
      return false;
   }
   return true;
}

bool
cases_run(const struct CMUnitTest *test, const struct fault *fault)
{
   static const struct itimerval longest = {
      .it_value.tv_sec = MAX_RUN_CPU_S,
   };

   the.test = test;
   the.is_strict = the.is_told = false;
   the.is_faulty = fault != NULL;
   if (fault)
      the.fault = *fault;
   setitimer(ITIMER_VIRTUAL, &longest, NULL);
   const bool is_good = run_and_judge(test);

   cases_figures.injected += fault_injected() > 0;
   cases_figures.survived += fault_injected() > 0 && is_good;
   cases_figures.told += the.is_told;
   return is_good;
}

/* Prints which run crashed. */
static void
say_run(void)
{
   char text[300];

   describe_run(text, sizeof(text) - 1);
   strcat(text, "\n");
   if (write(STDOUT_FILENO, "# broke off: ", 13) < 0 ||
       write(STDOUT_FILENO, text, strlen(text)) < 0)
      _exit(99);
}

static void
die(int signal_number)
{
   say_run();
   signal(signal_number, SIG_DFL);
   raise(signal_number);
}

/* Of ASan and UBSan. */
__attribute__((weak)) void
__sanitizer_set_death_callback(void (*callback)(void));

void
cases_watch(void)
{
   static const int signals[] = { SIGABRT, SIGVTALRM, SIGSEGV, SIGFPE };
   const bool is_sanitized = __sanitizer_set_death_callback;

   if (is_sanitized)
      __sanitizer_set_death_callback(say_run);
   for (unsigned i = 0; i < ARRAY_LENGTH(signals) - 2 * is_sanitized; i++)
      signal(signals[i], die);
}
