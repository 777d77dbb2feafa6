/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The ioctls of Mesa's drivers that may fail: those whose failure stock Mesa
 * survives.
 */

#ifndef PITOT_TESTS_FAULT_MESA_REQUESTS_H
#define PITOT_TESTS_FAULT_MESA_REQUESTS_H

#include <stdbool.h>

/* Returns whether stock Mesa survives that an ioctl fails with an errno. */
bool
mesa_survives(unsigned long code, int error);

/* Returns whether results may be lost by that. */
bool
mesa_loses_work(unsigned long code, int error);

#endif /* PITOT_TESTS_FAULT_MESA_REQUESTS_H */
