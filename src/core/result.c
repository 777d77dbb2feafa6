/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pitot/result.h"

const uint64_t pitot_type_max[PITOT_TYPE_COUNT] = {
   [PITOT_TYPE_I32] = INT32_MAX,
   [PITOT_TYPE_U32] = UINT32_MAX,
   [PITOT_TYPE_I64] = INT64_MAX,
   [PITOT_TYPE_U64] = UINT64_MAX,
};
