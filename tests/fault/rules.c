/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The rules of GL under faults of the null driver.  After a fault, a script
 * that can run twice runs again without a fault in the same context.
 */

#include <stdio.h>
#include <stdlib.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "cases.h"
#include "driver.h"
#include "gl/host.h"
#include "pitot_perf_query.h"
#include "rules/rules.h"
#include "statements.h"
#include "targets.h"
#include "test.h"

/* No script has more queries, perf queries, or monitors. */
#define MAX_NAMES 64

#define ES_FEATURES                                                          \
   (HOST_ALL_FEATURES &                                                      \
    ~(PITOT_GL_OCCLUSION | PITOT_GL_OVERFLOW | PITOT_GL_STATISTICS |         \
      PITOT_GL_QUERY_BUFFER | PITOT_GL_QUERY_TARGET))

static const struct api {
   const char *name;
   unsigned bit;
   enum pitot_gl_api api;
   unsigned features;
} apis[] = {
   { "compat", IN_COMPAT, PITOT_GL_COMPAT, HOST_ALL_FEATURES },
   { "core", IN_CORE, PITOT_GL_CORE, HOST_ALL_FEATURES },
   { "es2", IN_ES2, PITOT_GL_ES, ES_FEATURES & ~PITOT_GL_OCCLUSION_ALIAS },
   { "es3", IN_ES3, PITOT_GL_ES, ES_FEATURES },
};

struct rule_case {
   const struct rule *rule;
   const struct api *api;
   bool is_tried;   /* without a fault */
   bool runs_twice; /* in one context */
};

/* Works in any context with all features, whatever happened before. */
static const char usable[] =
   "gen a b; measure ANY_SAMPLES_PASSED a 5; finish; result a uint = 1;"
   "begin TIME_ELAPSED b; end TIME_ELAPSED; result b uint64 = 0;"
   "drawif a QUERY_WAIT = 1; measure ANY_SAMPLES_PASSED a; result a uint = 0;"
   "drawif a QUERY_WAIT = 0; delete a b";

static struct host host;
static struct rule_case *open_case; /* its context exists; or NULL */

bool
rig_is_reported(const char *text)
{
   return open_case && statements_explain(text);
}

void
rig_begin(void)
{
   faulty_driver_forget();
}

/* Scripts that create their context again run without faults only.  Thousands
 * of queries behave like a few.
 */
bool
rig_skips(const struct CMUnitTest *test)
{
   const struct rule_case *rule = test->initial_state;

   return strstr(rule->rule->script, "nosets") ||
          strstr(rule->rule->script, "000;");
}

static const unsigned targets[] = { EACH_TARGET(TARGET_GL) };

/* Ends everything that a script left active. */
static void
settle(void)
{
   host.bound = NULL;
   host.is_mapped = false;
   memset(host.buffer, SCRIPT_UNTOUCHED_BYTE, sizeof(host.buffer));
   host.null.done = UINT64_MAX;
   host.null.flushes = host.null.waits = 0;
   memset(host.null.fail, 0, sizeof(host.null.fail));
   pitot_gl_end_conditional_render(host.gl);
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++) {
      for (unsigned stream = 0; stream < PITOT_MAX_STREAMS; stream++)
         pitot_gl_end_query(host.gl, "glEndQuery", targets[i], stream);
   }
   for (uint32_t name = 1; name <= MAX_NAMES; name++) {
      pitot_gl_delete_queries(host.gl, 1, &name);
      pitot_perf_intel_delete_query(&host.perf, name);
      pitot_perf_amd_delete_monitors(&host.perf, 1, &name);
   }
   (void)pitot_gl_gpu_disjoint(host.gl);
   host_take_error(&host);
}

static void
run_twice(void *test)
{
   settle();
   host_run(&host, ((struct rule_case *)test)->rule->script);
}

bool
rig_finish(void)
{
   struct rule_case *test = open_case;

   if (!test)
      return true;
   open_case = NULL;
   if (!host.null.is_lost) {
      settle();
      if (!MISSING(test->rule->where))
         host_run(&host, usable);
      if (!test->is_tried)
         test->runs_twice = cases_survives(run_twice, test);
      else if (test->runs_twice)
         run_twice(test);
   }
   test->is_tried = true;
   host_finish(&host);
   return true;
}

static void
run_rule(void **state)
{
   struct rule_case *test = *state;

   statements_forget(&host);
   fault_suspend();
   host_init(&host, test->api->api,
             test->api->features & ~MISSING(test->rule->where));
   open_case = test;
   faulty_driver_add(&host.null.base, &host.sets.base);
   (void)pitot_perf_group_count(host.perf.perf); /* none without memory */
   fault_resume();
   host_run(&host, test->rule->script);
}

static struct CMUnitTest
rule_test(const struct rule *rule, const struct api *api)
{
   struct rule_case *test = calloc(1, sizeof(*test));
   char *name;

   *test = (struct rule_case){ .rule = rule, .api = api };
   if (asprintf(&name, "%s: %s", api->name, rule->name) < 0)
      abort();
   return (struct CMUnitTest){
      .name = name,
      .test_func = run_rule,
      .initial_state = test,
   };
}

int
main(void)
{
   struct CMUnitTest *tests =
      calloc(rule_count * ARRAY_LENGTH(apis), sizeof(*tests));
   size_t n = 0;

   for (size_t a = 0; a < ARRAY_LENGTH(apis); a++) {
      for (size_t r = 0; r < rule_count; r++) {
         if (rules[r].where & apis[a].bit)
            tests[n++] = rule_test(&rules[r], &apis[a]);
      }
   }

   const int failed = _cmocka_run_group_tests("rules", tests, n, NULL, NULL);

   for (size_t i = 0; i < n; i++) {
      free((char *)tests[i].name);
      free(tests[i].initial_state);
   }
   free(tests);
   return failed;
}
