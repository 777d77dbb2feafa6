/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Included before a source file, this lets the other thread interrupt also
 * before each atomic read and write.
 */

#ifndef PITOT_TURNS_ATOMICS_H
#define PITOT_TURNS_ATOMICS_H

#include <stdatomic.h>

#include "turns.h"

#undef atomic_load
#undef atomic_store
#define atomic_load(OBJECT)                                                  \
   (turns_point(), atomic_load_explicit(OBJECT, memory_order_seq_cst))
#define atomic_store(OBJECT, VALUE)                                          \
   (turns_point(), atomic_store_explicit(OBJECT, VALUE, memory_order_seq_cst))

#endif /* PITOT_TURNS_ATOMICS_H */
