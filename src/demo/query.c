/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Queries that are polled, never waited for (query.h).
 * Invariant: a result is read only when it is available, so that no call here
 * waits for the GPU.
 * Danger: in OpenGL ES, entry points of timer queries have the suffix EXT.
 */

#include "query.h"

#include <assert.h>
#include <stdio.h>

#include <epoxy/egl.h>

/* Timer queries are core in desktop GL from this version on. */
#define GL_VERSION_WITH_TIMERS 33

static __eglMustCastToProperFunctionPointerType
load_function(const char *name, const char *suffix)
{
   char full_name[64];
   snprintf(full_name, sizeof(full_name), "%s%s", name, suffix);
   return eglGetProcAddress(full_name);
}

bool
query_load(struct queries *queries)
{
   const bool is_es = !epoxy_is_desktop_gl();
   const char *suffix = is_es ? "EXT" : "";

   *queries = (struct queries){ .has_disjoint = is_es };
   if (is_es ? !epoxy_has_gl_extension("GL_EXT_disjoint_timer_query")
             : epoxy_gl_version() < GL_VERSION_WITH_TIMERS &&
                  !epoxy_has_gl_extension("GL_ARB_timer_query"))
      return false;

   queries->gen = (PFNGLGENQUERIESPROC)load_function("glGenQueries", suffix);
   queries->remove =
      (PFNGLDELETEQUERIESPROC)load_function("glDeleteQueries", suffix);
   queries->begin =
      (PFNGLBEGINQUERYPROC)load_function("glBeginQuery", suffix);
   queries->end = (PFNGLENDQUERYPROC)load_function("glEndQuery", suffix);
   queries->counter =
      (PFNGLQUERYCOUNTERPROC)load_function("glQueryCounter", suffix);
   queries->get = (PFNGLGETQUERYIVPROC)load_function("glGetQueryiv", suffix);
   queries->get_uint =
      (PFNGLGETQUERYOBJECTUIVPROC)load_function("glGetQueryObjectuiv",
                                                suffix);
   queries->get_uint64 =
      (PFNGLGETQUERYOBJECTUI64VPROC)load_function("glGetQueryObjectui64v",
                                                  suffix);
   return true;
}

int
query_bits(const struct queries *queries, GLenum target)
{
   GLint bits = 0;

   /* A target that the context lacks generates an error. */
   queries->get(target, GL_QUERY_COUNTER_BITS, &bits);
   return glGetError() == GL_NO_ERROR ? bits : 0;
}

static GLuint
add_query(struct queries *queries, uint64_t *result)
{
   assert(queries->pending_count < QUERIES_MAX);
   struct pending_query *query = &queries->pending[queries->pending_count++];

   queries->gen(1, &query->id);
   query->result = result;
   return query->id;
}

void
query_begin(struct queries *queries, GLenum target, uint64_t *result)
{
   queries->begin(target, add_query(queries, result));
}

void
query_end(const struct queries *queries, GLenum target)
{
   queries->end(target);
}

void
query_timestamp(struct queries *queries, uint64_t *result)
{
   queries->counter(add_query(queries, result), GL_TIMESTAMP);
}

unsigned
query_poll(struct queries *queries)
{
   unsigned late_count = 0;

   for (unsigned i = 0; i < queries->pending_count; i++) {
      const struct pending_query query = queries->pending[i];
      GLuint available = GL_FALSE;

      queries->get_uint(query.id, GL_QUERY_RESULT_AVAILABLE, &available);
      if (available) {
         queries->get_uint64(query.id, GL_QUERY_RESULT, query.result);
         queries->remove(1, &query.id);
      } else {
         queries->pending[late_count++] = query;
      }
   }
   queries->pending_count = late_count;
   return late_count;
}

bool
query_is_disjoint(const struct queries *queries)
{
   GLint disjoint = GL_FALSE;
   if (queries->has_disjoint)
      glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
   return disjoint;
}
