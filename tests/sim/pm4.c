/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* Executes AMD command buffers, and checks the rules of GFX6 to GFX12. */

#include <string.h>

#include "pm4.h"

#define TYPE_3        3
#define OP_NOP        0x10
#define COUNT_NO_BODY 0x3fff /* of NOP */
#define PREDICATE     (1u << 0)

#define IB_SIZE_MASK 0xfffff
#define IB_CHAIN     (1u << 20)

#define WAIT_IN_PFP (1u << 8)
#define SYNC_IN_ME  (1u << 31)

/* The simulated packets, other than those that set registers, and the least
 * dwords of their bodies.
 */
static const struct {
   pm4_handler *handle;
   unsigned least_dw;
} packets[OP_COUNT] = {
   [OP_INDIRECT_BUFFER_GFX6] = { NULL, 3 },
   [OP_INDIRECT_BUFFER] = { NULL, 3 },
   [OP_SET_PREDICATION] = { NULL, 2 }, /* executed by the PFP */
   [0x11] = { pm4_set_base, 3 },       /* SET_BASE */
   [0x12] = { pm4_clear_state, 1 },    /* CLEAR_STATE */
   [OP_DISPATCH_DIRECT] = { pm4_dispatch, 4 },
   [0x16] = { pm4_dispatch, 2 },        /* DISPATCH_INDIRECT */
   [0x28] = { pm4_context_control, 1 }, /* CONTEXT_CONTROL */
   [OP_DRAW_INDIRECT] = { pm4_draw, 1 },
   [OP_DRAW_INDEX_INDIRECT] = { pm4_draw, 1 },
   [OP_DRAW_INDEX_2] = { pm4_draw, 5 },
   [OP_DRAW_INDIRECT_MULTI] = { pm4_draw, 8 },
   [OP_DRAW_INDEX_AUTO] = { pm4_draw, 2 },
   [OP_DRAW_INDEX_IMMD] = { pm4_draw, 2 },
   [0x2f] = { pm4_num_instances, 1 },         /* NUM_INSTANCES */
   [0x30] = { pm4_draw, 1 },                  /* DRAW_INDEX_MULTI_AUTO */
   [0x34] = { pm4_strmout_buffer_update, 5 }, /* STRMOUT_BUFFER_UPDATE */
   [OP_DRAW_INDEX_OFFSET_2] = { pm4_draw, 4 },
   [OP_WRITE_DATA] = { pm4_write_data, 3 },
   [OP_DRAW_INDEX_INDIRECT_MULTI] = { pm4_draw, 8 },
   [OP_WAIT_REG_MEM] = { pm4_wait_reg_mem, 5 },
   [0x40] = { pm4_copy_data, 5 }, /* COPY_DATA */
   [0x41] = { pm4_cp_dma, 5 },    /* CP_DMA */
   [OP_SURFACE_SYNC] = { pm4_acquire_mem, 1 },
   [0x46] = { pm4_event_write, 1 }, /* EVENT_WRITE */
   [OP_EVENT_WRITE_EOP] = { pm4_event_write_eop, 5 },
   [0x49] = { pm4_release_mem, 6 }, /* RELEASE_MEM */
   [0x4c] = { pm4_draw, 1 },        /* DISPATCH_MESH_INDIRECT_MULTI */
   [0x4d] = { pm4_draw, 1 },        /* DISPATCH_TASKMESH */
   [0x4e] = { pm4_draw, 1 },        /* DISPATCH_MESH_DIRECT */
   [0x50] = { pm4_dma_data, 6 },    /* DMA_DATA */
   [OP_ACQUIRE_MEM] = { pm4_acquire_mem, 1 },
   [OP_LOAD_UCONFIG_REG] = { pm4_load_registers, 2 },
   [OP_LOAD_SH_REG] = { pm4_load_registers, 2 },
   [0x61] = { pm4_load_registers, 2 },   /* LOAD_CONTEXT_REG */
   [0x9f] = { pm4_load_context_reg, 3 }, /* LOAD_CONTEXT_REG_INDEX */
   [OP_DISPATCH_DIRECT_INTERLEAVED] = { pm4_dispatch, 4 },
   [0xa8] = { pm4_dispatch, 2 },          /* DISPATCH_INDIRECT_INTERLEAVED */
   [0xb1] = { pm4_event_write_zpass, 2 }, /* EVENT_WRITE_ZPASS */
};

/* GFX7 and GFX8 need end-of-pipe packets in pairs, the first a dummy. */
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
      sim_violate(decoder->engine, "EVENT_WRITE_EOP",
                  "a single one, on GFX7 or GFX8");
   decoder->eop_count = 0;
}

static unsigned
length(uint32_t header)
{
   const unsigned count = header >> 16 & 0x3fff;

   if (header >> 30 != TYPE_3 ||
       (count == COUNT_NO_BODY && (header >> 8 & 0xff) == OP_NOP))
      return 1;
   return 1 + count + 1;
}

static unsigned
least_length(uint32_t header, unsigned generation)
{
   const unsigned op = header >> 8 & 0xff;

   if (header >> 30 != TYPE_3)
      return 1;
   return 1 + packets[op].least_dw +
          (op == OP_SET_PREDICATION && generation >= GFX9);
}

/* Reading */

static struct pm4_packet
decode(const uint32_t *dw)
{
   return (struct pm4_packet){
      .op = dw[0] >> 8 & 0xff,
      .is_predicated = (dw[0] & PREDICATE) != 0,
      .body = &dw[1],
      .body_dw = length(dw[0]) - 1,
   };
}

static bool
is_work(const struct pm4_packet *packet)
{
   return packets[packet->op].handle == pm4_draw ||
          packets[packet->op].handle == pm4_dispatch;
}

