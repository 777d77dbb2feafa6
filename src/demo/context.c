/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <epoxy/egl.h>

const char *const api_names[API_COUNT] = {
   [API_ES] = "OpenGL ES",
   [API_GL] = "OpenGL",
};

/* The differences between the two APIs, as far as EGL is concerned. EGL may
 * answer with a later version than the one asked for, but need not, so each
 * one is asked for by its number (10 * major + minor), best first.
 */
static const struct api_traits {
   const char *none; /* why there is no context */
   EGLenum egl_api;
   EGLint renderable;
   EGLint versions[9]; /* and a 0 */
} traits[API_COUNT] = {
   [API_ES] = { "the driver makes no OpenGL ES 2.0 context",
                EGL_OPENGL_ES_API,
                EGL_OPENGL_ES2_BIT,
                { 32, 31, 30, 20 } },
   [API_GL] = { "the driver makes no OpenGL 3.3 core context",
                EGL_OPENGL_API,
                EGL_OPENGL_BIT,
                { 46, 45, 44, 43, 42, 41, 40, 33 } },
};

/* The surfaceless platform needs no window system and no device node. */
static const char *
open_display(EGLDisplay *display)
{
   if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") ||
       !epoxy_has_egl_extension(EGL_NO_DISPLAY,
                                "EGL_MESA_platform_surfaceless"))
      return "EGL lacks EGL_MESA_platform_surfaceless; is Mesa installed?";

   *display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                       EGL_DEFAULT_DISPLAY, NULL);
   if (*display == EGL_NO_DISPLAY || !eglInitialize(*display, NULL, NULL))
      return "EGL does not start on the surfaceless platform";

   if (!epoxy_has_egl_extension(*display, "EGL_KHR_create_context") ||
       !epoxy_has_egl_extension(*display, "EGL_KHR_surfaceless_context")) {
      eglTerminate(*display);
      return "EGL lacks EGL_KHR_create_context or "
             "EGL_KHR_surfaceless_context";
   }
   return NULL;
}

/* Returns the best context that the driver makes, or EGL_NO_CONTEXT. */
static EGLContext
create_best(EGLDisplay display, enum api api)
{
   /* No type of surface is asked for, as none is ever made. */
   const EGLint wanted[] = { EGL_RENDERABLE_TYPE, traits[api].renderable,
                             EGL_SURFACE_TYPE, 0, EGL_NONE };
   EGLContext context = EGL_NO_CONTEXT;
   EGLConfig config;
   EGLint count = 0;

   if (!eglBindAPI(traits[api].egl_api) ||
       !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
      return EGL_NO_CONTEXT;

   for (const EGLint *version = traits[api].versions;
        *version && context == EGL_NO_CONTEXT; version++) {
      /* clang-format off */
      const EGLint attributes[] = {
         EGL_CONTEXT_MAJOR_VERSION_KHR, *version / 10,
         EGL_CONTEXT_MINOR_VERSION_KHR, *version % 10,
         /* An ES context has no profile: its list ends here. */
         api == API_ES ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
         EGL_NONE,
      };
      /* clang-format on */
      context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
   }
   return context;
}

/* Without a surface there is no default framebuffer: a texture replaces it.
 * GL_RGBA is the one format of which every version here agrees that it can be
 * rendered to.
 */
static void
create_target(enum api api)
{
   GLuint texture, framebuffer, vertex_array;

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TARGET_SIZE, TARGET_SIZE, 0,
                GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          texture, 0);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("%s: the framebuffer is incomplete", api_names[api]);
   glViewport(0, 0, TARGET_SIZE, TARGET_SIZE);

   /* The core profile draws nothing without a vertex array object. */
   if (api == API_GL) {
      glGenVertexArrays(1, &vertex_array);
      glBindVertexArray(vertex_array);
   }
   check_gl("making the framebuffer");
}

const char *
context_open(enum api api)
{
   EGLDisplay display;
   const char *why_not = open_display(&display);

   if (why_not)
      return why_not;

   EGLContext context = create_best(display, api);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      eglTerminate(display);
      return traits[api].none;
   }
   create_target(api);
   return NULL;
}

void
context_close(void)
{
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext context = eglGetCurrentContext();

   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglTerminate(display);
   eglReleaseThread();
}
