/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_AXIS_H
#define PITOT_DEMO_AXIS_H

#include <stdbool.h>
#include <stdint.h>

/* Maps times to places along a horizontal axis, 0 at its start and 1 at its
 * end. Both ends are round values.
 */
struct axis {
   bool logarithmic;
   int64_t low_ns;
   int64_t high_ns;
   int64_t step_ns; /* between the ticks of a linear axis */
};

/* An axis with room for all times from lowest_ns to highest_ns. */
struct axis
axis_for(int64_t lowest_ns, int64_t highest_ns);

/* A time that lies outside is put at the nearer end. */
double
axis_place(const struct axis *axis, int64_t time_ns);

/* The tick after this one. */
int64_t
axis_next(const struct axis *axis, int64_t tick_ns);

/* Whether a tick has its value written at it. */
bool
axis_is_labelled(const struct axis *axis, int64_t tick_ns);

#endif
