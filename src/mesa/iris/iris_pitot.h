/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Pitot in iris: what iris's own files call.  The functions do nothing unless
 * Mesa's option pitot-drivers has iris.
 */

#ifndef IRIS_PITOT_H
#define IRIS_PITOT_H

struct iris_batch;
struct iris_context;

#ifdef PITOT

/* Call this last in context creation, before u_threaded_context. */
void
pitot_iris_init(struct iris_context *ice);

/* Call this after a batch's hardware context was replaced, after a ban. */
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
