/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Events: samples of counters, and the end of the pipe; and caches. */

#include "pm4.h"

#define EVENT_MASK                0x3f
#define EVENT_STREAMOUTSTATS1     1
#define EVENT_STREAMOUTSTATS3     3
#define EVENT_CS_PARTIAL_FLUSH    7
#define EVENT_VS_PARTIAL_FLUSH    15
#define EVENT_PS_PARTIAL_FLUSH    16
#define EVENT_ZPASS_DONE          21
#define EVENT_PIPELINESTAT_START  25
#define EVENT_PIPELINESTAT_STOP   26
#define EVENT_SAMPLE_PIPELINESTAT 30
#define EVENT_STREAMOUTSTATS      32
#define EVENT_PIXEL_STAT_DUMP     57

#define DATA_SEL_SHIFT 29
#define DATA_SEL_IMM32 1
#define DATA_SEL_IMM64 2
#define DATA_SEL_CLOCK 3

/* The order of SAMPLE_PIPELINESTAT; the last three are GFX11's. */
static const enum sim_statistic statistic_order[] = {
   SIM_PS_INVOCATIONS, SIM_C_PRIMITIVES,   SIM_C_INVOCATIONS,
   SIM_VS_INVOCATIONS, SIM_GS_INVOCATIONS, SIM_GS_PRIMITIVES,
   SIM_IA_PRIMITIVES,  SIM_IA_VERTICES,    SIM_HS_INVOCATIONS,
   SIM_DS_INVOCATIONS, SIM_CS_INVOCATIONS, SIM_MS_INVOCATIONS,
   SIM_MS_INVOCATIONS, SIM_MS_INVOCATIONS,
};
#define STATISTIC_COUNT       11
#define STATISTIC_COUNT_GFX11 14

/* While commands are secure, backends write to encrypted memory only. */
static void
check_encryption(struct sim_engine *engine, uint64_t address)
{
   if (engine->submission->is_secure &&
       !sim_space_is_encrypted(&engine->submission->space, address) &&
       !sim_space_is_encrypted(&engine->sim->kernel->space, address))
      sim_violate(engine, "EVENT_WRITE",
                  "secure, but to memory that is not encrypted");
}

/* A disabled backend writes nothing: its slot stays empty, or later backends
 * move up.  It is unknown which one hardware does from GFX9 on.
 */
static void
sample_backends(struct decoder *decoder, uint64_t address)
{
   struct sim_engine *engine = decoder->engine;
   const struct pitot_amd_gpu *facts = &engine->sim->gpu.amd;
   const uint64_t mask = facts->rb_mask & ~engine->sim->absent_backends;
   const struct sim_counters counted = sim_counted(engine);
   unsigned slot = 0;

   for (unsigned i = 0; i < facts->rb_count; i++) {
      const bool is_enabled = (mask >> i & 1) != 0;

      if (is_enabled && (engine->sim->faults.lost_backends >> i & 1) == 0)
         sim_write_by_backend(engine, i, address + slot * BACKEND_STRIDE,
                              VALID | counted.samples[i]);
      slot += is_enabled || !engine->sim->packs_backends;
   }
   check_encryption(engine, address);
   decoder->is_zpass = true;
}

/* Hardware allows it, but the sample's pair may then count nothing.  Mesa's
 * driver does it on purpose: it starts counting at the next draw, and stops
 * for clears.  So tests can disable the rule.
 */
static void
check_counting(struct decoder *decoder, const char *packet)
{
   const struct sim *sim = decoder->engine->sim;

   if (!sim->kernel->counts_statistics && !sim->may_sample_uncounted)
      sim_violate(decoder->engine, packet, "while nothing is counted");
}

static void
sample_statistics(struct decoder *decoder, uint64_t address)
{
   struct sim_engine *engine = decoder->engine;
   const struct sim_counters counted = sim_counted(engine);
   const unsigned count =
      decoder->generation >= GFX11 ? STATISTIC_COUNT_GFX11 : STATISTIC_COUNT;

   for (unsigned i = 0; i < count; i++)
      sim_write_later(engine, SIM_IN_ANY_ORDER,
                      address + i * sizeof(uint64_t),
                      counted.statistics[statistic_order[i]],
                      sizeof(uint64_t));
   sim_note(engine, address, "statistics");
   check_counting(decoder, "SAMPLE_PIPELINESTAT");
}

