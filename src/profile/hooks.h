/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Hooks of a Gallium context: they replace functions of the context, report
 * work, passes and flushes to a profile, and call the replaced functions.
 *
 * Threads: a context is hooked and unhooked by the thread that uses it.  Only
 * maps with PIPE_MAP_THREAD_SAFE may come from another thread.
 */

#ifndef PITOT_PROFILE_HOOKS_H
#define PITOT_PROFILE_HOOKS_H

#include <stdbool.h>

#include "pipe/p_context.h"

struct pitot_profiled;
struct pitot_profile_hooks;

/* Hooks a context except draw_vbo, and its screen permanently.  Returns NULL
 * if allocation fails, and then does not hook the context.  current returns
 * the context that the calling thread uses, or NULL: a wait for a fence
 * without a context is reported to that one.
 */
struct pitot_profile_hooks *
pitot_profile_hook(struct pipe_context *pipe, struct pitot_profiled *profiled,
                   bool is_threaded, struct pipe_context *(*current)(void));

/* Restores the context's own functions. */
void
pitot_profile_unhook(struct pitot_profile_hooks *hooks);

/* Call this before a draw, because draw_vbo is not hooked, and after it
 * pitot_profile_after_work() with the result.  Also hooks again the functions
 * that the driver has replaced in between, which u_threaded_context never
 * does.
 */
struct pitot_profiled *
pitot_profile_before_draw(struct pipe_context *pipe);

/* Returns the resource that the current call works on; NULL for draws,
 * dispatches and clears of the framebuffer.
 */
const struct pipe_resource *
pitot_profile_target(const struct pitot_profile_hooks *hooks);

/* For struct pitot_profiled_info.  The screen is hooked. */
bool
pitot_profile_fence_is_done(struct pipe_screen *screen, void *fence);
void
pitot_profile_fence_release(struct pipe_screen *screen, void *fence);

#endif /* PITOT_PROFILE_HOOKS_H */
