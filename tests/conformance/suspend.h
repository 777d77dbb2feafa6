/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shifts the system's clocks, as after a suspend or much time.
 */

#ifndef PITOT_TESTS_SUSPEND_H
#define PITOT_TESTS_SUSPEND_H

#include <stdbool.h>

/* Advances CLOCK_BOOTTIME alone, by a second. */
void
suspend_system(void);

/* Advances all clocks by SLEEP_S, powers the simulated GPU off and on, as
 * kernels do, and advances them again.  Returns false without such a GPU.
 */
#define SLEEP_S 60

bool
suspend_gpu(void);

#endif /* PITOT_TESTS_SUSPEND_H */
