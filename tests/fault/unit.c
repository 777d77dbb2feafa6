/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Other unit tests under faults.  Nobody knows what they would have to be
 * told, and nobody can close what they leave open: once a call has failed, an
 * assertion may fail, too, and memory is left.  Nothing may crash or hang,
 * and a case that comes to its end has to leave nothing.
 */

#include "cases.h"
#include "pitot_query.h"
#include "test.h"

bool
rig_is_told(const char *text)
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

/* The test asks for failures itself until there are none. */
bool
rig_leaves_out(const struct CMUnitTest *test)
{
   return strcmp(test->name, "failed_creates_leave_nothing") == 0;
}

int
__real_pitot_query_obtain(struct pitot_context *context, uint32_t name,
                          struct pitot_query **query_out);
int
__wrap_pitot_query_obtain(struct pitot_context *context, uint32_t name,
                          struct pitot_query **query_out);

/* Tests take it that there is an object. */
int
__wrap_pitot_query_obtain(struct pitot_context *context, uint32_t name,
                          struct pitot_query **query_out)
{
   const int status = __real_pitot_query_obtain(context, name, query_out);

   assert_int_equal(status, 0);
   return status;
}
