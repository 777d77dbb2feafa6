/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Entry points of a real GL, looked up by name because no loader has the old
 * ANGLE suffix.
 */

#ifndef PITOT_TESTS_ENTRY_POINTS_H
#define PITOT_TESTS_ENTRY_POINTS_H

#include <epoxy/gl.h>

#include "../rules/entry_points.h"

/* suffix is that of timer entry points: "EXT" or "ANGLE" on ES, "" on desktop
 * GL.  Missing entry points are NULL.
 */
void
entry_points_load(struct entry_points *points, const char *suffix);

#endif /* PITOT_TESTS_ENTRY_POINTS_H */
