/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "demo.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <epoxy/egl.h>

#define STATISTIC(name, label)                                               \
   {                                                                         \
      GL_##name, #name, label                                                \
   }

const struct statistic statistics[STATISTIC_COUNT] = {
   STATISTIC(VERTICES_SUBMITTED, "vertices submitted"),
   STATISTIC(PRIMITIVES_SUBMITTED, "primitives submitted"),
   STATISTIC(VERTEX_SHADER_INVOCATIONS, "VS invocations"),
   STATISTIC(TESS_CONTROL_SHADER_PATCHES, "TCS patches"),
   STATISTIC(TESS_EVALUATION_SHADER_INVOCATIONS, "TES invocations"),
   STATISTIC(GEOMETRY_SHADER_INVOCATIONS, "GS invocations"),
   STATISTIC(GEOMETRY_SHADER_PRIMITIVES_EMITTED, "GS primitives"),
   STATISTIC(CLIPPING_INPUT_PRIMITIVES, "clipping input"),
   STATISTIC(CLIPPING_OUTPUT_PRIMITIVES, "clipping output"),
   STATISTIC(FRAGMENT_SHADER_INVOCATIONS, "FS invocations"),
   STATISTIC(COMPUTE_SHADER_INVOCATIONS, "CS invocations"),
   STATISTIC(SAMPLES_PASSED, "samples passed"),
};

const char *const api_names[API_COUNT] = {
   [API_ES] = "OpenGL ES",
   [API_GL] = "OpenGL",
};

/* The differences between the two APIs, as far as EGL is concerned. Mesa
 * answers with the highest version that it has.
 */
static const struct api_traits {
   const char *none; /* why there is no context */
   EGLenum egl_api;
   EGLint renderable;
   EGLint version[2];
} traits[API_COUNT] = {
   [API_ES] = { "the driver makes no OpenGL ES 3.0 context",
                EGL_OPENGL_ES_API,
                EGL_OPENGL_ES3_BIT,
                { 3, 0 } },
   [API_GL] = { "the driver makes no OpenGL 3.3 core context",
                EGL_OPENGL_API,
                EGL_OPENGL_BIT,
                { 3, 3 } },
};

/* The surfaceless platform needs no window system and no device node. */
static EGLDisplay
open_display(void)
{
   /* libglvnd has the extension only if it found a Mesa. */
   if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
      return EGL_NO_DISPLAY;

   EGLDisplay display =
      eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                               EGL_DEFAULT_DISPLAY, NULL);
   return eglInitialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

static EGLContext
create_context(EGLDisplay display, enum api api)
{
   /* No type of surface is asked for, as none is ever made. */
   const EGLint wanted[] = { EGL_RENDERABLE_TYPE, traits[api].renderable,
                             EGL_SURFACE_TYPE, 0, EGL_NONE };
   /* clang-format off */
   /* The profile is the core one by default. */
   const EGLint attributes[] = {
      EGL_CONTEXT_MAJOR_VERSION, traits[api].version[0],
      EGL_CONTEXT_MINOR_VERSION, traits[api].version[1],
      EGL_NONE,
   };
   /* clang-format on */
   EGLConfig config;
   EGLint count = 0;

   if (!eglBindAPI(traits[api].egl_api) ||
       !eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
      return EGL_NO_CONTEXT;
   return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
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
      fail("%s: the framebuffer is incomplete", api_names[api]);
   glViewport(0, 0, TARGET_SIZE, TARGET_SIZE);

   /* The core profile draws nothing without a vertex array object. */
   if (api == API_GL) {
      glGenVertexArrays(1, &vertex_array);
      glBindVertexArray(vertex_array);
   }
   check_gl("making the framebuffer");
}

/* Makes a context of an API current, without a window, and gives it a
 * framebuffer to render into. Returns NULL, or a line that says why there is
 * no context.
 */
static const char *
open_context(enum api api)
{
   EGLDisplay display = open_display();
   if (display == EGL_NO_DISPLAY)
      return "EGL does not start on the surfaceless platform; is Mesa "
             "installed?";

   EGLContext context = create_context(display, api);
   if (context == EGL_NO_CONTEXT ||
       !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
      eglTerminate(display);
      return traits[api].none;
   }
   create_target(api);
   return NULL;
}

/* Destroys the current context, and all that was made in it. */
static void
close_context(void)
{
   EGLDisplay display = eglGetCurrentDisplay();
   EGLContext context = eglGetCurrentContext();

   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglTerminate(display);
   eglReleaseThread();
}

/* Counts one draw with all statistics at once: queries of different targets
 * may be active at the same time.
 */
static void
count_draw(struct queries *queries, const bool *counted,
           struct scene_result *scene)
{
   scene_prepare(&scene->scene);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         query_begin(queries, statistics[i].target, &scene->counts[i]);
   }
   scene_draw(&scene->scene);
   for (unsigned i = 0; i < STATISTIC_COUNT; i++) {
      if (counted[i])
         queries->end(statistics[i].target);
   }
   check_gl("counting a draw");
}

