/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The profile of a gl_context, private to src/mesa.
 */

#ifndef PITOT_MESA_PROFILE_H
#define PITOT_MESA_PROFILE_H

#include "hooks.h"
#include "pitot_mesa.h"
#include "pitot_profile.h"
#include "state_tracker/st_context.h"

struct _glapi_table;

struct pitot_mesa_profile {
   struct gl_context *ctx;
   struct pitot_pipe_client client;
   struct pitot_driver_ops ops; /* the client's, without fences */
   unsigned counting;
   struct pitot_perf_pipe perf_pipe;
   struct pitot_context *context;
   struct pitot_perf *perf;
   struct pitot_profiled *profiled;
   struct pitot_profile_hooks *hooks; /* NULL if not hooked */

   /* Mesa's functions that the hooks replace. */
   pipe_draw_func draw_vbo; /* of cso_context */
   st_update_func_t update_first, update_array;
};

/* host.c */
uint64_t
pitot_mesa_suspended_ns(void);

/* Starts a profile of the context.  Returns NULL if PITOT_PROFILE is not set,
 * or on failure: then the context works without a profile.
 */
struct pitot_mesa_profile *
pitot_mesa_profile_create(struct gl_context *ctx);

/* Waits for the results in flight.  Accepts NULL. */
void
pitot_mesa_profile_destroy(struct pitot_mesa_profile *profile);

/* profile_names.c: callbacks of struct pitot_profiled_info. */
void
pitot_mesa_describe_pass(void *profile, char *text_out, size_t size_B);
void
pitot_mesa_describe_work(void *profile, enum pitot_profile_work work,
                         char *text_out, size_t size_B);
uint64_t
pitot_mesa_pass_pixels(void *profile);

/* Fills in the calls that begin and end a debug group, or label an object. */
void
pitot_mesa_profile_set_calls(struct _glapi_table *table);

#endif /* PITOT_MESA_PROFILE_H */
