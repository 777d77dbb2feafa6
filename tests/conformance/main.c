/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Puts the rules of ../gl/rules.c to a real GL, each in a fresh context of
 * one kind.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "../gl/rules.h"
#include "../test.h"
#include "real_gl.h"

static const struct gl_context_kind *kind;
static const char *suffix;

static void
run_rule(void **state)
{
   const struct rule *rule = *state;
   const char *reason = "no such context";

   if (egl_make_context(kind)) {
      real_gl_init(kind, suffix);
      reason = real_gl_obstacle(rule->script);
      if (suffix[0] && !epoxy_has_gl_extension("GL_ANGLE_timer_query"))
         reason = "no GL_ANGLE_timer_query";
   }
   if (!reason)
      script_run(&real_gl_ops, NULL, rule->script);
   egl_destroy_context();

   if (reason) {
      printf("# skip: %s (%s)\n", rule->name, reason);
      skip();
   }
}

static struct CMUnitTest
rule_test(const struct rule *rule)
{
   char *name;

   if (asprintf(&name, "%s (%s)", rule->name, rule->source) < 0)
      abort();
   return (struct CMUnitTest){
      .name = name,
      .test_func = run_rule,
      .initial_state = (void *)rule,
   };
}

/* Rules about what a context lacks, or about a clock and results under the
 * test's control, are for the null driver alone.
 */
static bool
is_for_real(const struct rule *rule)
{
   return rule->apis & kind->rule_api && !rule->without &&
          !real_gl_needs_control(rule->script);
}

static bool
parse_arguments(int argc, char **argv)
{
   if (argc < 2 || argc > 3)
      return false;
   kind = gl_context_kind_find(argv[1]);
   suffix = argc > 2 ? argv[2] : "";
   return kind &&
          (!suffix[0] || (strcmp(suffix, "ANGLE") == 0 && kind->is_es));
}

int
main(int argc, char **argv)
{
   if (!parse_arguments(argc, argv)) {
      fprintf(stderr, "Usage: pitot-conformance compat|core|es2|es3, or "
                      "es2|es3 with ANGLE for its entry points\n");
      return 2;
   }
   if (!egl_open(kind)) {
      fprintf(stderr, "pitot-conformance: no EGL on the surfaceless "
                      "platform; run it with src/mesa/run\n");
      return 1;
   }

   struct CMUnitTest *tests = calloc(rule_count, sizeof(*tests));
   size_t n = 0;

   for (size_t r = 0; r < rule_count; r++) {
      if (is_for_real(&rules[r]))
         tests[n++] = rule_test(&rules[r]);
   }
   return _cmocka_run_group_tests(kind->name, tests, n, NULL, NULL);
}
