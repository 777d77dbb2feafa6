/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The entry points of a real GL, looked up by name, because no loader has the
 * old suffix ANGLE.
 */

#ifndef PITOT_TESTS_ENTRY_POINTS_H
#define PITOT_TESTS_ENTRY_POINTS_H

#include <epoxy/gl.h>

#include "../rules/entry_points.h"

/* Looks up all entry points.  The suffix is that of timers: "EXT" or "ANGLE"
 * on ES, "" on desktop GL.  A missing entry point is NULL.
 */
void
entry_points_load(struct entry_points *points, const char *suffix);

#endif /* PITOT_TESTS_ENTRY_POINTS_H */
