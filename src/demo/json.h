/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_JSON_H
#define PITOT_DEMO_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "result.h"

/* Writes all that was measured, every sample included, for programs. False
 * if it could not be written.
 */
bool
json_write(FILE *out, const struct result results[API_COUNT]);

#endif
