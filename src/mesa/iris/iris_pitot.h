/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in iris: called by the driver's own files.  It does nothing if the
 * driver keeps its queries to itself (see Mesa's option pitot-drivers).
 */

#ifndef IRIS_PITOT_H
#define IRIS_PITOT_H

struct iris_batch;
struct iris_context;

#ifdef PITOT

/* Called last when a context is made, before it is given to a thread. */
void
pitot_iris_init(struct iris_context *ice);

/* Called when the kernel's context of a batch was replaced, after a ban. */
void
pitot_iris_context_replaced(struct iris_batch *batch);

#else

static inline void
pitot_iris_init(struct iris_context *ice)
{
   (void)ice;
}

static inline void
pitot_iris_context_replaced(struct iris_batch *batch)
{
   (void)batch;
}

#endif

#endif /* IRIS_PITOT_H */
