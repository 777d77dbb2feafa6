/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "pitot_profile.h"

__attribute__((visibility("default"))) struct pitot_profile *
module_profile(void);

struct pitot_profile *
module_profile(void)
{
   return pitot_profile_get();
}
