/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in a Mesa GL context: what Mesa's own files call.
 */

#ifndef PITOT_MESA_H
#define PITOT_MESA_H

#include "pitot/perf_gl.h"
#include "pitot_perf_pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gl_context;
struct pitot_mesa_profile;
struct _glapi_table;

/* gl_context::Pitot */
struct pitot_mesa {
   struct gl_context *ctx;
   struct pitot_pipe_client client;
   struct pitot_gl *gl;
   struct pitot_perf_pipe perf_pipe;
   struct pitot_perf_gl perf;
   struct pitot_mesa_profile *profile; /* NULL if not profiled */
};

/* Creates gl_context::Pitot and exposes the extensions that Pitot adds to
 * every driver.  Call this once, when the GL version is known.  Returns false
 * if out of memory.  _mesa_free_queryobj_data() destroys gl_context::Pitot.
 */
bool
pitot_mesa_init(struct gl_context *ctx);

/* Prepares pitot_mesa_watch_draws().  Call this once per context. */
void
pitot_mesa_init_watch(struct gl_context *ctx);

/* A pitot_pipe_info::watch_draws; ctx is a struct gl_context. */
void
pitot_mesa_watch_draws(void *ctx);

/* Fills in the entry points that Pitot wraps: calls that wait for the GPU
 * notify the client, and glGetInteger64v(GL_TIMESTAMP) is fast.
 */
void
pitot_mesa_set_calls(struct _glapi_table *table);

/* Fills in the calls of a lost context that applications poll with. */
void
pitot_mesa_set_context_lost(struct _glapi_table *table);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_MESA_H */
