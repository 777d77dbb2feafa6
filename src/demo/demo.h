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

extern const struct api_info {
   const char *name;
   const char *timed_by; /* the extension */
   const char *none;     /* why there is no context */
   unsigned egl_api;
   int egl_renderable;
   int major, minor; /* the lowest version; Mesa gives its highest one */
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

/* The number of times that each scene is timed. */
#define SAMPLE_COUNT 5

/* Indices into samples that are sorted by the time elapsed. */
enum {
   LOWEST = 0,
   MEDIAN = SAMPLE_COUNT / 2,
   HIGHEST = SAMPLE_COUNT - 1,
};

/* The eleven pipeline statistics, and the samples that passed. */
#define STATISTIC_COUNT 12

extern const struct statistic {
   GLenum target;
   const char *label;
} statistics[STATISTIC_COUNT];

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

   struct sample {
      uint64_t elapsed_ns; /* GL_TIME_ELAPSED around the draw */
      uint64_t before_ns;  /* GL_TIMESTAMP just before it ... */
      uint64_t after_ns;   /* ... and just after it */
   } samples[SAMPLE_COUNT];
   uint64_t counts[STATISTIC_COUNT];
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

/* A counter, as the driver describes it. */
struct perf_counter {
   char name[256];   /* the extension allows no more */
   char about[1024]; /* without the unit, which the driver ends it with */
   char unit[32];    /* "" if the driver names none */
   GLenum data_type;
   GLuint offset_B; /* in the record */
   GLuint size_B;
   double values[SCENE_COUNT]; /* NAN: the driver did not count */
};

/* Counters that are measured together; GL calls this a query type. */
struct perf_set {
   GLuint id;
   char name[256];
   GLuint record_B;
   GLuint counter_count;
   struct perf_counter *counters;
};

struct perf_sets {
   unsigned count;
   struct perf_set *sets;
};

/* Asks the driver of the current context for all perf sets. Returns NULL, or
 * a line that says why there is none.
 */
const char *
perf_load(struct perf_sets *sets);

void
perf_free(struct perf_sets *sets);

/* Measures a draw of a scene with a perf set. The scene's number is that of
 * the values. Values above 2^53 are rounded.
 */
void
perf_measure(struct perf_set *set, const struct scene *scene,
             unsigned number);

/* The perf sets that are measured are the first ones, and the last one, which
 * is "GPU Time". Drivers of AMD's GPUs list thousands, of raw counters, which
 * would take a minute and sixty thousand lines.
 */
#define MEASURED_MAX 65

static inline bool
is_measured(const struct perf_sets *sets, unsigned index)
{
   return index < MEASURED_MAX - 1 || index == sets->count - 1;
}

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
   struct scene scenes[SCENE_COUNT];

   const char *why_no_sets; /* NULL, or why there are no perf sets */
   struct perf_sets sets;
};

/* Opens a context, describes its driver, and measures all scenes. The perf
 * sets of the result have to be freed.
 */
void
measure_by_api(enum api api, struct result *result);

/* Waits a millisecond for a result. A game would draw its next frame
 * meanwhile; this program has nothing better to do than to sleep. Fails after
 * a minute of such naps.
 */
void
nap_until_late(unsigned *naps);

/* Returns "simulated: " if Pitot's simulator of GPUs is preloaded, and else
 * nothing: GL's strings are those of the GPU that it simulates.
 */
const char *
simulated(void);

/* A unit of time that suits a value: the largest of which the value is at
 * least one, and microseconds at the least.
 */
struct time_unit {
   double ns;
   const char *name;
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
