/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_TABLE_H
#define PITOT_DEMO_TABLE_H

#include <stdio.h>

#include "result.h"

/* Prints what was measured, for people, in at most 100 columns; what sets of
 * counters told takes 128.
 */
void
table_print(FILE *out, const struct result results[API_COUNT]);

#endif
