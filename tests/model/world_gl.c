/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A world of a real GL, on EGL's surfaceless platform.
 */

#include <string.h>

#include <epoxy/gl.h>

#include "conformance/egl.h"
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

   gl_call(context, &features, made, variables, outcome);
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

const struct world gl_world = {
   .name = "gl",
   .open = open_gl,
   .features = features_of,
   .begin = begin,
   .end = end,
   .call = call,
   .clean = clean,
};
