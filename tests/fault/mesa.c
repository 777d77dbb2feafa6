/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The rules and behaviors of tests/conformance on Mesa's drivers while calls
 * of a simulated kernel fail (libpitot-sim.so is preloaded).  Robust contexts
 * are notified of a lost device.
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "cases.h"
#include "conformance/behaviour.h"
#include "mesa_requests.h"
#include "pitot/drm.h"
#include "targets.h"

/* GL stores one error of each kind. */
#define MAX_ERRORS 16

/* A kernel resets a GPU that hangs: waits do not fail forever. iris would
 * allocate until memory runs out, and polls take minutes.
 */
#define MAX_FAILURES 200

struct gl_case {
   const struct gl_context_kind *kind;
   const struct rule *rule; /* or */
   const struct behaviour *behaviour;
};

static struct gl_context_kind kinds[2];

static struct {
   struct pitot_drm_io kernel;
   bool (*set)(const char *name, uint64_t value);
   void (*reset)(void);
   void (*hang)(void);
   const struct gl_case *test; /* its context exists; or NULL */
   bool has_no_memory;         /* as an error reported */
   bool is_context_lost;
   bool is_disjoint;           /* GPU_DISJOINT was read */
   bool is_lost;               /* GPU work was lost */
   _Atomic unsigned long code; /* the last failed ioctl */
   atomic_uint failure_count;
} the;

static void
cause(enum fault_event event)
{
   the.is_lost = true;
   if (event == FAULT_HANG)
      the.hang();
   else
      the.reset();
}

/* Without a fault, all ioctls count.  An event is not a failure. */
static bool
may_fail(unsigned long code)
{
   const struct fault_kind *kind = fault_armed();

   if (!kind || kind->event)
      return true;
   if (the.failure_count >= MAX_FAILURES)
      return false;
   return mesa_survives(code, kind->error);
}

static int
faulty_ioctl(void *data, int fd, unsigned long code, void *argument)
{
   const struct fault_kind *kind =
      may_fail(code) ? fault_take(FAULT_IOCTL) : NULL;

   if (kind)
      the.code = code;
   if (kind && kind->error) {
      the.failure_count++;
      the.is_lost |= mesa_loses_work(code, kind->error);
      errno = kind->error;
      return -1;
   }
   if (kind)
      cause(kind->event);
   return the.kernel.ioctl(data, fd, code, argument);
}

/* Hooks in between Mesa and a simulated kernel, if there is one. */
static bool
find_kernel(void)
{
   struct pitot_drm_io *(*io)(void);

   *(void **)&io = dlsym(RTLD_DEFAULT, "pitot_sim_io");
   *(void **)&the.set = dlsym(RTLD_DEFAULT, "pitot_sim_set");
   *(void **)&the.reset = dlsym(RTLD_DEFAULT, "pitot_sim_reset");
   *(void **)&the.hang = dlsym(RTLD_DEFAULT, "pitot_sim_hang");
   if (!io || !the.set || !the.reset || !the.hang)
      return false;
   the.kernel = *io();
   io()->ioctl = faulty_ioctl;
   return true;
}

/*
 * Calls that report failures
 */

static PFNGLGETERRORPROC get_error;
static PFNGLGETINTEGERVPROC get_integer;

static GLenum
tell_error(void)
{
   const GLenum error = get_error();

   the.has_no_memory |= error == GL_OUT_OF_MEMORY;
   the.is_context_lost |= error == GL_CONTEXT_LOST;
   return error;
}

static void
tell_integer(GLenum name, GLint *value)
{
   get_integer(name, value);
   the.is_disjoint |= name == GL_GPU_DISJOINT_EXT && *value;
}

/* Notes the errors that any code reads. */
static void
listen(void)
{
   get_error = (PFNGLGETERRORPROC)gl.GetError;
   get_integer = (PFNGLGETINTEGERVPROC)gl.GetIntegerv;
   gl.GetError = tell_error;
   gl.GetIntegerv = (__typeof__(gl.GetIntegerv))tell_integer;
   epoxy_glGetError = tell_error;
}

static bool
has_disjoint(void)
{
   return epoxy_has_gl_extension("GL_EXT_disjoint_timer_query");
}

static const unsigned targets[] = { EACH_TARGET(TARGET_GL) };

/* Ends and unbinds everything that a case left. */
static void
settle(void)
{
   glDebugMessageCallback(NULL, NULL);
   egl_make_framebuffer();
   if (gl.EndConditionalRender)
      gl.EndConditionalRender();
   for (unsigned i = 0; i < ARRAY_LENGTH(targets); i++)
      gl.EndQuery(targets[i]);
   if (gl.CreateQueries)
      real_gl.bind_buffer(false);
   for (unsigned i = 0; i < MAX_ERRORS && get_error() != GL_NO_ERROR; i++)
      ;
}

/* Errors not read yet. radeonsi notices a loss at the next batch. */
static void
ask(void)
{
   GLint value = 0;

   for (unsigned i = 0; i < MAX_ERRORS && tell_error() != GL_NO_ERROR; i++)
      ;
   the.is_context_lost |= glGetGraphicsResetStatus() != GL_NO_ERROR;
   if (!the.has_no_memory && !the.is_context_lost) {
      settle();
      glClear(GL_COLOR_BUFFER_BIT);
      glFinish();
      the.is_context_lost |= glGetGraphicsResetStatus() != GL_NO_ERROR;
   }
   the.set("hang_on_submit", 0); /* no later hangs */
   if (has_disjoint())
      tell_integer(GL_GPU_DISJOINT_EXT, &value);
}

static const char *
name_of(const struct gl_case *test)
{
   return test->rule ? test->rule->name : test->behaviour->name;
}

