/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Scenes on a real GL, with known counts.
 */

#ifndef PITOT_MODEL_GL_SCENE_H
#define PITOT_MODEL_GL_SCENE_H

#include "gl_setup.h"
#include "world.h"

#define BLIT_COLOR 0xabc
#define MANY       50 /* degenerate triangles */
#define FEW        3  /* that fit into the small buffer, */
#define FEW_POINTS 4  /* and that many points */

struct gl_scenes {
   unsigned programs[SCENE_COUNT];
   int colors[SCENE_COUNT];            /* locations of the uniform */
   unsigned captured, captured_little; /* transform feedback buffers */
   unsigned framebuffer, blit_source;
};

/* Scenes that cannot be drawn are missing (gl_scene_counts.c). */
void
gl_scenes_describe(enum kind kind, bool is_simulated,
                   struct scene_info scenes_out[SCENE_COUNT]);

/* Creates them for the current context and its framebuffer. */
void
gl_scenes_make(enum kind kind, const struct scene_info *info,
               struct gl_scenes *scenes_out);

/* color: 12 bits, for scenes that paint. */
void
gl_scene_draw(const struct gl_scenes *scenes, enum scene scene,
              unsigned color);

#endif /* PITOT_MODEL_GL_SCENE_H */
