/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The queries of iris, by Pitot: so far they are still the driver's.
 */

#include "iris_pitot.h"

#include "iris_context.h"

void
pitot_iris_init(struct iris_context *ice)
{
}
