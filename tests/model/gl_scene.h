/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Scenes of known counts on a real GL.
 */

#ifndef PITOT_MODEL_GL_SCENE_H
#define PITOT_MODEL_GL_SCENE_H

#include "world.h"

#define BLIT_COLOR 0xabc
#define MANY       50 /* triangles of no size */
#define FEW        3  /* of them fit into the little buffer, */
#define FEW_POINTS 4  /* and so many points */

/* Shaders, buffers and framebuffers of a context. */
struct gl_scenes {
   unsigned programs[SCENE_COUNT];
   int colors[SCENE_COUNT]; /* where each has its color */
   unsigned vertices;
   unsigned captured, captured_little; /* by transform feedback */
   unsigned framebuffer, blit_source;
};

/* The counts of the scenes there; a scene that cannot be drawn is left out
 * (gl_scene_counts.c).
 */
void
gl_scenes_describe(enum kind kind, bool is_simulated,
                   struct scene_info scenes_out[SCENE_COUNT]);

/* Makes them for the current context, whose framebuffer is bound. */
void
gl_scenes_make(enum kind kind, const struct scene_info *info,
               struct gl_scenes *scenes_out);

/* Draws one; what paints paints with a color of 12 bits. */
void
gl_scene_draw(const struct gl_scenes *scenes, enum scene scene,
              unsigned color);

#endif /* PITOT_MODEL_GL_SCENE_H */
