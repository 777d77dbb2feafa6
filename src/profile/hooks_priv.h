/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shared by the hooks only.
 */

#ifndef PITOT_PROFILE_HOOKS_PRIV_H
#define PITOT_PROFILE_HOOKS_PRIV_H

#include <stdatomic.h>
#include <stdint.h>

#include "hooks.h"
#include "now.h"

struct pitot_profile_hooks {
   struct pitot_profile_hooks *next;  /* in the list of all, for good */
   struct pipe_context *_Atomic pipe; /* or NULL: nobody uses the hooks */
   struct pitot_profiled *profiled;
   bool is_threaded;
   struct pipe_context driver; /* the context's own functions */
   const struct pipe_resource *target;
   unsigned transfer_depth; /* of uploads, which may map */
};

/* Returns the hooks of a context, or NULL. */
struct pitot_profile_hooks *
pitot_profile_hooks_of(const struct pipe_context *pipe);

/* Tells of a call that may have waited for the GPU and ends now, unless it
 * was too short for that.
 */
void
pitot_profile_tell_wait(const struct pitot_profile_hooks *hooks,
                        const char *name, uint64_t begin_ns, uint64_t size_B);

/* Hooks a screen, unless it is hooked already, and for as long as it lives.
 * Returns false without memory.
 */
bool
pitot_profile_hook_screen(struct pipe_screen *screen,
                          struct pipe_context *(*current)(void));

#endif /* PITOT_PROFILE_HOOKS_PRIV_H */
