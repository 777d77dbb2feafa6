/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_GL_SHADER_H
#define PITOT_MODEL_GL_SHADER_H

#include "world.h"

/* The program of a scene, or the plain one if the scene has none. */
unsigned
gl_program_make(enum kind kind, enum scene scene);

#endif /* PITOT_MODEL_GL_SHADER_H */
