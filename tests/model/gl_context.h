/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_GL_CONTEXT_H
#define PITOT_MODEL_GL_CONTEXT_H

#include "call.h"
#include "gl_scene.h"

struct gl_context {
   EGLContext egl; /* NULL: not created yet */
   struct gl_scenes scenes;
   unsigned buffers[BUFFER_COUNT]; /* 0: not created yet */
   bool has_buffers;               /* initialized for this program */
};

extern struct entry_points gl;

void
gl_features_find(enum kind kind, bool has_no_errors, struct features *out);

void
gl_call(struct gl_context *context, const struct features *features,
        const struct call *call, const struct variables *variables,
        struct outcome *outcome);

/* What a program left. */
void
gl_clean(struct gl_context *context, const struct features *features,
         const struct leftover *leftover);

#endif /* PITOT_MODEL_GL_CONTEXT_H */
