/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_REPORT_FIXTURE_H
#define PITOT_REPORT_FIXTURE_H

#include "report.h"
#include "trace_fixture.h"

/* The file must be a trace. */
struct pitot_report *
trace_read_back(void);

/* Writes a text to the file, and reads it as a trace. */
struct pitot_report *
trace_read_text(const char *bytes);

/* Writes a text to the file.  A line
 *
 *    PROCESS/THREAD CATEGORY NAME BEGIN DURATION #FLOW {VALUES}
 *
 * is a slice, with an end of an arrow; flow and values may be missing, names
 * are as in JSON, with _ for a blank.  Times are in microseconds, with three
 * decimals.  The lines between "repeat N" and "end" are written N times, with
 * numbers for $(A+B): A plus B times the repetition, from 0; and for
 * $(A+B%M): the remainder of that.
 */
void
trace_write_text(const char *text);

#endif /* PITOT_REPORT_FIXTURE_H */
