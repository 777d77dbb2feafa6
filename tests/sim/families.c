/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Names only: a program on the simulated machine has no code of Pitot's. */

#include "pitot/drm.h"
#include "pitot_hw_family.h"

const struct pitot_hw_family pitot_hw_intel = { 0 };
const struct pitot_hw_family pitot_hw_amd = { 0 };
const struct pitot_hw_family pitot_hw_adreno = { 0 };
