/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Other unit tests, many of which do not assert that a call succeeds: after
 * it failed, assertions may fail and memory may leak, but nothing may crash
 * or hang, and a case that completes must not leak.
 */

#include "cases.h"
#include "pitot_query.h"
#include "reports.h"
#include "test.h"

/* Out of memory, there are no sets, and Intel's queries end in a wait instead
 * of with a fence.
 */
static bool
is_done_without(const char *text)
{
   const enum fault_site site = fault_armed()->site;

   if (site == FAULT_MEMORY &&
       (strstr(text, "there is no set") || strstr(text, "set_count(") ||
        strstr(text, "advice")))
      return true;
   return (site == FAULT_MEMORY || site == FAULT_HOOK_FENCE) &&
          (strstr(text, "waits is") || strstr(text, "busy is"));
}

/* -EIO or -ENOMEM; a count that has wrapped is negative as well. */
static bool
is_status(const char *text)
{
   return strstr(text, " is -5, ") || strstr(text, " is -12, ");
}

/* A status is a report. */
bool
rig_is_reported(const char *text)
{
   return is_status(text) || is_done_without(text) || reports.last_call ||
          reports.draw || reports_is_disjoint();
}

void
rig_begin(void)
{
   reports_forget();
}

bool
rig_finish(void)
{
   return !cases_is_broken();
}

/* The test itself makes calls fail until none is left. */
bool
rig_skips(const struct CMUnitTest *test)
{
   return strcmp(test->name, "failed_creates_leave_nothing") == 0;
}
