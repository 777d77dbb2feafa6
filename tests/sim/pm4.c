/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Executes a command buffer of AMD's, and knows what GFX6 to GFX11 want of
 * it.
 */

#include "sim_priv.h"

#define GFX7  70
#define GFX9  90
#define GFX11 110

#define TYPE_3      3
#define NOP_HEADER  0xffff1000 /* the one that has no body */
#define OP_SHIFT    8
#define OP_MASK     0xff
#define COUNT_SHIFT 16
#define COUNT_MASK  0x3fff

#define OP_NOP               0x10
#define OP_DISPATCH_DIRECT   0x15
#define OP_DRAW_INDEX_2      0x27
#define OP_DRAW_INDEX_AUTO   0x2d
#define OP_WRITE_DATA        0x37
#define OP_EVENT_WRITE       0x46
#define OP_EVENT_WRITE_EOP   0x47
#define OP_RELEASE_MEM       0x49
#define OP_SET_CONTEXT_REG   0x69
#define OP_EVENT_WRITE_ZPASS 0xb1

#define EVENT_MASK                0x3f
#define EVENT_STREAMOUTSTATS1     1
#define EVENT_STREAMOUTSTATS3     3
#define EVENT_CS_PARTIAL_FLUSH    7
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

#define EOP_ADDRESS_HIGH 0xffff
#define ADDRESS_MASK     ((UINT64_C(1) << 48) - 1)

#define DB_COUNT_CONTROL        1
#define COUNT_INCREMENT_DISABLE (1u << 0)
#define COUNT_ZPASS_ENABLE      (1u << 8)

#define VALID          (UINT64_C(1) << 63)
#define BACKEND_STRIDE 16

/* In the order of SAMPLE_PIPELINESTAT; what follows is GFX11's. */
static const enum sim_statistic statistic_order[] = {
   SIM_PS_INVOCATIONS, SIM_CL_PRIMITIVES,  SIM_CL_INVOCATIONS,
   SIM_VS_INVOCATIONS, SIM_GS_INVOCATIONS, SIM_GS_PRIMITIVES,
   SIM_IA_PRIMITIVES,  SIM_IA_VERTICES,    SIM_HS_INVOCATIONS,
   SIM_DS_INVOCATIONS, SIM_CS_INVOCATIONS,
};
#define STATISTIC_COUNT       11
#define STATISTIC_COUNT_GFX11 14

struct decoder {
   struct sim_engine *engine;
   unsigned generation;
   bool was_zpass;     /* the packet before */
   unsigned eop_count; /* of end-of-pipe packets in a row */
};

static uint64_t
address_of(const uint32_t *dw)
{
   return (dw[0] | (uint64_t)dw[1] << 32) & ADDRESS_MASK;
}

static void
violate(struct decoder *decoder, const char *packet, const char *rule)
{
   sim_violate(decoder->engine->sim, packet, rule);
}

/* Counters are read where the pipeline is: with all work before. */
static uint64_t
sum(uint64_t counted, uint64_t unretired)
{
   return counted + unretired;
}

static void
sample_backends(struct decoder *decoder, uint64_t address)
{
   struct sim_engine *engine = decoder->engine;
   const struct pitot_gpu *facts = &engine->sim->gpu.facts;

   for (unsigned i = 0; i < facts->rb_count; i++) {
      if ((facts->rb_mask >> i & 1) == 0)
         continue;
      sim_write_later(engine, address + i * BACKEND_STRIDE,
                      VALID | sum(engine->counters->samples[i],
                                  engine->unretired.samples[i]),
                      sizeof(uint64_t));
   }
   decoder->was_zpass = true;
}

