/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Counts the calls for which a driver may have to wait: to begin again, or to
 * free, a measurement that is in flight.  The drivers under the contract
 * suite wait for neither, which is why a caller that asks them for it would
 * not be noticed.
 */

#ifndef PITOT_TESTS_CHARGE_H
#define PITOT_TESTS_CHARGE_H

#include <stdbool.h>

#include "pitot/perf.h"

/* Comes before the operations of a driver, and of its providers.  There is
 * one driver at a time.
 */
void
charge_begin(struct pitot_driver *driver,
             struct pitot_perf_provider *providers);

void
charge_end(void);

/* A measurement that ends while results are held is in flight, until a result
 * says that it, or one that ended after it, is available.
 */
void
charge_hold(bool is_held);

unsigned
charge_count(void);

#endif /* PITOT_TESTS_CHARGE_H */
