/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Ioctls of Mesa's drivers whose failure stock Mesa survives.
 */

#ifndef PITOT_TESTS_FAULT_MESA_REQUESTS_H
#define PITOT_TESTS_FAULT_MESA_REQUESTS_H

#include <stdbool.h>

bool
mesa_survives(unsigned long code, int error);

bool
mesa_loses_work(unsigned long code, int error);

#endif /* PITOT_TESTS_FAULT_MESA_REQUESTS_H */
