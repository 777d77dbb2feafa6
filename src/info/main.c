/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include "info.h"

int
main(int argc, char **argv)
{
   return info_main(&pitot_drm_system, argc, argv, stdout, stderr);
}
