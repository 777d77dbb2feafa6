/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_H
#define PITOT_DEMO_H

#include <stdio.h>

#include "perf.h"
#include "query.h"

/* Width and height of the render target, in pixels. */
#define TARGET_SIZE 256

enum api {
   API_ES,
   API_GL,
   API_COUNT,
};

extern const struct api_info {
   const char *name;
   const char *timed_by; /* the extension */
} apis[API_COUNT];

/* Prints one line on stderr and ends the program with status 1. */
_Noreturn void
fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails if a GL error was raised. The message names the step. */
void
check_gl(const char *step);

/* Makes a context of an API current, without a window, and gives it a
 * framebuffer to render into. Returns NULL, or a line that says why there is
 * no context.
 */
const char *
context_open(enum api api);

/* Destroys the current context, and all that was made in it. */
void
context_close(void);

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
   const char *label;
} statistics[STATISTIC_COUNT];

/* The number of times that each scene is timed. */
#define SAMPLE_COUNT 5

/* The times of one draw. */
struct sample {
   uint64_t elapsed_ns; /* GL_TIME_ELAPSED around the draw */
   uint64_t before_ns;  /* GL_TIMESTAMP just before it ... */
   uint64_t after_ns;   /* ... and just after it */
};

/* Indices into samples that are sorted by the time elapsed. */
enum {
   LOWEST = 0,
   MEDIAN = SAMPLE_COUNT / 2,
   HIGHEST = SAMPLE_COUNT - 1,
};

/* The measurements of a scene by queries. */
struct scene_result {
   struct scene scene;
   struct sample samples[SAMPLE_COUNT]; /* sorted */
   uint64_t counts[STATISTIC_COUNT];
};

/* The number of perf sets that are measured: the first ones, and the last
 * one, which is "GPU Time". Drivers of AMD's GPUs list thousands, of raw
 * counters, which would take a minute and sixty thousand lines.
 */
#define MEASURED_MAX 65

/* The values of a perf set's counters, in each scene. */
struct measured_set {
   const struct perf_set *set;
   double *values[SCENE_COUNT];
};

/* The measurements in one context. */
struct result {
   enum api api;
   const char *why_not; /* NULL, or why nothing was measured */

   char renderer[128];
   char version[128];
   int elapsed_bits;
   int timestamp_bits;            /* 0: no timestamps */
   bool disjoint;                 /* the times below are in doubt */
   unsigned discarded;            /* sets of times thrown away as disjoint */
   bool counted[STATISTIC_COUNT]; /* else the context lacks the target */

   unsigned scene_count; /* of the scenes that the context can draw */
   struct scene_result scenes[SCENE_COUNT];

   const char *why_no_sets; /* NULL, or why there are no perf sets */
   struct perf_sets sets;
   unsigned measured_count;
   struct measured_set measured[MEASURED_MAX];
};

/* Opens a context, describes its driver, and measures all scenes. */
void
measure_by_api(enum api api, struct result *result);

void
free_result(struct result *result);

/* Returns the time between the timestamps around a draw, which is negative if
 * they run backwards.
 */
double
between_ns(const struct sample *sample);

/* Returns whether Pitot's simulator of GPUs is preloaded: GL's strings are
 * those of the GPU that it simulates.
 */
bool
has_simulator(void);

/* A unit of time that suits a value: the largest of which the value is at
 * least one, and microseconds at the least.
 */
struct time_unit {
   double ns;
   const char *plain;   /* for terminals */
   const char *typeset; /* for pictures, in UTF-8 */
};

struct time_unit
unit_for(double time_ns);

/* Prints the results of all APIs. */
void
print_table(FILE *out, const struct result *results);

/* Prints the perf sets of the current context. */
void
print_list(FILE *out, const struct perf_sets *sets);

/* Draws the times of all APIs, as SVG. */
void
draw_chart(FILE *out, const struct result *results);

#endif
