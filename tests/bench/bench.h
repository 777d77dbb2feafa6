/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The cases of the benchmark: each repeats one kind of call about queries. */

#ifndef PITOT_BENCH_H
#define PITOT_BENCH_H

#include <stdbool.h>

#include "../gl_setup.h"
#include "../targets.h"
#include "../test.h"

#define CALLS 6400

/* Two frames of 1,000 draws, each in a timer and eleven statistics. */
#define MAX_IDS (2 * 1000 * 12)

struct bench {
   const char *name;
   GLenum target;

   /* Names generated for each round: ids[], which the calls use, after
    * live_count names that nothing uses.
    */
   unsigned id_count;
   unsigned live_count;

   /* Brings ids[] into the state that the calls need; or NULL. */
   void (*prepare)(const struct bench *bench);

   void (*run)(const struct bench *bench);

   unsigned count;      /* how often run() does it; 0: CALLS */
   unsigned pass_draws; /* of a pass that is measured; 0: a draw is */

   /* The extensions needed in OpenGL and OpenGL ES, or NULL. */
   const char *gl_extension;
   const char *es_extension;
   bool is_desktop; /* not on ES */

   /* Needs the shaders of all statistics: softpipe lacks tessellation. */
   bool has_all_statistics;
};

extern GLuint ids[MAX_IDS];

#define STATISTIC_COUNT EACH_STATISTIC_COUNT

extern const GLenum statistics[STATISTIC_COUNT];

extern const struct bench call_benches[];
extern const unsigned call_bench_count;

/* frame.c: frames of draws or passes, each measured or not. */
extern const struct bench frame_benches[];
extern const unsigned frame_bench_count;

void
frame_init(const struct gl_context_kind *kind);

/* plain.c: a frame without queries, for OpenGL. */
extern const struct bench plain_bench;

void
plain_init(void);

/* sets.c: those that stock Mesa has, too, or similar ones, or the first. */
GLuint
find_perf_set(void);

GLuint
find_group(void);

/* memory.c: prints the bytes of a query in each state. */
void
memory_print(void);

/* Begins and ends a query, or records a timestamp. */
void
measure(GLenum target, GLuint id);

#endif /* PITOT_BENCH_H */
