/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The tables of the output for people.
 */

#ifndef PITOT_TEXT_H
#define PITOT_TEXT_H

#include "report.h"

/* Writes the passes, the groups, the calls and the counters.  Returns 0 or
 * -ENOMEM, as the other one.
 */
int
pitot_text_work(const struct pitot_report *report, FILE *out);

/* Writes the calls on the CPU that waited or moved data. */
int
pitot_text_stalls(const struct pitot_report *report, FILE *out);

#endif /* PITOT_TEXT_H */