/* Measures a draw with some of the perf sets. It is drawn again for the first
 * one that the driver does not measure beside those before it, and so on.
 */
static void
perf_draw(const struct scene *scene, struct perf_query *queries,
          unsigned count)
{
   unsigned i = 0;

   while (i < count) {
      scene_prepare(scene);
      glFlush();
      check_gl("preparing a scene");
      const unsigned active = perf_begin(&queries[i], count - i);
      scene_draw(scene);
      perf_end(&queries[i], active);
      glFlush();
      check_gl("measuring a draw with counters");
      i += active > 0 ? active : 1; /* one that is never measured */
   }
}

/* Measures a draw with the perf sets that are measured, but that of times. */
static void
perf_scene(const struct perf_sets *sets, struct scene_result *scene)
{
   struct perf_query queries[PERF_SETS_MAX];
   unsigned count = 0;

   for (unsigned i = 0; i < sets->count; i++) {
      if (perf_is_measured(sets, i) && &sets->sets[i] != sets->time_set)
         queries[count++] = perf_create(&sets->sets[i]);
   }
   perf_draw(&scene->scene, queries, count);
   perf_collect(queries, count);
   for (unsigned i = 0; i < count; i++)
      scene->records[queries[i].set - sets->sets] = queries[i].record;
}

static void
allocate_records(const struct perf_sets *sets, struct scene_result *scene)
{
   scene->records = calloc(sets->count, sizeof(scene->records[0]));
   if (!scene->records)
      fail("out of memory");
}

/* Measures in the current context. Returns NULL, or why it cannot. */
static const char *
measure_scenes(struct result *result)
{
   struct queries queries;

   if (!query_load(&queries))
      return "the driver has no timer queries";
   result->extension = queries.extension;
   result->has_disjoint = queries.has_disjoint;
   result->elapsed_bits = query_bits(&queries, GL_TIME_ELAPSED);
   result->timestamp_bits = query_bits(&queries, GL_TIMESTAMP);
   if (result->elapsed_bits == 0)
      return "the driver's GL_TIME_ELAPSED has no bits";

   for (unsigned i = 0; i < SCENE_COUNT; i++) {
      if (scene_load(i, &result->scenes[result->scene_count].scene))
         result->scene_count++;
   }
   for (unsigned i = 0; i < result->scene_count && !result->why_no_perf; i++)
      allocate_records(&result->perf, &result->scenes[i]);
   time_scenes(&queries, result);

   /* Statistics are counted apart from the timing, as that may cost time. A
    * statistic without bits is not the same as a count of 0.
    */
   for (unsigned i = 0; i < STATISTIC_COUNT && result->api == API_GL; i++)
      result->counted[i] = query_bits(&queries, statistics[i].target) > 0;
   for (unsigned i = 0; i < result->scene_count; i++)
      count_draw(&queries, result->counted, &result->scenes[i]);
   query_collect(&queries);

   for (unsigned i = 0; i < result->scene_count && !result->why_no_perf; i++)
      perf_scene(&result->perf, &result->scenes[i]);
   return NULL;
}

/* Returns whether Pitot's simulator of GPUs is preloaded: GL's strings are
 * those of the GPU that it simulates.
 */
static bool
has_simulator(void)
{
   return dlsym(RTLD_DEFAULT, "pitot_sim_get") != NULL;
}

void
measure(enum api api, bool list_only, struct result *result)
{
   *result = (struct result){ .api = api, .why_not = open_context(api) };
   if (result->why_not)
      return;

   snprintf(result->renderer, sizeof(result->renderer), "%s",
            (const char *)glGetString(GL_RENDERER));
   snprintf(result->version, sizeof(result->version), "%s",
            (const char *)glGetString(GL_VERSION));
   result->is_simulated = has_simulator();
   result->why_no_perf = perf_load(&result->perf);
   if (!list_only)
      result->why_not = measure_scenes(result);
   close_context();
}

void
free_result(struct result *result)
{
   for (unsigned i = 0; i < result->scene_count; i++) {
      uint8_t **records = result->scenes[i].records;

      for (unsigned set = 0; records && set < result->perf.count; set++)
         free(records[set]);
      free(records);
   }
   perf_free(&result->perf);
}
