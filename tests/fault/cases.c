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

#include "cases.h"
#include "test.h"

/* A run takes milliseconds: this one never ends. */
#define MAX_RUN_CPU_S 120

/* Of more calls than these, others are like them. */
#define MAX_CALL 300

#define MAX_FAILURES 20

enum outcome { PASSED, BROKEN, SKIPPED };

struct plan {
   struct CMUnitTest test; /* with a name of its own */
   unsigned variant;
   char name[200];
   unsigned calls[FAULT_SITE_COUNT];
   bool is_failed;
};

static struct {
   const struct CMUnitTest *test; /* that runs */
   struct fault fault;
   bool is_faulty;
   bool is_broken, is_finished;
   bool is_strict; /* what fails now is not excused */
   jmp_buf end;
   char text[400];                    /* of the assertion that failed */
   uint64_t injected, survived, told; /* runs with a fault */
   unsigned failures;
} the;

__attribute__((weak)) bool
rig_leaves_out(const struct CMUnitTest *test)
{
   (void)test;
   return false;
}

__attribute__((weak)) unsigned
rig_variants(void)
{
   return 1;
}

__attribute__((weak)) void
rig_choose(unsigned variant, char *name, size_t size)
{
   (void)variant;
   (void)name;
   (void)size;
}

__attribute__((weak)) bool
rig_knows(const struct fault_kind *kind)
{
   (void)kind;
   return true;
}

bool
cases_is_broken(void)
{
   return the.is_broken;
}

static uint64_t
setting(const char *name, uint64_t otherwise)
{
   const char *value = getenv(name);

   return value ? strtoull(value, NULL, 10) : otherwise;
}

/*
 * Assertions
 */

_Noreturn static void
end_case(enum outcome outcome)
{
   longjmp(the.end, outcome);
}

