/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The contract suite under faults, on all its drivers: the null driver, a
 * pipe_context, and Pitot's own queries on simulated GPUs, with and without
 * their kernel.
 */

#include <errno.h>

#include "cases.h"
#include "contract/fixture.h"
#include "driver.h"
#include "gpu.h"
#include "pitot_pipe.h"
#include "reports.h"

/* Query names that no case uses. */
#define FIRST_NAME 5000

/* Names that a case may use. */
#define LAST_USED_NAME 64

#define AMOUNT 7

static struct {
   struct fixture *fixture; /* NULL: none is open */
   const struct backend_ops *ops;
   struct backend_ops checked_ops;
   bool is_lost; /* by the case */
} the;

static bool
can_count(const struct fixture *f, enum pitot_kind kind)
{
   return pitot_counter_bits(f->context, kind) > 0;
}

/* Returns whether another measurement is right. */
static bool
measures_again(struct fixture *f, enum pitot_kind kind)
{
   const struct pitot_kind_info *info = pitot_kind_info(kind);
   struct pitot_query *query;

   if (pitot_query_obtain(f->context, FIRST_NAME + kind, &query) ||
       pitot_query_begin(f->context, query, kind, 0))
      return false;
   if (!info->is_instant) {
      if (!info->is_time)
         count(f, kind, 0, AMOUNT);
      if (pitot_query_end(f->context, kind, 0))
         return false;
   }
   assert_true(pitot_query_resolve(f->context, query, true));
   return info->is_time || query->result == (info->is_boolean ? 1 : AMOUNT);
}

/* A new result makes the driver poll the kernel for losses; with a driver
 * thread, a later flush.
 */
static bool
is_disjoint(struct fixture *f)
{
   bool is_disjoint = false;

   if (can_count(f, PITOT_KIND_TIMESTAMP))
      (void)measures_again(f, PITOT_KIND_TIMESTAMP);
   for (unsigned i = 0; i < 3 && !is_disjoint; i++) {
      is_disjoint = pitot_disjoint_take(f->context);
      f->backend->ops->submit(f->backend);
   }
   return is_disjoint;
}

/* A record needs a flush without a fence, and core waits without a driver's
 * store.  A wait without a result is repeated (src/pipe/result.c).  A record
 * after a failed batch is late.
 */
static bool
is_cost(const char *text)
{
   static const struct {
      enum fault_site site;
      const char *text;
   } costs[] = {
      { FAULT_MEMORY, "flush_count(" },
      { FAULT_DRIVER_FENCE, "flush_count(" },
      { FAULT_HOOK_FENCE, "flush_count(" },
      { FAULT_DRIVER_STORE, "wait_count(" },
      { FAULT_DRIVER_STORE, "is_stored is 0" },
      { FAULT_HOOK_RESULT, "wait_count(" },
      { FAULT_IOCTL, "wait_count(" },
      { FAULT_IOCTL, "look_finds_record(" },
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(costs); i++) {
      if (fault_armed()->site == costs[i].site && strstr(text, costs[i].text))
         return true;
   }
   return false;
}

/* A lost count is 0. */
static bool
is_wrong_count(const char *text)
{
   return (strstr(text, "wait_for(") || strstr(text, "result is ") ||
           strstr(text, "value(")) &&
          !strstr(text, " is 0, ");
}

/* Disjoint excuses a lost count only if a result or the device was lost; out
 * of memory, a call must return an error.
 */
static bool
may_lose_counts(void)
{
   const struct fault_kind *kind = fault_armed();

   return !kind || kind->error != ENOMEM || the.is_lost ||
          faulty_gpu_is_lost();
}

/* "Returns [...] a negative errno value if active statistics cannot count the
 * draw: their results are then 0." (pitot_pipe_client_before_draw())
 */
bool
rig_is_reported(const char *text)
{
   if (is_cost(text) || reports.last_call ||
       (reports.draw && strstr(text, " is 0, expected")))
      return true;
   reports.is_disjoint |= the.fixture && is_disjoint(the.fixture);
   return reports.is_disjoint &&
          (strstr(text, "/time.c:") ||
           (may_lose_counts() && !is_wrong_count(text)));
}

void
rig_begin(void)
{
   faulty_driver_forget();
   the.fixture = NULL;
   the.is_lost = false;
   reports_forget();
   faulty_gpu_begin();
}

/* Thousands of queries behave like a few. */
bool
rig_skips(const struct CMUnitTest *test)
{
   static const char *const names[] = {
      "lists_are_of_tests",
      "a_thousand_perf_queries",
      "many_are_in_flight",
      "measurements_stay_flat",
      "steady_state_allocates_nothing",
   };

   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
      if (strstr(test->name, names[i]))
         return true;
   }
   return strstr(test->name, NAME_SKIPPED) != NULL;
}

/* The test, not the case, makes this call. */
static int64_t
condition_result(const struct backend *backend)
{
   fault_suspend();
   const int64_t result = the.ops->condition_result(backend);

   fault_resume();
   return result;
}

WRAPPED(struct fixture *, open_fixture,
        (void **state, bool delete_ends_active))
{
   fault_suspend();
   struct fixture *f = __real_open_fixture(state, delete_ends_active);

   faulty_driver_forget();
   faulty_driver_add(f->backend->driver, f->backend->providers);
   the.ops = f->backend->ops;
   the.checked_ops = *the.ops;
   the.checked_ops.condition_result = condition_result;
   f->backend->ops = &the.checked_ops;
   fault_resume();
   the.fixture = f;
   return f;
}

WRAPPED(void, lose, (struct fixture * f))
{
   the.is_lost = true;
   __real_lose(f);
}

/* Ends everything that a case left active, and waits for all results. */
static void
settle(struct fixture *f)
{
   release(f);
   if (pitot_condition_query(f->context))
      pitot_condition_end(f->context);
   for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      const unsigned streams = pitot_kind_info(kind)->is_instant ? 0
                               : pitot_kind_info(kind)->is_indexed
                                  ? PITOT_MAX_STREAMS
                                  : 1;

      for (unsigned i = 0; i < streams; i++) {
         if (pitot_query_active(f->context, kind, i))
            (void)pitot_query_end(f->context, kind, i);
      }
   }
   for (uint32_t name = 1; name <= LAST_USED_NAME; name++) {
      struct pitot_query *query = pitot_query_lookup(f->context, name);

      if (query && query->state == PITOT_STATE_ENDED)
         assert_true(pitot_query_resolve(f->context, query, true));
   }
   (void)pitot_disjoint_take(f->context);
}

/* Everything works again, or reports an error: the device may be lost. */
static void
check_usable(struct fixture *f)
{
   settle(f);
   for (enum pitot_kind kind = 0; kind < PITOT_KIND_COUNT; kind++) {
      if (!can_count(f, kind))
         continue;
      reports.last_call = false;
      if (!measures_again(f, kind) && !reports.last_call &&
          !(is_disjoint(f) && may_lose_counts()))
         fail_msg("kind %d is wrong afterwards", kind);
   }
}

WRAPPED(void, close_fixture, (struct fixture * f))
{
   cases_end_fault();
   the.fixture = NULL;
   check_usable(f);
   __real_close_fixture(f);
}

bool
rig_finish(void)
{
   if (the.fixture)
      __wrap_close_fixture(the.fixture);
   return true;
}
