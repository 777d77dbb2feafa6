/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GL context without a window, for programs on simulated GPUs.
 */

#ifndef PITOT_GL_SETUP_H
#define PITOT_GL_SETUP_H

#include <stdbool.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

/* Makes a new context current.  Returns whether there is one. */
bool
gl_open_api(EGLenum api, const EGLint *attributes);

/* The same for OpenGL. */
bool
gl_open(const EGLint *attributes);

/* Binds a framebuffer and an array of vertices. */
void
gl_make_target(void);

void
gl_attach(GLuint program, GLenum stage, const char *source);

#endif /* PITOT_GL_SETUP_H */
