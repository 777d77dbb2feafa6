/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Runs the rules of ../rules and the behaviors on a real GL, each in a new
 * context, and checks extensions.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "behaviour.h"

static struct gl_context_kind kind; /* no name: not chosen yet */
static const char *suffix = "";
static size_t first; /* earlier tests do not run */
static bool is_list;

/* Creates a context; skips the test if it lacks a need. */
static void
open_context(const char *needs)
{
   const char *reason = "no such context";

   if (egl_make_context(&kind)) {
      real_gl_init(&kind, suffix);
      reason = real_gl_obstacle(needs);
      if (suffix[0] && !epoxy_has_gl_extension("GL_ANGLE_timer_query"))
         reason = "no GL_ANGLE_timer_query";
   }
   if (reason) {
      egl_destroy_context();
      skip_because(reason);
   }
}

static void
run_rule(void **state)
{
   const struct rule *rule = *state;

   open_context(rule->script);
   script_run(&real_gl, rule->script);
   egl_destroy_context();
}

static void
run_behaviour(void **state)
{
   const struct behaviour *behaviour = *state;

   open_context(behaviour->needs);
   behaviour->run();
   assert_no_error();
   egl_destroy_context();
}

/* Extensions that README.md promises; lacks.txt has the exceptions. */
static const struct extension {
   const char *name;
   unsigned apis;
} extensions[] = {
   { "GL_ARB_occlusion_query", IN_COMPAT },
   { "GL_ARB_occlusion_query2", IN_DESKTOP },
   { "GL_EXT_occlusion_query_boolean", IN_ES },
   { "GL_ARB_timer_query", IN_DESKTOP },
   { "GL_EXT_timer_query", IN_COMPAT },
   { "GL_EXT_disjoint_timer_query", IN_ES },
   { "GL_ANGLE_timer_query", IN_ES },
   { "GL_EXT_transform_feedback", IN_DESKTOP },
   { "GL_ARB_transform_feedback3", IN_DESKTOP },
   { "GL_ARB_transform_feedback_overflow_query", IN_DESKTOP },
   { "GL_ARB_pipeline_statistics_query", IN_DESKTOP },
   { "GL_ARB_query_buffer_object", IN_DESKTOP },
   { "GL_ARB_direct_state_access", IN_DESKTOP },
   { "GL_NV_conditional_render", IN_ALL },
   { "GL_ARB_conditional_render_inverted", IN_DESKTOP },
   { "GL_INTEL_performance_query", IN_ALL },
   { "GL_AMD_performance_monitor", IN_ALL },
   { "GL_KHR_debug", IN_ALL },
   { "GL_KHR_no_error", IN_ALL },
   { "GL_KHR_robustness", IN_ALL },
};

static void
run_extension(void **state)
{
   const struct extension *extension = *state;
   char reason[64];

   open_context("");
   const bool is_there = epoxy_has_gl_extension(extension->name);
   egl_destroy_context();
   snprintf(reason, sizeof(reason), "no %s", extension->name);
   if (!is_there)
      skip_because(reason);
}

static const struct behaviour *const behaviour_tables[] = {
   behaviours_of_occlusion,  behaviours_of_availability,
   behaviours_of_conditions, behaviours_of_time,
   behaviours_of_work,       behaviours_of_feedback,
   behaviours_of_statistics, behaviours_of_meshes,
   behaviours_of_draws,      behaviours_of_objects,
   behaviours_of_buffers,    behaviours_of_perf_queries,
};

static struct CMUnitTest tests[1000];
static size_t test_count;

static void
add_test(const char *name, const char *source, CMUnitTestFunction function,
         const void *data)
{
   char *full_name;

   assert_true(test_count < ARRAY_LENGTH(tests));
   if (asprintf(&full_name, "%s (%s)", name, source) < 0)
      abort();
   tests[test_count++] = (struct CMUnitTest){
      .name = full_name,
      .test_func = function,
      .initial_state = (void *)data,
   };
}

/* Rules of missing features, clocks or held results need the null driver. */
static bool
is_for_real(const struct rule *rule)
{
   return rule->where & kind.rule_api && !MISSING(rule->where) &&
          !real_gl_needs_control(rule->script);
}

static void
add_tests(void)
{
   for (size_t i = 0; i < ARRAY_LENGTH(extensions); i++) {
      if (extensions[i].apis & kind.rule_api)
         add_test(extensions[i].name, "README.md", run_extension,
                  &extensions[i]);
   }
   for (size_t i = 0; i < rule_count; i++) {
      if (is_for_real(&rules[i]))
         add_test(rules[i].name, rules[i].source, run_rule, &rules[i]);
   }
   for (size_t i = 0; i < ARRAY_LENGTH(behaviour_tables); i++) {
      for (const struct behaviour *b = behaviour_tables[i]; b->name; b++) {
         if (b->apis & kind.rule_api)
            add_test(b->name, b->source, run_behaviour, b);
      }
   }
}

/* Prints the names of all tests, without a GL. */
static void
list_tests(void)
{
   add_tests();
   for (size_t i = 0; i < test_count; i++)
      puts(tests[i].name);
}

static bool
parse_argument(const char *argument)
{
   const struct gl_context_kind *named = gl_context_kind_find(argument);

   if (strcmp(argument, "ANGLE") == 0)
      suffix = argument;
   else if (strcmp(argument, "no-error") == 0)
      kind.has_no_errors = true;
   else if (strcmp(argument, "glthread") == 0)
      kind.has_glthread = true;
   else if (strcmp(argument, "untracked") == 0)
      kind.is_untracked = true;
   else if (strcmp(argument, "--list") == 0)
      is_list = true;
   else if (named && !kind.name)
      kind = *named;
   else
      return sscanf(argument, "--from=%zu", &first) == 1;
   return true;
}

static bool
parse_arguments(int argc, char **argv)
{
   for (int i = 1; i < argc; i++) {
      if (!parse_argument(argv[i]))
         return false;
   }
   return kind.name && (!suffix[0] || kind.is_es);
}

int
main(int argc, char **argv)
{
   if (!parse_arguments(argc, argv)) {
      fprintf(stderr, "Usage: pitot-conformance [--from=N | --list] compat|"
                      "core|es2|es3 [ANGLE] [no-error] [glthread] "
                      "[untracked]\n");
      return 2;
   }
   if (is_list) {
      list_tests();
      return 0;
   }
   if (!egl_open(&kind)) {
      fprintf(stderr, "pitot-conformance: no EGL on the surfaceless "
                      "platform; run it with src/mesa/run\n");
      return 1;
   }

   /* Keeps a context with a shader alive: otherwise Mesa creates GLSL's
    * built-in functions in each test, which takes longer than most tests.
    */
   if (egl_make_context(&kind)) {
      real_gl_look_for_pixels();
      real_gl_init(&kind, "");
   }

   /* Line-buffered: the runner gets results even if a later test hangs. */
   setvbuf(stdout, NULL, _IOLBF, 0);

   add_tests();
   first = first < test_count ? first : test_count;
   return _cmocka_run_group_tests(kind.name, tests + first,
                                  test_count - first, NULL, NULL);
}
