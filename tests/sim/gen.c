/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Executes a batch of Intel's, and knows what Gen8 to Gen12.5 want of it.
 */

#include <string.h>

#include "sim_priv.h"

#define GEN9  90
#define GEN10 100
#define GEN11 110

/* Types of commands, and how long they are. */
#define TYPE_MI         0
#define TYPE_3D         3
#define MI_SHORT_BEFORE 0x10
#define SUBTYPE_SINGLE  1
#define SUBTYPE_MEDIA   2

#define MI_BATCH_BUFFER_END   0x0a
#define MI_STORE_DATA_IMM     0x20
#define MI_STORE_REGISTER_MEM 0x24
#define MI_BATCH_BUFFER_START 0x31

#define PIPELINE_SELECT 0x6904

/* Without a length. */
#define VF_STATISTICS       0x780b
#define PIPELINE_SELECT_OLD 0x6104

#define GPGPU_WALKER   0x7105
#define COMPUTE_WALKER 0x7208
#define PIPE_CONTROL   0x7a00
#define PRIMITIVE      0x7b00

#define SDI_QWORD      (1u << 21)
#define SRM_ADD_OFFSET (1u << 19)
#define SRM_RCS_START  0x2000
#define SELECT_MASK    3
#define SELECT_GPGPU   2
#define REGISTER_HIGH  4
#define ADDRESS_MASK   ((UINT64_C(1) << 48) - 1)

/* PIPE_CONTROL. */
#define DEPTH_FLUSH     (1u << 0)
#define SCOREBOARD      (1u << 1)
#define DC_FLUSH        (1u << 5)
#define FLUSH_ENABLE    (1u << 7)
#define RT_FLUSH        (1u << 12)
#define DEPTH_STALL     (1u << 13)
#define POST_SYNC_SHIFT 14
#define POST_SYNC_MASK  (3u << POST_SYNC_SHIFT)
#define CS_STALL        (1u << 20)

enum post_sync {
   POST_SYNC_NONE,
   POST_SYNC_IMMEDIATE,
   POST_SYNC_DEPTH_COUNT,
   POST_SYNC_TIMESTAMP,
};

#define REG_DEPTH_COUNT 0x2350
#define REG_TIMESTAMP   0x2358
#define REG_SO_WRITTEN  0x5200
#define REG_SO_NEEDED   0x5240
#define REG_SO_END      0x5260

/* By enum sim_statistic. */
static const uint32_t statistic_registers[SIM_STATISTIC_COUNT] = {
   0x2310, 0x2318, 0x2320, 0x2328, 0x2330, 0x2338, 0x2340,
   0x2348, 0x2300, 0x2308, 0x2290, 0x26e8, 0x26e0,
};

struct decoder {
   struct sim_engine *engine;
   unsigned generation;
   uint32_t last_flags; /* of the packet before, if a PIPE_CONTROL */
   bool is_gpgpu;
   bool is_over;
};

static uint64_t
address_of(const uint32_t *dw)
{
   return (dw[0] | (uint64_t)dw[1] << 32) & ADDRESS_MASK;
}

static uint64_t
read_streamout(const struct sim_counters *counters, uint32_t reg)
{
   const bool is_needed = reg >= REG_SO_NEEDED;
   const uint32_t base = is_needed ? REG_SO_NEEDED : REG_SO_WRITTEN;
   const unsigned stream = (reg - base) / sizeof(uint64_t);

   return stream < SIM_STREAM_COUNT
             ? counters
                  ->streamout[stream][is_needed ? SIM_NEEDED : SIM_WRITTEN]
             : 0;
}

/* Returns a register of 64 bits, by the offset of its low half. */
static uint64_t
read_register(struct decoder *decoder, uint32_t reg)
{
   const struct sim_counters *counters = decoder->engine->counters;

   for (unsigned i = 0; i < SIM_STATISTIC_COUNT; i++) {
      if (statistic_registers[i] == reg)
         return counters->statistics[i];
   }
   if (reg == REG_TIMESTAMP)
      return sim_tick(decoder->engine->sim, 0);
   if (reg == REG_DEPTH_COUNT)
      return counters->samples[0];
   if (reg >= REG_SO_WRITTEN && reg < REG_SO_END)
      return read_streamout(counters, reg);

   sim_violate(decoder->engine->sim, "MI_STORE_REGISTER_MEM",
               "of a register that is no counter");
   return 0;
}

