/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <stdbool.h>

#include "intel.h"

#define PIPE_CONTROL           0x7a000004u
#define STORE_REGISTER_ADD_CS  (1u << 19)
#define STORE_DATA_IMM_32      0x10000002u
#define STORE_DATA_IMM_64      0x10200003u
#define STORE_DATA_CHECK_WRITE (1u << 10)

/* Addresses have 48 bits.  PIPE_CONTROL wants no more than these, while the
 * MI commands want the last one repeated to the left.
 */
#define ADDRESS_BITS 48

static uint64_t
cut(uint64_t address)
{
   return address & (UINT64_MAX >> (64 - ADDRESS_BITS));
}

uint64_t
pitot_intel_canonical(uint64_t address)
{
   const uint64_t sign = UINT64_C(1) << (ADDRESS_BITS - 1);

   return (cut(address) ^ sign) - sign;
}

static uint32_t *
qword(uint32_t *dw, uint64_t value)
{
   dw[0] = (uint32_t)value;
   dw[1] = (uint32_t)(value >> 32);
   return dw + 2;
}

uint32_t *
pitot_intel_pipe_control(uint32_t *dw, uint32_t flags, uint64_t address,
                         uint64_t value)
{
   dw[0] = PIPE_CONTROL;
   dw[1] = flags;
   dw = qword(dw + 2, cut(address));
   return qword(dw, value);
}

/* The command streamer's own registers are told by their offset from its
 * first one, so that the packet means the same to each engine.
 */
static uint32_t *
store_half(uint32_t *dw, unsigned generation, uint32_t reg, uint64_t address)
{
   const uint32_t cs_first = 0x2000, cs_last = 0x3fff;
   const bool is_relative =
      generation >= 110 && reg >= cs_first && reg <= cs_last;

   dw[0] = PITOT_INTEL_STORE_REGISTER_MEM |
           (is_relative ? STORE_REGISTER_ADD_CS : 0);
   dw[1] = is_relative ? reg - cs_first : reg;
   return qword(dw + 2, pitot_intel_canonical(address));
}

uint32_t *
pitot_intel_store_register(uint32_t *dw, unsigned generation, uint32_t reg,
                           uint64_t address)
{
   dw = store_half(dw, generation, reg, address);
   return store_half(dw, generation, reg + 4, address + 4);
}

uint32_t *
pitot_intel_store_data(uint32_t *dw, unsigned generation, uint64_t address,
                       uint64_t value)
{
   *dw++ =
      STORE_DATA_IMM_64 | (generation >= 120 ? STORE_DATA_CHECK_WRITE : 0);
   dw = qword(dw, pitot_intel_canonical(address));
   return qword(dw, value);
}

uint32_t *
pitot_intel_store_data_32(uint32_t *dw, unsigned generation, uint64_t address,
                          uint32_t value)
{
   *dw++ =
      STORE_DATA_IMM_32 | (generation >= 120 ? STORE_DATA_CHECK_WRITE : 0);
   dw = qword(dw, pitot_intel_canonical(address));
   *dw++ = value;
   return dw;
}
