/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Executes command buffers of AMD's GPUs, and knows the rules of GFX6 to
 * GFX11 for them.
 */

#include "pm4.h"

#define TYPE_3        3
#define OP_NOP        0x10
#define COUNT_NO_BODY 0x3fff /* of NOP */
#define PREDICATE     (1u << 0)

#define IB_SIZE_MASK 0xfffff
#define IB_CHAIN     (1u << 20)
#define MAX_DEPTH    2

static pm4_handler *const handlers[OP_COUNT] = {
   [OP_SET_BASE] = pm4_set_base,
   [OP_CLEAR_STATE] = pm4_clear_state,
   [OP_DISPATCH_DIRECT] = pm4_dispatch,
   [OP_DISPATCH_INDIRECT] = pm4_dispatch,
   [OP_SET_PREDICATION] = pm4_set_predication,
   [OP_DRAW_INDIRECT] = pm4_draw,
   [OP_DRAW_INDEX_INDIRECT] = pm4_draw,
   [OP_DRAW_INDEX_2] = pm4_draw,
   [OP_DRAW_INDIRECT_MULTI] = pm4_draw,
   [OP_DRAW_INDEX_AUTO] = pm4_draw,
   [OP_DRAW_INDEX_IMMD] = pm4_draw,
   [OP_NUM_INSTANCES] = pm4_num_instances,
   [OP_DRAW_INDEX_MULTI_AUTO] = pm4_draw,
   [OP_STRMOUT_BUFFER_UPDATE] = pm4_strmout_buffer_update,
   [OP_DRAW_INDEX_OFFSET_2] = pm4_draw,
   [OP_WRITE_DATA] = pm4_write_data,
   [OP_DRAW_INDEX_INDIRECT_MULTI] = pm4_draw,
   [OP_WAIT_REG_MEM] = pm4_wait_reg_mem,
   [OP_COPY_DATA] = pm4_copy_data,
   [OP_CP_DMA] = pm4_cp_dma,
   [OP_EVENT_WRITE] = pm4_event_write,
   [OP_EVENT_WRITE_EOP] = pm4_event_write_eop,
   [OP_RELEASE_MEM] = pm4_release_mem,
   [OP_DISPATCH_MESH_INDIRECT_MULTI] = pm4_draw,
   [OP_DISPATCH_TASKMESH] = pm4_draw,
   [OP_DISPATCH_MESH_DIRECT] = pm4_draw,
   [OP_DMA_DATA] = pm4_dma_data,
   [OP_SET_CONFIG_REG] = pm4_set_registers,
   [OP_SET_CONTEXT_REG] = pm4_set_registers,
   [OP_SET_SH_REG] = pm4_set_registers,
   [OP_SET_UCONFIG_REG] = pm4_set_registers,
   [OP_SET_UCONFIG_REG_INDEX] = pm4_set_registers,
   [OP_SET_SH_REG_INDEX] = pm4_set_registers,
   [OP_LOAD_CONTEXT_REG_INDEX] = pm4_load_context_reg,
   [OP_EVENT_WRITE_ZPASS] = pm4_event_write_zpass,
   [OP_SET_CONTEXT_REG_PAIRS] = pm4_set_registers,
   [OP_SET_CONTEXT_REG_PAIRS_PACKED] = pm4_set_registers,
   [OP_SET_SH_REG_PAIRS] = pm4_set_registers,
   [OP_SET_SH_REG_PAIRS_PACKED] = pm4_set_registers,
   [OP_SET_SH_REG_PAIRS_PACKED_N] = pm4_set_registers,
};

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
      sim_violate(decoder->engine, "EVENT_WRITE_EOP",
                  "a single one, on GFX7 or GFX8");
   decoder->eop_count = 0;
}

static unsigned
body_length(uint32_t header)
{
   const unsigned count = header >> 16 & 0x3fff;

   if (header >> 30 != TYPE_3)
      return 0;
   if (count == COUNT_NO_BODY && (header >> 8 & 0xff) == OP_NOP)
      return 0;
   return count + 1;
}

static void
run(struct decoder *decoder, struct sim_ib ib, unsigned depth);

/* Calls other commands, or returns them if they replace the current ones.
 */
static struct sim_ib
call(struct decoder *decoder, const uint32_t *body, unsigned depth)
{
   const struct sim_ib ib = {
      .address = sim_address(body),
      .size_B = (body[2] & IB_SIZE_MASK) * sizeof(uint32_t),
   };

   if ((body[2] & IB_CHAIN) != 0)
      return ib;
   if (depth == MAX_DEPTH)
      sim_violate(decoder->engine, "INDIRECT_BUFFER",
                  "within one within one");
   else
      run(decoder, ib, depth + 1);
   return (struct sim_ib){ 0 };
}

/* Executes a packet.  Returns the commands that it chains to, if any. */
static struct sim_ib
execute(struct decoder *decoder, const struct pm4_packet *packet,
        unsigned depth)
{
   pm4_handler *handler = handlers[packet->op];
   const bool is_work = handler == pm4_draw || handler == pm4_dispatch;

   check_eops(decoder, packet->op);
   if (packet->op == OP_INDIRECT_BUFFER ||
       packet->op == OP_INDIRECT_BUFFER_GFX6)
      return call(decoder, packet->body, depth);
   decoder->after_zpass = decoder->is_zpass;
   decoder->is_zpass = false;
   if (is_work && packet->is_predicated && decoder->skips)
      sim_note(decoder->engine, 0, "work skipped");
   else if (handler != NULL)
      handler(decoder, packet);
   return (struct sim_ib){ 0 };
}

/* Executes commands.  Returns those that they chain to, if any. */
static struct sim_ib
run_one(struct decoder *decoder, struct sim_ib ib, unsigned depth)
{
   struct sim *sim = decoder->engine->sim;
   const unsigned count_dw = ib.size_B / sizeof(uint32_t);
   struct sim_ib next = { 0 };
   uint64_t left_B;
   const uint32_t *dw = sim_memory(decoder->engine, ib.address, &left_B);

   if (dw != NULL && left_B < ib.size_B) {
      sim_violate(decoder->engine, "command buffer",
                  "ends beyond its memory");
      return next;
   }
   for (unsigned i = 0; dw != NULL && i < count_dw && next.size_B == 0;) {
      const struct pm4_packet packet = {
         .op = dw[i] >> 8 & 0xff,
         .is_predicated = (dw[i] & PREDICATE) != 0,
         .body = &dw[i + 1],
         .body_dw = body_length(dw[i]),
      };

      i += 1 + packet.body_dw;
      sim_tick(sim, sim->ticks_per_packet);
      sim->packet_dw = 1 + packet.body_dw;
      if (i > count_dw)
         sim_violate(decoder->engine, "command buffer",
                     "ends within a packet");
      else if (packet.body_dw > 0)
         next = execute(decoder, &packet, depth);
   }
   return next;
}

static void
run(struct decoder *decoder, struct sim_ib ib, unsigned depth)
{
   while (ib.size_B > 0)
      ib = run_one(decoder, ib, depth);
}

void
sim_execute_pm4(struct sim_engine *engine)
{
   const struct sim_submission *submission = engine->submission;
   struct decoder decoder = {
      .engine = engine,
      .generation = engine->sim->gpu.facts.generation,
   };

   for (unsigned i = 0; i < submission->ib_count; i++) {
      decoder.is_compute = submission->ibs[i].is_compute;
      run(&decoder, submission->ibs[i], 0);
   }
   check_eops(&decoder, OP_NOP);
}
