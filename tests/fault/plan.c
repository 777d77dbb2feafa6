/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Which cases of a program run under which faults.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases_priv.h"

/* Later calls behave like these. */
#define MAX_CALL 300

#define MAX_FAILURES 20

struct plan {
   struct CMUnitTest test; /* with its own name */
   unsigned variant;
   char name[200];
   unsigned calls[FAULT_SITE_COUNT];
   bool is_failed;
};

__attribute__((weak)) bool
rig_skips(const struct CMUnitTest *test)
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

static uint64_t
setting(const char *name, uint64_t otherwise)
{
   const char *value = getenv(name);

   return value ? strtoull(value, NULL, 10) : otherwise;
}

static bool
run_plan(const struct plan *plan, const struct fault *fault)
{
   char suffix[40];

   rig_choose(plan->variant, suffix, sizeof(suffix));
   return cases_run(&plan->test, fault);
}

/* A hash that mixes faults, calls and times in few runs. */
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

/* Calls act() for each run of a case. */
static void
for_each_fault(struct plan *plan,
               void (*act)(struct plan *plan, const struct fault *fault))
{
   for (unsigned i = 0; i < fault_kind_count; i++) {
      const struct fault_kind *kind = &fault_kinds[i];
      const unsigned calls = calls_of(plan, kind);

      for (unsigned n = 1; n <= calls; n++) {
         for (unsigned times = 0; times < FAULT_TIMES_COUNT; times++) {
            /* No kernel fails a burst or an event forever. */
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
       cases_figures.failures >= MAX_FAILURES)
      return;
   if (!run_plan(plan, fault))
      plan->is_failed = true;
}

/* Runs only that fault; some case must meet it. */
static void
replay(struct plan *plans, size_t count, const struct fault *fault)
{
   for (size_t i = 0; i < count; i++) {
      number++;
      plans[i].is_failed |= !run_plan(&plans[i], fault);
   }
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

/* Returns whether the variant is selected. */
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
   return !rig_skips(test) && (!only || strstr(plan->name, only));
}

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
          cases_figures.injected, number, cases_figures.survived,
          cases_figures.told);
   return failed;
}

static void
run_share(struct plan *plans, size_t count)
{
   const uint64_t wanted = setting("PITOT_FAULT_RUNS", UINT64_MAX);

   for (size_t i = 0; i < count; i++)
      for_each_fault(&plans[i], count_run);
   stride = number / wanted + 1;
   round_number = setting("PITOT_FAULT_ROUND", 0);
   number = 0;
   for (size_t i = 0; i < count; i++)
      for_each_fault(&plans[i], maybe_run);
}

int
_cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                        size_t count, CMFixtureFunction setup,
                        CMFixtureFunction teardown)
{
   const char *only = getenv("PITOT_FAULT");
   struct plan *plans = calloc(count * rig_variants(), sizeof(*plans));
   struct fault fault;

   (void)group;
   (void)setup;
   (void)teardown;
   if (only && !fault_read(only, &fault)) {
      printf("Bail out! invalid PITOT_FAULT: %s\n", only);
      free(plans);
      return 2;
   }
   cases_watch();
   count = plan_all(plans, tests, count);
   printf("1..%zu\n", count);
   if (only)
      replay(plans, count, &fault);
   else
      run_share(plans, count);

   int failed = report(plans, count);

   if (only && cases_figures.injected == 0) {
      printf("Bail out! no case makes that call\n");
      failed = 2;
   }
   free(plans);
   return failed;
}
