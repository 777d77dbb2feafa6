/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What no script of rules.h can say: pictures, many contexts, many queries.
 */

#ifndef PITOT_TESTS_BEHAVIOUR_H
#define PITOT_TESTS_BEHAVIOUR_H

#include <stddef.h>

#include "entry_points.h"

typedef void
behaviour_func(const struct entry_points *gl);

struct behaviour {
   const char *name;
   const char *source;
   unsigned apis;     /* as in struct rule */
   const char *needs; /* words of scripts that the context must be able to
                       * run */
   behaviour_func *run;
};

extern const struct behaviour behaviours[];
extern const size_t behaviour_count;

#endif /* PITOT_TESTS_BEHAVIOUR_H */
