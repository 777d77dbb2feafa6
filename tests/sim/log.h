/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A log of all commands that a simulated GPU executes, in the command
 * streamer's order, with addresses and dwords in hexadecimal digits:
 *
 *    mark: TEXT                     the program's progress
 *    kernel: I S W B                before each mark: ioctls so far (without
 *                                   sim.untimely_count), submissions, waits
 *                                   of the CPU, and bytes of memory now
 *    batch: RING                    a ring begins to execute a batch
 *    memory: ADDRESS BYTES          a buffer that the batch can use
 *    > DWORD...                     a command
 *    note: ADDRESS TEXT             the command's effect, and the address
 *                                   that it writes to, or 0
 */

#ifndef PITOT_SIM_LOG_H
#define PITOT_SIM_LOG_H

#include <stdio.h>

#include "sim.h"

struct sim_log {
   const struct sim *sim;
   FILE *file;
};

/* The log must outlive the GPU. */
void
sim_log_begin(struct sim_log *log, struct sim *sim, FILE *file);

void
sim_log_mark(const struct sim_log *log, const char *text);

#endif /* PITOT_SIM_LOG_H */
