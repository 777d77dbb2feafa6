/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_SCRIPT_NULL_H
#define PITOT_TESTS_SCRIPT_NULL_H

#include "script.h"

/* Pitot's GL layer over the null driver; gl is a struct host. */
extern const struct script_ops script_null_ops;
extern const struct script_perf_ops script_null_perf_ops;

#endif /* PITOT_TESTS_SCRIPT_NULL_H */
