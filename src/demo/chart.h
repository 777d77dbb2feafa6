/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_CHART_H
#define PITOT_DEMO_CHART_H

#include <stdbool.h>
#include <stdio.h>

#include "result.h"

/* Draws the elapsed times as an SVG bar chart. False if it could not be
 * written.
 */
bool
chart_write(FILE *out, const struct result results[API_COUNT]);

#endif
