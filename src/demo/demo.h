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
   const char *none;     /* the message if no context can be created */
   unsigned egl_api;
   int egl_renderable;
   int major, minor; /* at least; Mesa creates its highest version */
} apis[API_COUNT];

/* If not NULL, fail() calls it, and it ends the program itself. */
extern void (*at_failure)(const char *why);

/* Prints one line on stderr and ends the program with status 1. */
_Noreturn void
fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails if a GL error was generated.  The message names the step. */
void
check_gl(const char *step);

/* Makes a context without a window current, and binds a framebuffer.  The
 * context shares objects with the one that was current.  Returns NULL, or one
 * line with the reason why no context can be created.
 */
const char *
context_open(enum api api);

/* Destroys the current context, and makes an older one current again. */
void
context_return(void *to);

/* Destroys the current context with its objects. */
void
context_close(void);

/* The shader stages of a scene besides vertex and fragment.  The values are
 * flags, since several kinds share a shader.
 */
enum scene_kind {
   SCENE_CLEAR = 0, /* no shader at all */
   SCENE_TRIANGLES = 1,
   SCENE_GEOMETRY = 2,
   SCENE_TESSELLATION = 4,
   SCENE_COMPUTE = 8,
};

/* Work groups of the compute shader, and threads in each group */
#define GROUP_COUNT 500
#define GROUP_SIZE  64

/* How often each scene is timed */
#define SAMPLE_COUNT 5

/* Indices into samples, which are sorted by elapsed time */
enum {
   LOWEST = 0,
   MEDIAN = SAMPLE_COUNT / 2,
   HIGHEST = SAMPLE_COUNT - 1,
};

/* The eleven pipeline statistics and SAMPLES_PASSED */
#define STATISTIC_COUNT 12

/* What a statistic counts where draws have pixels */
enum statistic_rule {
   BY_SHADERS = 1, /* unknown where shaders are not executed */
   AT_LEAST = 2,   /* GL allows more */
   EACH_PIXEL = 4,
   EACH_THREAD = 8,
   UNLESS_SMALL = 16, /* for each triangle that is not small */
};

extern const struct statistic {
   GLenum target;
   const char *label;
   unsigned plain, split, tessellated; /* of a triangle, by scenes' shaders */
   unsigned rules;                     /* enum statistic_rule */
} statistics[STATISTIC_COUNT];

/* A clear, draw or dispatch to measure.  The triangles fill a grid of
 * columns x rows cells, two in each cell.  The grid fills the target: any
 * number of triangles covers every pixel once.
 */
struct scene {
   const char *name;
   const char *about;
   enum scene_kind kind;
   unsigned columns;
   unsigned rows;
   unsigned loops; /* rounds of the fragment or compute shader's loop */
   GLuint program; /* of the context in which the scene was loaded */

   struct sample {
      uint64_t elapsed_ns; /* GL_TIME_ELAPSED around the draw */
      uint64_t before_ns;  /* GL_TIMESTAMP just before it ... */
      uint64_t after_ns;   /* ... and just after it */
   } samples[SAMPLE_COUNT];
   uint64_t counts[STATISTIC_COUNT];
};

#define SCENE_COUNT 8

/* Loads a scene into the current context and draws it once, to warm up.
 * Scenes that every context can draw have the lowest indices.  Returns false
 * if the context lacks a shader stage of the scene.
 */
bool
scene_load(unsigned index, struct scene *scene);

/* Sets state for scene_draw(); not measured. */
void
scene_prepare(const struct scene *scene);

void
scene_draw(const struct scene *scene);

/* A counter, as the driver describes it */
struct perf_counter {
   char name[256];   /* the maximum of the extension */
   char about[1024]; /* without the unit at the end of the driver's text */
   char unit[32];    /* "" if the driver names no unit */
   GLenum data_type;
   GLuint offset_B; /* in the record */
   GLuint size_B;
   double values[SCENE_COUNT]; /* NAN: the driver did not count */
};

/* Counters that are measured together: GL's query type */
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

/* Lists the perf sets of the current context.  Returns NULL, or one line with
 * the reason why it has no perf sets.  Free the list with perf_free().
 */
const char *
perf_load(struct perf_sets *sets);

void
perf_free(struct perf_sets *sets);

/* Measures a scene with a perf set and stores values[number] of each counter.
 * Values above 2^53 are rounded.
 */
void
perf_measure(struct perf_set *set, const struct scene *scene,
             unsigned number);

/* Only the first perf sets are measured, and the last one, "GPU Time".  AMD's
 * drivers list thousands of sets of raw counters, which would take a minute
 * and print sixty thousand lines.
 */
#define MEASURED_MAX 65

static inline bool
is_measured(const struct perf_sets *sets, unsigned index)
{
   return index < MEASURED_MAX - 1 || index == sets->count - 1;
}

/* The measurements in one context */
struct result {
   enum api api;
   const char *why_not; /* NULL, or why nothing was measured */

   char renderer[128];
   char version[128];
   int elapsed_bits;
   int timestamp_bits;            /* 0: no timestamps */
   bool disjoint;                 /* the times of the scenes are unreliable */
   unsigned discarded;            /* disjoint sets of times, not kept */
   bool counted[STATISTIC_COUNT]; /* false: the context lacks the target */

   unsigned scene_count; /* scenes that the context can draw */
   struct scene scenes[SCENE_COUNT];

   const char *why_no_sets; /* NULL, or why no perf sets exist */
   struct perf_sets sets;
};

/* Opens a context, describes its driver, and loads queries.  Returns NULL, or
 * why it cannot; then no context is current.
 */
const char *
open_driver(enum api api, struct result *result, struct queries *queries);

/* Loads the scenes that the context can draw. */
void
load_scenes(struct result *result);

/* Times one draw by a query, and by timestamps around the query. */
void
time_draw(struct queries *queries, bool has_timestamps,
          const struct scene *scene, struct sample *sample);

/* Counts draws of a scene with all statistics together. */
void
count_draws(struct queries *queries, const bool *counted,
            const struct scene *scene, unsigned draws, uint64_t *counts);

/* Flushes, and polls until all results are stored. */
void
collect_results(struct queries *queries);

/* Opens a context, describes its driver, measures all scenes, and closes the
 * context.  Free result->sets with perf_free().
 */
void
measure_by_api(enum api api, struct result *result);

/* Sleeps for a millisecond between polls; a game would draw its next frame
 * instead.  Fails after *naps exceeds a minute.
 */
void
nap_until_late(unsigned *naps);

/* Returns "simulated: " if Pitot's GPU simulator is preloaded, since GL's
 * strings name the simulated GPU; otherwise "".
 */
const char *
simulated_prefix(void);

/* The largest unit in which the value is at least 1, or microseconds */
struct time_unit {
   double ns;
   const char *name;
};

struct time_unit
unit_for(double time_ns);

void
print_table(FILE *out, const struct result *results);

/* Needs a current context, for the names of the driver. */
void
print_list(FILE *out, const struct perf_sets *sets);

void
draw_chart(FILE *out, const struct result *results);

/* The exit status if nothing could be checked */
#define EXIT_UNCHECKED 2

/* Checks the queries of OpenGL, and prints the results as text or JSON.
 * Returns the exit status: 1 if something is wrong.
 */
int
check_queries(bool wants_json);

#endif