static void
sample_streamout(struct decoder *decoder, unsigned stream, uint64_t address)
{
   struct sim_engine *engine = decoder->engine;
   const struct sim_counters counted = sim_counted(engine);

   if (decoder->generation >= GFX11)
      sim_violate(engine, "SAMPLE_STREAMOUTSTATS", "there is none on GFX11");
   for (unsigned i = 0; i < SIM_STREAMOUT_COUNT; i++)
      sim_write_later(engine, SIM_IN_ANY_ORDER,
                      address + i * sizeof(uint64_t),
                      VALID | counted.streamout[stream][i], sizeof(uint64_t));
   sim_note(engine, address, "streamout %u", stream);
   check_counting(decoder, "SAMPLE_STREAMOUTSTATS");
}

static void
sample(struct decoder *decoder, unsigned event, uint64_t address)
{
   const bool is_new = decoder->generation >= GFX11;
   const bool is_dump = event == EVENT_PIXEL_STAT_DUMP;

   if (event == EVENT_ZPASS_DONE || is_dump) {
      if (is_new != is_dump)
         sim_violate(decoder->engine, "EVENT_WRITE",
                     "an event of other generations");
      sim_note(decoder->engine, address,
               is_dump ? "zpass dump" : "zpass done");
      sample_backends(decoder, address);
   } else if (event == EVENT_SAMPLE_PIPELINESTAT) {
      sample_statistics(decoder, address);
   } else if (event == EVENT_STREAMOUTSTATS) {
      sample_streamout(decoder, 0, address);
   } else if (event >= EVENT_STREAMOUTSTATS1 &&
              event <= EVENT_STREAMOUTSTATS3) {
      sample_streamout(decoder, event, address);
   }
}

/* A switch must not change how finished work was counted. */
void
pm4_event_write(struct decoder *decoder, const struct pm4_packet *packet)
{
   struct sim_engine *engine = decoder->engine;
   const unsigned event = packet->body[0] & EVENT_MASK;

   switch (event) {
   case EVENT_PIPELINESTAT_START:
      sim_note(engine, 0, "statistics start");
      engine->sim->kernel->counts_statistics = true;
      break;
   case EVENT_PIPELINESTAT_STOP:
      sim_note(engine, 0, "statistics stop");
      engine->sim->kernel->counts_statistics = false;
      break;
   case EVENT_CS_PARTIAL_FLUSH:
      sim_caches_act(&engine->sim->kernel->caches, SIM_FINISH_STORES);
      /* fall through */
   case EVENT_PS_PARTIAL_FLUSH:
      sim_retire(engine);
      sim_note(engine, 0, "partial flush");
      break;
   case EVENT_VS_PARTIAL_FLUSH: /* fragments may be left */
      sim_note(engine, 0, "partial flush");
      break;
   default:
      if (packet->body_dw >= 3)
         sample(decoder, event, sim_address(&packet->body[1]));
   }
}

void
pm4_event_write_zpass(struct decoder *decoder,
                      const struct pm4_packet *packet)
{
   const uint64_t address = sim_address(packet->body);

   sim_note(decoder->engine, address, "zpass packet");
   sample_backends(decoder, address);
}

/* The first bits of a set of actions, by kind of packet and GPU. */
struct action_bits {
   uint32_t scalars, vectors; /* all bits are needed */
   uint32_t invalidate, write;
};

/* From a generation on: of packets (CP_COHER_CNTL, from GFX10 on GCR_CNTL),
 * and of the event of a write at the end of the pipe.  GFX10 and GFX11 have
 * an L1 above L2 for both.
 */
