/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "../rules/rules.h"
#include "../test.h"
#include "egl.h"

#define SIZE 16

static const struct gl_context_kind kinds[] = {
   { .name = "compat", .rule_api = IN_COMPAT, .is_compat = true, .major = 3 },
   { .name = "core", .rule_api = IN_CORE, .major = 3, .minor = 2 },
   { .name = "es2", .rule_api = IN_ES2, .is_es = true, .major = 2 },
   { .name = "es3", .rule_api = IN_ES3, .is_es = true, .major = 3 },
};

static EGLDisplay display;
static EGLContext context;
static const struct gl_context_kind *current_kind;

const struct gl_context_kind *
gl_context_kind_find(const char *name)
{
   for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      if (strcmp(kinds[i].name, name) == 0)
         return &kinds[i];
   }
   return NULL;
}

bool
egl_open(const struct gl_context_kind *kind)
{
   /* Without the override, Mesa creates ES 3 when ES 2 is requested. */
   if (kind->is_es && kind->major == 2)
      setenv("MESA_GLES_VERSION_OVERRIDE", "2.0", 1);
   if (kind->has_glthread)
      setenv("mesa_glthread", "true", 1);
   if (kind->is_untracked) {
      setenv("ZINK_DEBUG", "norp", 1);
      setenv("GALLIUM_THREAD", "0", 1);
   }

   display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                      EGL_DEFAULT_DISPLAY, NULL);
   return display && eglInitialize(display, NULL, NULL) &&
          eglBindAPI(kind->is_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
}

struct egl_framebuffer
egl_make_framebuffer(void)
{
   struct egl_framebuffer made;

   glGenFramebuffers(1, &made.framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, made.framebuffer);
   glGenRenderbuffers(1, &made.renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, made.renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, made.renderbuffer);
   glViewport(0, 0, SIZE, SIZE);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish(); /* a driver may merge it with later clears */
   return made;
}

static bool
make_current(EGLContext wanted)
{
   return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, wanted);
}

static EGLContext
create_context(const struct gl_context_kind *kind)
{
   const EGLint strategy =
      kind->is_es ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT
                  : EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION,
      kind->major,
      EGL_CONTEXT_MINOR_VERSION,
      kind->minor,
      EGL_CONTEXT_OPENGL_NO_ERROR_KHR,
      kind->has_no_errors,
      /* ES has no profiles: repeats the version. */
      kind->is_es ? EGL_CONTEXT_MAJOR_VERSION
                  : EGL_CONTEXT_OPENGL_PROFILE_MASK,
      kind->is_es       ? kind->major
      : kind->is_compat ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                        : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
      /* softpipe rejects the attribute on ES. */
      kind->is_robust ? strategy : EGL_NONE,
      EGL_LOSE_CONTEXT_ON_RESET,
      EGL_NONE,
   };

   return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT,
                           attributes);
}

bool
egl_make_context(const struct gl_context_kind *kind)
{
   current_kind = kind;
   context = create_context(kind);
   if (!context || !make_current(context))
      return false;
   egl_make_framebuffer();
   return true;
}

void
egl_destroy_context(void)
{
   make_current(EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

struct egl_context *
egl_push_context(void)
{
   EGLContext pushed = create_context(current_kind);

   assert_true(pushed && make_current(pushed));
   egl_make_framebuffer();
   return pushed;
}

void
egl_use_context(struct egl_context *pushed)
{
   make_current(pushed);
}

void
egl_pop_context(struct egl_context *pushed)
{
   make_current(context);
   eglDestroyContext(display, pushed);
}