/* Reads 32 bits at a time: what work counts between the two shows. */
static void
store_register(struct decoder *decoder, const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;
   const bool is_relative =
      decoder->generation >= GEN11 && (dw[0] & SRM_ADD_OFFSET) != 0;
   const uint32_t reg = dw[1] + (is_relative ? SRM_RCS_START : 0);
   const bool is_high = reg % sizeof(uint64_t) != 0;
   const uint64_t value =
      read_register(decoder, is_high ? reg - REGISTER_HIGH : reg);

   sim_write_now(engine, address_of(&dw[2]), is_high ? value >> 32 : value,
                 sizeof(uint32_t));
   if (!engine->is_busy)
      return;
   if (reg - is_high * REGISTER_HIGH != REG_TIMESTAMP)
      sim_violate(engine->sim, "MI_STORE_REGISTER_MEM",
                  "without a CS stall after work");
   sim_retire(engine);
}

static void
store_data(struct decoder *decoder, const uint32_t *dw)
{
   const bool is_qword = (dw[0] & SDI_QWORD) != 0;
   const uint64_t value = dw[3] | (is_qword ? (uint64_t)dw[4] << 32 : 0);

   sim_write_now(decoder->engine, address_of(&dw[1]), value,
                 is_qword ? sizeof(uint64_t) : sizeof(uint32_t));
}

static void
check_cs_stall(struct decoder *decoder, uint32_t flags)
{
   const uint32_t companions = DEPTH_FLUSH | SCOREBOARD | DC_FLUSH |
                               RT_FLUSH | DEPTH_STALL | POST_SYNC_MASK;

   if (decoder->generation < GEN9 && (flags & CS_STALL) != 0 &&
       (flags & companions) == 0)
      sim_violate(decoder->engine->sim, "PIPE_CONTROL",
                  "a CS stall by itself, before Gen9");
}

static void
check_depth_count(struct decoder *decoder, uint32_t flags)
{
   struct sim *sim = decoder->engine->sim;

   if ((flags & DEPTH_STALL) == 0)
      sim_violate(sim, "PIPE_CONTROL", "a depth count without depth stall");
   if (decoder->generation >= GEN10 && decoder->last_flags != DEPTH_STALL)
      sim_violate(sim, "PIPE_CONTROL",
                  "a depth count without a depth stall before, on Gen10");
}

/* A write after pipelined ones may only come first if nobody minds, and it
 * says that what is before is there.
 */
static void
check_immediate(struct decoder *decoder, uint32_t flags)
{
   if (decoder->engine->deferred_count != 0 &&
       (flags & (FLUSH_ENABLE | CS_STALL)) == 0)
      sim_violate(decoder->engine->sim, "PIPE_CONTROL",
                  "an immediate that may come before earlier writes");
}

static void
check_post_sync(struct decoder *decoder, uint32_t flags, enum post_sync sync)
{
   struct sim *sim = decoder->engine->sim;
   const bool is_sample = sync >= POST_SYNC_DEPTH_COUNT;

   if (is_sample && (flags & (RT_FLUSH | SCOREBOARD)) != 0)
      sim_violate(sim, "PIPE_CONTROL", "a sample with flush or scoreboard");
   if (is_sample && sim->gpu.facts.is_gt4 && (flags & CS_STALL) == 0)
      sim_violate(sim, "PIPE_CONTROL", "a sample without CS stall, on GT4");
   if (decoder->is_gpgpu && decoder->generation < GEN9 &&
       (flags & CS_STALL) == 0)
      sim_violate(sim, "PIPE_CONTROL", "a write without CS stall, in GPGPU");
   if (decoder->is_gpgpu && decoder->generation == GEN9 &&
       (decoder->last_flags & CS_STALL) == 0)
      sim_violate(sim, "PIPE_CONTROL",
                  "a write without a CS stall before, in GPGPU");
   if (sync == POST_SYNC_DEPTH_COUNT)
      check_depth_count(decoder, flags);
   if (sync == POST_SYNC_IMMEDIATE)
      check_immediate(decoder, flags);
}

