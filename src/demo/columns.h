/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_COLUMNS_H
#define PITOT_DEMO_COLUMNS_H

#include <stdio.h>

#include "result.h"

/* The head of a table with a column for each scene that was drawn, right of
 * first_width characters for a label.
 */
#define COLUMN_WIDTH 10

void
columns_head(FILE *out, const struct result *result, int first_width,
             const char *label);

/* A rule of so many characters. */
void
columns_rule(FILE *out, int width);

#endif
