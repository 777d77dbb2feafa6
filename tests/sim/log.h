/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A log of all commands that a simulated GPU executes, in the order of the
 * command streamer.  Its lines:
 *
 *    mark: TEXT                     how far the program is
 *    kernel: I S W B                before each mark: so many ioctls (but for
 *                                   sim.untimely_count), submissions and
 *                                   waits of the CPU so far, and bytes of
 *                                   memory now
 *    batch: RING                    a ring begins to execute a batch
 *    memory: ADDRESS BYTES          a buffer that the batch can use
 *    > DWORD...                     a command
 *    note: ADDRESS TEXT             the effect of that command, and the
 *                                   address that it writes to, or 0
 *
 * Addresses and dwords are in hexadecimal digits.
 */

#ifndef PITOT_SIM_LOG_H
#define PITOT_SIM_LOG_H

#include <stdio.h>

#include "sim.h"

struct sim_log {
   const struct sim *sim;
   FILE *file;
};

/* Logs a GPU to a file.  The log must outlive the GPU. */
void
sim_log_begin(struct sim_log *log, struct sim *sim, FILE *file);

/* Does nothing if the log has not begun. */
void
sim_log_mark(const struct sim_log *log, const char *text);

#endif /* PITOT_SIM_LOG_H */
