/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Behaviors: tests with images, several contexts or many queries, which no
 * script of rules.h can express; and their common steps.
 */

#ifndef PITOT_TESTS_BEHAVIOUR_H
#define PITOT_TESTS_BEHAVIOUR_H

#include "../rules/rules.h"
#include "../targets.h"
#include "../test.h"
#include "real_gl.h"

struct behaviour {
   const char *name;
   const char *source;
   unsigned apis;
   const char *needs; /* words of scripts that the context must support */
   void (*run)(void); /* must leave no GL error */
};

/* The tables of behaviour_*.c.  Each ends with a row without a name. */
extern const struct behaviour behaviours_of_occlusion[];
extern const struct behaviour behaviours_of_availability[];
extern const struct behaviour behaviours_of_conditions[];
extern const struct behaviour behaviours_of_time[];
extern const struct behaviour behaviours_of_work[];
extern const struct behaviour behaviours_of_feedback[];
extern const struct behaviour behaviours_of_statistics[];
extern const struct behaviour behaviours_of_meshes[];
extern const struct behaviour behaviours_of_draws[];
extern const struct behaviour behaviours_of_objects[];
extern const struct behaviour behaviours_of_buffers[];
extern const struct behaviour behaviours_of_perf_queries[];

/* Pipeline statistics, and their counters in the perf set of that name. */
#define STATISTIC_COUNT EACH_STATISTIC_COUNT

extern const struct statistic {
   const char *name;
   GLenum target;
   const char *counter;
} statistics[STATISTIC_COUNT];

GLuint
generate(void);

/* Begins a new query, and returns its name. */
GLuint
begin(GLenum target);

/* Ends the active query, and returns its result. */
GLuint
end(GLenum target, GLuint id);

/* Draws that many points, or none, inside a query. */
void
measure_points(GLenum target, GLuint id, unsigned count);

/* In a new query, whose name is returned. */
GLuint
measure_new(GLenum target, unsigned count);

/* In a new query, too. */
GLuint
make_timestamp(void);

/* A big framebuffer and a triangle over half of it keep a rasterizer busy. */
void
prepare_big_triangle(void);

/* Draws that many of these triangles inside a query. */
void
measure_big_triangles(GLuint id, unsigned count);

bool
is_available(GLuint id);

/* Polls until the result is available; fails after very many polls. */
void
poll_result(GLuint id);

GLuint
result_of(GLuint id);

uint64_t
result64_of(GLuint id);

void
wait_for_fence(void);

void
assert_no_error(void);

/* Except with KHR_no_error, where there are no errors. */
void
assert_error(GLenum error);

/* Asserts the red of the first pixel. */
void
assert_red(unsigned red);

/* The same, unless the GPU is simulated and draws no pixels. */
void
assert_red_if_rendered(unsigned red);

/* Enough that at least one round is not interrupted. */
#define MAX_ROUNDS 100

/* A measurement that an interrupt may spoil is right in some round. */
#define assert_once(MEASUREMENT)                                             \
   do {                                                                      \
      unsigned rounds = MAX_ROUNDS;                                          \
                                                                             \
      while (rounds && !(MEASUREMENT))                                       \
         rounds--;                                                           \
      assert_int_not_equal(rounds, 0);                                       \
   } while (0)

#endif /* PITOT_TESTS_BEHAVIOUR_H */
