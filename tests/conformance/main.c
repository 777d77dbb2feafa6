/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Puts the rules of ../gl/rules.c, and what behaviour.c has, to a real GL,
 * each in a fresh context of one kind.
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

/* Makes a context; skips the test, and says why, if it lacks something. */
static void
open_context(const char *name, const char *needs)
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
      printf("# skip: %s (%s)\n", name, reason);
      skip();
   }
}

static void
run_rule(void **state)
{
   const struct rule *rule = *state;

   open_context(rule->name, rule->script);
   (kind.has_no_errors ? script_run_no_error : script_run)(&real_gl_ops, NULL,
                                                           rule->script);
   egl_destroy_context();
}

static void
run_behaviour(void **state)
{
   const struct behaviour *behaviour = *state;

   open_context(behaviour->name, behaviour->needs);
   behaviour->run(real_gl_entry_points());
   egl_destroy_context();
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
      calloc(rule_count + behaviour_count, sizeof(*tests));
   size_t n = 0;

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
