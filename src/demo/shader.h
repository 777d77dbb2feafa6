/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_SHADER_H
#define PITOT_DEMO_SHADER_H

#include "context.h"
#include "scene.h"

/* Where the vertex shader finds the position of a vertex. */
#define POSITION_LOCATION 0

/* The program that draws a scene, or 0 for a scene that needs none. */
GLuint
shader_program(const struct context *ctx, const struct scene *scene);

#endif
