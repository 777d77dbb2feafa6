/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "amd.h"

#define OP_WRITE_DATA        0x37u
#define OP_WAIT_REG_MEM      0x3cu
#define OP_COPY_DATA         0x40u
#define OP_PFP_SYNC_ME       0x42u
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
#define COPY_FROM_MEMORY     1u
#define COPY_8_BYTES         (1u << 16)

#define WAIT_NOT_EQUAL     4u
#define WAIT_FOR_MEMORY    (1u << 4)
#define WAIT_POLL_INTERVAL 4u

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

/* GFX6 has another number for memory. */
static uint32_t
to_memory(unsigned generation)
{
   return generation < 70 ? WRITE_TO_MEMORY_SYNC : WRITE_TO_MEMORY;
}

uint32_t *
pitot_amd_write_data(uint32_t *dw, unsigned generation, uint64_t address,
                     uint64_t value, unsigned size_B)
{
   const unsigned value_dw = size_B / sizeof(uint32_t);
   const uint32_t values[] = { (uint32_t)value, (uint32_t)(value >> 32) };

   dw[0] = header(OP_WRITE_DATA, 3 + value_dw);
   dw[1] = to_memory(generation) | WRITE_CONFIRM;
   dw[2] = low(address);
   dw[3] = high(address);
   memcpy(&dw[4], values, size_B);
   return dw + 4 + value_dw;
}

uint32_t *
pitot_amd_copy_data(uint32_t *dw, unsigned generation, uint64_t to,
                    uint64_t from)
{
   dw[0] = header(OP_COPY_DATA, 5);
   dw[1] =
      COPY_FROM_MEMORY | to_memory(generation) | COPY_8_BYTES | WRITE_CONFIRM;
   dw[2] = low(from);
   dw[3] = high(from);
   dw[4] = low(to);
   dw[5] = high(to);
   return dw + 6;
}

uint32_t *
pitot_amd_wait_mem(uint32_t *dw, uint64_t address)
{
   dw[0] = header(OP_WAIT_REG_MEM, 6);
   dw[1] = WAIT_FOR_MEMORY | WAIT_NOT_EQUAL;
   dw[2] = low(address);
   dw[3] = high(address);
   dw[4] = 0;
   dw[5] = UINT32_MAX;
   dw[6] = WAIT_POLL_INTERVAL;
   return dw + 7;
}

uint32_t *
pitot_amd_pfp_sync_me(uint32_t *dw)
{
   dw[0] = header(OP_PFP_SYNC_ME, 1);
   dw[1] = 0;
   return dw + 2;
}
