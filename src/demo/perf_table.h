/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_PERF_TABLE_H
#define PITOT_DEMO_PERF_TABLE_H

#include <stdio.h>

#include "result.h"

/* Prints what the sets of counters told of each scene; a table for each set.
 */
void
perf_table_print(FILE *out, const struct result *result);

#endif
