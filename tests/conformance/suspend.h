/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Lets the system's clocks look as if the system had slept.
 */

#ifndef PITOT_TESTS_SUSPEND_H
#define PITOT_TESTS_SUSPEND_H

/* Moves CLOCK_BOOTTIME on by a second, and no other clock. */
void
suspend_system(void);

#endif /* PITOT_TESTS_SUSPEND_H */
