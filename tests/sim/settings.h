/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * What the environment says of the simulator that is preloaded.
 *
 *    PITOT_SIM=GPU[,constants][,NAME=VALUE]...
 *       which GPU, and what of struct sim differs; with "constants", which
 *       comes first, each draw counts the same, and takes the same time,
 *       whatever it is and whatever the CPU's clock says
 *    PITOT_SIM_LOG=FILE
 *       where all packets of note go
 */

#ifndef PITOT_SIM_SETTINGS_H
#define PITOT_SIM_SETTINGS_H

#include "sim.h"

/* Ends the program, with one line, if the settings make no sense. */
struct sim *
settings_create_sim(void);

/* Sets a number by its name.  Returns whether there is one. */
bool
settings_set(struct sim *sim, const char *name, uint64_t value);

void
settings_mark(struct sim *sim, const char *text);

/* Says what was against the rules. */
void
settings_report(struct sim *sim);

#endif /* PITOT_SIM_SETTINGS_H */
