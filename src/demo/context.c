/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <epoxy/egl.h>

const struct api_info apis[API_COUNT] = {
   [API_ES] = { "OpenGL ES", "GL_EXT_disjoint_timer_query",
                "the driver makes no OpenGL ES 3.0 context",
                EGL_OPENGL_ES_API, EGL_OPENGL_ES3_BIT, 3, 0 },
   [API_GL] = { "OpenGL", "GL_ARB_timer_query",
                "the driver makes no OpenGL 3.3 core context", EGL_OPENGL_API,
                EGL_OPENGL_BIT, 3, 3 },
};

static EGLContext
create_context(EGLDisplay display, enum api api)
{
   /* Any type of surface, since none is created */
   const EGLint wanted[] = { EGL_RENDERABLE_TYPE, apis[api].egl_renderable,
                             EGL_SURFACE_TYPE, 0, EGL_NONE };
   /* The default is the core profile. */
   const EGLint attributes[] = { EGL_CONTEXT_MAJOR_VERSION, apis[api].major,
                                 EGL_CONTEXT_MINOR_VERSION, apis[api].minor,
                                 EGL_NONE };
   EGLConfig config;
   EGLint count = 0;

   if (!eglBindAPI(apis[api].egl_api) ||
       !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
      return EGL_NO_CONTEXT;
   return eglCreateContext(display, config, eglGetCurrentContext(),
                           attributes);
}

/* Without a surface there is no default framebuffer. */
static void
create_target(enum api api)
{
   GLuint pixels, framebuffer, vertex_array;

   glGenRenderbuffers(1, &pixels);
   glBindRenderbuffer(GL_RENDERBUFFER, pixels);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, TARGET_SIZE, TARGET_SIZE);

   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                             GL_RENDERBUFFER, pixels);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("%s: the framebuffer is incomplete", apis[api].name);
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
   EGLDisplay display = EGL_NO_DISPLAY;

   /* The surfaceless platform needs no window system and no device node.
    * libglvnd has the extension only if it finds a Mesa.
    */
   if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
      display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                         EGL_DEFAULT_DISPLAY, NULL);
   if (!eglInitialize(display, NULL, NULL))
      return "EGL does not start on the surfaceless platform; is Mesa "
             "installed?";

   EGLContext context = create_context(display, api);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      eglTerminate(display);
      return apis[api].none;
   }
   create_target(api);
   return NULL;
}

void
context_return(EGLContext to)
{
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext from = eglGetCurrentContext();

   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, to);
   eglDestroyContext(display, from);
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
