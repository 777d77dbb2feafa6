/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Prints which GL a program gets here: window systems, library, and query
 * extensions.  The launcher `pitot` runs this program for --status.  It fails
 * unless the library is the installed one.
 */

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <epoxy/glx.h>

/* Mesa's drivers are one library, whose name ends with a version. */
#define LIBRARY_NAME "/libgallium-"

#define EXIT_USAGE 2

#define RENDERER_SIZE 256

static const struct api {
   const char *name;
   EGLenum api;
   EGLint renderable;
   EGLint attributes[5];
} apis[] = {
   { "compat",
     EGL_OPENGL_API,
     EGL_OPENGL_BIT,
     { EGL_CONTEXT_OPENGL_PROFILE_MASK,
       EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT, EGL_NONE } },
   { "core",
     EGL_OPENGL_API,
     EGL_OPENGL_BIT,
     { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
       EGL_NONE } },
   { "ES",
     EGL_OPENGL_ES_API,
     EGL_OPENGL_ES2_BIT,
     { EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE } },
};

#define API_COUNT (sizeof(apis) / sizeof(apis[0]))

static const char *const extensions[] = {
   "GL_ARB_occlusion_query",
   "GL_ARB_occlusion_query2",
   "GL_EXT_occlusion_query_boolean",
   "GL_ARB_timer_query",
   "GL_EXT_timer_query",
   "GL_EXT_disjoint_timer_query",
   "GL_ANGLE_timer_query",
   "GL_EXT_transform_feedback",
   "GL_ARB_transform_feedback3",
   "GL_ARB_transform_feedback_overflow_query",
   "GL_ARB_pipeline_statistics_query",
   "GL_ARB_query_buffer_object",
   "GL_ARB_direct_state_access",
   "GL_NV_conditional_render",
   "GL_ARB_conditional_render_inverted",
   "GL_INTEL_performance_query",
   "GL_AMD_performance_monitor",
};

#define EXTENSION_COUNT (sizeof(extensions) / sizeof(extensions[0]))

/* What the context of an API reports. */
struct facts {
   int version; /* 10 * major + minor; 0: no context */
   char renderer[RENDERER_SIZE];
   int extension_count;
   bool has[EXTENSION_COUNT];
};

/* EGL's platforms, best first. */
static const struct platform {
   const char *name;
   const char *variable; /* set if the display exists; NULL: no check */
   EGLenum platform;
} platforms[] = {
   { "Wayland", "WAYLAND_DISPLAY", EGL_PLATFORM_WAYLAND_KHR },
   { "X11", "DISPLAY", EGL_PLATFORM_X11_KHR },
   { "no window", NULL, EGL_PLATFORM_SURFACELESS_MESA },
};

#define PLATFORM_COUNT (sizeof(platforms) / sizeof(platforms[0]))

static EGLDisplay
open_display(const struct platform *platform)
{
   /* libglvnd has this extension only if it found a Mesa. */
   if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base") ||
       (platform->variable && !getenv(platform->variable)))
      return EGL_NO_DISPLAY;

   EGLDisplay display =
      eglGetPlatformDisplayEXT(platform->platform, EGL_DEFAULT_DISPLAY, NULL);
   if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
      return EGL_NO_DISPLAY;
   return display;
}

/* Xlib's own handler ends the program when the server refuses a context, as
 * on a simulated GPU.
 */
static int
ignore_error(Display *display, XErrorEvent *error)
{
   (void)display;
   (void)error;
   return 0;
}

static void
print_glx(void)
{
   static const int wanted[] = { GLX_DRAWABLE_TYPE, GLX_PBUFFER_BIT, None };
   static const int size[] = { GLX_PBUFFER_WIDTH, 1, GLX_PBUFFER_HEIGHT, 1,
                               None };
   Display *display = XOpenDisplay(NULL);
   GLXFBConfig *configs = NULL;
   int count = 0;

   if (display && glXQueryExtension(display, NULL, NULL))
      configs =
         glXChooseFBConfig(display, DefaultScreen(display), wanted, &count);
   if (count == 0) {
      printf("GLX       none\n");
      return;
   }

   XSetErrorHandler(ignore_error);
   GLXContext context =
      glXCreateNewContext(display, configs[0], GLX_RGBA_TYPE, NULL, True);
   GLXPbuffer buffer = glXCreatePbuffer(display, configs[0], size);
   const bool is_current =
      context && glXMakeContextCurrent(display, buffer, buffer, context);
   printf("GLX       X11, %s\n",
          is_current ? (const char *)glGetString(GL_RENDERER) : "no context");
   /* EGL cannot make a context current while a GLX context is. */
   glXMakeContextCurrent(display, None, None, NULL);
}

