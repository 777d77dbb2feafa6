/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A world of a real GL, on EGL's surfaceless platform.
 */

#include <string.h>

#include <epoxy/gl.h>

#include "gl_context.h"

/* Programs that share a context. */
#define PROGRAMS_PER_CONTEXT 200

/* glGetError waits for glthread: it is called seldom if none is expected. */
#define CALLS_PER_LOOK 16

static struct gl_context_kind egl_kind;
static struct features features;
static enum kind current_kind;
static struct gl_context contexts[MAX_CONTEXTS];
static struct gl_context *current;
static unsigned programs_per_context, program_count, call_count;

static const char *
open_gl(enum kind kind, bool has_no_errors, bool has_fresh_contexts)
{
   const struct gl_context_kind *found =
      gl_context_kind_find(kind_names[kind]);

   current_kind = kind;
   programs_per_context = has_fresh_contexts ? 1 : PROGRAMS_PER_CONTEXT;
   egl_kind = *found;
   egl_kind.has_no_errors = has_no_errors;
   if (!egl_open(&egl_kind) || !egl_make_context(&egl_kind))
      return "there is no such context here";
   gl_features_find(kind, has_no_errors, &features);
   return NULL;
}

static const struct features *
features_of(void)
{
   return &features;
}

static struct gl_context *
use_context(unsigned index)
{
   struct gl_context *context = &contexts[index];

   if (context == current)
      return context;
   if (context->egl) {
      egl_use_context(context->egl);
   } else {
      context->egl = egl_push_context();
      gl_scenes_make(current_kind, features.scenes, &context->scenes);
      while (glGetError())
         ;
   }
   current = context;
   return context;
}

static void
call(const struct call *made, const struct variables *variables,
     struct outcome *outcome)
{
   struct gl_context *context = use_context(made->context);

   outcome->before_ns = cpu_time_ns();
   gl_call(context, &features, made, variables, outcome);
   outcome->after_ns = cpu_time_ns();
   outcome->error = E_NONE;
   if (outcome->expected != E_NONE || ++call_count % CALLS_PER_LOOK == 0)
      outcome->error = error_bit(glGetError());
}

static void
destroy_contexts(void)
{
   for (unsigned i = 0; i < MAX_CONTEXTS; i++)
      if (contexts[i].egl)
         egl_pop_context(contexts[i].egl);
   memset(contexts, 0, sizeof(contexts));
   current = NULL;
}

static void
begin(void)
{
   call_count = 0;
   if (++program_count % programs_per_context == 0)
      destroy_contexts();
}

static const char *
clean(unsigned index, const struct leftover *leftover)
{
   struct gl_context *context = use_context(index);

   gl_clean(context, &features, leftover);
   return error_bit(glGetError()) == E_NONE ? NULL : "an unexpected error";
}

static const char *
end(void)
{
   return NULL;
}

/* The last one of each is active, the others are in flight. */
static void
leave(void)
{
   enum { EACH = 8, LAST = EACH - 1 };
   EGLContext context = egl_push_context();
   GLuint ids[EACH * T_COUNT], handle, monitor;

   current = NULL;
   gl.GenQueries(EACH * T_COUNT, ids);
   for (unsigned i = 0; i < EACH * T_COUNT; i++) {
      const unsigned target = i % T_COUNT;

      if (!features.targets[target] || target == T_TIMESTAMP ||
          target_table[target].slot != target)
         continue;
      gl.BeginQuery(target_table[target].gl, ids[i]);
      glClear(GL_COLOR_BUFFER_BIT);
      if (i / T_COUNT != LAST)
         gl.EndQuery(target_table[target].gl);
   }
   for (unsigned i = 0; i < EACH && features.set_count; i++) {
      gl.CreatePerfQuery(features.set_ids[0], &handle);
      gl.BeginPerfQuery(handle);
      gl.GenPerfMonitors(1, &monitor);
      gl.SelectPerfMonitorCounters(monitor, GL_TRUE, features.groups[0], 1,
                                   features.counters[0]);
      gl.BeginPerfMonitor(monitor);
      if (i != LAST) {
         gl.EndPerfMonitor(monitor);
         gl.EndPerfQuery(handle);
      }
   }
   egl_pop_context(context);
}

const struct world gl_world = {
   .name = "gl",
   .open = open_gl,
   .features = features_of,
   .begin = begin,
   .end = end,
   .call = call,
   .clean = clean,
   .leave = leave,
};
