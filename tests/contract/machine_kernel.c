/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdlib.h>

#include "../sim/sim_priv.h"
#include "../test.h"
#include "context.h"
#include "machine.h"
#include "pitot_clock.h"

struct machine_of_kernel {
   struct machine base;
   struct sim *sim;
   struct pitot_drm_device *device;
   struct sim_cues cues;
   uint64_t ticks; /* as last set */
};

static struct machine_of_kernel *
to_kernel(struct machine *machine)
{
   return (struct machine_of_kernel *)machine;
}

static uint32_t *
reserve(struct pitot_cs *cs, enum pitot_ring ring, unsigned count_dw)
{
   return pitot_drm_reserve((struct pitot_drm_context *)cs, ring, count_dw);
}

static struct machine *
create(const char *gpu)
{
   struct machine_of_kernel *machine = calloc(1, sizeof(*machine));
   char message[PITOT_DRM_MESSAGE_SIZE];
   struct pitot_cs_buffer *buffer;
   struct pitot_cs *cs;

   machine->sim = sim_create(gpu);
   machine->sim->now_ticks = 0;
   machine->sim->ticks_per_packet = machine->sim->ticks_per_read = 0;
   assert_int_equal(pitot_drm_open(&machine->sim->io, NULL, &machine->device,
                                   message),
                    0);
   machine->device->gpu.timestamp_hz = PITOT_NS_PER_S;
   machine->device->clock->info.frequency_hz = PITOT_NS_PER_S;
   assert_int_equal(pitot_drm_context_create(machine->device, &cs), 0);
   assert_int_equal(cs->ops->buffer_create(cs, SIM_CUES_SIZE_B, &buffer), 0);
   machine->cues.cs = cs;
   machine->cues.buffer = buffer;
   machine->cues.reserve = reserve;
   sim_cues_init(&machine->cues, machine->sim);
   machine->base.ops = &machine_kernel;
   machine->base.cs = cs;
   return &machine->base;
}

static void
destroy(struct machine *base)
{
   struct machine_of_kernel *machine = to_kernel(base);

   /* Cues in flight are not read any more. */
   machine->sim->on_write = NULL;
   base->cs->ops->buffer_destroy(base->cs, machine->cues.buffer);
   pitot_drm_context_destroy(base->cs);
   pitot_drm_close(machine->device);
   assert_string_equal(machine->sim->violations, "");
   sim_destroy(machine->sim);
   free(machine);
}

static void
count(struct machine *machine, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   sim_cue_work(&to_kernel(machine)->cues, kind, stream, amount);
}

/* Sets the time when the GPU reaches it, or now if the GPU is idle. */
static void
set_ticks(struct machine *machine, uint64_t ticks)
{
   struct machine_of_kernel *of_kernel = to_kernel(machine);

   if (ticks > of_kernel->ticks)
      sim_pass(ticks - of_kernel->ticks); /* ticks of 1 ns */
   of_kernel->ticks = ticks;
   if (!of_kernel->sim->is_running)
      of_kernel->sim->now_ticks = ticks;
   sim_cue_time(&to_kernel(machine)->cues, PITOT_RING_RENDER, ticks);
}

static void
hold(struct machine *machine)
{
   to_kernel(machine)->sim->is_delayed = true;
}

static void
lose(struct machine *machine)
{
   sim_reset(to_kernel(machine)->sim);
}

static void
release(struct machine *machine)
{
   struct sim *sim = to_kernel(machine)->sim;

   sim->is_delayed = false;
   sim_complete(sim, sim->submit_count);
}

static void
run(struct machine *machine)
{
   to_kernel(machine)->sim->is_running = true;
}

static void
look(struct machine *machine)
{
   sim_advance(to_kernel(machine)->sim);
}

const struct machine_ops machine_kernel = {
   .name = "sim",
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
