/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Behaviours are tests that no script of rules.h can express, with pictures,
 * many contexts or many queries; and the steps that many of them have.
 */

#ifndef PITOT_TESTS_BEHAVIOUR_H
#define PITOT_TESTS_BEHAVIOUR_H

#include "../rules/rules.h"
#include "../targets.h"
#include "../test.h"
#include "real_gl.h"

#define ANGLE_R "ANGLE's tests, "

struct behaviour {
   const char *name;
   const char *source;
   unsigned apis;     /* as in struct rule */
   const char *needs; /* words of scripts that the context must be able to
                       * run */
   void (*run)(void); /* GL must report no error afterwards */
};

/* The tables of behaviour_*.c.  The last row of each has no name. */
extern const struct behaviour behaviours_of_occlusion[];
extern const struct behaviour behaviours_of_availability[];
extern const struct behaviour behaviours_of_conditions[];
extern const struct behaviour behaviours_of_time[];
extern const struct behaviour behaviours_of_work[];
extern const struct behaviour behaviours_of_feedback[];
extern const struct behaviour behaviours_of_statistics[];
extern const struct behaviour behaviours_of_draws[];
extern const struct behaviour behaviours_of_objects[];
extern const struct behaviour behaviours_of_buffers[];
extern const struct behaviour behaviours_of_perf_queries[];

/* The targets of pipeline statistics, and their counters in the perf set
 * "Pipeline Statistics".
 */
#define STATISTIC_COUNT EACH_STATISTIC_COUNT

extern const struct statistic {
   const char *name;
   GLenum target;
   const char *counter;
} statistics[STATISTIC_COUNT];

/* Returns a new name. */
GLuint
generate(void);

/* Begins a new query.  Returns its name. */
GLuint
begin(GLenum target);

/* Ends the active query of a target, of that name.  Returns the result. */
GLuint
end(GLenum target, GLuint id);

/* Draws so many points, or none, inside of a query of that name. */
void
measure_points(GLenum target, GLuint id, unsigned count);

/* Does so inside of a new query, and returns its name. */
GLuint
measure_new(GLenum target, unsigned count);

/* Makes a big framebuffer, and the indices of a triangle over half of it, to
 * keep a rasterizer busy.
 */
void
prepare_big_triangle(void);

/* Draws so many of these triangles inside of a query of that name. */
void
measure_big_triangles(GLuint id, unsigned count);

/* Returns whether a query's result is available. */
bool
is_available(GLuint id);

/* Polls until it is, for a long time. */
void
poll_result(GLuint id);

GLuint
result_of(GLuint id);

uint64_t
result64_of(GLuint id);

/* Waits until the GPU is done with everything recorded so far. */
void
wait_for_fence(void);

void
assert_no_error(void);

/* Asserts that GL reports this error, or none where it reports none at all.
 */
void
assert_error(GLenum error);

/* Asserts that the first pixel has this red. */
void
assert_red(unsigned red);

/* The same, on a GPU that renders. */
void
assert_red_if_rendered(unsigned red);

/* Returns the time by the CPU's clock. */
uint64_t
cpu_time_ns(void);

#endif /* PITOT_TESTS_BEHAVIOUR_H */
