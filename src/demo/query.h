/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_QUERY_H
#define PITOT_DEMO_QUERY_H

#include <stdbool.h>

#include "context.h"

/* The entry points for queries. They are the same few in desktop GL and in
 * the two OpenGL ES extensions, but for the end of their names; behind these
 * pointers the rest of the program need not know which they are.
 */
struct query_functions {
   const char *extension; /* where they come from */
   bool has_disjoint;     /* GL_GPU_DISJOINT_EXT can be read */

   PFNGLGENQUERIESPROC gen;
   PFNGLDELETEQUERIESPROC remove;
   PFNGLBEGINQUERYPROC begin;
   PFNGLENDQUERYPROC end;
   PFNGLQUERYCOUNTERPROC counter;
   PFNGLGETQUERYIVPROC get;
   PFNGLGETQUERYOBJECTUIVPROC get_uint;
   PFNGLGETQUERYOBJECTUI64VPROC get_uint64;
};

/* False where the context has no timer queries. */
bool
query_load(struct query_functions *functions, const struct context *ctx);

#endif
