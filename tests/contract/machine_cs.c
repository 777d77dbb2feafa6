/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "../sim/cs.h"
#include "../test.h"
#include "machine.h"

struct machine_of_cs {
   struct machine base;
   struct sim_cs *cs;
};

static struct sim_cs *
cs_of(struct machine *machine)
{
   return ((struct machine_of_cs *)machine)->cs;
}

static struct machine *
create(const char *gpu)
{
   struct machine_of_cs *machine = calloc(1, sizeof(*machine));
   const bool is_intel = sim_gpu(gpu)->facts.family == &pitot_hw_intel;

   machine->cs = sim_cs_create(gpu, is_intel);
   sim_cs_set_clock(machine->cs, PITOT_NS_PER_S,
                    machine->cs->gpu.timestamp_bits);
   machine->base.ops = &machine_cs;
   machine->base.cs = &machine->cs->base;
   return &machine->base;
}

static void
destroy(struct machine *machine)
{
   assert_false(cs_of(machine)->overflowed);
   assert_string_equal(cs_of(machine)->sim->violations, "");
   assert_int_equal(sim_cs_destroy(cs_of(machine)), 0);
   free(machine);
}

static void
count(struct machine *machine, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   sim_cs_count(cs_of(machine), kind, stream, amount);
}

static void
set_ticks(struct machine *machine, uint64_t ticks)
{
   sim_cs_set_ticks(cs_of(machine), ticks);
}

static void
hold(struct machine *machine)
{
   cs_of(machine)->is_held = true;
}

static void
lose(struct machine *machine)
{
   cs_of(machine)->is_lost = cs_of(machine)->was_reset = true;
}

static void
release(struct machine *machine)
{
   cs_of(machine)->is_held = false;
   sim_cs_complete(cs_of(machine));
}

static void
run(struct machine *machine)
{
   cs_of(machine)->is_running = true;
}

static void
look(struct machine *machine)
{
   sim_cs_advance(cs_of(machine));
}

const struct machine_ops machine_cs = {
   .name = "cs",
   .create = create,
   .destroy = destroy,
   .count = count,
   .set_ticks = set_ticks,
   .hold = hold,
   .lose = lose,
   .release = release,
   .run = run,
   .look = look,
};
