/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_SCENE_H
#define PITOT_DEMO_SCENE_H

#include <stdbool.h>

#include "context.h"

/* What a scene is drawn with: the shader stages, beyond vertex and fragment.
 */
enum scene_kind {
   SCENE_CLEAR, /* no shader at all */
   SCENE_TRIANGLES,
   SCENE_GEOMETRY,
   SCENE_TESSELLATION,
   SCENE_COMPUTE,
   SCENE_KIND_COUNT,
};

/* One thing to measure. Its triangles fill a grid of columns x rows cells,
 * two to a cell. The grid fills the target: however many triangles there are,
 * they cover every pixel once.
 */
struct scene {
   const char *name;
   const char *about;
   enum scene_kind kind;
   unsigned columns;
   unsigned rows;
   unsigned loops;  /* rounds of the fragment or compute shader's loop */
   unsigned groups; /* compute work groups */
};

#define SCENE_COUNT 8
extern const struct scene scenes[SCENE_COUNT];

/* Threads in a compute work group. */
#define GROUP_SIZE 64

/* A scene made ready in a context. */
struct loaded_scene {
   const struct scene *scene;
   GLuint program;
   GLuint buffer; /* the triangles, or what the compute shader writes */
};

/* Whether the context has the shader stages that the scene needs. */
bool
scene_supported(const struct context *ctx, const struct scene *scene);

struct loaded_scene
scene_load(const struct context *ctx, const struct scene *scene);

void
scene_unload(struct loaded_scene *loaded);

/* What comes before the draw, and is no part of what is measured. */
void
scene_prepare(const struct loaded_scene *loaded);

/* The one clear, draw or dispatch that is measured. */
void
scene_draw(const struct loaded_scene *loaded);

#endif
