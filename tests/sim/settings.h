/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The settings of the preloaded simulator, from the environment.
 *
 *    PITOT_SIM=GPU[,constants][,NAME=VALUE]...
 *       the GPU, and numbers of struct sim, or "fault.NAME" for one of struct
 *       sim_faults, or schedule=SEED; with "constants", every draw counts the
 *       same and takes the same time, independent of the CPU's clock
 *    PITOT_SIM_LOG=FILE
 *       the log of all commands: see log.h
 */

#ifndef PITOT_SIM_SETTINGS_H
#define PITOT_SIM_SETTINGS_H

#include "sim.h"

/* Ends the program, with one line, if a setting is invalid. */
struct sim *
settings_create_sim(void);

/* Returns whether a number of this name exists. */
bool
settings_set(struct sim *sim, const char *name, uint64_t value);

/* Returns 0 if no number of this name exists. */
uint64_t
settings_get(const struct sim *sim, const char *name);

/* Every draw counts the same and takes the same time. */
void
settings_count_constants(struct sim *sim);

/* Logs a line, if there is a log. */
void
settings_mark(const char *text);

void
settings_finish(void);

#endif /* PITOT_SIM_SETTINGS_H */
