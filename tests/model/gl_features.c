/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>
#include <string.h>

#include <epoxy/gl.h>

#include "gl_context.h"

struct entry_points gl;

static struct scene_info scenes[SCENE_COUNT];

static bool
has(const char *extension)
{
   return epoxy_has_gl_extension(extension);
}

#define TARGET(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, ...)                  \
   [T_##KIND] = { DESKTOP, ES },

static void
find_targets(int version, bool is_es, bool *targets_out)
{
   static const struct {
      const char *desktop, *es;
   } needs[T_COUNT] = { EACH_TARGET(TARGET) };

   for (unsigned i = 0; i < T_COUNT; i++) {
      const char *need = is_es ? needs[i].es : needs[i].desktop;

      if (need && need[0] != 'G')
         targets_out[i] = version >= (int)(10 * strtod(need, NULL));
      else if (need)
         targets_out[i] =
            has(need) && (i < T_VERTICES_SUBMITTED || i >= T_TS_INVOCATIONS ||
                          has(STATISTICS_EXTENSION));
   }
}

#define COUNTER(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, COUNTER,    \
                ...)                                                         \
   COUNTER,

/* The statistic that a counter is, or STATISTIC_COUNT. */
static unsigned
find_statistic(const char *name)
{
   static const char *const names[STATISTIC_COUNT] = {
      EACH_STATISTIC(COUNTER)
         EACH_MESH_STATISTIC(COUNTER) "Primitives Generated",
      "Primitives Written"
   };
   unsigned i = 0;

   while (i < STATISTIC_COUNT && strcmp(names[i], name))
      i++;
   return i;
}

static void
find_counters(struct features *features, unsigned set, unsigned count)
{
   for (unsigned i = 1; i <= count; i++) {
      char name[80], description[300];
      GLuint offset, size, type, data_type;
      GLuint64 raw_max;
      unsigned statistic;

      gl.GetPerfCounterInfo(features->set_ids[set], i, sizeof(name), name,
                            sizeof(description), description, &offset, &size,
                            &type, &data_type, &raw_max);
      if (features->sets[set] == SET_TIME && i <= 4)
         features->record_offsets[set][i - 1] = offset;
      statistic = find_statistic(name);
      if (features->sets[set] == SET_STATISTICS &&
          statistic < STATISTIC_COUNT) {
         features->statistics[statistic] = true;
         features->record_offsets[set][statistic] = offset;
      }
   }
}

#define MOST_GROUPS   1024
#define MOST_COUNTERS 64

static void
find_group_counters(struct features *features, unsigned set)
{
   static const char *const names[][SELECTED_COUNT] = {
      [SET_STATISTICS] = { "Vertices Submitted", "Primitives Submitted" },
      [SET_TIME] = { "GPU Time Begin", "GPU Time End" },
   };
   const char *const *wanted = names[features->sets[set]];
   GLuint counters[MOST_COUNTERS];
   GLint count;

   gl.GetPerfMonitorCounters(features->groups[set], &count, NULL,
                             MOST_COUNTERS, counters);
   for (GLint i = 0; i < count; i++) {
      char name[80];

      gl.GetPerfMonitorCounterString(features->groups[set], counters[i],
                                     sizeof(name), NULL, name);
      for (unsigned k = 0; k < SELECTED_COUNT; k++)
         if (strcmp(name, wanted[k]) == 0)
            features->counters[set][k] = counters[i];
   }
}

static void
find_group(struct features *features, unsigned set, const char *name)
{
   GLuint groups[MOST_GROUPS];
   GLint count;

   gl.GetPerfMonitorGroups(&count, MOST_GROUPS, groups);
   for (GLint i = 0; i < count && i < MOST_GROUPS; i++) {
      char found[80];

      gl.GetPerfMonitorGroupString(groups[i], sizeof(found), NULL, found);
      if (strcmp(found, name) == 0)
         features->groups[set] = groups[i];
   }
   find_group_counters(features, set);
}

static void
find_sets(struct features *features)
{
   static const struct {
      enum set_kind kind;
      const char *name;
   } known[] = {
      { SET_STATISTICS, "Pipeline Statistics" },
      { SET_TIME, "GPU Time" },
   };

   if (!has("GL_INTEL_performance_query"))
      return;
   for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
      char name[80];
      const unsigned set = features->set_count;
      GLuint size_B, count, instances, caps;

      strcpy(name, known[i].name);
      gl.GetPerfQueryIdByName(name, &features->set_ids[set]);
      if (glGetError())
         continue;
      gl.GetPerfQueryInfo(features->set_ids[set], sizeof(name), name, &size_B,
                          &count, &instances, &caps);
      features->sets[set] = known[i].kind;
      features->record_B[set] = size_B;
      features->set_count++;
      find_counters(features, set, count);
      find_group(features, set, known[i].name);
   }
}

static unsigned
find_stream_count(bool is_es)
{
   GLint count = 1;

   if (!is_es && has("GL_ARB_transform_feedback3"))
      glGetIntegerv(GL_MAX_VERTEX_STREAMS, &count);
   return count < 1 ? 1 : count > MAX_STREAMS ? MAX_STREAMS : count;
}

static void
find_types(bool has_all, bool *types)
{
   for (unsigned i = 0; i < TYPE_COUNT; i++)
      types[i] = has_all || i == TYPE_U32;
}

void
gl_features_find(enum kind kind, bool has_no_errors, struct features *out)
{
   const bool is_es = kind == KIND_ES2 || kind == KIND_ES3;
   const int version = epoxy_gl_version();
   const bool is_simulated = getenv("PITOT_SIM");
   const bool has_es_timer = is_es && has("GL_EXT_disjoint_timer_query");

   *out = (struct features){
      .stream_count = find_stream_count(is_es),
      .is_es = is_es,
      .is_compat = kind == KIND_COMPAT,
      .has_indexed = !is_es && has("GL_ARB_transform_feedback3"),
      .has_create = !is_es && has("GL_ARB_direct_state_access"),
      .has_buffers = !is_es && has("GL_ARB_query_buffer_object") &&
                     has("GL_ARB_direct_state_access"),
      .has_target = !is_es && has("GL_ARB_direct_state_access"),
      .has_bits = !is_es || has_es_timer,
      .has_alias = is_es ? version >= 30 : has("GL_ARB_ES3_compatibility"),
      .has_condition =
         is_es ? has("GL_NV_conditional_render") : version >= 30,
      .has_inverted = !is_es && has("GL_ARB_conditional_render_inverted"),
      .has_disjoint = has_es_timer,
      .has_ordered_time = true,
      .has_pixels = !is_simulated,
      .has_no_errors = has_no_errors,
      .scenes = scenes,
   };
   entry_points_load(&gl, is_es ? "EXT" : "");
   /* In ES 3.0 without timers, this has no suffix. */
   if (!gl.GetQueryObjectuiv)
      gl.GetQueryObjectuiv = glGetQueryObjectuiv;
   find_targets(version, is_es, out->targets);
   out->has_now = out->targets[T_TIMESTAMP];
   find_types(!is_es || has_es_timer, out->has_types);
   find_sets(out);
   gl_scenes_describe(kind, is_simulated, scenes);
}
