/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Executes a command buffer of AMD's, and knows what GFX6 to GFX11 want of
 * it.
 */

#include "pm4.h"

#define TYPE_3        3
#define OP_SHIFT      8
#define OP_MASK       0xff
#define COUNT_SHIFT   16
#define COUNT_MASK    0x3fff
#define COUNT_NO_BODY 0x3fff /* of NOP */
#define PREDICATE     (1u << 0)

#define IB_SIZE_MASK 0xfffff
#define IB_CHAIN     (1u << 20)
#define MAX_DEPTH    2

#define ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

uint64_t
sim_pm4_address(const uint32_t *dw)
{
   return (dw[0] | (uint64_t)dw[1] << 32) & ADDRESS_MASK;
}

void
sim_pm4_violate(struct decoder *decoder, const char *packet, const char *rule)
{
   sim_violate(decoder->engine->sim, packet, rule);
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
      sim_pm4_violate(decoder, "EVENT_WRITE_EOP",
                      "a single one, on GFX7 or GFX8");
   decoder->eop_count = 0;
}

static bool
is_dispatch(unsigned op)
{
   return op == OP_DISPATCH_DIRECT || op == OP_DISPATCH_INDIRECT;
}

static bool
is_draw(unsigned op)
{
   switch (op) {
   case OP_DRAW_INDIRECT:
   case OP_DRAW_INDEX_INDIRECT:
   case OP_DRAW_INDEX_2:
   case OP_DRAW_INDIRECT_MULTI:
   case OP_DRAW_INDEX_AUTO:
   case OP_DRAW_INDEX_IMMD:
   case OP_DRAW_INDEX_MULTI_AUTO:
   case OP_DRAW_INDEX_OFFSET_2:
   case OP_DRAW_INDEX_INDIRECT_MULTI:
   case OP_DISPATCH_MESH_INDIRECT_MULTI:
   case OP_DISPATCH_TASKMESH:
   case OP_DISPATCH_MESH_DIRECT:
      return true;
   default:
      return false;
   }
}

static void
work(struct decoder *decoder, unsigned op, bool is_predicated,
     const uint32_t *body)
{
   if (is_predicated && decoder->skips)
      sim_note(decoder->engine, 0, "work skipped");
   else if (is_draw(op))
      sim_pm4_draw(decoder, op, body);
   else
      sim_pm4_dispatch(decoder, op, body);
}

static void
execute_event(struct decoder *decoder, unsigned op, const uint32_t *body,
              unsigned body_dw)
{
   const bool was_zpass = decoder->was_zpass;

   decoder->was_zpass = false;
   switch (op) {
   case OP_EVENT_WRITE:
      sim_pm4_event_write(decoder, body, body_dw);
      break;
   case OP_EVENT_WRITE_EOP:
      sim_pm4_event_write_eop(decoder, body);
      break;
   case OP_RELEASE_MEM:
      sim_pm4_release_mem(decoder, body, was_zpass);
      break;
   case OP_EVENT_WRITE_ZPASS:
      sim_pm4_event_write_zpass(decoder, body);
      break;
   }
}

static void
execute(struct decoder *decoder, unsigned op, const uint32_t *body,
        unsigned body_dw)
{
   switch (op) {
   case OP_SET_PREDICATION:
      sim_pm4_set_predication(decoder, body);
      break;
   case OP_WRITE_DATA:
      sim_pm4_write_data(decoder, body, body_dw);
      break;
   case OP_WAIT_REG_MEM:
      sim_pm4_wait_reg_mem(decoder, body);
      break;
   case OP_COPY_DATA:
      sim_pm4_copy_data(decoder, body);
      break;
   case OP_CP_DMA:
      sim_pm4_cp_dma(decoder, body);
      break;
   case OP_DMA_DATA:
      sim_pm4_dma_data(decoder, body);
      break;
   default:
      sim_pm4_set_state(decoder, op, body, body_dw);
   }
}

static unsigned
body_length(uint32_t header)
{
   const unsigned count = header >> COUNT_SHIFT & COUNT_MASK;

   if (header >> 30 != TYPE_3)
      return 0;
   if (count == COUNT_NO_BODY && (header >> OP_SHIFT & OP_MASK) == OP_NOP)
      return 0;
   return count + 1;
}

static void
run(struct decoder *decoder, struct sim_ib ib, unsigned depth);

/* Returns where the commands go on, if elsewhere. */
static struct sim_ib
packet(struct decoder *decoder, uint32_t header, const uint32_t *body,
       unsigned depth)
{
   const unsigned op = header >> OP_SHIFT & OP_MASK;

   check_eops(decoder, op);
   if (is_draw(op) || is_dispatch(op))
      work(decoder, op, (header & PREDICATE) != 0, body);
   if (op != OP_INDIRECT_BUFFER && op != OP_INDIRECT_BUFFER_GFX6) {
      execute(decoder, op, body, body_length(header));
      execute_event(decoder, op, body, body_length(header));
      return (struct sim_ib){ 0 };
   }

   const struct sim_ib ib = {
      .address = sim_pm4_address(body),
      .size_B = (body[2] & IB_SIZE_MASK) * sizeof(uint32_t),
   };
   if ((body[2] & IB_CHAIN) != 0)
      return ib;
   if (depth == MAX_DEPTH)
      sim_pm4_violate(decoder, "INDIRECT_BUFFER", "within one within one");
   else
      run(decoder, ib, depth + 1);
   return (struct sim_ib){ 0 };
}

static struct sim_ib
run_one(struct decoder *decoder, struct sim_ib ib, unsigned depth)
{
   struct sim *sim = decoder->engine->sim;
   const unsigned count_dw = ib.size_B / sizeof(uint32_t);
   struct sim_ib next = { 0 };
   uint64_t left_B;
   const uint32_t *dw = sim_memory(decoder->engine, ib.address, &left_B);
   unsigned i = 0;

   if (dw != NULL && left_B < ib.size_B) {
      sim_pm4_violate(decoder, "command buffer", "ends beyond its memory");
      return next;
   }
   while (dw != NULL && i < count_dw && next.size_B == 0) {
      const uint32_t header = dw[i++];
      const unsigned body_dw = body_length(header);

      sim_tick(sim, sim->ticks_per_packet);
      sim->packet_dw = 1 + body_dw;
      if (i + body_dw > count_dw) {
         sim_pm4_violate(decoder, "command buffer", "ends within a packet");
         break;
      }
      if (body_dw > 0)
         next = packet(decoder, header, &dw[i], depth);
      i += body_dw;
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
