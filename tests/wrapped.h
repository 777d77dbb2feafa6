/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_WRAPPED_H
#define PITOT_WRAPPED_H

/* Begins a function that the linker calls instead of another one (--wrap),
 * which is __real_NAME() then.
 */
#define WRAPPED(TYPE, NAME, PARAMETERS)                                      \
   TYPE __real_##NAME PARAMETERS;                                            \
   TYPE __wrap_##NAME PARAMETERS;                                            \
   TYPE __wrap_##NAME PARAMETERS

#endif /* PITOT_WRAPPED_H */