static const struct {
   unsigned generation;
   struct action_bits packet, event;
} all_bits[] = {
   { GFX12,
     { 1u << 7, 1u << 8, 1u << 14, 1u << 15 },
     { 1u << 30, 1u << 14, 1u << 20, 1u << 21 } },
   { GFX10,
     { 1u << 7 | 1u << 9, 1u << 8 | 1u << 9, 1u << 14, 1u << 15 },
     { 1u << 30 | 1u << 15, 1u << 14 | 1u << 15, 1u << 20, 1u << 21 } },
   { 0,
     { 1u << 27, 1u << 22, 1u << 23, 1u << 18 },
     { UINT32_MAX, 1u << 16, 1u << 17, 1u << 15 } },
};

/* Up to GFX7, invalidating L2 also writes it back. */
static uint32_t
actions_of(const struct decoder *decoder, bool is_event, uint32_t value)
{
   unsigned i = 0;

   while (decoder->generation < all_bits[i].generation)
      i++;
   const struct action_bits *bits =
      is_event ? &all_bits[i].event : &all_bits[i].packet;
   const bool invalidates = (value & bits->invalidate) != 0;
   uint32_t actions = 0;

   if ((value & bits->scalars) == bits->scalars)
      actions |= SIM_INVALIDATE_SCALARS;
   if ((value & bits->vectors) == bits->vectors)
      actions |= SIM_INVALIDATE_VECTORS;
   if (invalidates)
      actions |= SIM_INVALIDATE_L2;
   if ((value & bits->write) != 0 ||
       (invalidates && decoder->generation < GFX8))
      actions |= SIM_WRITE_L2;
   return actions;
}

void
pm4_acquire_mem(struct decoder *decoder, const struct pm4_packet *packet)
{
   const unsigned control = decoder->generation < GFX10 ? 0 : 6;

   if (packet->body_dw > control)
      sim_caches_act(&decoder->engine->sim->kernel->caches,
                     actions_of(decoder, false, packet->body[control]));
}

/* Writes after all earlier work and writes, except those of backends. */
static void
write_at_end(struct sim_engine *engine, uint64_t address, uint64_t value,
             unsigned size_B, uint32_t actions)
{
   sim_write_at_end(engine, address, value, size_B, actions);
   sim_finish(engine);
}

static void
end_of_pipe(struct decoder *decoder, uint32_t event, uint64_t address,
            uint32_t select, uint64_t value)
{
   const uint32_t actions =
      SIM_FINISH_STORES | actions_of(decoder, true, event);
   struct sim_engine *engine = decoder->engine;
   const unsigned data = select >> DATA_SEL_SHIFT;

   if (data == DATA_SEL_IMM32)
      value = (uint32_t)value;
   if (data == DATA_SEL_IMM32 || data == DATA_SEL_IMM64) {
      sim_note(engine, address, "end of pipe value 0x%llx",
               (unsigned long long)value);
      write_at_end(engine, address, value,
                   data == DATA_SEL_IMM32 ? sizeof(uint32_t)
                                          : sizeof(uint64_t),
                   actions);
   } else if (data == DATA_SEL_CLOCK) {
      sim_note(engine, address, "end of pipe clock");
      write_at_end(engine, address, sim_tick(engine->sim, 0),
                   sizeof(uint64_t), actions);
   } else {
      sim_finish(engine);
      sim_caches_act(&engine->sim->kernel->caches, actions);
   }
}

void
pm4_event_write_eop(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;

   if (decoder->generation >= GFX9)
      sim_violate(decoder->engine, "EVENT_WRITE_EOP",
                  "there is none on GFX9");
   end_of_pipe(decoder, body[0], sim_address(&body[1]), body[2],
               sim_pair(&body[3]));
}

/* The rules are for the graphics ring. */
void
pm4_release_mem(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;
   const bool draws = pm4_ib(decoder)->ring == 0;

   if (decoder->generation < GFX9 && draws)
      sim_violate(decoder->engine, "RELEASE_MEM",
                  "not on this ring before GFX9");
   if (decoder->generation == GFX9 && draws && !decoder->after_zpass)
      sim_violate(decoder->engine, "RELEASE_MEM",
                  "without ZPASS_DONE before, on GFX9");
   end_of_pipe(decoder, body[0], sim_address(&body[2]), body[1],
               sim_pair(&body[4]));
}
