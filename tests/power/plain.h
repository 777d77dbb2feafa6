/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Replaces the atomic accesses of C11 and the compiler by plain ones. */

#ifndef PITOT_TESTS_PLAIN_H
#define PITOT_TESTS_PLAIN_H

#include <stdatomic.h>
#include <stdbool.h>

#define PLAIN(P) (*(__typeof__(atomic_load(P)) *)(P))

#define plain_load(P)                 PLAIN(P)
#define plain_load_explicit(P, ORDER) PLAIN(P)

#define plain_store(P, VALUE)                 (PLAIN(P) = (VALUE))
#define plain_store_explicit(P, VALUE, ORDER) (PLAIN(P) = (VALUE))

#define plain_exchange(P, VALUE)                                             \
   ({                                                                        \
      __typeof__(PLAIN(P)) before = PLAIN(P);                                \
      PLAIN(P) = (VALUE);                                                    \
      before;                                                                \
   })
#define plain_exchange_explicit(P, VALUE, ORDER) plain_exchange(P, VALUE)

#define plain_swap(TARGET, EXPECTED, VALUE)                                  \
   ({                                                                        \
      const bool is_same = (TARGET) == *(EXPECTED);                          \
      if (is_same)                                                           \
         (TARGET) = (VALUE);                                                 \
      else                                                                   \
         *(EXPECTED) = (TARGET);                                             \
      is_same;                                                               \
   })
#define plain_compare_exchange_weak(P, EXPECTED, VALUE)                      \
   plain_swap(PLAIN(P), EXPECTED, VALUE)
#define plain_compare_exchange_strong_explicit(P, EXPECTED, VALUE, YES, NO)  \
   plain_swap(PLAIN(P), EXPECTED, VALUE)

#define plain_load_n(P, ORDER)         (*(P))
#define plain_store_n(P, VALUE, ORDER) (*(P) = (VALUE))
#define plain_compare_exchange_n(P, EXPECTED, VALUE, IS_WEAK, YES, NO)       \
   plain_swap(*(P), EXPECTED, VALUE)

#endif /* PITOT_TESTS_PLAIN_H */
