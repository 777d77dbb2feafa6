/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Shifts the system's clocks, as if it had been suspended or time had passed.
 */

#ifndef PITOT_TESTS_SUSPEND_H
#define PITOT_TESTS_SUSPEND_H

#include <stdbool.h>

/* Advances CLOCK_BOOTTIME alone, by a second. */
void
suspend_system(void);

/* Advances all clocks by SLEEP_S, powers a simulated GPU off and on, as
 * kernels do with an idle GPU, and advances all clocks by a few seconds.
 * Returns false without a simulated GPU.
 */
#define SLEEP_S 60

bool
suspend_gpu(void);

#endif /* PITOT_TESTS_SUSPEND_H */
