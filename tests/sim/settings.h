/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The settings of the preloaded simulator, from the environment.
 *
 *    PITOT_SIM=GPU[,constants][,NAME=VALUE]...
 *       the GPU, and changed numbers of struct sim, among them "fault.NAME"
 *       for one of struct sim_faults; with "constants", which
 *       comes first, every draw counts the same and takes the same time,
 *       independent of the CPU's clock; schedule=SEED is a schedule
 *    PITOT_SIM_LOG=FILE
 *       the log of all commands: see log.h
 */

#ifndef PITOT_SIM_SETTINGS_H
#define PITOT_SIM_SETTINGS_H

#include "sim.h"

/* Ends the program, with one line, if a setting makes no sense. */
struct sim *
settings_create_sim(void);

/* Sets a number by its name.  Returns whether it exists. */
bool
settings_set(struct sim *sim, const char *name, uint64_t value);

/* Returns a number by its name, or 0 if there is none. */
uint64_t
settings_get(const struct sim *sim, const char *name);

/* Has every draw count the same, and take the same time. */
void
settings_count_constants(struct sim *sim);

/* Writes a line into the log, if there is one. */
void
settings_mark(const char *text);

/* Closes the log, if there is one. */
void
settings_finish(void);

#endif /* PITOT_SIM_SETTINGS_H */
