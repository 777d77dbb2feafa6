/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_H
#define PITOT_DEMO_H

#include <stdio.h>

#include "query.h"

/* Width and height of the render target, in pixels. */
#define TARGET_SIZE 256

enum api {
   API_ES,
   API_GL,
   API_COUNT,
};

extern const char *const api_names[API_COUNT];

/* The shader stages of a scene, beyond vertex and fragment. The values are
 * flags, as kinds of scenes have shaders in common.
 */
enum scene_kind {
   SCENE_CLEAR = 0, /* no shader at all */
   SCENE_TRIANGLES = 1,
   SCENE_GEOMETRY = 2,
   SCENE_TESSELLATION = 4,
   SCENE_COMPUTE = 8,
};

/* Something to measure. Its triangles fill a grid of columns x rows cells,
 * two to a cell. The grid fills the target: however many triangles there are,
 * they cover every pixel once.
 */
struct scene {
   const char *name;
   const char *about;
   enum scene_kind kind;
   unsigned columns;
   unsigned rows;
   unsigned loops; /* rounds of the fragment or compute shader's loop */
   GLuint program; /* in the context that the scene is loaded into */
};

#define SCENE_COUNT 8

/* Loads a scene, by its number, into the current context, and draws it once.
 * The scenes that every context can draw come first. Returns false if the
 * context lacks a shader stage of the scene.
 */
bool
scene_load(unsigned index, struct scene *scene);

/* Sets up the draw, which is no part of the measurement. */
void
scene_prepare(const struct scene *scene);

/* The clear, draw or dispatch that is measured. */
void
scene_draw(const struct scene *scene);

/* The eleven pipeline statistics, and the samples that passed. */
#define STATISTIC_COUNT 12

extern const struct statistic {
   GLenum target;
   const char *name;  /* the target's name, without its GL_ */
   const char *label; /* for people */
} statistics[STATISTIC_COUNT];

/* The number of times that each scene is timed. */
#define SAMPLE_COUNT 5

/* The times of one draw. */
struct sample {
   uint64_t elapsed_ns; /* GL_TIME_ELAPSED around the draw */
   uint64_t before_ns;  /* GL_TIMESTAMP just before it ... */
   uint64_t after_ns;   /* ... and just after it */
   int64_t between_ns;  /* negative if the timestamps run backwards */
};

/* Indices into sorted times. */
enum {
   LOWEST = 0,
   MEDIAN = SAMPLE_COUNT / 2,
   HIGHEST = SAMPLE_COUNT - 1,
};

/* The measurements of a scene. */
struct scene_result {
   struct scene scene;
   struct sample samples[SAMPLE_COUNT];
   int64_t elapsed_ns[SAMPLE_COUNT]; /* sorted */
   int64_t between_ns[SAMPLE_COUNT]; /* sorted */
   struct perf_query
      gpu_times[SAMPLE_COUNT]; /* sorted, if there is the set */
   uint64_t counts[STATISTIC_COUNT];
   uint8_t **records; /* of each perf set; NULL if nothing was measured */
};

/* The measurements in one context. */
struct result {
   enum api api;
   const char *why_not; /* NULL, or why nothing was measured */

   char renderer[128];
   char version[128];
   bool is_simulated; /* a simulator stands in for the GPU */
   struct perf_sets perf;
   const char *why_no_perf; /* NULL, or why there are no perf sets */

   const char *extension; /* provides the entry points */
   int elapsed_bits;
   int timestamp_bits; /* 0: no timestamps */
   bool has_disjoint;
   bool disjoint;                 /* the times below are in doubt */
   unsigned discarded;            /* sets of times thrown away as disjoint */
   bool counted[STATISTIC_COUNT]; /* else the context lacks the target */

   unsigned scene_count; /* of the scenes that the context can draw */
   struct scene_result scenes[SCENE_COUNT];
};

/* Opens a context, describes its driver and, unless the perf sets are only to
 * be listed, measures all scenes.
 */
void
measure(enum api api, bool list_only, struct result *result);

/* Times all scenes, and sorts the times. A driver's perf set "GPU Time" times
 * the same draws; the median is its record.
 *
 * Times that a disturbed clock may have spoilt are thrown away and taken
 * anew. If the clock never comes to rest, the last times stand, in doubt.
 */
void
time_scenes(struct queries *queries, struct result *result);

void
free_result(struct result *result);

/* A unit of time that suits a value: the largest of which the value is at
 * least one, and microseconds at the least.
 */
struct time_unit {
   int64_t ns;
   const char *plain;   /* for terminals */
   const char *typeset; /* for pictures, in UTF-8 */
};

struct time_unit
unit_for(int64_t time_ns);

/* The note about a GPU that is simulated. */
#define SIMULATED_NOTE                                                       \
   "this GPU is simulated: it counts draws and renders nothing"

/* Returns the name of a perf counter's type or data type. */
const char *
perf_type_name(GLenum type);

/* Writes the results of all APIs, or the list of a driver's perf sets.
 * Returns false if the output could not be written.
 */
typedef bool
writer(FILE *out, const struct result *results);

writer table_write, chart_write, json_write, list_write, list_write_json;

#endif
