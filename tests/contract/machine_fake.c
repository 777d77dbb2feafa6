/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "fake_gpu.h"
#include "machine.h"

#define NS_PER_S 1000000000

struct machine_of_fake {
   struct machine base;
   struct fake_stream fake;
};

static struct fake_stream *
fake_of(struct machine *machine)
{
   return &((struct machine_of_fake *)machine)->fake;
}

static struct machine *
create(const char *gpu)
{
   struct machine_of_fake *machine = calloc(1, sizeof(*machine));

   fake_stream_init(&machine->fake, fake_gpu(gpu));
   machine->fake.gpu.timestamp_hz = NS_PER_S;
   machine->fake.base.has_compute =
      machine->fake.gpu.vendor == PITOT_VENDOR_INTEL;
   machine->base.ops = &machine_fake;
   machine->base.cs = &machine->fake.base;
   return &machine->base;
}

static void
destroy(struct machine *machine)
{
   fake_stream_finish(fake_of(machine));
   free(machine);
}

static void
count(struct machine *machine, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   fake_stream_draw(fake_of(machine), kind, stream, amount);
}

static void
set_ticks(struct machine *machine, uint64_t ticks)
{
   fake_stream_move(fake_of(machine), PITOT_RING_RENDER);
   fake_of(machine)->ticks = ticks;
}

static void
hold(struct machine *machine)
{
   fake_of(machine)->is_held = true;
}

static void
lose(struct machine *machine)
{
   fake_of(machine)->is_lost = true;
   fake_of(machine)->was_reset = true;
}

static void
release(struct machine *machine)
{
   fake_of(machine)->is_held = false;
   fake_stream_complete(fake_of(machine));
}

const struct machine_ops machine_fake = {
   .name = "fake",
   .create = create,
   .destroy = destroy,
   .count = count,
   .set_ticks = set_ticks,
   .hold = hold,
   .lose = lose,
   .release = release,
};
