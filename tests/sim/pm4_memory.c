/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Packets by which the command streamer itself writes, copies and fills.
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

#define DMA_SRC_SHIFT     29
#define DMA_SRC_MASK      0x3
#define DMA_SRC_GDS       1
#define DMA_SRC_DATA      2
#define DMA_DST_SHIFT     20
#define DMA_DST_MASK      0x3
#define DMA_DST_ADDRESS   0
#define DMA_DST_L2        3
#define DMA_SIZE_GFX6     0x1fffff
#define DMA_SIZE_GFX9     0x3ffffff
#define ADDRESS_HIGH_MASK 0xffff

/* Registers, and the memory that is shared by all shaders, are not there. */
static bool
is_memory(uint32_t control)
{
   const unsigned select = control >> DST_SEL_SHIFT & DST_SEL_MASK;

   return select == DST_MEM_GRBM || select == DST_L2 || select == DST_MEM;
}

void
sim_pm4_write_data(struct decoder *decoder, const uint32_t *body,
                   unsigned body_dw)
{
   const unsigned step =
      (body[0] & WRITE_ONE_ADDR) != 0 ? 0 : sizeof(uint32_t);

   if (!is_memory(body[0]))
      return;
   for (unsigned i = 3; i < body_dw; i++)
      sim_write_now(decoder->engine,
                    sim_pm4_address(&body[1]) + (i - 3) * step, body[i],
                    sizeof(uint32_t));
}

void
sim_pm4_copy_data(struct decoder *decoder, const uint32_t *body)
{
   struct sim_engine *engine = decoder->engine;
   const unsigned size_B = (body[0] & COPY_64) != 0 ? 8 : 4;
   uint64_t value = 0; /* of registers */

   switch (body[0] & COPY_SRC_MASK) {
   case COPY_SRC_MEM:
   case COPY_SRC_L2:
      value = sim_load(engine, sim_pm4_address(&body[1]), size_B);
      break;
   case COPY_SRC_IMMEDIATE:
      value = body[1] | (uint64_t)body[2] << 32;
      break;
   case COPY_SRC_CLOCK:
      value = sim_tick(engine->sim, 0);
      break;
   }
   if (is_memory(body[0]))
      sim_write_now(engine, sim_pm4_address(&body[3]), value, size_B);
   else if ((body[0] >> DST_SEL_SHIFT & DST_SEL_MASK) == DST_REGISTER)
      sim_pm4_set_register(decoder, body[3] * sizeof(uint32_t),
                           (uint32_t)value);
}

static void
fill(struct sim_engine *engine, uint64_t address, uint32_t value,
     uint64_t size_B)
{
   while (size_B > 0) {
      uint64_t left_B;
      uint32_t *memory = sim_memory(engine, address, &left_B);

      if (memory == NULL)
         return;
      if (left_B > size_B)
         left_B = size_B;
      for (uint64_t i = 0; i < left_B / sizeof(*memory); i++)
         memory[i] = value;
      address += left_B;
      size_B -= left_B;
   }
}

static void
dma(struct decoder *decoder, uint32_t control, uint64_t to, uint64_t from,
    uint32_t size_B)
{
   const unsigned source = control >> DMA_SRC_SHIFT & DMA_SRC_MASK;
   const unsigned target = control >> DMA_DST_SHIFT & DMA_DST_MASK;

   size_B &= decoder->generation >= GFX9 ? DMA_SIZE_GFX9 : DMA_SIZE_GFX6;
   if ((target != DMA_DST_ADDRESS && target != DMA_DST_L2) ||
       source == DMA_SRC_GDS)
      return;
   if (source == DMA_SRC_DATA)
      fill(decoder->engine, to, (uint32_t)from, size_B);
   else
      sim_copy(decoder->engine, to, from, size_B);
}

static bool
compare(unsigned function, uint32_t value, uint32_t reference)
{
   switch (function) {
   case 1:
      return value < reference;
   case 2:
      return value <= reference;
   case 3:
      return value == reference;
   case 4:
      return value != reference;
   case 5:
      return value >= reference;
   case 6:
      return value > reference;
   default:
      return true;
   }
}

/* While the command streamer waits, the pipeline writes what it has to; there
 * is nobody else whose turn it could be.
 */
void
sim_pm4_wait_reg_mem(struct decoder *decoder, const uint32_t *body)
{
   uint64_t left_B;

   if ((body[0] & WAIT_FOR_MEMORY) == 0)
      return;
   sim_retire(decoder->engine);
   sim_drain(decoder->engine);

   const uint32_t *memory =
      sim_memory(decoder->engine, sim_pm4_address(&body[1]), &left_B);
   if (memory != NULL &&
       !compare(body[0] & WAIT_FUNCTION_MASK, *memory & body[4], body[3]))
      sim_pm4_violate(decoder, "WAIT_REG_MEM", "waits for ever");
}

void
sim_pm4_cp_dma(struct decoder *decoder, const uint32_t *body)
{
   const uint64_t from = body[0] | (uint64_t)(body[1] & ADDRESS_HIGH_MASK)
                                      << 32;

   dma(decoder, body[1], sim_pm4_address(&body[2]), from, body[4]);
}

void
sim_pm4_dma_data(struct decoder *decoder, const uint32_t *body)
{
   dma(decoder, body[0], sim_pm4_address(&body[3]), sim_pm4_address(&body[1]),
       body[5]);
}
