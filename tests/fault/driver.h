/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_TESTS_FAULT_DRIVER_H
#define PITOT_TESTS_FAULT_DRIVER_H

#include "pitot_perf_query.h"

void
faulty_driver_forget(void);

/* providers may be NULL.  Drivers that exist together share operations. */
void
faulty_driver_add(struct pitot_driver *driver,
                  struct pitot_perf_provider *providers);

#endif /* PITOT_TESTS_FAULT_DRIVER_H */