static void
sample_statistics(struct decoder *decoder, uint64_t address)
{
   struct sim_engine *engine = decoder->engine;
   const unsigned count =
      decoder->generation >= GFX11 ? STATISTIC_COUNT_GFX11 : STATISTIC_COUNT;

   for (unsigned i = 0; i < count; i++) {
      const unsigned statistic =
         i < STATISTIC_COUNT ? statistic_order[i] : SIM_MS_INVOCATIONS;

      sim_write_later(engine, address + i * sizeof(uint64_t),
                      sum(engine->counters->statistics[statistic],
                          engine->unretired.statistics[statistic]),
                      sizeof(uint64_t));
   }
   if (!engine->sim->kernel->counts_statistics)
      violate(decoder, "SAMPLE_PIPELINESTAT", "while nothing is counted");
}

static void
sample_streamout(struct decoder *decoder, unsigned stream, uint64_t address)
{
   struct sim_engine *engine = decoder->engine;

   if (decoder->generation >= GFX11)
      violate(decoder, "SAMPLE_STREAMOUTSTATS", "there is none on GFX11");
   for (unsigned i = 0; i < SIM_STREAMOUT_COUNT; i++) {
      sim_write_later(engine, address + i * sizeof(uint64_t),
                      VALID | sum(engine->counters->streamout[stream][i],
                                  engine->unretired.streamout[stream][i]),
                      sizeof(uint64_t));
   }
   if (!engine->sim->kernel->counts_statistics)
      violate(decoder, "SAMPLE_STREAMOUTSTATS", "while nothing is counted");
}

/* Work that is through stays counted as it was. */
static void
count_statistics(struct decoder *decoder, bool is_on)
{
   decoder->engine->sim->kernel->counts_statistics = is_on;
}

