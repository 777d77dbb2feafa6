/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_MEASURE_H
#define PITOT_DEMO_MEASURE_H

#include "result.h"

/* Makes a context, measures all scenes in it, and closes it again. */
void
measure(enum api api, struct result *result);

#endif
