/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "context.h"

#include <stddef.h>

#include "fail.h"

struct version {
   EGLint major;
   EGLint minor;
};

/* Best first. EGL may answer with a later version than the one asked for,
 * but need not, so each one is asked for by its number.
 */
static const struct version es_versions[] = {
   { 3, 2 }, { 3, 1 }, { 3, 0 }, { 2, 0 }, { 0, 0 },
};

static const struct version gl_versions[] = {
   { 4, 6 }, { 4, 5 }, { 4, 4 }, { 4, 3 }, { 4, 2 },
   { 4, 1 }, { 4, 0 }, { 3, 3 }, { 0, 0 },
};

/* What differs between the two APIs, as far as EGL is concerned. */
static const struct api_traits {
   const char *name;
   const char *none; /* why there is no context */
   EGLenum egl_api;
   EGLint renderable;
   const struct version *versions;
} traits[API_COUNT] = {
   [API_ES] = { "OpenGL ES", "the driver makes no OpenGL ES 2.0 context",
                EGL_OPENGL_ES_API, EGL_OPENGL_ES2_BIT, es_versions },
   [API_GL] = { "OpenGL", "the driver makes no OpenGL 3.3 core context",
                EGL_OPENGL_API, EGL_OPENGL_BIT, gl_versions },
};

const char *
api_name(enum api api)
{
   return traits[api].name;
}

/* The surfaceless platform needs no window system and no device node. */
static EGLDisplay
open_display(const char **why)
{
   if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") ||
       !epoxy_has_egl_extension(EGL_NO_DISPLAY,
                                "EGL_MESA_platform_surfaceless")) {
      *why = "EGL lacks EGL_MESA_platform_surfaceless; is Mesa installed?";
      return EGL_NO_DISPLAY;
   }

   EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                               EGL_DEFAULT_DISPLAY, NULL);
   if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
      *why = "EGL does not start on the surfaceless platform";
      return EGL_NO_DISPLAY;
   }

   if (!epoxy_has_egl_extension(display, "EGL_KHR_create_context") ||
       !epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context")) {
      *why = "EGL lacks EGL_KHR_create_context or "
             "EGL_KHR_surfaceless_context";
      eglTerminate(display);
      return EGL_NO_DISPLAY;
   }
   return display;
}

static EGLContext
create_version(EGLDisplay display, EGLConfig config, enum api api,
               const struct version *version)
{
   /* clang-format off */
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION_KHR, version->major,
      EGL_CONTEXT_MINOR_VERSION_KHR, version->minor,
      /* An ES context has no profile: its list ends here. */
      api == API_ES ? EGL_NONE : EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
      EGL_NONE,
   };
   /* clang-format on */
   return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
}

/* The best context that the driver makes, or EGL_NO_CONTEXT. */
static EGLContext
create_best(EGLDisplay display, enum api api)
{
   /* No type of surface is asked for, as none is ever made. */
   const EGLint wanted[] = { EGL_RENDERABLE_TYPE, traits[api].renderable,
                             EGL_SURFACE_TYPE, 0, EGL_NONE };
   EGLConfig config;
   EGLint count = 0;

   if (!eglBindAPI(traits[api].egl_api) ||
       !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
      return EGL_NO_CONTEXT;

   for (const struct version *v = traits[api].versions; v->major; v++) {
      EGLContext egl = create_version(display, config, api, v);
      if (egl != EGL_NO_CONTEXT)
         return egl;
   }
   return EGL_NO_CONTEXT;
}

/* Without a surface there is no default framebuffer: a texture takes its
 * place. GL_RGBA is the one format of which every version here agrees that
 * it can be rendered to.
 */
static void
create_target(struct context *ctx)
{
   glGenTextures(1, &ctx->texture);
   glBindTexture(GL_TEXTURE_2D, ctx->texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TARGET_SIZE, TARGET_SIZE, 0,
                GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);

   glGenFramebuffers(1, &ctx->framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, ctx->framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                          ctx->texture, 0);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      fail("%s: the framebuffer is incomplete", api_name(ctx->api));
   glViewport(0, 0, TARGET_SIZE, TARGET_SIZE);

   /* The core profile draws nothing without a vertex array object. */
   if (ctx->api == API_GL) {
      glGenVertexArrays(1, &ctx->vertex_array);
      glBindVertexArray(ctx->vertex_array);
   }
   context_check("making the framebuffer");
}

bool
context_open(struct context *ctx, enum api api, const char **why)
{
   *ctx = (struct context){ .api = api };

   ctx->display = open_display(why);
   if (ctx->display == EGL_NO_DISPLAY)
      return false;

   ctx->egl = create_best(ctx->display, api);
   if (ctx->egl == EGL_NO_CONTEXT ||
       !eglMakeCurrent(ctx->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                       ctx->egl)) {
      *why = traits[api].none;
      eglTerminate(ctx->display);
      return false;
   }

   ctx->version = epoxy_gl_version();
   create_target(ctx);
   return true;
}

void
context_close(struct context *ctx)
{
   if (ctx->api == API_GL)
      glDeleteVertexArrays(1, &ctx->vertex_array);
   glDeleteFramebuffers(1, &ctx->framebuffer);
   glDeleteTextures(1, &ctx->texture);
   context_check("deleting the framebuffer");

   eglMakeCurrent(ctx->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                  EGL_NO_CONTEXT);
   eglDestroyContext(ctx->display, ctx->egl);
   eglTerminate(ctx->display);
   eglReleaseThread();
}

bool
context_has(const struct context *ctx, int version, const char *extension)
{
   return ctx->version >= version || epoxy_has_gl_extension(extension);
}

void
context_check(const char *doing)
{
   GLenum error = glGetError();
   if (error != GL_NO_ERROR)
      fail("GL error 0x%04x while %s", error, doing);
}
