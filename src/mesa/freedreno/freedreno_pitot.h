/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in freedreno: called by the driver's own files.  It does nothing if
 * the driver keeps its queries to itself (see Mesa's option pitot-drivers).
 */

#ifndef FREEDRENO_PITOT_H
#define FREEDRENO_PITOT_H

struct fd_context;

#ifdef PITOT

/* Called last when a context is created, before it is given to a thread. */
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
