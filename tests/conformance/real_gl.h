/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The current context of a real GL, for scripts and behaviors.
 */

#ifndef PITOT_TESTS_REAL_GL_H
#define PITOT_TESTS_REAL_GL_H

#include "../rules/script.h"
#include "../gl_setup.h"

extern struct entry_points gl;

/* The same for scripts, with all that they need. */
extern struct script_gl real_gl;

/* suffix: of timer entry points, "" or "ANGLE"; on ES, "" means "EXT". */
void
real_gl_init(const struct gl_context_kind *kind, const char *suffix);

/* Whether a script needs the null driver: sets clocks, holds results, etc. */
bool
real_gl_needs_control(const char *script);

/* Why this context cannot run a script, or NULL. */
const char *
real_gl_obstacle(const char *script);

/* Determines, in a context, whether the driver draws pixels. */
void
real_gl_look_for_pixels(void);

bool
real_gl_renders(void);

const struct gl_context_kind *
real_gl_kind(void);

/* For another context of the kind: a program, and a point for each pixel. */
void
real_gl_init_drawing(void);

/* Creates such a program. captured: for transform feedback, or NULL. */
unsigned
real_gl_make_program(const char *captured);

/* Draws that many points, one for each pixel from the first on. */
void
real_gl_draw_points(unsigned count);

#endif /* PITOT_TESTS_REAL_GL_H */
