/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The entry points of a real GL, looked up by hand, because a suffix that
 * nobody uses any more (ANGLE) is in no loader.
 */

#ifndef PITOT_TESTS_ENTRY_POINTS_H
#define PITOT_TESTS_ENTRY_POINTS_H

#include <epoxy/gl.h>

#include "../rules/entry_points.h"

/* Looks them up, those of timers with that suffix: "EXT" or "ANGLE" on ES,
 * and
 * "" on desktop GL.  A missing entry point is NULL.
 */
void
entry_points_load(struct entry_points *points, const char *suffix);

#endif /* PITOT_TESTS_ENTRY_POINTS_H */
