/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Lets the system's clocks look as if the system had slept, or much time had
 * passed.
 */

#ifndef PITOT_TESTS_SUSPEND_H
#define PITOT_TESTS_SUSPEND_H

#include <stdbool.h>

/* Moves CLOCK_BOOTTIME on by a second, and no other clock. */
void
suspend_system(void);

/* Moves all clocks on by SLEEP_S, powers a simulated GPU off and on, as
 * kernels do with one that is idle, and moves all clocks on by seconds more.
 * Returns false without such a GPU.
 */
#define SLEEP_S 60

bool
suspend_gpu(void);

#endif /* PITOT_TESTS_SUSPEND_H */
