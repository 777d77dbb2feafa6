/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The queries of radeonsi, by Pitot: so far they are still the driver's.
 */

#include "radeonsi_pitot.h"

#include "si_pipe.h"

void
pitot_radeonsi_init(struct si_context *sctx)
{
}
