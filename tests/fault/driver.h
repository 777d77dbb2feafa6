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

/* Replaces the operations of a driver and its providers (or NULL).  Drivers
 * that exist together must have the same operations.
 */
void
faulty_driver_add(struct pitot_driver *driver,
                  struct pitot_perf_provider *providers);

#endif /* PITOT_TESTS_FAULT_DRIVER_H */
