/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * A simulated GPU behind a simulated kernel, through libdrm's interface.
 *
 * What a draw counts, and what time it is, a simulated GPU learns when it
 * executes, while the suite says it when it records.  So each is preceded by
 * a write to a notice board, with the amount, at which we look when the GPU
 * has come by.
 */

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "machine.h"
#include "sim.h"

#define NS_PER_S 1000000000

/* A notice for each kind and stream, and for the time. */
#define NOTICE_SIZE_B 8
#define NOTICE_TIME   (PITOT_KIND_COUNT * PITOT_MAX_STREAMS)
#define BOARD_SIZE_B  4096

#define STORE_DATA_IMM_64 0x10200003
#define WRITE_DATA_64     0xc0043700
#define WRITE_DATA_MEMORY 0x00100500 /* to memory, by the PFP, confirmed */

struct machine_of_sim {
   struct machine base;
   struct sim *sim;
   struct pitot_drm_device *device;
   struct pitot_cs_buffer *board;
   uint64_t low; /* half of a notice */
};

static struct machine_of_sim *
machine_of(struct machine *machine)
{
   return (struct machine_of_sim *)machine;
}

static const enum sim_statistic statistics[PITOT_KIND_COUNT] = {
   [PITOT_KIND_VERTICES_SUBMITTED] = SIM_IA_VERTICES,
   [PITOT_KIND_PRIMITIVES_SUBMITTED] = SIM_IA_PRIMITIVES,
   [PITOT_KIND_VS_INVOCATIONS] = SIM_VS_INVOCATIONS,
   [PITOT_KIND_TCS_PATCHES] = SIM_HS_INVOCATIONS,
   [PITOT_KIND_TES_INVOCATIONS] = SIM_DS_INVOCATIONS,
   [PITOT_KIND_GS_INVOCATIONS] = SIM_GS_INVOCATIONS,
   [PITOT_KIND_GS_PRIMITIVES] = SIM_GS_PRIMITIVES,
   [PITOT_KIND_FS_INVOCATIONS] = SIM_PS_INVOCATIONS,
   [PITOT_KIND_CS_INVOCATIONS] = SIM_CS_INVOCATIONS,
   [PITOT_KIND_CLIPPING_INPUT] = SIM_CL_INVOCATIONS,
   [PITOT_KIND_CLIPPING_OUTPUT] = SIM_CL_PRIMITIVES,
};

/* Returns what a draw does that counts an amount of a kind. */
static struct sim_work
work_of(enum pitot_kind kind, unsigned stream, uint64_t amount,
        bool is_clipper)
{
   struct sim_work work = { 0 };

   if (kind <= PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE)
      work.samples = amount;
   else if (kind == PITOT_KIND_PRIMITIVES_WRITTEN)
      work.streamout[stream][SIM_WRITTEN] = amount;
   else if (kind <= PITOT_KIND_ANY_STREAM_OVERFLOW)
      work.streamout[stream][SIM_NEEDED] = amount;
   else
      work.statistics[statistics[kind]] = amount;

   if (kind == PITOT_KIND_PRIMITIVES_GENERATED && stream == 0 && is_clipper)
      work.statistics[SIM_CL_INVOCATIONS] = amount;
   return work;
}

static void
read_notice(struct machine_of_sim *machine, unsigned notice, uint64_t value)
{
   struct sim *sim = machine->sim;

   if (notice == NOTICE_TIME) {
      sim->now_ticks = value;
      return;
   }
   sim->draw = sim->dispatch =
      work_of(notice / PITOT_MAX_STREAMS, notice % PITOT_MAX_STREAMS, value,
              sim->gpu.facts.vendor == PITOT_VENDOR_INTEL);
}

/* AMD's write comes in two halves. */
static void
on_write(void *data, uint64_t address, uint64_t value)
{
   struct machine_of_sim *machine = data;
   const struct pitot_cs_buffer *board = machine->board;
   const bool is_intel = machine->sim->gpu.facts.vendor == PITOT_VENDOR_INTEL;

   if (!board || address < board->address ||
       address >= board->address + BOARD_SIZE_B)
      return;
   const unsigned offset_B = (unsigned)(address - board->address);
   if (is_intel)
      read_notice(machine, offset_B / NOTICE_SIZE_B, value);
   else if (offset_B % NOTICE_SIZE_B)
      read_notice(machine, offset_B / NOTICE_SIZE_B,
                  machine->low | value << 32);
   else
      machine->low = value;
}

