/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "amd.h"

#define OP_WRITE_DATA        0x37u
#define OP_EVENT_WRITE       0x46u
#define OP_EVENT_WRITE_EOP   0x47u
#define OP_RELEASE_MEM       0x49u
#define OP_EVENT_WRITE_ZPASS 0xb1u

#define BOTTOM_OF_PIPE_TS PITOT_AMD_EVENT(40, 5)
#define WRITE_SHIFT       29

/* Not before earlier writes are confirmed: the CPU looks at what is written
 * while the batch still runs.
 */
#define AFTER_WRITE_CONFIRM (3u << 24)

#define WRITE_TO_MEMORY_SYNC (1u << 8)
#define WRITE_TO_MEMORY      (5u << 8)
#define WRITE_CONFIRM        (1u << 20)

#define NOP_TYPE_2          0x80000000u
#define NOP_TYPE_3_ONE      0xffff1000u
#define EOP_ADDRESS_HI_MASK 0xffffu

/* The header of a packet with so many dwords after it. */
static uint32_t
header(uint32_t op, unsigned body_dw)
{
   return 3u << 30 | (body_dw - 1) << 16 | op << 8;
}

static uint32_t
low(uint64_t address)
{
   return (uint32_t)address;
}

static uint32_t
high(uint64_t address)
{
   return (uint32_t)(address >> 32);
}

uint32_t
pitot_amd_nop(unsigned generation)
{
   return generation < 70 ? NOP_TYPE_2 : NOP_TYPE_3_ONE;
}

uint32_t *
pitot_amd_event_write(uint32_t *dw, uint32_t event, uint64_t address)
{
   dw[0] = header(OP_EVENT_WRITE, 3);
   dw[1] = event;
   dw[2] = low(address);
   dw[3] = high(address);
   return dw + 4;
}

uint32_t *
pitot_amd_event_write_zpass(uint32_t *dw, uint64_t address)
{
   dw[0] = header(OP_EVENT_WRITE_ZPASS, 2);
   dw[1] = low(address);
   dw[2] = high(address);
   return dw + 3;
}

uint32_t *
pitot_amd_event_write_eop(uint32_t *dw, enum pitot_amd_write what,
                          uint64_t address, uint32_t value)
{
   dw[0] = header(OP_EVENT_WRITE_EOP, 5);
   dw[1] = BOTTOM_OF_PIPE_TS;
   dw[2] = low(address);
   dw[3] = (high(address) & EOP_ADDRESS_HI_MASK) | AFTER_WRITE_CONFIRM |
           (uint32_t)what << WRITE_SHIFT;
   dw[4] = value;
   dw[5] = 0;
   return dw + 6;
}

uint32_t *
pitot_amd_release_mem(uint32_t *dw, enum pitot_amd_write what,
                      uint64_t address, uint32_t value)
{
   dw[0] = header(OP_RELEASE_MEM, 7);
   dw[1] = BOTTOM_OF_PIPE_TS;
   dw[2] = AFTER_WRITE_CONFIRM | (uint32_t)what << WRITE_SHIFT;
   dw[3] = low(address);
   dw[4] = high(address);
   dw[5] = value;
   dw[6] = 0;
   dw[7] = 0;
   return dw + 8;
}

uint32_t *
pitot_amd_write_data(uint32_t *dw, unsigned generation, uint64_t address,
                     uint64_t value, unsigned size_B)
{
   const unsigned value_dw = size_B / sizeof(uint32_t);
   const uint32_t values[] = { (uint32_t)value, (uint32_t)(value >> 32) };

   dw[0] = header(OP_WRITE_DATA, 3 + value_dw);
   dw[1] = (generation < 70 ? WRITE_TO_MEMORY_SYNC : WRITE_TO_MEMORY) |
           WRITE_CONFIRM;
   dw[2] = low(address);
   dw[3] = high(address);
   memcpy(&dw[4], values, size_B);
   return dw + 4 + value_dw;
}
