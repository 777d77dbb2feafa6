/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The kinds of queries whose packets are compared, as GL and the simulator
 * know them.
 */

#ifndef PITOT_GOLDEN_KINDS_H
#define PITOT_GOLDEN_KINDS_H

#include "pitot/kind.h"
#include "sim.h"

/* How often a query counts something. */
#define GOLDEN_DRAWS 5

enum golden_work {
   GOLDEN_DRAW,
   GOLDEN_FEEDBACK, /* a draw with transform feedback */
   GOLDEN_DISPATCH,
};

struct golden_kind {
   enum pitot_kind kind;
   unsigned target; /* GL's */
   enum golden_work work;
};

/* The mark around all statistics of draws, measured at once. */
#define GOLDEN_STATISTICS "all-statistics"

static inline bool
golden_is_statistic(const struct golden_kind *kind)
{
   return kind->kind >= PITOT_KIND_VERTICES_SUBMITTED &&
          kind->work == GOLDEN_DRAW;
}

extern const struct golden_kind golden_kinds[];
extern const unsigned golden_kind_count;

/* Returns what a query of that kind has to count, but for times. */
uint64_t
golden_expected(const struct golden_kind *kind, const struct sim *sim);

#endif /* PITOT_GOLDEN_KINDS_H */
