/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What a script needs that a context lacks.
 */

#include <stdio.h>
#include <string.h>

#include <epoxy/gl.h>

#include "../test.h"
#include "real_gl.h"

#define PERF "GL_INTEL_performance_query"

/* What a word of a script needs: an extension of desktop GL, and an extension
 * or a version of ES; "" is always there, NULL never.
 */
static const struct {
   const char *word;
   const char *desktop;
   const char *es;
   const char *reason;
} needs[] = {
   { "create", "GL_ARB_direct_state_access", NULL, "no CreateQueries" },
   { "QUERY_TARGET", "GL_ARB_direct_state_access", "", "no QUERY_TARGET" },
   { "put", "GL_ARB_query_buffer_object", NULL, "no query buffers" },
   { "bind", "GL_ARB_query_buffer_object", NULL, "no query buffers" },
   { "QUERY_RESULT_NO_WAIT", "GL_ARB_query_buffer_object", "",
     "no QUERY_RESULT_NO_WAIT" },
   { "counter", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timestamps" },
   { "TIMESTAMP", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timestamps" },
   { "TIME_ELAPSED", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timers" },
   { "ANY_SAMPLES_PASSED", "GL_ARB_occlusion_query2",
     "GL_EXT_occlusion_query_boolean", "no boolean occlusion" },
   { "ANY_SAMPLES_PASSED_CONSERVATIVE", "GL_ARB_ES3_compatibility",
     "GL_EXT_occlusion_query_boolean", "no conservative occlusion" },
   { "PRIMITIVES_GENERATED", "GL_EXT_transform_feedback",
     "GL_EXT_geometry_shader", "no PRIMITIVES_GENERATED" },
   { "TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN", "GL_EXT_transform_feedback",
     "3.0", "no transform feedback" },
   { "TRANSFORM_FEEDBACK_OVERFLOW",
     "GL_ARB_transform_feedback_overflow_query", NULL, "no overflow" },
   { "TRANSFORM_FEEDBACK_STREAM_OVERFLOW",
     "GL_ARB_transform_feedback_overflow_query", NULL, "no overflow" },
   { "VERTICES_SUBMITTED", "GL_ARB_pipeline_statistics_query", NULL,
     "no statistics" },
   { "TESS_CONTROL_SHADER_PATCHES", "GL_ARB_tessellation_shader", NULL,
     "no tessellation" },
   { "TESS_EVALUATION_SHADER_INVOCATIONS", "GL_ARB_tessellation_shader", NULL,
     "no tessellation" },
   { "COMPUTE_SHADER_INVOCATIONS", "GL_ARB_compute_shader", NULL,
     "no compute shaders" },
   { "condition", "GL_NV_conditional_render", "GL_NV_conditional_render",
     "no conditional rendering" },
   { "QUERY_WAIT_INVERTED", "GL_ARB_conditional_render_inverted", NULL,
     "no inverted conditions" },
   { "QUERY_NO_WAIT_INVERTED", "GL_ARB_conditional_render_inverted", NULL,
     "no inverted conditions" },
   { "blit", "GL_ARB_framebuffer_object", "3.0", "no blits" },
   { "instanced", "GL_ARB_draw_instanced", "3.0", "no instanced draws" },
   { "multiview", "GL_OVR_multiview", "GL_OVR_multiview", "no multiview" },
   { "pause", "GL_ARB_transform_feedback2", "3.0", "no pauses" },
   { "indirect", "GL_ARB_draw_indirect", "3.1", "no indirect draws" },
   { "label", "GL_KHR_debug", "GL_KHR_debug", "no labels" },
   { "label-ext", "GL_EXT_debug_label", "GL_EXT_debug_label",
     "no EXT_debug_label" },
   { "fence", "GL_ARB_sync", "3.0", "no fences" },
   { "first", PERF, PERF, "no performance queries" },
   { "set", PERF, PERF, "no performance queries" },
   { "chain", PERF, PERF, "no performance queries" },
   { "layouts", PERF, PERF, "no performance queries" },
   { "lengths", PERF, PERF, "no performance queries" },
   { "session", PERF, PERF, "no performance queries" },
   { "info", PERF, PERF, "no performance queries" },
   { "counterinfo", PERF, PERF, "no performance queries" },
   { "next", PERF, PERF, "no performance queries" },
   { "drop", PERF, PERF, "no performance queries" },
   { "start", PERF, PERF, "no performance queries" },
   { "stop", PERF, PERF, "no performance queries" },
   { "data", PERF, PERF, "no performance queries" },
   { "disjoint", NULL, "GL_EXT_disjoint_timer_query", "no GPU_DISJOINT" },
};

static bool
has(const char *what)
{
   int major, minor;

   if (what[0] == '\0')
      return true;
   if (sscanf(what, "%d.%d", &major, &minor) == 2)
      return epoxy_gl_version() >= 10 * major + minor;
   return epoxy_has_gl_extension(what);
}

/* Such a driver has flushed whatever there is a mark behind. */
static bool
flushes_to_make_a_fence(void)
{
   const char *renderer = (const char *)glGetString(GL_RENDERER);

   return strncmp(renderer, "llvmpipe", 8) == 0 ||
          strncmp(renderer, "softpipe", 8) == 0;
}

/* Such a driver draws at once, and is never behind. */
static bool
draws_at_once(void)
{
   const char *renderer = (const char *)glGetString(GL_RENDERER);

   return strncmp(renderer, "softpipe", 8) == 0;
}

static const char *
word_obstacle(void *data, const char *word)
{
   const bool is_es = real_gl_kind()->is_es;

   (void)data;
   if (strcmp(word, "rendered") == 0 && !real_gl_renders())
      return "nothing is rendered";
   if (strcmp(word, "behind") == 0 && draws_at_once())
      return "the driver draws at once";
   if (strcmp(word, "unflushed") == 0 && flushes_to_make_a_fence())
      return "the driver flushes to make a fence";
   for (unsigned i = 0; i < ARRAY_LENGTH(needs); i++) {
      const char *what = is_es ? needs[i].es : needs[i].desktop;

      if (strcmp(needs[i].word, word) == 0 && (!what || !has(what)))
         return needs[i].reason;
   }
   return NULL;
}

static const char *
control_word(void *data, const char *word)
{
   static const char *const words[] = {
      "time", "hold",  "lose",   "fail",    "now",    "5000000000",
      "Same", "Alone", "nosets", "flushed", "waited",
   };
   static const char *const uncounted = "TRANSFORM_FEEDBACK_OVERFLOW";
   const char **last = data;
   const bool is_uncounted =
      strcmp(*last, "count") == 0 && strcmp(word, uncounted) == 0;

   *last = word;
   for (unsigned i = 0; i < ARRAY_LENGTH(words); i++) {
      if (strcmp(words[i], word) == 0)
         return word;
   }
   return is_uncounted ? word : NULL;
}

bool
real_gl_needs_control(const char *script)
{
   const char *last = "";

   return script_find_obstacle(script, control_word, &last) != NULL;
}

const char *
real_gl_obstacle(const char *script)
{
   return script_find_obstacle(script, word_obstacle, NULL);
}
