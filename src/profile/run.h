/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_PROFILE_RUN_H
#define PITOT_PROFILE_RUN_H

/* Runs a program, which ends with NULL, and all that it starts, with a trace
 * for each process, and makes outputs of these.  Returns the exit status: the
 * program's; 128 and the number of the signal that it died of; 1 if an output
 * could not be made of a program that succeeded; 2 for a bad name.
 */
int
pitot_profile_run(const char *output, char **command);

#endif /* PITOT_PROFILE_RUN_H */
