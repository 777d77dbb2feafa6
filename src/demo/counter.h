/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_COUNTER_H
#define PITOT_DEMO_COUNTER_H

#include "context.h"

/* The eleven pipeline statistics, and the samples that passed. */
#define COUNTER_COUNT 12

/* Something that a query counts while a draw is under way. */
struct counter {
   GLenum target;
   const char *name;  /* the target's name, without its GL_ */
   const char *label; /* for people */
   /* What the context must be for the target to exist at all: the version,
    * or the extension of the shader stage.
    */
   int version;
   const char *extension;
};

extern const struct counter counters[COUNTER_COUNT];

/* Whether the counter can be used. A target of a stage which the context
 * lacks must not even be named to GL, and one whose counter has no bits
 * counts nothing; neither is the same as a count of 0.
 */
bool
counter_supported(const struct context *ctx, const struct counter *counter);

#endif
