/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in radeonsi: called by the driver's own files.  It does nothing where
 * the driver keeps its queries to itself (see Mesa's option pitot-drivers).
 */

#ifndef RADEONSI_PITOT_H
#define RADEONSI_PITOT_H

struct si_context;

#ifdef PITOT

/* Called last when a context is made, before it is given to a thread. */
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
