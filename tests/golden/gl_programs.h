/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The programs and buffers of the scenes. */

#ifndef PITOT_GOLDEN_GL_PROGRAMS_H
#define PITOT_GOLDEN_GL_PROGRAMS_H

#include <epoxy/gl.h>

#define GL_BUFFER_B 4096

/* Creates a buffer, and binds it to the target's first binding point. */
GLuint
gl_make_buffer(GLenum target);

GLuint
gl_make_draw_program(void);

GLuint
gl_make_compute_program(void);

#endif /* PITOT_GOLDEN_GL_PROGRAMS_H */
