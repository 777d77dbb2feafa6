/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What many behaviours do with a query.
 */

#ifndef PITOT_TESTS_MEASURE_H
#define PITOT_TESTS_MEASURE_H

#include <stdint.h>

#include "entry_points.h"

/* Returns a new name. */
GLuint
generate(const struct entry_points *gl);

/* Draws so many points, or none, inside of an occlusion query. */
void
measure_points(const struct entry_points *gl, GLuint id, unsigned count);

/* Polls until a result is there, for a long time. */
void
poll_result(const struct entry_points *gl, GLuint id);

GLuint
result_of(const struct entry_points *gl, GLuint id);

uint64_t
result64_of(const struct entry_points *gl, GLuint id);

/* Waits until the GPU is done with what was recorded so far. */
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

/* Returns the time of the CPU. */
uint64_t
cpu_time_ns(void);

#endif /* PITOT_TESTS_MEASURE_H */
