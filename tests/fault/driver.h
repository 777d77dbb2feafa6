/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Faults of a driver and of its perf providers.
 */

#ifndef PITOT_TESTS_FAULT_DRIVER_H
#define PITOT_TESTS_FAULT_DRIVER_H

#include "pitot/perf.h"

/* Comes before the operations of a driver, and of its providers, which may be
 * NULL.  There is one driver at a time.
 */
void
faulty_driver_begin(struct pitot_driver *driver,
                    struct pitot_perf_provider *providers);

#endif /* PITOT_TESTS_FAULT_DRIVER_H */
