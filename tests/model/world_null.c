/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A world of Pitot's GL layer on the null driver, which counts, holds
 * results, fails calls and allocations, and loses devices.
 */

#include <stdlib.h>
#include <string.h>

#include <GL/gl.h>
#include <GL/glext.h>

#include "fail_memory.h"
#include "null_host.h"
#include "null_scenes.h"
#include "pitot/gl.h"
#include "pitot_null.h"
#include "world.h"

static struct null_host hosts[MAX_CONTEXTS];
static enum kind current_kind;
static struct features features;

static const unsigned es2_features =
   PITOT_GL_OCCLUSION_BOOLEAN | PITOT_GL_OCCLUSION_CONSERVATIVE |
   PITOT_GL_TIME_ELAPSED | PITOT_GL_TIMESTAMP | PITOT_GL_COUNTER_BITS |
   PITOT_GL_CONDITION;
static const unsigned es3_features = PITOT_GL_OCCLUSION_ALIAS |
                                     PITOT_GL_PRIMITIVES_GENERATED |
                                     PITOT_GL_PRIMITIVES_WRITTEN;

static unsigned
gl_features(void)
{
   return current_kind == KIND_ES2   ? es2_features
          : current_kind == KIND_ES3 ? es2_features | es3_features
                                     : ~0u;
}

/* Creates the context if necessary. */
static struct null_host *
host_of(unsigned context)
{
   static const enum pitot_gl_api apis[KIND_COUNT] = {
      PITOT_GL_COMPAT, PITOT_GL_CORE, PITOT_GL_ES, PITOT_GL_ES
   };
   struct null_host *host = &hosts[context];

   if (!host->gl)
      null_host_make(host, apis[current_kind], gl_features());
   return host;
}

static void
list_sets(void)
{
   /* The sets of the provider itself come first. */
   static const uint32_t groups[SET_COUNT] = {
      [SET_SAME] = 0,
      [SET_ALONE] = 1,
      [SET_STATISTICS] = 2,
      [SET_TIME] = 3,
   };
   struct null_host *host = host_of(0);

   features.set_count = SET_COUNT;
   for (unsigned i = 0; i < SET_COUNT; i++) {
      features.sets[i] = i;
      features.set_ids[i] = host->set_ids[i];
      features.record_B[i] = host->record_B[i];
      features.groups[i] = groups[i];
      for (unsigned k = 0; k < SELECTED_COUNT; k++)
         features.counters[i][k] = k;
      for (unsigned k = 0; k < STATISTIC_COUNT; k++)
         features.record_offsets[i][k] = 8 * k;
   }
   null_host_end(host);
}

static const char *
open_null(enum kind kind, bool has_no_errors, bool has_fresh_contexts)
{
   const bool is_es = kind == KIND_ES2 || kind == KIND_ES3;

   (void)has_fresh_contexts; /* contexts are always new */
   if (has_no_errors)
      return "Pitot's GL layer always reports errors";
   current_kind = kind;
   features = (struct features){
      .stream_count = MAX_STREAMS,
      .is_es = is_es,
      .is_compat = kind == KIND_COMPAT,
      .has_indexed = !is_es,
      .has_create = !is_es,
      .has_buffers = !is_es,
      .has_target = !is_es,
      .has_bits = true,
      .has_alias = kind != KIND_ES2,
      .has_condition = true,
      .has_inverted = !is_es,
      .has_types = { true, true, true, true },
      .has_now = true,
      .has_disjoint = true,
      .is_controlled = true,
      .has_exact_time = true,
      .scenes = null_scenes,
   };
   for (unsigned i = 0; i < STATISTIC_COUNT; i++)
      features.statistics[i] = true;
   for (unsigned i = 0; i < T_COUNT; i++)
      features.targets[i] =
         !is_es || i == T_ANY_SAMPLES_PASSED ||
         i == T_ANY_SAMPLES_PASSED_CONSERVATIVE || i == T_TIME_ELAPSED ||
         i == T_TIMESTAMP ||
         (kind == KIND_ES3 &&
          (i == T_PRIMITIVES_GENERATED || i == T_PRIMITIVES_WRITTEN));
   list_sets();
   return NULL;
}

static const struct features *
features_of(void)
{
   return &features;
}

static unsigned
take_error(struct null_host *host)
{
   const unsigned error = host->error;

   host->error = GL_NO_ERROR;
   return error_bit(error);
}

static unsigned
failures_left(const struct null_host *host)
{
   unsigned count = fail_memory > 0;

   for (unsigned i = 0; i < PITOT_NULL_CALL_COUNT; i++)
      count += host->null.fail[i] > 0;
   return count;
}

static void
call_null(const struct call *call, const struct variables *variables,
          struct outcome *outcome)
{
   struct null_host *host = host_of(call->context);
   const unsigned left = failures_left(host);

   outcome->now_ns = host->null.time_ns;
   null_call(host, &features, call, variables, outcome);
   outcome->error = take_error(host);
   outcome->is_failed = failures_left(host) < left;
}

static void
begin(void)
{
}

static const char *
end(void)
{
   const char *trouble = NULL;

   fail_memory = 0;
   for (unsigned i = 0; i < MAX_CONTEXTS; i++) {
      const char *found = hosts[i].gl ? null_host_end(&hosts[i]) : NULL;

      trouble = trouble ? trouble : found;
   }
   return trouble;
}

/* Not necessary: end() destroys contexts. */
static const char *
clean(unsigned context, const struct leftover *leftover)
{
   (void)context;
   (void)leftover;
   return NULL;
}

const struct world null_world = {
   .name = "null",
   .open = open_null,
   .features = features_of,
   .begin = begin,
   .end = end,
   .call = call_null,
   .clean = clean,
};
