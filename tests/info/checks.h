/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* pitot-info --check on a simulated GPU, and its JSON. */

#ifndef PITOT_INFO_CHECKS_H
#define PITOT_INFO_CHECKS_H

#include <jansson.h>

#include "../drm/rig.h"

/* Name and number of a kernel file; NULL: there are no such files. */
extern const char *checks_file_name, *checks_file_text;

/* Creates a GPU whose clock follows the CPU's. */
struct sim *
checks_create(const char *gpu);

/* Runs the checks.  Returns the exit status. */
int
checks_run(struct sim *sim);

/* The JSON of the last run's device; NULL: no device. */
extern const json_t *checks_device;

/* Returns the last run's check. */
const json_t *
checks_find(const char *name);

const char *
checks_text(const json_t *check, const char *key);

/* Returns a number that a check measured. */
double
checks_number(const char *check, const char *name);

/* Fails the test if a check is wrong. */
void
checks_expect_right(struct sim *sim);

#endif /* PITOT_INFO_CHECKS_H */
