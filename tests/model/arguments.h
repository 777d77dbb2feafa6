/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#ifndef PITOT_MODEL_ARGUMENTS_H
#define PITOT_MODEL_ARGUMENTS_H

#include "random.h"
#include "world.h"

#define MAX_FAVOURITES 3

struct generator {
   struct random random;
   const struct features *features;
   struct program *program;
   unsigned length; /* of the program, in calls */
   unsigned context, context_count;
   unsigned targets[MAX_FAVOURITES], target_count;
   unsigned depth;
   bool is_plain; /* no deliberate mistakes */
   bool has_controls;
   bool is_chain; /* timestamps, or queries without draws */
};

static inline unsigned
below(struct generator *g, unsigned count)
{
   return random_below(&g->random, count);
}

static inline bool
percent(struct generator *g, unsigned share)
{
   return random_percent(&g->random, share);
}

unsigned
variable(struct generator *g);
unsigned
handle(struct generator *g);
unsigned
any_target(struct generator *g);
unsigned
some_target(struct generator *g);
int64_t
some_index(struct generator *g, unsigned target);
unsigned
some_type(struct generator *g);
unsigned
some_pname(struct generator *g);
int64_t
some_offset(struct generator *g);
unsigned
way_to_ask(struct generator *g);

#endif /* PITOT_MODEL_ARGUMENTS_H */