static struct machine *
create(const char *gpu)
{
   struct machine_of_sim *machine = calloc(1, sizeof(*machine));
   char message[PITOT_DRM_MESSAGE_SIZE];

   machine->sim = sim_create(gpu);
   machine->sim->now_ticks = 0;
   machine->sim->ticks_per_packet = machine->sim->ticks_per_read = 0;
   machine->sim->on_write = on_write;
   machine->sim->on_write_data = machine;
   assert_int_equal(pitot_drm_open(&machine->sim->io, NULL, &machine->device,
                                   message),
                    0);
   machine->device->gpu.timestamp_hz = NS_PER_S;
   assert_int_equal(pitot_drm_context_create(machine->device,
                                             &machine->base.cs),
                    0);

   struct pitot_cs *cs = machine->base.cs;
   assert_int_equal(cs->ops->buffer_create(cs, BOARD_SIZE_B, &machine->board),
                    0);
   machine->base.ops = &machine_sim;
   return &machine->base;
}

static void
destroy(struct machine *base)
{
   struct machine_of_sim *machine = machine_of(base);

   /* What is still in flight is read by nobody. */
   machine->sim->on_write = NULL;
   base->cs->ops->buffer_destroy(base->cs, machine->board);
   pitot_drm_context_destroy(base->cs);
   pitot_drm_close(machine->device);
   assert_string_equal(machine->sim->violations, "");
   sim_destroy(machine->sim);
   free(machine);
}

static void
record(struct machine *machine, enum pitot_ring ring, const uint32_t *dw,
       unsigned count_dw)
{
   struct pitot_cs *cs = machine->cs;
   uint32_t *room = cs->ops->reserve(cs, ring, count_dw, NULL);

   if (room)
      memcpy(room, dw, count_dw * sizeof(dw[0]));
}

static void
put_up_notice(struct machine *machine, enum pitot_ring ring, unsigned notice,
              uint64_t value)
{
   struct pitot_cs *cs = machine->cs;
   struct pitot_cs_buffer *board = machine_of(machine)->board;
   const uint64_t address = board->address + NOTICE_SIZE_B * notice;
   const uint32_t intel[] = {
      STORE_DATA_IMM_64, (uint32_t)address,       (uint32_t)(address >> 32),
      (uint32_t)value,   (uint32_t)(value >> 32),
   };
   const uint32_t amd[] = {
      WRITE_DATA_64,     WRITE_DATA_MEMORY,
      (uint32_t)address, (uint32_t)(address >> 32),
      (uint32_t)value,   (uint32_t)(value >> 32),
   };

   if (cs->gpu->vendor == PITOT_VENDOR_INTEL)
      record(machine, ring, intel, ARRAY_LENGTH(intel));
   else
      record(machine, ring, amd, ARRAY_LENGTH(amd));
   cs->ops->use_buffer(cs, ring, board);
}

static void
count(struct machine *machine, enum pitot_kind kind, unsigned stream,
      uint64_t amount)
{
   const struct sim *sim = machine_of(machine)->sim;
   const bool is_compute = kind == PITOT_KIND_CS_INVOCATIONS;
   const enum pitot_ring ring = is_compute && machine->cs->has_compute
                                   ? PITOT_RING_COMPUTE
                                   : PITOT_RING_RENDER;
   uint32_t dw[SIM_WORK_DW];
   const unsigned count_dw =
      is_compute ? sim_dispatch(sim, dw) : sim_draw(sim, dw);

   put_up_notice(machine, ring, kind * PITOT_MAX_STREAMS + stream, amount);
   record(machine, ring, dw, count_dw);
}

/* Now, and when the GPU comes by. */
static void
set_ticks(struct machine *machine, uint64_t ticks)
{
   machine_of(machine)->sim->now_ticks = ticks;
   put_up_notice(machine, PITOT_RING_RENDER, NOTICE_TIME, ticks);
}

static void
hold(struct machine *machine)
{
   machine_of(machine)->sim->is_delayed = true;
}

static void
lose(struct machine *machine)
{
   sim_reset(machine_of(machine)->sim);
}

static void
release(struct machine *machine)
{
   struct sim *sim = machine_of(machine)->sim;

   sim->is_delayed = false;
   sim_complete(sim, sim->submit_count);
}

const struct machine_ops machine_sim = {
   .name = "sim",
   .create = create,
   .destroy = destroy,
   .count = count,
   .set_ticks = set_ticks,
   .hold = hold,
   .lose = lose,
   .release = release,
};
