/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Entry points of a real GL by name: no loader has the ANGLE suffix.
 */

#ifndef PITOT_TESTS_ENTRY_POINTS_H
#define PITOT_TESTS_ENTRY_POINTS_H

#include <epoxy/gl.h>

#include "../rules/entry_points.h"

/* suffix of timers: "EXT" or "ANGLE" on ES, else "".  Missing ones are NULL.
 */
void
entry_points_load(struct entry_points *points, const char *suffix);

#endif /* PITOT_TESTS_ENTRY_POINTS_H */
