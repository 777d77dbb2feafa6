/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "../targets.h"
#include "cue.h"

/* A qword per kind and stream, and per enum sim_cue. */
#define CUE_SIZE_B 8

#define STORE_DATA_IMM_64 0x10200003
#define WRITE_DATA_64     0xc0043700
#define WRITE_DATA_MEMORY 0x00100500 /* confirmed */
#define NOP_WITH_CUE      0x70108005 /* see SIM_CUE */

#define STATISTIC(KIND, TARGET, FLAGS, WORK, DESKTOP, ES, GALLIUM, ...)      \
   [PITOT_KIND_##KIND] = SIM_##GALLIUM,

static const enum sim_statistic statistics[PITOT_KIND_COUNT] = {
   EACH_STATISTIC(STATISTIC)
};

/* A draw that adds an amount to a kind's count. */
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

   /* Intel and Adreno count these at the clipper. */
   if (kind == PITOT_KIND_PRIMITIVES_GENERATED && stream == 0 && is_clipper)
      work.statistics[SIM_C_INVOCATIONS] = amount;
   return work;
}

static void
apply_cue(struct sim_cues *cues, unsigned cue, uint64_t value)
{
   struct sim *sim = cues->sim;

   switch (cue) {
   case SIM_CUE_HOLD:
      cues->holds_time = value != 0;
      break;
   case SIM_CUE_TIME:
      if (!cues->holds_time)
         sim->now_ticks = value;
      break;
   case SIM_CUE_COMPUTE:
      cues->compute(cues->cs, value);
      break;
   case SIM_CUE_COMMAND:
      cues->command(cues->cs, value);
      break;
   default:
      sim->is_cued = true;
      sim->draw = sim->dispatch =
         work_of(cue / PITOT_MAX_STREAMS, cue % PITOT_MAX_STREAMS, value,
                 !cues->sim->gpu.is_amd);
   }
}

/* AMD writes two halves.  On Adreno a packet without effect carries the cue,
 * because posted writes come late, and a wait for them would hide missing
 * waits of a driver.
 */
static void
on_write(void *data, uint64_t address, uint64_t value)
{
   struct sim_cues *cues = data;
   const uint64_t first = cues->buffer->address;

   if (address < first || address >= first + SIM_CUES_SIZE_B)
      return;
   const unsigned offset_B = (unsigned)(address - first);
   if (!cues->sim->gpu.is_amd)
      apply_cue(cues, offset_B / CUE_SIZE_B, value);
   else if (offset_B % CUE_SIZE_B)
      apply_cue(cues, offset_B / CUE_SIZE_B, cues->low | value << 32);
   else
      cues->low = value;
}

void
sim_cues_init(struct sim_cues *cues, struct sim *sim)
{
   cues->sim = sim;
   sim->on_write = on_write;
   sim->on_write_data = cues;
}

static void
record(const struct sim_cues *cues, enum pitot_ring ring, const uint32_t *dw,
       unsigned count_dw)
{
   uint32_t *room = cues->reserve(cues->cs, ring, count_dw);

   if (room != NULL)
      memcpy(room, dw, count_dw * sizeof(dw[0]));
}

uint32_t *
sim_cue_write(const struct sim_cues *cues, unsigned cue, uint64_t value,
              uint32_t *next)
{
   const uint64_t address = cues->buffer->address + CUE_SIZE_B * cue;

   if (cues->sim->gpu.is_intel) {
      *next++ = STORE_DATA_IMM_64;
   } else if (cues->sim->gpu.is_amd) {
      *next++ = WRITE_DATA_64;
      *next++ = WRITE_DATA_MEMORY;
   } else {
      *next++ = NOP_WITH_CUE;
      *next++ = SIM_CUE;
   }
   *next++ = (uint32_t)address;
   *next++ = (uint32_t)(address >> 32);
   *next++ = (uint32_t)value;
   *next++ = (uint32_t)(value >> 32);
   return next;
}

/* Records a cue and its work in one batch. */
static void
record_cue(struct sim_cues *cues, enum pitot_ring ring, unsigned cue,
           uint64_t value, const uint32_t *work, unsigned work_dw)
{
   struct pitot_cs *cs = cues->cs;
   uint32_t dw[SIM_CUE_DW + SIM_WORK_DW];
   uint32_t *next = sim_cue_write(cues, cue, value, dw);

   if (work_dw > 0)
      memcpy(next, work, work_dw * sizeof(work[0]));
   record(cues, ring, dw, (unsigned)(next - dw) + work_dw);
   cs->ops->use_buffer(cs, ring, cues->buffer);
}

void
sim_cue_work(struct sim_cues *cues, enum pitot_kind kind, unsigned stream,
             uint64_t amount)
{
   const bool is_compute = kind == PITOT_KIND_CS_INVOCATIONS;
   const enum pitot_ring ring = is_compute && cues->cs->ring_count > 1
                                   ? PITOT_RING_COMPUTE
                                   : PITOT_RING_RENDER;
   uint32_t dw[SIM_WORK_DW];
   const unsigned count_dw =
      is_compute ? sim_dispatch(cues->sim, dw) : sim_draw(cues->sim, dw);

   record_cue(cues, ring, kind * PITOT_MAX_STREAMS + stream, amount, dw,
              count_dw);
}

void
sim_cue_time(struct sim_cues *cues, enum pitot_ring ring, uint64_t ticks)
{
   record_cue(cues, ring, SIM_CUE_TIME, ticks, NULL, 0);
}

void
sim_cue_compute(struct sim_cues *cues, enum pitot_ring ring, uint64_t number)
{
   record_cue(cues, ring, SIM_CUE_COMPUTE, number, NULL, 0);
}
