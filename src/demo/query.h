/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries that never wait for the GPU, in OpenGL and OpenGL ES, to copy from:
 * query.c needs nothing else of this program.
 *
 * Queries are issued while a frame is drawn, each with a place for its
 * result. query_poll(), once a frame, fills the places as the GPU gets there.
 */

#ifndef PITOT_DEMO_QUERY_H
#define PITOT_DEMO_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include <epoxy/gl.h>

#define QUERIES_MAX 128

/* The queries of a context. The entry points are the same few in OpenGL and
 * in OpenGL ES, but for the end of their names.
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

   /* Queries that have been issued, and where each result belongs. */
   unsigned pending_count;
   struct pending_query {
      GLuint id;
      uint64_t *result;
   } pending[QUERIES_MAX];
};

/* Returns false where the current context has no timer queries. */
bool
query_load(struct queries *queries);

/* Returns how many bits the results of a target have. Returns 0 if the
 * context does not have the target.
 */
int
query_bits(const struct queries *queries, GLenum target);

void
query_begin(struct queries *queries, GLenum target, uint64_t *result);

void
query_end(const struct queries *queries, GLenum target);

/* Notes the time at which the GPU gets here. */
void
query_timestamp(struct queries *queries, uint64_t *result);

/* Takes the results that are available. Returns how many are not. Without a
 * flush some time after a query, its result may never become available.
 */
unsigned
query_poll(struct queries *queries);

/* Returns whether the clock was disturbed since the last call, for example
 * because the GPU was reset or the machine went to sleep. Ask when results
 * are available: before, the answer does not cover all of the time that they
 * are about.
 */
bool
query_is_disjoint(const struct queries *queries);

#endif
