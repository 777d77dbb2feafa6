/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "report_fixture.h"

#include <string.h>

struct pitot_report *
trace_read_back(void)
{
   struct pitot_report *report = NULL;

   assert_int_equal(pitot_report_read(trace_path, NULL, NULL, &report), 0);
   return report;
}

struct pitot_report *
trace_read_text(const char *bytes)
{
   trace_write_file(bytes, strlen(bytes));
   return trace_read_back();
}
