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

#endif /* PITOT_REPORT_FIXTURE_H */
