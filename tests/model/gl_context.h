/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_GL_CONTEXT_H
#define PITOT_MODEL_GL_CONTEXT_H

#include "conformance/entry_points.h"
#include "gl_scene.h"

struct gl_context {
   EGLContext egl; /* NULL: not created yet */
   struct gl_scenes scenes;
   unsigned buffers[BUFFER_COUNT]; /* 0: not created yet */
   bool has_buffers;               /* initialized for this program */
};

struct gl_functions {
   struct entry_points queries;
   void (*BeginConditionalRender)(GLuint, GLenum);
   void (*EndConditionalRender)(void);
};

extern struct gl_functions gl;
extern uint32_t gl_set_ids[SET_COUNT];

/* Offsets of statistics, or times, in a record. */
extern uint32_t gl_record_offsets[SET_COUNT][STATISTIC_COUNT];

void
gl_features_find(enum kind kind, bool has_no_errors, struct features *out);

/* Calls on queries and buffers (gl_call.c). */
void
gl_call(struct gl_context *context, const struct features *features,
        const struct call *call, const struct variables *variables,
        struct outcome *outcome);

/* INTEL_performance_query (gl_perf.c). */
void
gl_call_perf(const struct features *features, const struct call *call,
             const struct variables *variables, struct outcome *outcome);

/* AMD_performance_monitor and its groups (gl_monitor.c). */
void
gl_call_monitor(const struct features *features, const struct call *call,
                const struct variables *variables, struct outcome *outcome);
void
gl_find_group(struct features *features, unsigned set, const char *name);

/* What a program left. */
void
gl_clean(struct gl_context *context, const struct features *features,
         const struct leftover *leftover);

#endif /* PITOT_MODEL_GL_CONTEXT_H */
