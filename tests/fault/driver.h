/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of a driver and of its perf providers.
 */

#ifndef PITOT_TESTS_FAULT_DRIVER_H
#define PITOT_TESTS_FAULT_DRIVER_H

#include "pitot_perf_query.h"

/* Forgets the drivers of the last case. */
void
faulty_driver_forget(void);

/* Comes before the operations of a driver, and of its providers, which may be
 * NULL.  Drivers that are there at the same time have the same operations.
 */
void
faulty_driver_add(struct pitot_driver *driver,
                  struct pitot_perf_provider *providers);

#endif /* PITOT_TESTS_FAULT_DRIVER_H */
