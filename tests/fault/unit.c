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

/* "Returns [...] a negative errno value if active statistics cannot count the
 * draw: their results are then 0." (pitot_pipe_client_before_draw())  A known
 * result is not stored, and the driver queries are created again, or not.
 */
static bool
is_of_draw(const char *text)
{
   static const char *const texts[] = { " is 0, expected", "fake.created",
                                        "store_result(", "pitot_query_end(" };
   bool is_known = false;

   for (unsigned i = 0; i < ARRAY_LENGTH(texts); i++)
      is_known |= strstr(text, texts[i]) != NULL;
   return reports.draw && is_known;
}

/* A driver query that could not be created, or whose query reported that it
 * cannot begin, is missing later, too.
 */
static bool
is_not_created(const char *text)
{
   const char *created = strstr(text, "fake.created is ");
   unsigned count, expected;

   return created &&
          (fault_armed()->site == FAULT_HOOK_CREATE ||
           fault_armed()->site == FAULT_MEMORY) &&
          sscanf(created, "fake.created is %u, expected %u", &count,
                 &expected) == 2 &&
          count < expected && expected - count <= fault_injected();
}

/* A status is a report. */
bool
rig_is_reported(const char *text)
{
   return is_status(text) || is_done_without(text) || reports.last_call ||
          is_of_draw(text) || is_not_created(text) || reports_is_disjoint();
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
   return strstr(test->name, "failed_creates_leave_nothing") != NULL;
}
