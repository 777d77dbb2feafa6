/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "pitot/result.h"

static const struct {
   uint64_t max;
   unsigned size_B;
} types[] = {
   [PITOT_TYPE_I32] = { INT32_MAX, 4 },
   [PITOT_TYPE_U32] = { UINT32_MAX, 4 },
   [PITOT_TYPE_I64] = { INT64_MAX, 8 },
   [PITOT_TYPE_U64] = { UINT64_MAX, 8 },
};

unsigned
pitot_type_size_B(enum pitot_type type)
{
   return types[type].size_B;
}

bool
pitot_type_write(enum pitot_type type, uint64_t value, void *data_out)
{
   const uint64_t clamped = value > types[type].max ? types[type].max : value;
   const uint32_t clamped_32 = (uint32_t)clamped;

   /* By way of a 32-bit copy, so that the byte order does not matter. */
   if (types[type].size_B == 4)
      memcpy(data_out, &clamped_32, sizeof(clamped_32));
   else
      memcpy(data_out, &clamped, sizeof(clamped));
   return clamped == value;
}
