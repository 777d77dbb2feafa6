/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Hooks of a Gallium context: functions in place of the context's own, which
 * tell a profile of the work, the passes and the flushes, and call those.
 *
 * Threads: a context is hooked and unhooked by the thread that uses it.  Only
 * maps with PIPE_MAP_THREAD_SAFE may come from another one.
 */

#ifndef PITOT_PROFILE_HOOKS_H
#define PITOT_PROFILE_HOOKS_H

#include <stdbool.h>

#include "pipe/p_context.h"

struct pitot_profiled;
struct pitot_profile_hooks;

/* Hooks a context but for draw_vbo, and its screen for good.  Returns NULL
 * without memory, and hooks nothing.  The function returns the context that
 * the calling thread uses, or NULL: a wait for a fence that names no context
 * belongs to that one.
 */
struct pitot_profile_hooks *
pitot_profile_hook(struct pipe_context *pipe, struct pitot_profiled *profiled,
                   bool is_threaded, struct pipe_context *(*current)(void));

/* Gives the context its own functions back. */
void
pitot_profile_unhook(struct pitot_profile_hooks *hooks);

/* Tells of a draw that comes next, by a function that is not the context's;
 * pitot_profile_after_work() of what this returns ends it.  Hooks again the
 * functions that the driver has replaced meanwhile, as u_threaded_context
 * never does.
 */
struct pitot_profiled *
pitot_profile_before_draw(struct pipe_context *pipe);

/* Returns the resource that the call which is described works on; NULL for
 * draws, dispatches and clears of the framebuffer.
 */
const struct pipe_resource *
pitot_profile_target(const struct pitot_profile_hooks *hooks);

/* For struct pitot_profiled_info, on a hooked screen. */
bool
pitot_profile_fence_is_done(struct pipe_screen *screen, void *fence);
void
pitot_profile_fence_release(struct pipe_screen *screen, void *fence);

#endif /* PITOT_PROFILE_HOOKS_H */
