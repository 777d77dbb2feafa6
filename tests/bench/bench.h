/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The cases of the benchmark: calls about queries, each kind of call often.
 */

#ifndef PITOT_BENCH_H
#define PITOT_BENCH_H

#include <stdbool.h>

#include <epoxy/gl.h>

#include "../targets.h"
#include "../test.h"

#define CALLS 6400

/* Two frames of 1,000 draws, each in a timer and eleven statistics. */
#define MAX_IDS (2 * 1000 * 12)

struct bench {
   const char *name;
   GLenum target;

   /* Names that are generated for each round: those that the calls use, in
    * ids[], and names before them that nothing uses.
    */
   unsigned id_count;
   unsigned live_count;

   /* Brings ids[] into the state that the calls want; or NULL. */
   void (*prepare)(const struct bench *bench);

   /* Makes the calls that are measured. */
   void (*run)(const struct bench *bench);

   unsigned count; /* how often run() does what the name says; 0: CALLS */

   /* The extensions that it needs, of OpenGL and of OpenGL ES; NULL: none. */
   const char *gl_extension;
   const char *es_extension;
   bool is_desktop; /* not on ES at all */

   /* It needs the shaders of all statistics: softpipe does not tessellate. */
   bool has_all_statistics;
};

extern GLuint ids[MAX_IDS];

#define STATISTIC_COUNT EACH_STATISTIC_COUNT

extern const GLenum statistics[STATISTIC_COUNT];

extern const struct bench call_benches[];
extern const unsigned call_bench_count;

/* frame.c: frames of draws, each draw measured or not. */
extern const struct bench frame_benches[];
extern const unsigned frame_bench_count;

/* Makes what the frames draw with. */
void
frame_init(bool is_es);

/* plain.c: a frame without queries, for OpenGL. */
extern const struct bench plain_bench;

/* Makes what that frame draws with. */
void
plain_init(void);

/* sets.c: return the perf set and the group of counters that stock Mesa has as
 * well, or one like it, or else the first one.
 */
GLuint
find_perf_set(void);

GLuint
find_group(void);

/* memory.c: prints the bytes that a query takes in each state. */
void
memory_print(void);

/* Begins and ends the query of an id, or has it record the time. */
void
measure(GLenum target, GLuint id);

#endif /* PITOT_BENCH_H */
