/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A real GL, as scripts and behaviours see it: the current context.
 */

#ifndef PITOT_TESTS_REAL_GL_H
#define PITOT_TESTS_REAL_GL_H

#include "../rules/script.h"
#include "egl.h"
#include "entry_points.h"

/* The entry points in use. */
extern struct entry_points gl;

/* The same, with all else that a script needs. */
extern struct script_gl real_gl;

/* Prepares the current context for scripts.  suffix is that of the entry
 * points of timers, "" or "ANGLE"; ES takes "EXT" for "".
 */
void
real_gl_init(const struct gl_context_kind *kind, const char *suffix);

/* Returns whether a script is for the null driver alone: it sets clocks,
 * holds results back and the like.
 */
bool
real_gl_needs_control(const char *script);

/* Returns why this context cannot run a script, or NULL. */
const char *
real_gl_obstacle(const char *script);

/* Finds out, in a context, whether pixels can be seen at all. */
void
real_gl_look_for_pixels(void);

bool
real_gl_renders(void);

/* Returns the kind of the context. */
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

/* Binds a new buffer of these bytes.  Returns its name. */
GLuint
real_gl_make_buffer(GLenum target, GLsizeiptr size_B, const void *bytes,
                    GLenum usage);

/* Draws so many points, a pixel each, from the first pixel on. */
void
real_gl_draw_points(unsigned count);

#endif /* PITOT_TESTS_REAL_GL_H */