/* Work and counts may be lost with no report but disjoint, which desktop GL
 * lacks.
 */
static bool
is_lost(void)
{
   return the.is_context_lost ||
          (the.is_lost && (the.is_disjoint || !has_disjoint()));
}

/* EGL reports failed contexts.  A behavior reads errors when it ends. */
bool
rig_is_reported(const char *text)
{
   if (!the.test)
      return strstr(text, "no context") != NULL;
   ask();
   if (the.is_disjoint && (strncmp(name_of(the.test), "time:", 5) == 0 ||
                           strncmp(name_of(the.test), "disjoint:", 9) == 0))
      return true;
   return is_lost() ||
          (the.test->rule ? strstr(text, ": OUT_OF_MEMORY (") != NULL
                          : the.has_no_memory);
}

void
rig_begin(void)
{
   the.has_no_memory = the.is_context_lost = false;
   the.is_disjoint = the.is_lost = false;
   the.code = 0;
   the.failure_count = 0;
}

void
rig_explain(char *text, size_t size)
{
   if (the.code)
      snprintf(text, size, " (ioctl 0x%02lx)", _IOC_NR(the.code));
}

static void
open_context(const struct gl_case *test)
{
   if (!egl_open(test->kind) || !egl_make_context(test->kind))
      fail_msg("no context");
   the.test = test;
   real_gl_init(test->kind, "");
   listen();
}

static void
run_case(void **state)
{
   const struct gl_case *test = *state;

   fault_suspend();
   open_context(test);
   fault_resume();
   if (test->rule) {
      script_run(&real_gl, test->rule->script);
   } else {
      test->behaviour->run();
      assert_no_error();
   }
}

/* A context that did not lose its device works normally. */
static const char usable[] =
   "gen a b; measure ANY_SAMPLES_PASSED a 5; finish; result a uint = 1;"
   "begin TIME_ELAPSED b; end TIME_ELAPSED; result b uint64; delete a b";

static void
check_usable(void)
{
   /* iris may detect a loss one batch later. */
   ask();
   ask();
   if (the.has_no_memory || the.is_context_lost)
      return;
   settle();
   real_gl_init_drawing();
   script_run(&real_gl, usable);
}

bool
rig_finish(void)
{
   if (!the.test)
      return true;
   cases_end_fault();
   check_usable();
   the.test = NULL;
   egl_destroy_context();
   return true;
}

/* Stock Mesa does not survive failing maps; Pitot has its own tests. */
bool
rig_knows(const struct fault_kind *kind)
{
   return kind->site == FAULT_IOCTL;
}

static struct CMUnitTest tests[2000];
static struct gl_case gl_cases[2000];
static size_t test_count;

/* Named as in tests/conformance. */
static void
add_case(const struct gl_case *added, const char *source)
{
   char *full_name;

   assert_true(test_count < ARRAY_LENGTH(tests));
   if (asprintf(&full_name, "%s: %s (%s)", added->kind->name, name_of(added),
                source) < 0)
      abort();
   gl_cases[test_count] = *added;
   tests[test_count] = (struct CMUnitTest){
      .name = full_name,
      .test_func = run_case,
      .initial_state = &gl_cases[test_count],
   };
   test_count++;
}

static const struct behaviour *const behaviour_tables[] = {
   behaviours_of_occlusion,    behaviours_of_availability,
   behaviours_of_conditions,   behaviours_of_time,
   behaviours_of_feedback,     behaviours_of_statistics,
   behaviours_of_objects,      behaviours_of_buffers,
   behaviours_of_perf_queries,
};

/* Thousands of queries behave like a few.  Stock Mesa needs memory for a
 * context.  A clock that always fails has the time 0 without an error
 * (pitot_hw_timestamp_ns()).
 */
bool
rig_skips(const struct CMUnitTest *test)
{
   static const char *const texts[] = { "000 ", "context", " many",
                                        "now goes on" };

   for (unsigned i = 0; i < ARRAY_LENGTH(texts); i++) {
      if (strstr(test->name, texts[i]))
         return true;
   }
   return false;
}

/* Adds everything that a kind of context supports. */
static void
add_cases(const struct gl_context_kind *kind)
{
   for (size_t i = 0; i < rule_count; i++) {
      const struct rule *rule = &rules[i];

      if (rule->where & kind->rule_api && !MISSING(rule->where) &&
          !real_gl_needs_control(rule->script) &&
          !real_gl_obstacle(rule->script))
         add_case(&(struct gl_case){ kind, rule, NULL }, rule->source);
   }
   for (size_t i = 0; i < ARRAY_LENGTH(behaviour_tables); i++) {
      for (const struct behaviour *b = behaviour_tables[i]; b->name; b++) {
         if (b->apis & kind->rule_api && !real_gl_obstacle(b->needs))
            add_case(&(struct gl_case){ kind, NULL, b }, b->source);
      }
   }
}

int
main(void)
{
   static const char *const names[] = { "core", "es3" };

   if (!find_kernel()) {
      printf("Bail out! there is no simulated GPU\n");
      return 1;
   }
   for (unsigned i = 0; i < ARRAY_LENGTH(names); i++) {
      kinds[i] = *gl_context_kind_find(names[i]);
      kinds[i].is_robust = true;
      if (!egl_open(&kinds[i]) || !egl_make_context(&kinds[i])) {
         printf("Bail out! there is no %s context\n", names[i]);
         return 1;
      }
      real_gl_look_for_pixels();
      real_gl_init(&kinds[i], "");
      add_cases(&kinds[i]);
   }
   return _cmocka_run_group_tests("mesa", tests, test_count, NULL, NULL);
}
