/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries that never wait for the GPU, in OpenGL and OpenGL ES.  Copy them:
 * query.c needs nothing else of this program.
 *
 * Issue queries while drawing a frame, each with a pointer for its result.
 * Call query_poll() once a frame: it stores the results that are available.
 */

#ifndef PITOT_DEMO_QUERY_H
#define PITOT_DEMO_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <epoxy/gl.h>

#define QUERIES_MAX 128

/* The queries of a context.  The entry points are the same in OpenGL and in
 * OpenGL ES, except for the suffix of their names.
 */
struct queries {
   bool has_disjoint; /* GL_GPU_DISJOINT_EXT can be read */

   PFNGLGENQUERIESPROC gen;
   PFNGLDELETEQUERIESPROC remove;
   PFNGLBEGINQUERYPROC begin;
   PFNGLENDQUERYPROC end;
   PFNGLQUERYCOUNTERPROC counter;
   PFNGLGETQUERYIVPROC get;
   PFNGLGETQUERYOBJECTUIVPROC get_uint;
   PFNGLGETQUERYOBJECTUI64VPROC get_uint64;

   /* Queries in flight, and where their results are stored */
   unsigned pending_count;
   struct pending_query {
      GLuint id;
      uint64_t *result;
   } pending[QUERIES_MAX];
};

/* Returns false if the current context has no timer queries. */
bool
query_load(struct queries *queries);

/* Bits of a target's results: 0 if the context lacks the target */
int
query_bits(const struct queries *queries, GLenum target);

void
query_begin(struct queries *queries, GLenum target, uint64_t *result);

void
query_end(const struct queries *queries, GLenum target);

/* Stores the time at which the GPU reaches this point. */
void
query_timestamp(struct queries *queries, uint64_t *result);

/* Stores the results that are available.  Returns how many are not.  Without
 * a flush after a query, its result may never become available.
 */
unsigned
query_poll(struct queries *queries);

/* Returns whether times since the last call may be invalid, for example
 * because the GPU was reset or the machine was suspended.  Call this after
 * the results are available: an earlier call does not cover their whole time.
 */
bool
query_is_disjoint(const struct queries *queries);

#endif
