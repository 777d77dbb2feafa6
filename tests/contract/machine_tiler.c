/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "../test.h"
#include "../tiler/tiler.h"
#include "machine.h"

struct machine_of_tiler {
   struct machine base;
   struct tiler *tiler;
};

static struct tiler *
tiler_of(struct machine *machine)
{
   return ((struct machine_of_tiler *)machine)->tiler;
}

static struct machine *
create(const char *gpu)
{
   struct machine_of_tiler *machine = calloc(1, sizeof(*machine));

   (void)gpu;
   machine->tiler = tiler_create();
   machine->base.ops = &machine_tiler;
   machine->base.cs = &machine->tiler->base;
   return &machine->base;
}

static void
destroy(struct machine *machine)
{
   assert_string_equal(tiler_of(machine)->violation, "");
   assert_int_equal(tiler_destroy(tiler_of(machine)), 0);
   free(machine);
}

static void
count(struct machine *machine, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   tiler_draw(tiler_of(machine), kind, stream, amount);
}

static void
set_ticks(struct machine *machine, uint64_t ticks)
{
   tiler_set_ticks(tiler_of(machine), ticks);
}

static void
hold(struct machine *machine)
{
   tiler_of(machine)->is_held = true;
}

static void
lose(struct machine *machine)
{
   tiler_of(machine)->is_lost = tiler_of(machine)->was_reset = true;
}

static void
release(struct machine *machine)
{
   tiler_of(machine)->is_held = false;
   tiler_complete(tiler_of(machine));
}

static void
look(struct machine *machine)
{
   tiler_complete(tiler_of(machine));
}

const struct machine_ops machine_tiler = {
   .name = "made-up",
   .create = create,
   .destroy = destroy,
   .count = count,
   .set_ticks = set_ticks,
   .hold = hold,
   .lose = lose,
   .release = release,
   .run = hold,
   .look = look,
};

const struct sim_gpu machine_tiler_gpu = {
   .key = "tiler",
   .facts = { .family = &tiler_family, .name = "tiler" },
};
