/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_GENERATE_H
#define PITOT_MODEL_GENERATE_H

#include "world.h"

/* Generates the program of a seed for a kind of context.  Deterministic. */
void
generate(uint64_t seed, enum kind kind, const struct features *features,
         struct program *program_out);

#endif /* PITOT_MODEL_GENERATE_H */
