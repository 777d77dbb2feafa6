/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Other unit tests, which do not say what must be reported: after a failed
 * call, assertions may fail and memory may leak, but nothing may crash or
 * hang, and a case that completes must not leak.
 */

#include "cases.h"
#include "pitot_query.h"
#include "test.h"

bool
rig_is_reported(const char *text)
{
   (void)text;
   return true;
}

void
rig_begin(void)
{
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

int
__real_pitot_query_obtain(struct pitot_context *context, uint32_t name,
                          struct pitot_query **query_out);
int
__wrap_pitot_query_obtain(struct pitot_context *context, uint32_t name,
                          struct pitot_query **query_out);

/* Tests assume that there is an object. */
int
__wrap_pitot_query_obtain(struct pitot_context *context, uint32_t name,
                          struct pitot_query **query_out)
{
   const int status = __real_pitot_query_obtain(context, name, query_out);

   assert_int_equal(status, 0);
   return status;
}
