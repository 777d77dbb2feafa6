/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_GL_SHADER_H
#define PITOT_MODEL_GL_SHADER_H

#include "world.h"

/* Makes the program of a scene; or the plain one, for those that have none of
 * their own.
 */
unsigned
gl_program_make(enum kind kind, enum scene scene);

#endif /* PITOT_MODEL_GL_SHADER_H */
