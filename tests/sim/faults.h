/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* The faults of struct sim_faults: without one, these do nothing. */

#ifndef PITOT_SIM_FAULTS_H
#define PITOT_SIM_FAULTS_H

#include "engine.h"

/* Counts a write.  Returns whether it arrives. */
bool
sim_fault_arrives(struct sim *sim);

/* Adds the drift of one packet. */
void
sim_fault_drift(struct sim *sim, struct sim_counters *counters);

/* Returns a sum as the GPU computes it. */
uint64_t
sim_fault_add(const struct sim *sim, uint64_t a, uint64_t b);

uint64_t
sim_fault_hz(const struct sim *sim);

/* Returns the time of an ioctl that reads the clock. */
uint64_t
sim_read_clock(struct sim *sim);

#endif /* PITOT_SIM_FAULTS_H */
