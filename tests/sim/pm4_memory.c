/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets by which the command streamer writes, copies, fills and waits, and
 * SET_PREDICATION, by which it decides about draws.
 */

#include "pm4.h"

#define DST_SEL_SHIFT  8
#define DST_SEL_MASK   0xf
#define DST_REGISTER   0
#define DST_MEM_GRBM   1
#define DST_L2         2
#define DST_MEM        5
#define WRITE_ONE_ADDR (1u << 16)

#define COPY_SRC_MASK      0xf
#define COPY_SRC_MEM       1
#define COPY_SRC_L2        2
#define COPY_SRC_IMMEDIATE 5
#define COPY_SRC_CLOCK     9
#define COPY_64            (1u << 16)

#define WAIT_FUNCTION_MASK 7
#define WAIT_FOR_MEMORY    (1u << 4)

#define DMA_SRC_SHIFT   29
#define DMA_SRC_MASK    0x3
#define DMA_SRC_GDS     1
#define DMA_SRC_DATA    2
#define DMA_SRC_L2      3
#define DMA_DST_SHIFT   20
#define DMA_DST_MASK    0x3
#define DMA_DST_ADDRESS 0
#define DMA_DST_L2      3
#define DMA_SIZE_GFX6   0x1fffff
#define DMA_SIZE_GFX9   0x3ffffff

#define PREDICATE_DRAW_IF_FOUND (1u << 8)
#define PREDICATE_NO_WAIT       (1u << 12)
#define PREDICATE_OP_SHIFT      16
#define PREDICATE_OP_MASK       0x7
#define PREDICATE_CLEAR         0
#define PREDICATE_ZPASS         1
#define PREDICATE_PRIMCOUNT     2
#define PREDICATE_BOOL64        3
#define PREDICATE_BOOL32        4
#define PREDICATE_CONTINUE      (1u << 31)
#define PREDICATE_ALIGNMENT_B   16

#define ADDRESS_HIGH_GFX6 0xff

/* Registers and memory shared by shaders are not simulated. */
static bool
is_memory(uint32_t control)
{
   const unsigned select = control >> DST_SEL_SHIFT & DST_SEL_MASK;

   return select == DST_MEM_GRBM || select == DST_L2 || select == DST_MEM;
}

/* The cache that a packet selects, or that all packets use. */
static enum sim_cache_id
cache_if(const struct decoder *decoder, bool is_l2)
{
   return is_l2 ? SIM_L2 : sim_streamer_cache(decoder->engine);
}

/* Writes to memory, or to L2 if the packet selects it. */
static void
write_selected(struct decoder *decoder, uint32_t control, uint64_t address,
               uint64_t value, unsigned size_B)
{
   if ((control >> DST_SEL_SHIFT & DST_SEL_MASK) == DST_L2)
      sim_write_by(decoder->engine, SIM_L2, address, &value, size_B);
   else
      sim_write_now(decoder->engine, address, value, size_B);
}

void
pm4_write_data(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;
   const unsigned step_B =
      (body[0] & WRITE_ONE_ADDR) != 0 ? 0 : sizeof(uint32_t);

   if (!is_memory(body[0]))
      return;
   for (unsigned i = 3; i < packet->body_dw; i++)
      write_selected(decoder, body[0],
                     sim_address(&body[1]) + (i - 3) * step_B, body[i],
                     sizeof(uint32_t));
}

