/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in freedreno: what freedreno's own files call.  The function does
 * nothing unless Mesa's option pitot-drivers has freedreno.
 */

#ifndef FREEDRENO_PITOT_H
#define FREEDRENO_PITOT_H

struct fd_context;

#ifdef PITOT

/* Call this last in context creation, before u_threaded_context. */
void
pitot_freedreno_init(struct fd_context *ctx);

#else

static inline void
pitot_freedreno_init(struct fd_context *ctx)
{
   (void)ctx;
}

#endif

#endif /* FREEDRENO_PITOT_H */
