/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "query.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>

#include <epoxy/egl.h>

/* How long results may take before the program stops asking, and waits. */
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
query_load(struct query_functions *functions)
{
   const char *suffix;

   /* OpenGL ES never made timer queries part of its core, and its older
    * extension knows no disjoint state.
    */
   *functions = (struct query_functions){ 0 };
   if (epoxy_is_desktop_gl()) {
      functions->extension = "GL_ARB_timer_query";
      suffix = "";
      if (epoxy_gl_version() < GL_VERSION_WITH_TIMERS &&
          !epoxy_has_gl_extension(functions->extension))
         return false;
   } else if (epoxy_has_gl_extension("GL_EXT_disjoint_timer_query")) {
      functions->extension = "GL_EXT_disjoint_timer_query";
      functions->has_disjoint = true;
      suffix = "EXT";
   } else if (epoxy_has_gl_extension("GL_ANGLE_timer_query")) {
      functions->extension = "GL_ANGLE_timer_query";
      suffix = "ANGLE";
   } else {
      return false;
   }

   functions->gen = (PFNGLGENQUERIESPROC)load("glGenQueries", suffix);
   functions->remove =
      (PFNGLDELETEQUERIESPROC)load("glDeleteQueries", suffix);
   functions->begin = (PFNGLBEGINQUERYPROC)load("glBeginQuery", suffix);
   functions->end = (PFNGLENDQUERYPROC)load("glEndQuery", suffix);
   functions->counter = (PFNGLQUERYCOUNTERPROC)load("glQueryCounter", suffix);
   functions->get = (PFNGLGETQUERYIVPROC)load("glGetQueryiv", suffix);
   functions->get_uint =
      (PFNGLGETQUERYOBJECTUIVPROC)load("glGetQueryObjectuiv", suffix);
   functions->get_uint64 =
      (PFNGLGETQUERYOBJECTUI64VPROC)load("glGetQueryObjectui64v", suffix);
   return true;
}

bool
query_read_disjoint(const struct query_functions *functions)
{
   GLint disjoint = GL_FALSE;
   if (functions->has_disjoint)
      glGetIntegerv(GL_GPU_DISJOINT_EXT, &disjoint);
   return disjoint;
}

GLuint
query_add(const struct query_functions *functions, struct query_list *list,
          uint64_t *result)
{
   assert(list->count < QUERIES_MAX);
   struct query *query = &list->queries[list->count++];
   functions->gen(1, &query->id);
   query->result = result;
   return query->id;
}

/* Reads the available results, or, if it may stall, all of them. The others
 * stay in the list.
 */
static void
read_results(const struct query_functions *functions, struct query_list *list,
             bool may_stall)
{
   unsigned missing = 0;

   for (unsigned i = 0; i < list->count; i++) {
      const struct query query = list->queries[i];
      GLuint available = GL_FALSE;

      functions->get_uint(query.id, GL_QUERY_RESULT_AVAILABLE, &available);
      if (!available && !may_stall) {
         list->queries[missing++] = query;
         continue;
      }
      functions->get_uint64(query.id, GL_QUERY_RESULT, query.result);
      functions->remove(1, &query.id);
   }
   list->count = missing;
}

void
query_collect(const struct query_functions *functions,
              struct query_list *list)
{
   /* A game would draw its next frame between two looks at the results;
    * this program has nothing better to do than to sleep.
    */
   const struct timespec nap = { .tv_nsec = 1000000 };

   /* Without a flush the GPU may never get to see the queries, and the
    * results would never become available.
    */
   glFlush();
   read_results(functions, list, false);
   for (unsigned ms = 0; list->count && ms < PATIENCE_MS; ms++) {
      nanosleep(&nap, NULL);
      read_results(functions, list, false);
   }
   read_results(functions, list, true);
   check_gl("collecting query results");
}