/* Leaves version 0 if there is no context. */
static void
read_facts(EGLDisplay display, const struct api *api, struct facts *facts)
{
   const EGLint wanted[] = { EGL_RENDERABLE_TYPE, api->renderable,
                             EGL_SURFACE_TYPE, 0, EGL_NONE };
   EGLConfig config;
   EGLint count = 0;

   *facts = (struct facts){ 0 };
   if (!eglBindAPI(api->api) ||
       !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
      return;

   EGLContext context =
      eglCreateContext(display, config, EGL_NO_CONTEXT, api->attributes);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      return;

   facts->version = epoxy_gl_version();
   glGetIntegerv(GL_NUM_EXTENSIONS, &facts->extension_count);
   snprintf(facts->renderer, sizeof(facts->renderer), "%s",
            (const char *)glGetString(GL_RENDERER));
   for (unsigned i = 0; i < EXTENSION_COUNT; i++)
      facts->has[i] = epoxy_has_gl_extension(extensions[i]);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

/* Callback of dl_iterate_phdr(): finds the path of Mesa's drivers. */
static int
find_library(struct dl_phdr_info *info, size_t size, void *data)
{
   const char **path = data;

   (void)size;
   if (strstr(info->dlpi_name, LIBRARY_NAME))
      *path = info->dlpi_name;
   return *path != NULL;
}

static void
print_table(const struct facts *facts)
{
   printf("\n%-42s", "");
   for (unsigned api = 0; api < API_COUNT; api++)
      printf("%8s", apis[api].name);
   printf("\n%-42s", "version");
   for (unsigned api = 0; api < API_COUNT; api++)
      printf("%6d.%d", facts[api].version / 10, facts[api].version % 10);
   printf("\n%-42s", "extensions");
   for (unsigned api = 0; api < API_COUNT; api++)
      printf("%8d", facts[api].extension_count);
   printf("\n");
   for (unsigned i = 0; i < EXTENSION_COUNT; i++) {
      printf("%-42s", extensions[i]);
      for (unsigned api = 0; api < API_COUNT; api++)
         printf("%8s", facts[api].has[i] ? "yes" : "-");
      printf("\n");
   }
}

/* Returns the first display that EGL opens. */
static EGLDisplay
print_window_systems(void)
{
   EGLDisplay first = EGL_NO_DISPLAY;

   for (unsigned i = 0; i < PLATFORM_COUNT; i++) {
      EGLDisplay display = open_display(&platforms[i]);

      if (display == EGL_NO_DISPLAY)
         continue;
      if (first == EGL_NO_DISPLAY)
         first = display;
      printf("EGL       %s\n", platforms[i].name);
   }
   if (getenv("DISPLAY"))
      print_glx();
   return first;
}

/* Returns whether Mesa's drivers are of this directory, or prints why not. */
static bool
check_library(const char *directory)
{
   const char *library = NULL;
   char path[PATH_MAX];

   dl_iterate_phdr(find_library, &library);
   printf("library   %s\n", library ? library : "none of Mesa's");
   if (library && strncmp(library, directory, strlen(directory)) == 0)
      return true;

   snprintf(path, sizeof(path), "%s/libEGL_mesa.so.0", directory);
   fprintf(stderr, "pitot-status: this GL is not that of %s", directory);
   if (!dlopen(path, RTLD_NOW))
      fprintf(stderr, ": %s", dlerror());
   fputc('\n', stderr);
   return false;
}

/* Arguments: the directory of the libraries, and a line about the device. */
int
main(int argc, char **argv)
{
   struct facts facts[API_COUNT];
   const char *renderer = "none";

   if (argc != 3) {
      fprintf(stderr, "Usage: pitot --status\n");
      return EXIT_USAGE;
   }

   printf("device    %s\n", argv[2]);
   EGLDisplay display = print_window_systems();
   for (unsigned api = 0; api < API_COUNT; api++) {
      read_facts(display, &apis[api], &facts[api]);
      if (facts[api].version != 0)
         renderer = facts[api].renderer;
   }
   printf("renderer  %s\n", renderer);
   const bool is_expected = check_library(argv[1]);
   print_table(facts);
   return is_expected && facts[0].version != 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