void
pm4_copy_data(struct decoder *decoder, const struct pm4_packet *packet)
{
   struct sim_engine *engine = decoder->engine;
   const uint32_t *body = packet->body;
   const unsigned source = body[0] & COPY_SRC_MASK;
   const unsigned size_B = (body[0] & COPY_64) != 0 ? 8 : 4;
   uint64_t value = 0; /* of registers */

   switch (source) {
   case COPY_SRC_MEM:
   case COPY_SRC_L2:
      sim_read_by(engine, cache_if(decoder, source == COPY_SRC_L2),
                  sim_address(&body[1]), &value, size_B);
      break;
   case COPY_SRC_IMMEDIATE:
      value = sim_pair(&body[1]);
      break;
   case COPY_SRC_CLOCK:
      value = sim_tick(engine->sim, 0);
      break;
   }
   if (is_memory(body[0]))
      write_selected(decoder, body[0], sim_address(&body[3]), value, size_B);
   else if ((body[0] >> DST_SEL_SHIFT & DST_SEL_MASK) == DST_REGISTER)
      pm4_set_register(decoder, body[3] * sizeof(uint32_t), (uint32_t)value);
}

static void
fill(struct sim_engine *engine, enum sim_cache_id id, uint64_t address,
     uint32_t value, uint64_t size_B)
{
   uint32_t data[SIM_LINE_B / sizeof(value)];

   for (unsigned i = 0; i < SIM_LINE_B / sizeof(value); i++)
      data[i] = value;
   for (uint64_t i = 0; i < size_B; i += sizeof(data)) {
      const uint64_t left_B = size_B - i;

      if (!sim_write_by(engine, id, address + i, data,
                        left_B < sizeof(data) ? left_B : sizeof(data)))
         return;
   }
}

static void
dma(struct decoder *decoder, uint32_t control, uint64_t to, uint64_t from,
    uint32_t size_B)
{
   const unsigned source = control >> DMA_SRC_SHIFT & DMA_SRC_MASK;
   const unsigned target = control >> DMA_DST_SHIFT & DMA_DST_MASK;
   const enum sim_cache_id to_id =
      target == DMA_DST_L2 ? SIM_L2 : SIM_NO_CACHE;

   size_B &= decoder->generation >= GFX9 ? DMA_SIZE_GFX9 : DMA_SIZE_GFX6;
   if ((target != DMA_DST_ADDRESS && target != DMA_DST_L2) ||
       source == DMA_SRC_GDS)
      return;
   if (source == DMA_SRC_DATA)
      fill(decoder->engine, to_id, to, (uint32_t)from, size_B);
   else
      sim_copy(decoder->engine, to_id, to,
               cache_if(decoder, source == DMA_SRC_L2), from, size_B);
}

bool
pm4_has_waited(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;
   uint32_t value;

   return (body[0] & WAIT_FOR_MEMORY) == 0 ||
          !sim_read(decoder->engine, sim_address(&body[1]), &value,
                    sizeof(value)) ||
          sim_compare(body[0] & WAIT_FUNCTION_MASK, value & body[4], body[3]);
}

/* The pipeline's writes arrive during the wait, late backends' last. */
void
pm4_wait_reg_mem(struct decoder *decoder, const struct pm4_packet *packet)
{
   if ((packet->body[0] & WAIT_FOR_MEMORY) == 0)
      return;
   sim_finish(decoder->engine);
   if (pm4_has_waited(decoder, packet))
      return;
   sim_drain_all(decoder->engine);
   if (!pm4_has_waited(decoder, packet))
      sim_violate(decoder->engine, "WAIT_REG_MEM", "waits for ever");
}

void
pm4_cp_dma(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;

   dma(decoder, body[1], sim_address(&body[2]), sim_address(body), body[4]);
}

void
pm4_dma_data(struct decoder *decoder, const struct pm4_packet *packet)
{
   const uint32_t *body = packet->body;

   dma(decoder, body[0], sim_address(&body[3]), sim_address(&body[1]),
       body[5]);
}

/* Clears *is_there if a sample is not written yet. */
static uint64_t
load_difference(struct sim_engine *engine, uint64_t begin, uint64_t end,
                bool *is_there)
{
   const uint64_t first = sim_load(engine, begin, sizeof(uint64_t));
   const uint64_t last = sim_load(engine, end, sizeof(uint64_t));

   if ((first & last & VALID) == 0)
      *is_there = false;
   return last - first;
}