static void
sample(struct decoder *decoder, unsigned event, uint64_t address)
{
   const bool is_new = decoder->generation >= GFX11;

   if (event == EVENT_ZPASS_DONE || event == EVENT_PIXEL_STAT_DUMP) {
      if (is_new != (event == EVENT_PIXEL_STAT_DUMP))
         violate(decoder, "EVENT_WRITE", "an event of other generations");
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

static void
event_write(struct decoder *decoder, const uint32_t *body, unsigned body_dw)
{
   const unsigned event = body[0] & EVENT_MASK;

   if (event == EVENT_PIPELINESTAT_START || event == EVENT_PIPELINESTAT_STOP)
      count_statistics(decoder, event == EVENT_PIPELINESTAT_START);
   else if (event == EVENT_PS_PARTIAL_FLUSH ||
            event == EVENT_CS_PARTIAL_FLUSH)
      sim_retire(decoder->engine);
   else if (body_dw >= 3)
      sample(decoder, event, address_of(&body[1]));
}

/* The end of the pipe: what is before is through, and then this is written.
 */
static void
end_of_pipe(struct decoder *decoder, uint64_t address, uint32_t select,
            uint32_t low, uint32_t high)
{
   struct sim_engine *engine = decoder->engine;
   const unsigned data = select >> DATA_SEL_SHIFT;

   sim_retire(engine);
   sim_drain(engine);
   if (data == DATA_SEL_IMM32)
      sim_write_now(engine, address, low, sizeof(uint32_t));
   else if (data == DATA_SEL_IMM64)
      sim_write_now(engine, address, low | (uint64_t)high << 32,
                    sizeof(uint64_t));
   else if (data == DATA_SEL_CLOCK)
      sim_write_now(engine, address, sim_tick(engine->sim, 0),
                    sizeof(uint64_t));
}

static void
event_write_eop(struct decoder *decoder, const uint32_t *body)
{
   if (decoder->generation >= GFX9)
      violate(decoder, "EVENT_WRITE_EOP", "there is none on GFX9");
   end_of_pipe(decoder,
               body[1] | (uint64_t)(body[2] & EOP_ADDRESS_HIGH) << 32,
               body[2], body[3], body[4]);
}

static void
release_mem(struct decoder *decoder, const uint32_t *body, bool was_zpass)
{
   if (decoder->generation < GFX9)
      violate(decoder, "RELEASE_MEM", "not on this ring before GFX9");
   if (decoder->generation == GFX9 && !was_zpass)
      violate(decoder, "RELEASE_MEM", "without ZPASS_DONE before, on GFX9");
   end_of_pipe(decoder, address_of(&body[2]), body[1], body[4], body[5]);
}

static void
set_context_reg(struct decoder *decoder, const uint32_t *body,
                unsigned body_dw)
{
   const unsigned generation = decoder->generation;

   for (unsigned i = 1; i < body_dw; i++) {
      if (body[0] + i - 1 != DB_COUNT_CONTROL)
         continue;
      decoder->engine->sim->kernel->counts_samples =
         generation < GFX7 ? (body[i] & COUNT_INCREMENT_DISABLE) == 0
                           : (body[i] & COUNT_ZPASS_ENABLE) != 0;
   }
}

/* GFX7 and GFX8 want end-of-pipe packets in pairs, the first for nothing. */
static void
check_eops(struct decoder *decoder, unsigned op)
{
   const bool wants_pairs =
      decoder->generation >= GFX7 && decoder->generation < GFX9;

   if (op == OP_EVENT_WRITE_EOP) {
      decoder->eop_count++;
      return;
   }
   if (wants_pairs && decoder->eop_count % 2 != 0)
      violate(decoder, "EVENT_WRITE_EOP", "a single one, on GFX7 or GFX8");
   decoder->eop_count = 0;
}

static void
write_data(struct decoder *decoder, const uint32_t *body, unsigned body_dw)
{
   for (unsigned i = 3; i < body_dw; i++) {
      sim_write_now(decoder->engine,
                    address_of(&body[1]) + (i - 3) * sizeof(uint32_t),
                    body[i], sizeof(uint32_t));
   }
}

static void
execute(struct decoder *decoder, unsigned op, const uint32_t *body,
        unsigned body_dw)
{
   struct sim_engine *engine = decoder->engine;
   const bool was_zpass = decoder->was_zpass;

   check_eops(decoder, op);
   decoder->was_zpass = false;
   switch (op) {
   case OP_DRAW_INDEX_2:
   case OP_DRAW_INDEX_AUTO:
      sim_do_work(engine, &engine->sim->draw);
      break;
   case OP_DISPATCH_DIRECT:
      sim_do_work(engine, &engine->sim->dispatch);
      break;
   case OP_EVENT_WRITE:
      event_write(decoder, body, body_dw);
      break;
   case OP_EVENT_WRITE_EOP:
      event_write_eop(decoder, body);
      break;
   case OP_EVENT_WRITE_ZPASS:
      sample_backends(decoder, address_of(body));
      break;
   case OP_RELEASE_MEM:
      release_mem(decoder, body, was_zpass);
      break;
   case OP_SET_CONTEXT_REG:
      set_context_reg(decoder, body, body_dw);
      break;
   case OP_WRITE_DATA:
      write_data(decoder, body, body_dw);
      break;
   }
}

void
sim_execute_pm4(struct sim_engine *engine)
{
   const struct sim_submission *submission = engine->submission;
   const unsigned count_dw = submission->size_B / sizeof(uint32_t);
   uint64_t left_B;
   const uint32_t *dw = sim_memory(engine, submission->address, &left_B);
   struct decoder decoder = {
      .engine = engine,
      .generation = engine->sim->gpu.facts.generation,
   };
   unsigned i = 0;

   while (dw != NULL && i < count_dw) {
      const uint32_t header = dw[i++];
      const unsigned body_dw = (header >> COUNT_SHIFT & COUNT_MASK) + 1;

      sim_tick(engine->sim, engine->sim->ticks_per_packet);
      if (header >> 30 != TYPE_3 || header == NOP_HEADER)
         continue;
      if (i + body_dw > count_dw) {
         violate(&decoder, "command buffer", "ends within a packet");
         break;
      }
      execute(&decoder, header >> OP_SHIFT & OP_MASK, &dw[i], body_dw);
      i += body_dw;
   }
   check_eops(&decoder, OP_NOP);
}
