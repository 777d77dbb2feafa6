/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The GL context of the scenes, and the objects that they need.
 */

#ifndef PITOT_GOLDEN_GL_SETUP_H
#define PITOT_GOLDEN_GL_SETUP_H

#include <stdbool.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#define GL_BUFFER_B 4096

/* Makes a context current.  Returns whether there is one. */
bool
gl_open(void);

/* Binds a framebuffer and an array of vertices. */
void
gl_make_target(void);

/* Binds a buffer to the target's first binding point.  Returns its name. */
GLuint
gl_make_buffer(GLenum target);

GLuint
gl_make_draw_program(void);

GLuint
gl_make_compute_program(void);

#endif /* PITOT_GOLDEN_GL_SETUP_H */
