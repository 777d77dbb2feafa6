/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in a Mesa GL context: what Mesa's own files call.
 */

#ifndef PITOT_MESA_H
#define PITOT_MESA_H

#include "pitot/gl.h"
#include "pitot/pipe.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gl_context;
struct _glapi_table;

/* gl_context::Pitot */
struct pitot_mesa {
   struct gl_context *ctx;
   struct pitot_pipe_client client;
   struct pitot_gl *gl;
};

/* Makes gl_context::Pitot, and exposes what every driver has with it.  Called
 * once the version is known.  Returns false without memory.  It goes with
 * what Mesa calls its query objects: _mesa_free_queryobj_data().
 */
bool
pitot_mesa_init(struct gl_context *ctx);

/* Fills in the calls that wait for the GPU: each says so to Pitot. */
void
pitot_mesa_set_waits(struct _glapi_table *table);

/* Fills in what a lost context answers to an application that polls. */
void
pitot_mesa_set_context_lost(struct _glapi_table *table);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_MESA_H */
