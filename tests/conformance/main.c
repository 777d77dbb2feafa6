/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Puts the rules of ../gl/rules.c, and what behaviour.c has, to a real GL,
 * each in a fresh context of one kind; and looks which extensions it has.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "../gl/rules.h"
#include "../test.h"
#include "behaviour.h"
#include "real_gl.h"

static struct gl_context_kind kind; /* without a name: none yet */
static const char *suffix = "";
static size_t first; /* the tests before are left out */

/* Makes a context; skips the test if it lacks something. */
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
   (kind.has_no_errors ? script_run_no_error : script_run)(&real_gl_ops, NULL,
                                                           rule->script);
   egl_destroy_context();
}

static void
run_behaviour(void **state)
{
   const struct behaviour *behaviour = *state;

   open_context(behaviour->needs);
   behaviour->run(real_gl_entry_points());
   egl_destroy_context();
}

/* Extensions that README.md promises where a driver has what it takes:
 * lacks.txt says where it has not.
 */
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

static struct CMUnitTest
make_test(const char *name, const char *source, CMUnitTestFunction function,
          const void *data)
{
   char *full_name;

   if (asprintf(&full_name, "%s (%s)", name, source) < 0)
      abort();
   return (struct CMUnitTest){
      .name = full_name,
      .test_func = function,
      .initial_state = (void *)data,
   };
}

/* Rules about what a context lacks, or about a clock and results under the
 * test's control, are for the null driver alone.
 */
static bool
is_for_real(const struct rule *rule)
{
   return rule->apis & kind.rule_api && !rule->without &&
          !real_gl_needs_control(rule->script);
}

static bool
parse_argument(const char *argument)
{
   const struct gl_context_kind *named = gl_context_kind_find(argument);

   if (strcmp(argument, "ANGLE") == 0)
      suffix = argument;
   else if (strcmp(argument, "no-error") == 0)
      kind.has_no_errors = true;
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
      fprintf(stderr, "Usage: pitot-conformance [--from=N] compat|core|es2|"
                      "es3 [ANGLE] [no-error]\n");
      return 2;
   }
   if (!egl_open(&kind)) {
      fprintf(stderr, "pitot-conformance: no EGL on the surfaceless "
                      "platform; run it with src/mesa/run\n");
      return 1;
   }

   if (egl_make_context(&kind)) {
      real_gl_look_for_pixels();
      egl_destroy_context();
   }

   /* What is known is known, should a test not come to an end. */
   setvbuf(stdout, NULL, _IOLBF, 0);

   struct CMUnitTest *tests =
      calloc(rule_count + behaviour_count + ARRAY_LENGTH(extensions),
             sizeof(*tests));
   size_t n = 0;

   for (size_t i = 0; i < ARRAY_LENGTH(extensions); i++) {
      if (extensions[i].apis & kind.rule_api)
         tests[n++] = make_test(extensions[i].name, "README.md",
                                run_extension, &extensions[i]);
   }
   for (size_t i = 0; i < rule_count; i++) {
      if (is_for_real(&rules[i]))
         tests[n++] =
            make_test(rules[i].name, rules[i].source, run_rule, &rules[i]);
   }
   for (size_t i = 0; i < behaviour_count; i++) {
      if (behaviours[i].apis & kind.rule_api)
         tests[n++] = make_test(behaviours[i].name, behaviours[i].source,
                                run_behaviour, &behaviours[i]);
   }
   first = first < n ? first : n;
   return _cmocka_run_group_tests(kind.name, tests + first, n - first, NULL,
                                  NULL);
}