static uint64_t
post_sync_value(struct decoder *decoder, enum post_sync sync,
                const uint32_t *dw)
{
   const struct sim_engine *engine = decoder->engine;

   if (sync == POST_SYNC_IMMEDIATE)
      return dw[4] | (uint64_t)dw[5] << 32;
   if (sync == POST_SYNC_TIMESTAMP)
      return sim_tick(engine->sim, 0);
   return engine->counters->samples[0] + engine->unretired.samples[0];
}

static void
pipe_control(struct decoder *decoder, const uint32_t *dw)
{
   const uint32_t flags = dw[1];
   const enum post_sync sync = (flags & POST_SYNC_MASK) >> POST_SYNC_SHIFT;

   check_cs_stall(decoder, flags);
   if (sync != POST_SYNC_NONE) {
      check_post_sync(decoder, flags, sync);
      sim_write_later(decoder->engine, address_of(&dw[2]),
                      post_sync_value(decoder, sync, dw), sizeof(uint64_t));
   }
   if ((flags & CS_STALL) != 0)
      sim_retire(decoder->engine);
   if ((flags & (CS_STALL | FLUSH_ENABLE)) != 0)
      sim_drain(decoder->engine);
   decoder->last_flags = flags;
}

static unsigned
length_of(uint32_t header)
{
   const unsigned type = header >> 29;

   if (header >> 16 == VF_STATISTICS || header >> 16 == PIPELINE_SELECT_OLD)
      return 1;
   if (type == TYPE_MI)
      return (header >> 23) < MI_SHORT_BEFORE ? 1 : (header & 0xff) + 2;
   if (type == TYPE_3D && (header >> 27 & 3) == SUBTYPE_SINGLE)
      return 1;
   if (type == TYPE_3D && (header >> 27 & 3) == SUBTYPE_MEDIA)
      return (header & 0xffff) + 2;
   return (header & 0xff) + 2;
}

static void
execute_mi(struct decoder *decoder, const uint32_t *dw)
{
   switch (dw[0] >> 23) {
   case MI_BATCH_BUFFER_END:
      decoder->is_over = true;
      break;
   case MI_STORE_DATA_IMM:
      store_data(decoder, dw);
      break;
   case MI_STORE_REGISTER_MEM:
      store_register(decoder, dw);
      break;
   case MI_BATCH_BUFFER_START:
      sim_violate(decoder->engine->sim, "MI_BATCH_BUFFER_START",
                  "not simulated");
      break;
   }
}

static void
execute_3d(struct decoder *decoder, const uint32_t *dw)
{
   struct sim_engine *engine = decoder->engine;

   switch (dw[0] >> 16) {
   case PIPELINE_SELECT:
      decoder->is_gpgpu = (dw[0] & SELECT_MASK) == SELECT_GPGPU;
      break;
   case PIPE_CONTROL:
      pipe_control(decoder, dw);
      return;
   case PRIMITIVE:
      sim_do_work(engine, &engine->sim->draw);
      break;
   case GPGPU_WALKER:
   case COMPUTE_WALKER:
      sim_do_work(engine, &engine->sim->dispatch);
      break;
   }
   decoder->last_flags = 0;
}

void
sim_execute_gen(struct sim_engine *engine)
{
   const struct sim_submission *submission = engine->submission;
   const unsigned count_dw = submission->size_B / sizeof(uint32_t);
   uint64_t left_B;
   const uint32_t *dw = sim_memory(engine, submission->address, &left_B);
   struct decoder decoder = {
      .engine = engine,
      .generation = engine->sim->gpu.facts.generation,
   };

   for (unsigned i = 0; dw != NULL && i < count_dw && !decoder.is_over;
        i += length_of(dw[i])) {
      sim_tick(engine->sim, engine->sim->ticks_per_packet);
      if (i + length_of(dw[i]) > count_dw)
         break;
      if (dw[i] >> 29 == TYPE_MI)
         execute_mi(&decoder, &dw[i]);
      else
         execute_3d(&decoder, &dw[i]);
   }
   if (!decoder.is_over)
      sim_violate(engine->sim, "batch", "has no end");
}