/* "Found" is a sample in any backend's pair, fewer primitives written than
 * needed, or a number other than 0.
 */
static bool
find(struct sim_engine *engine, unsigned op, uint64_t address, bool *is_there)
{
   bool is_found = false;

   switch (op) {
   case PREDICATE_ZPASS:
      for (unsigned i = 0; i < engine->sim->gpu.amd.rb_count; i++) {
         const uint64_t pair = address + i * BACKEND_STRIDE;

         is_found |= load_difference(engine, pair, pair + 8, is_there) != 0;
      }
      return is_found;
   case PREDICATE_PRIMCOUNT:
      return load_difference(engine, address, address + 16, is_there) !=
             load_difference(engine, address + 8, address + 24, is_there);
   case PREDICATE_BOOL64:
      return sim_load(engine, address, sizeof(uint64_t)) != 0;
   case PREDICATE_BOOL32:
      return sim_load(engine, address, sizeof(uint32_t)) != 0;
   default:
      return false;
   }
}

static unsigned
operation_of(uint32_t control)
{
   return control >> PREDICATE_OP_SHIFT & PREDICATE_OP_MASK;
}

/* PREDICATE_NO_WAIT is for ZPASS only. */
static bool
waits(uint32_t control)
{
   return operation_of(control) != PREDICATE_ZPASS ||
          (control & PREDICATE_NO_WAIT) == 0;
}

static void
predicate(struct decoder *decoder, uint32_t control, uint64_t address)
{
   const unsigned op = operation_of(control);
   bool draws_if_found = (control & PREDICATE_DRAW_IF_FOUND) != 0;
   bool is_there = true;

   sim_note(decoder->engine, address, "predication 0x%x", control);
   if (op == PREDICATE_CLEAR) {
      decoder->skips = false;
      return;
   }

   if (op != PREDICATE_BOOL64 && op != PREDICATE_BOOL32 &&
       address % PREDICATE_ALIGNMENT_B != 0)
      sim_violate(decoder->engine, "SET_PREDICATION", "at an odd address");
   if (waits(control))
      sim_drain_all(decoder->engine);
   const bool is_found = find(decoder->engine, op, address, &is_there);
   if (waits(control) && !is_there)
      sim_violate(decoder->engine, "SET_PREDICATION", "waits for ever");

   if ((control & PREDICATE_CONTINUE) == 0)
      decoder->is_found = decoder->is_unknown = false;
   decoder->is_found |= is_found;
   decoder->is_unknown |= !is_there;

   /* Primitives are "visible" if all of them fit. */
   if (op == PREDICATE_PRIMCOUNT)
      draws_if_found = !draws_if_found;
   decoder->skips =
      !decoder->is_unknown && decoder->is_found != draws_if_found;
}

/* Until GFX8, the operation is in the upper bits of the address. */
static uint32_t
control_of(const struct decoder *decoder, const struct pm4_packet *packet,
           uint64_t *address_out)
{
   const uint32_t *body = packet->body;

   if (decoder->generation >= GFX9) {
      *address_out = sim_address(&body[1]);
      return body[0];
   }
   *address_out = body[0] | (uint64_t)(body[1] & ADDRESS_HIGH_GFX6) << 32;
   return body[1] & ~ADDRESS_HIGH_GFX6;
}

void
pm4_set_predication(struct decoder *decoder, const struct pm4_packet *packet)
{
   uint64_t address;
   const uint32_t control = control_of(decoder, packet, &address);

   predicate(decoder, control, address);
}

bool
pm4_is_decided(struct decoder *decoder, const struct pm4_packet *packet)
{
   uint64_t address;
   const uint32_t control = control_of(decoder, packet, &address);
   bool is_there = true;

   if (operation_of(control) != PREDICATE_CLEAR && waits(control))
      find(decoder->engine, operation_of(control), address, &is_there);
   return is_there;
}
