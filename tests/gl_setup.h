/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A GL context without a window, and the objects that draws need: for
 * programs that run on simulated GPUs.
 */

#ifndef PITOT_GL_SETUP_H
#define PITOT_GL_SETUP_H

#include <stdbool.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

/* Creates a context of an API with EGL's attributes and makes it current.
 * Returns whether there is one.
 */
bool
gl_open_api(EGLenum api, const EGLint *attributes);

/* The same of OpenGL. */
bool
gl_open(const EGLint *attributes);

/* Binds a framebuffer and an array of vertices. */
void
gl_make_target(void);

/* Compiles a shader and attaches it to a program. */
void
gl_attach(GLuint program, GLenum stage, const char *source);

#endif /* PITOT_GL_SETUP_H */
