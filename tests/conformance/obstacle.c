/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "../targets.h"
#include "../test.h"
#include "real_gl.h"

#define PERF    "GL_INTEL_performance_query"
#define MONITOR "GL_AMD_performance_monitor"

#define WORD(KIND, TARGET, ...) #TARGET " "

#define TARGET(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, ...)                  \
   { #TARGET, DESKTOP, ES, "no " #TARGET },

/* Why no real GL can run a word. */
static const char control[] = "the null driver is needed";

/* Needs of words: an extension of desktop GL, an extension or version of ES;
 * "" is in every context, NULL in none.
 */
static const struct {
   const char *words;
   const char *desktop;
   const char *es;
   const char *reason;
} needs[] = {
   { "time hold lose fail now 5000000000 Same Alone nosets flushed waited "
     "overflow",
     NULL, NULL, control },
   { "create", "GL_ARB_direct_state_access", NULL, "no CreateQueries" },
   { "QUERY_TARGET", "GL_ARB_direct_state_access", "", "no QUERY_TARGET" },
   { "put bind", "GL_ARB_query_buffer_object", NULL, "no query buffers" },
   { "QUERY_RESULT_NO_WAIT", "GL_ARB_query_buffer_object", "",
     "no QUERY_RESULT_NO_WAIT" },
   { "counter", "GL_ARB_timer_query", "GL_EXT_disjoint_timer_query",
     "no timestamps" },
   { EACH_STATISTIC(WORD), STATISTICS_EXTENSION, "", "no statistics" },
   { "dispatch", "GL_ARB_compute_shader", NULL, "no compute shaders" },
   { "condition drawif", "GL_NV_conditional_render",
     "GL_NV_conditional_render", "no conditional rendering" },
   { "QUERY_WAIT_INVERTED QUERY_NO_WAIT_INVERTED",
     "GL_ARB_conditional_render_inverted", NULL, "no inverted conditions" },
   { "blit", "GL_ARB_framebuffer_object", "3.0", "no blits" },
   { "instanced", "GL_ARB_draw_instanced", "3.0", "no instanced draws" },
   { "multiview", "GL_OVR_multiview", "GL_OVR_multiview", "no multiview" },
   { "pause", "GL_ARB_transform_feedback2", "3.0", "no pauses" },
   { "indirect", "GL_ARB_draw_indirect", "3.1", "no indirect draws" },
   { "label", "GL_KHR_debug", "GL_KHR_debug", "no labels" },
   { "label-ext", "GL_EXT_debug_label", "GL_EXT_debug_label",
     "no EXT_debug_label" },
   { "fence", "GL_ARB_sync", "3.0", "no fences" },
   { "first next set info counterinfo chain layouts lengths perf drop start "
     "stop count data",
     PERF, PERF, "no performance queries" },
   { "groups members most group member tree monitors forget select watch "
     "monitor ready",
     MONITOR, MONITOR, "no performance monitors" },
   { "disjoint", NULL, "GL_EXT_disjoint_timer_query", "no GPU_DISJOINT" },
};

/* A target that a context never has is in a script that expects its error. */
static const struct {
   const char *name;
   const char *desktop;
   const char *es;
   const char *reason;
} targets[] = { EACH_TARGET(TARGET) };

static bool
is_among(const char *words, const char *word)
{
   const size_t length = strlen(word);
   const char *found = words;

   while ((found = strstr(found, word))) {
      if ((found == words || found[-1] == ' ') &&
          (found[length] == ' ' || found[length] == '\0'))
         return true;
      found += length;
   }
   return false;
}

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

static bool
is_driver(const char *name)
{
   const char *renderer = (const char *)glGetString(GL_RENDERER);

   return strncmp(renderer, name, strlen(name)) == 0;
}

static const char *
driver_obstacle(const char *word)
{
   if (strcmp(word, "rendered") == 0 && !real_gl_renders())
      return "nothing is rendered";
   if (is_among("behind unflushed", word) && is_driver("softpipe"))
      return "the driver draws at once";
   if (strcmp(word, "apart") == 0 && is_driver("llvmpipe"))
      return "the driver times draws together";
   if (strcmp(word, "unflushed") == 0 && is_driver("llvmpipe"))
      return "the driver flushes when it is asked";
   return NULL;
}

static const char *
word_obstacle(const char *word)
{
   const bool is_es = real_gl_kind()->is_es;

   for (unsigned i = 0; i < ARRAY_LENGTH(needs); i++) {
      const char *need = is_es ? needs[i].es : needs[i].desktop;

      if (is_among(needs[i].words, word) && (!need || !has(need)))
         return needs[i].reason;
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      const char *need = is_es ? targets[i].es : targets[i].desktop;

      if (strcmp(targets[i].name, word) == 0 && need && !has(need))
         return targets[i].reason;
   }
   return driver_obstacle(word);
}

/* The same without a context. */
static const char *
control_obstacle(const char *word)
{
   return is_among(needs[0].words, word) ? control : NULL;
}

/* Returns the first reason why a word of a script cannot run, or NULL. */
static const char *
find_obstacle(const char *script, const char *(*obstacle)(const char *word))
{
   const char *reason = NULL;
   char *copy = strdup(script);
   char *rest;

   for (char *word = strtok_r(copy, " ;", &rest); word && !reason;
        word = strtok_r(NULL, " ;", &rest))
      reason = obstacle(word);
   free(copy);
   return reason;
}

bool
real_gl_needs_control(const char *script)
{
   return find_obstacle(script, control_obstacle) != NULL;
}

const char *
real_gl_obstacle(const char *script)
{
   return find_obstacle(script, word_obstacle);
}
