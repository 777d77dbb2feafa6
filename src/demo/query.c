/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "query.h"

#include <stddef.h>
#include <stdio.h>

#include "fail.h"

/* Best first. OpenGL ES never made timer queries part of its core, and its
 * older extension knows no disjoint state.
 */
static const struct provider {
   enum api api;
   const char *extension;
   const char *suffix;
   bool has_disjoint;
} providers[] = {
   { API_ES, "GL_EXT_disjoint_timer_query", "EXT", true },
   { API_ES, "GL_ANGLE_timer_query", "ANGLE", false },
   { API_GL, "GL_ARB_timer_query", "", false },
};

/* Desktop GL has had timer queries in its core since this version. */
#define GL_VERSION_WITH_TIMERS 33

static bool
provides(const struct provider *provider, const struct context *ctx)
{
   if (provider->api != ctx->api)
      return false;
   return epoxy_has_gl_extension(provider->extension) ||
          (ctx->api == API_GL && ctx->version >= GL_VERSION_WITH_TIMERS);
}

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
query_load(struct query_functions *functions, const struct context *ctx)
{
   const struct provider *p = providers;
   const struct provider *end = p + sizeof(providers) / sizeof(*providers);

   while (p < end && !provides(p, ctx))
      p++;
   if (p == end)
      return false;

   *functions = (struct query_functions){
      .extension = p->extension,
      .has_disjoint = p->has_disjoint,
      .gen = (PFNGLGENQUERIESPROC)load("glGenQueries", p->suffix),
      .remove = (PFNGLDELETEQUERIESPROC)load("glDeleteQueries", p->suffix),
      .begin = (PFNGLBEGINQUERYPROC)load("glBeginQuery", p->suffix),
      .end = (PFNGLENDQUERYPROC)load("glEndQuery", p->suffix),
      .counter = (PFNGLQUERYCOUNTERPROC)load("glQueryCounter", p->suffix),
      .get = (PFNGLGETQUERYIVPROC)load("glGetQueryiv", p->suffix),
      .get_uint =
         (PFNGLGETQUERYOBJECTUIVPROC)load("glGetQueryObjectuiv", p->suffix),
      .get_uint64 =
         (PFNGLGETQUERYOBJECTUI64VPROC)load("glGetQueryObjectui64v",
                                            p->suffix),
   };
   return true;
}
