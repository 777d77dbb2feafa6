/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The recorded scenes: a query of a kind, then perhaps a store of its result,
 * or a draw under its condition.  Work between the steps shows in a recording
 * which commands belong to which step:
 *
 *    work, begin, GOLDEN_DRAWS times work, end, work, store or condition,
 *    work
 */

#ifndef PITOT_GOLDEN_SCENES_H
#define PITOT_GOLDEN_SCENES_H

#include <stdint.h>

#include "pitot/kind.h"
#include "targets.h"

/* Counted draws or dispatches of a query. */
#define GOLDEN_DRAWS 5

/* The vertices or groups tell scenes.py which work it is. */
enum golden_size {
   GOLDEN_COUNTED = 33, /* measured, or under the condition */
   GOLDEN_BEFORE = 39,  /* before the query */
   GOLDEN_AFTER = 51,   /* after the query */
   GOLDEN_LAST = 57,
};

/* The first of two batches ends after this many. */
#define GOLDEN_DRAWS_BEFORE_FLUSH 2

#define GOLDEN_NAME_SIZE 80

struct golden_kind {
   enum pitot_kind kind;
   unsigned target; /* in GL */
   enum target_work work;
   const char *suffix; /* appended to the kind's name */
};

extern const struct golden_kind golden_kinds[];
extern const unsigned golden_kind_count;

enum golden_step {
   GOLDEN_NO_STEP,
   GOLDEN_STORE,
   GOLDEN_CONDITION,
};

/* The step after the end of a query. */
struct golden_then {
   const char *name;
   enum golden_step step;
   unsigned parameter;     /* GL's: of the store, or the condition's mode */
   unsigned size_B;        /* stored bytes */
   bool is_in_two_batches; /* the query ends in the second one */
   bool is_known;          /* the CPU has the result before the step */
};

extern const struct golden_then golden_thens[];
extern const unsigned golden_then_count;

/* Measures all statistics of draws together. */
#define GOLDEN_STATISTICS "all-statistics"

static inline bool
golden_is_statistic(const struct golden_kind *kind)
{
   return kind->kind >= PITOT_KIND_FIRST_STATISTIC &&
          kind->work == TARGET_DRAW;
}

bool
golden_has_scene(const struct golden_kind *kind,
                 const struct golden_then *then);

void
golden_scene_name(const struct golden_kind *kind,
                  const struct golden_then *then,
                  char name_out[GOLDEN_NAME_SIZE]);

#endif /* PITOT_GOLDEN_SCENES_H */