static bool
is_call(const struct pm4_packet *packet)
{
   return packet->op == OP_INDIRECT_BUFFER ||
          packet->op == OP_INDIRECT_BUFFER_GFX6;
}

/* A chain replaces the current commands, a call returns. */
static void
call(struct sim_engine *engine, const uint32_t *body)
{
   sim_jump(engine, sim_address(body),
            (body[2] & IB_SIZE_MASK) * sizeof(uint32_t),
            (body[2] & IB_CHAIN) == 0);
}

/* Whether the PFP waits until the ME has executed a packet. */
static bool
syncs(const struct pm4_packet *packet)
{
   return packet->op == OP_PFP_SYNC_ME ||
          ((packet->op == OP_SURFACE_SYNC || packet->op == OP_ACQUIRE_MEM) &&
           (packet->body[0] & SYNC_IN_ME) == 0);
}

/* Whether the PFP must stop before a packet. */
static bool
stops_reading(struct decoder *decoder, const struct pm4_packet *packet)
{
   if (!sim_schedule_is_on(&decoder->engine->sim->schedule))
      return false;
   if (syncs(packet))
      return decoder->ahead_count > 0;
   if (packet->op == OP_SET_PREDICATION)
      return !pm4_is_decided(decoder, packet);
   return packet->op == OP_WAIT_REG_MEM &&
          (packet->body[0] & WAIT_IN_PFP) != 0 &&
          !pm4_has_waited(decoder, packet);
}

/* Executing */

static void
execute(struct decoder *decoder, const struct pm4_packet *packet)
{
   sim_show(decoder->engine->sim, packet->body - 1, 1 + packet->body_dw);
   decoder->after_zpass = decoder->is_zpass;
   decoder->is_zpass = false;
   if (packet->is_skipped)
      sim_note(decoder->engine, 0, "work skipped");
   else if (packets[packet->op].handle != NULL)
      packets[packet->op].handle(decoder, packet);
   else
      pm4_set_registers(decoder, packet);
}

/* The PFP reads a packet, for the ME if it does not execute it itself. */
static enum sim_progress
read_ahead(struct decoder *decoder, bool is_forced)
{
   struct sim_engine *engine = decoder->engine;

   if (!sim_has_commands(engine, decoder->ahead_count == 0))
      return SIM_ENDED;
   const uint32_t *dw = sim_peek(engine);
   if (dw == NULL)
      return SIM_DONE;
   struct pm4_packet packet = decode(dw);
   if (packet.body_dw != 0 && !is_forced && stops_reading(decoder, &packet))
      return SIM_WAITS;
   sim_take(engine);
   if (packet.body_dw == 0)
      return SIM_DONE;
   check_eops(decoder, packet.op);
   if (is_call(&packet)) {
      call(engine, packet.body);
      return SIM_DONE;
   }
   if (packet.op == OP_SET_PREDICATION)
      pm4_set_predication(decoder, &packet);
   packet.is_skipped = (is_work(&packet) || packet.op == OP_WRITE_DATA) &&
                       packet.is_predicated && decoder->skips &&
                       !engine->sim->faults.ignores_predicate;
   if (syncs(&packet))
      execute(decoder, &packet);
   else
      decoder->ahead[decoder->ahead_count++] = packet;
   return SIM_DONE;
}

/* The ME executes the oldest packet that was read. */
static enum sim_progress
execute_next(struct decoder *decoder, bool is_forced)
{
   const struct pm4_packet packet = decoder->ahead[0];

   if (packet.op == OP_WAIT_REG_MEM && !is_forced &&
       sim_schedule_is_on(&decoder->engine->sim->schedule) &&
       !pm4_has_waited(decoder, &packet))
      return SIM_WAITS;
   decoder->ahead_count--;
   memmove(&decoder->ahead[0], &decoder->ahead[1],
           decoder->ahead_count * sizeof(packet));
   execute(decoder, &packet);
   return SIM_DONE;
}

/* A predicate may be left over from other work. */
static void
begin(struct sim_engine *engine)
{
   *(struct decoder *)engine->decoder = (struct decoder){
      .engine = engine,
      .generation = engine->sim->gpu.facts.generation,
      .skips = sim_schedule_is_on(&engine->sim->schedule) &&
               sim_choose(&engine->sim->schedule, 2) != 0,
   };
}

/* Without a schedule the ME executes immediately. */
static bool
has_room(struct decoder *decoder)
{
   const struct sim_schedule *schedule = &decoder->engine->sim->schedule;

   return decoder->ahead_count <
          (sim_schedule_is_on(schedule) ? schedule->max_ahead : 1);
}

/* Either of ME and PFP may work first; if one waits, the other works. */
static enum sim_progress
next(struct sim_engine *engine, bool is_forced)
{
   struct decoder *decoder = engine->decoder;
   const bool has_ahead = decoder->ahead_count > 0;
   const bool reads = has_room(decoder);
   const bool reads_first =
      !has_ahead || (reads && sim_choose(&engine->sim->schedule, 2) == 0);
   enum sim_progress progress = SIM_WAITS;

   pm4_preempt(decoder);
   if (reads_first)
      progress = read_ahead(decoder, is_forced && !has_ahead);
   if (has_ahead && progress != SIM_DONE)
      progress = execute_next(decoder, is_forced);
   if (reads && !reads_first && progress == SIM_WAITS &&
       read_ahead(decoder, false) == SIM_DONE)
      progress = SIM_DONE;
   if (progress == SIM_ENDED)
      check_eops(decoder, OP_NOP);
   return progress;
}

const struct sim_decoder_ops sim_pm4_ops = {
   .state_B = sizeof(struct decoder),
   .begin = begin,
   .next = next,
   .length = length,
   .least_length = least_length,
   .max_calls = 3,
   .max_jumps = 1024,
};
