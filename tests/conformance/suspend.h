/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A system that can be put to sleep, as far as its clocks tell.
 */

#ifndef PITOT_TESTS_SUSPEND_H
#define PITOT_TESTS_SUSPEND_H

/* Lets CLOCK_BOOTTIME go on by a second, and no other clock. */
void
suspend_system(void);

#endif /* PITOT_TESTS_SUSPEND_H */
