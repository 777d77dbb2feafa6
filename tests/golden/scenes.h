/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The scenes that are recorded: a query of a kind, and then perhaps a store
 * of its result into a buffer, or a draw under its condition.  Work on the
 * GPU stands between the steps, so that a recording tells which commands are
 * for which step:
 *
 *    work, begin, GOLDEN_DRAWS times work, end, work, store or condition,
 * work
 */

#ifndef PITOT_GOLDEN_SCENES_H
#define PITOT_GOLDEN_SCENES_H

#include <stdint.h>

#include "pitot/kind.h"
#include "targets.h"

/* How often a query counts something. */
#define GOLDEN_DRAWS 5

/* The vertices of a draw, or the groups of a dispatch, tell in a recording
 * which work it is: packets.py knows them.
 */
enum golden_size {
   GOLDEN_COUNTED = 33, /* by the query, or under its condition */
   GOLDEN_BEFORE = 39,  /* the query */
   GOLDEN_AFTER = 51,   /* the query */
   GOLDEN_LAST = 57,
};

/* In a scene in two batches, the first one ends after so many of these. */
#define GOLDEN_DRAWS_BEFORE_FLUSH 2

#define GOLDEN_NAME_SIZE 80

struct golden_kind {
   enum pitot_kind kind;
   unsigned target; /* GL's */
   enum target_work work;
   const char *suffix; /* of the kind's name in names of scenes */
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
   unsigned parameter; /* GL's, of the store, or the mode of the condition */
   unsigned size_B;    /* of the stored value */
   bool is_in_two_batches; /* the query, which is ended in the second one */
   bool is_known;          /* the result, before the step */
};

extern const struct golden_then golden_thens[];
extern const unsigned golden_then_count;

/* The scene of all statistics of draws, measured at once. */
#define GOLDEN_STATISTICS "all-statistics"

static inline bool
golden_is_statistic(const struct golden_kind *kind)
{
   return kind->kind >= PITOT_KIND_FIRST_STATISTIC &&
          kind->work == TARGET_DRAW;
}

/* Returns whether there is such a scene. */
bool
golden_has_scene(const struct golden_kind *kind,
                 const struct golden_then *then);

/* Writes the name of a scene. */
void
golden_scene_name(const struct golden_kind *kind,
                  const struct golden_then *then,
                  char name_out[GOLDEN_NAME_SIZE]);

#endif /* PITOT_GOLDEN_SCENES_H */
