/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in radeonsi: what radeonsi's own files call.  The function does
 * nothing unless Mesa's option pitot-drivers has radeonsi.
 */

#ifndef RADEONSI_PITOT_H
#define RADEONSI_PITOT_H

struct si_context;

#ifdef PITOT

/* Call this last in context creation, before u_threaded_context. */
void
pitot_radeonsi_init(struct si_context *sctx);

#else

static inline void
pitot_radeonsi_init(struct si_context *sctx)
{
   (void)sctx;
}

#endif

#endif /* RADEONSI_PITOT_H */
