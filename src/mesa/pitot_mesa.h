/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in a Mesa GL context, for Mesa's own files to call.
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
   struct pitot_mesa_profile *profile; /* or NULL: it is not profiled */
};

/* Creates gl_context::Pitot, and exposes the extensions that every driver has
 * with it.  Called once the version is known.  Returns false without memory.
 * _mesa_free_queryobj_data() destroys it.
 */
bool
pitot_mesa_init(struct gl_context *ctx);

/* Has pitot_mesa_watch_draws() work.  Called once per context. */
void
pitot_mesa_init_watch(struct gl_context *ctx);

/* pitot_pipe_info.watch_draws for a gl_context. */
void
pitot_mesa_watch_draws(void *ctx);

/* Fills in the calls that are Mesa's and concern Pitot: those that wait for
 * the GPU say so, and the clock is read without a search.
 */
void
pitot_mesa_set_calls(struct _glapi_table *table);

/* Fills in the calls of a lost context that an application may poll with. */
void
pitot_mesa_set_context_lost(struct _glapi_table *table);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_MESA_H */
