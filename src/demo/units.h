/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_DEMO_UNITS_H
#define PITOT_DEMO_UNITS_H

#include <stdint.h>

/* A unit of time that suits a value. */
struct time_unit {
   int64_t ns;
   const char *plain;   /* for terminals */
   const char *typeset; /* for pictures, in UTF-8 */
};

/* The largest unit of which the time is at least one; microseconds at the
 * least.
 */
const struct time_unit *
unit_for(int64_t time_ns);

#endif