void
fault_fail(const char *file, int line, const char *format, ...)
{
   va_list arguments;
   const int length =
      snprintf(the.text, sizeof(the.text), "%s:%d: ", file, line);

   fault_disarm();
   va_start(arguments, format);
   vsnprintf(the.text + length, sizeof(the.text) - length, format, arguments);
   va_end(arguments);
   end_case(BROKEN);
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

/*
 * Runs
 */

static void
describe_run(char *text, size_t size)
{
   char fault[100] = "no fault";

   if (the.is_faulty)
      fault_print(&the.fault, fault, sizeof(fault));
   snprintf(text, size, "%s under %s", the.test ? the.test->name : "nothing",
            fault);
}

static void
complain(const char *why)
{
   char text[300];

   the.failures++;
   describe_run(text, sizeof(text));
   printf("# %s: %s\n", text, why);
   fflush(stdout);
}

/* Runs a part of a case.  Returns how it ended. */
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

/* Judges an assertion that failed.  Returns whether it is excused. */
static bool
is_excused(const char *text)
{
   const struct fault_kind *kind = the.is_faulty ? the.fault.kind : NULL;

   if (kind && !the.is_strict && !kind->is_silent && fault_injected() &&
       rig_is_told(text)) {
      the.told++;
      return true;
   }
   complain(text);
   return false;
}

/* Runs a case and what follows it.  Returns whether all is well. */
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
   if (outcome == BROKEN && !is_excused(the.text)) {
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

/* Runs a case once, with or without a fault.  Returns whether all is well. */
static bool
run_case(const struct CMUnitTest *test, const struct fault *fault)
{
   static const struct itimerval longest = {
      .it_value.tv_sec = MAX_RUN_CPU_S,
   };

   the.test = test;
   the.is_strict = false;
   the.is_faulty = fault != NULL;
   if (fault)
      the.fault = *fault;
   setitimer(ITIMER_VIRTUAL, &longest, NULL);
   const bool is_good = run_and_judge(test);

   the.injected += fault_injected() > 0;
   the.survived += fault_injected() > 0 && is_good;
   return is_good;
}

static bool
run_plan(const struct plan *plan, const struct fault *fault)
{
   char suffix[40];

   rig_choose(plan->variant, suffix, sizeof(suffix));
   return run_case(&plan->test, fault);
}

/* A hash, so that faults, calls and times are all among few runs. */
static uint64_t
scatter(uint64_t number)
{
   number = (number ^ number >> 31) * UINT64_C(0x7fb5d329728ea185);
   number = (number ^ number >> 27) * UINT64_C(0x81dadef4bc2dd44d);
   return number ^ number >> 33;
}

static unsigned
calls_of(const struct plan *plan, const struct fault_kind *kind)
{
   const unsigned calls = rig_knows(kind) ? plan->calls[kind->site] : 0;

   return calls < MAX_CALL ? calls : MAX_CALL;
}

/* Does something with each run of a case. */
static void
for_each_fault(struct plan *plan,
               void (*act)(struct plan *plan, const struct fault *fault))
{
   for (unsigned i = 0; i < fault_kind_count; i++) {
      const struct fault_kind *kind = &fault_kinds[i];
      const unsigned calls = calls_of(plan, kind);

      for (unsigned n = 1; n <= calls; n++) {
         for (unsigned times = 0; times < FAULT_TIMES_COUNT; times++) {
            /* A burst without an end is no fault of a kernel. */
            if (times == FAULT_ALWAYS && (kind->burst || kind->event))
               continue;
            act(plan, &(struct fault){ kind, n, times });
         }
      }
   }
}

static uint64_t number, stride, round_number;

static void
count_run(struct plan *plan, const struct fault *fault)
{
   (void)plan;
   (void)fault;
   number++;
}

static void
maybe_run(struct plan *plan, const struct fault *fault)
{
   if (scatter(number++) % stride != round_number % stride ||
       the.failures >= MAX_FAILURES)
      return;
   if (!run_plan(plan, fault))
      plan->is_failed = true;
}

/* Runs only the fault that PITOT_FAULT says. */
static void
replay(struct plan *plan, const char *text)
{
   for (unsigned i = 0; i < fault_kind_count; i++) {
      const size_t length = strlen(fault_kinds[i].name);
      struct fault fault = { .kind = &fault_kinds[i] };

      if (strncmp(text, fault.kind->name, length) || text[length] != ',')
         continue;
      char *rest;

      fault.first = strtoul(text + length + 1, &rest, 10);
      fault.times = strtoul(rest + 1, NULL, 10);
      plan->is_failed |= !run_plan(plan, &fault);
   }
}

/*
 * Programs
 */

/* Says which run it was that crashed. */
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

/* ASan's and UBSan's. */
__attribute__((weak)) void
__sanitizer_set_death_callback(void (*callback)(void));

static void
watch(void)
{
   static const int signals[] = { SIGABRT, SIGVTALRM, SIGSEGV, SIGFPE };
   const bool is_sanitized = __sanitizer_set_death_callback;

   if (is_sanitized)
      __sanitizer_set_death_callback(say_run);
   for (unsigned i = 0; i < ARRAY_LENGTH(signals) - 2 * is_sanitized; i++)
      signal(signals[i], die);
}

/* Runs a case without a fault, and counts its calls. */
static void
try_out(struct plan *plan)
{
   plan->is_failed = !run_plan(plan, NULL);
   for (unsigned site = 0; site < FAULT_SITE_COUNT && !plan->is_failed;
        site++)
      plan->calls[site] = fault_calls(site);
}

/* Plans a variant of a case.  Returns whether it is wanted. */
static bool
make_plan(struct plan *plan, const struct CMUnitTest *test, unsigned variant)
{
   const char *only = getenv("PITOT_FAULT_CASE");
   char suffix[40] = "";

   rig_choose(variant, suffix, sizeof(suffix));
   plan->test = *test;
   plan->variant = variant;
   snprintf(plan->name, sizeof(plan->name), "%s%s", test->name, suffix);
   plan->test.name = plan->name;
   return !rig_leaves_out(test) && (!only || strstr(plan->name, only));
}

/* Plans the cases that are wanted.  Returns how many there are. */
static size_t
plan_all(struct plan *plans, const struct CMUnitTest *tests, size_t count)
{
   size_t n = 0;

   for (size_t i = 0; i < count; i++) {
      for (unsigned v = 0; v < rig_variants(); v++) {
         if (make_plan(&plans[n], &tests[i], v))
            try_out(&plans[n++]);
      }
   }
   return n;
}

static int
report(const struct plan *plans, size_t count)
{
   int failed = 0;

   for (size_t i = 0; i < count; i++) {
      failed += plans[i].is_failed;
      printf("%sok %zu - %s\n", plans[i].is_failed ? "not " : "", i + 1,
             plans[i].test.name);
   }
   printf("# %" PRIu64 " faults of %" PRIu64 " injected, %" PRIu64
          " survived, %" PRIu64 " told\n",
          the.injected, number, the.survived, the.told);
   return failed;
}

int
_cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                        size_t count, CMFixtureFunction setup,
                        CMFixtureFunction teardown)
{
   const uint64_t wanted = setting("PITOT_FAULT_RUNS", UINT64_MAX);
   struct plan *plans = calloc(count * rig_variants(), sizeof(*plans));
   const char *only = getenv("PITOT_FAULT");

   (void)group;
   (void)setup;
   (void)teardown;
   watch();
   count = plan_all(plans, tests, count);
   printf("1..%zu\n", count);
   for (size_t i = 0; i < count; i++)
      for_each_fault(&plans[i], count_run);
   stride = number / wanted + 1;
   round_number = setting("PITOT_FAULT_ROUND", 0);
   number = 0;
   for (size_t i = 0; i < count; i++) {
      if (only)
         replay(&plans[i], only);
      else
         for_each_fault(&plans[i], maybe_run);
   }

   const int failed = report(plans, count);

   free(plans);
   return failed;
}
