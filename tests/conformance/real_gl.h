/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A real GL under the scripts of the rules: the current context.
 */

#ifndef PITOT_TESTS_REAL_GL_H
#define PITOT_TESTS_REAL_GL_H

#include "../gl/script.h"
#include "egl.h"

extern const struct script_ops real_gl_ops;
extern const struct script_perf_ops real_gl_perf_ops;

/* Takes up the current context.  suffix is that of the entry points to call,
 * "" or "ANGLE"; ES takes "EXT" for "" where it has nothing else.
 */
void
real_gl_init(const struct gl_context_kind *kind, const char *suffix);

/* Returns whether a script sets clocks, holds results back and the like, or
 * counts what nobody draws.
 */
bool
real_gl_needs_control(const char *script);

/* Returns why this context cannot run a script, or NULL. */
const char *
real_gl_obstacle(const char *script);

/* Finds out, in a context, whether what is drawn can be seen at all. */
void
real_gl_look_for_pixels(void);

bool
real_gl_renders(void);

/* Returns what the context is. */
const struct gl_context_kind *
real_gl_kind(void);

/* Prepares drawing in another context of the same kind: a program, and a
 * point for each pixel.
 */
void
real_gl_init_drawing(void);

/* Returns such a program, of which transform feedback captures that variable,
 * or none if it is NULL.
 */
unsigned
real_gl_make_program(const char *captured);

/* Returns the entry points in use. */
const struct entry_points *
real_gl_entry_points(void);

/* Draws so many points, a pixel each, from the first pixel on. */
void
real_gl_draw_points(unsigned count);

#endif /* PITOT_TESTS_REAL_GL_H */
