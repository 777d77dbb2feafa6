/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "query.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>

#include <epoxy/egl.h>

/* The time that results may take before the program stops asking, and waits.
 */
#define PATIENCE_MS 5000

/* Desktop GL has had timer queries in its core since this version. */
#define GL_VERSION_WITH_TIMERS 33

static __eglMustCastToProperFunctionPointerType
load(const char *name, const char *suffix)
{
   char full_name[64];
   snprintf(full_name, sizeof(full_name), "%s%s", name, suffix);

   __eglMustCastToProperFunctionPointerType function =
      eglGetProcAddress(full_name);
   if (!function)
      fail("the driver lists the extension but lacks %s", full_name);
   return function;
}

bool
query_load(struct queries *queries)
{
   const char *suffix = "";

   /* OpenGL ES never made timer queries part of its core, and its older
    * extension knows no disjoint state.
    */
   *queries = (struct queries){ 0 };
   if (epoxy_is_desktop_gl()) {
      queries->extension = "GL_ARB_timer_query";
      if (epoxy_gl_version() < GL_VERSION_WITH_TIMERS &&
          !epoxy_has_gl_extension(queries->extension))
         return false;
   } else if (epoxy_has_gl_extension("GL_EXT_disjoint_timer_query")) {
      queries->extension = "GL_EXT_disjoint_timer_query";
      queries->has_disjoint = true;
      suffix = "EXT";
   } else if (epoxy_has_gl_extension("GL_ANGLE_timer_query")) {
      queries->extension = "GL_ANGLE_timer_query";
      suffix = "ANGLE";
   } else {
      return false;
   }

   queries->gen = (PFNGLGENQUERIESPROC)load("glGenQueries", suffix);
   queries->remove = (PFNGLDELETEQUERIESPROC)load("glDeleteQueries", suffix);
   queries->begin = (PFNGLBEGINQUERYPROC)load("glBeginQuery", suffix);
   queries->end = (PFNGLENDQUERYPROC)load("glEndQuery", suffix);
   queries->counter = (PFNGLQUERYCOUNTERPROC)load("glQueryCounter", suffix);
   queries->get = (PFNGLGETQUERYIVPROC)load("glGetQueryiv", suffix);
   queries->get_uint =
      (PFNGLGETQUERYOBJECTUIVPROC)load("glGetQueryObjectuiv", suffix);
   queries->get_uint64 =
      (PFNGLGETQUERYOBJECTUI64VPROC)load("glGetQueryObjectui64v", suffix);
   return true;
}

int
query_bits(const struct queries *queries, GLenum target)
{
   GLint bits = 0;

   /* A target that the context does not have is an error. */
   queries->get(target, GL_QUERY_COUNTER_BITS, &bits);
   return glGetError() == GL_NO_ERROR ? bits : 0;
}

static GLuint
add(struct queries *queries, uint64_t *result)
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
   queries->begin(target, add(queries, result));
}

void
query_timestamp(struct queries *queries, uint64_t *result)
{
   queries->counter(add(queries, result), GL_TIMESTAMP);
}

/* Waits until a result is available or *patience_ms has run out. */
static void
await_result(const struct queries *queries, GLuint id, unsigned *patience_ms)
{
   /* A game would draw its next frame between two looks at the results;
    * this program has nothing better to do than to sleep.
    */
   const struct timespec nap = { .tv_nsec = 1000000 };
   GLuint available = GL_FALSE;

   queries->get_uint(id, GL_QUERY_RESULT_AVAILABLE, &available);
   while (!available && *patience_ms > 0) {
      nanosleep(&nap, NULL);
      --*patience_ms;
      queries->get_uint(id, GL_QUERY_RESULT_AVAILABLE, &available);
   }
}

void
query_collect(struct queries *queries)
{
   unsigned patience_ms = PATIENCE_MS;

   /* Without a flush the GPU may never get to see the queries, and the
    * results would never become available.
    */
   glFlush();
   for (unsigned i = 0; i < queries->pending_count; i++) {
      const struct pending_query *query = &queries->pending[i];

      await_result(queries, query->id, &patience_ms);
      queries->get_uint64(query->id, GL_QUERY_RESULT, query->result);
      queries->remove(1, &query->id);
   }
   queries->pending_count = 0;
   check_gl("collecting query results");
}

bool
query_read_disjoint(const struct queries *queries)
{
   GLint disjoint = GL_FALSE;
   if (queries->has_disjoint)
      glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
   return disjoint;
}
