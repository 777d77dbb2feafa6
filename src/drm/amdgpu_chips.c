/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Which GPU a family and a revision in it are.
 */

#include "amdgpu.h"

/* The kernel's numbers; those above 146 are later than libdrm's headers. */
#define FAMILY_SI      110
#define FAMILY_CI      120
#define FAMILY_KV      125
#define FAMILY_VI      130
#define FAMILY_CZ      135
#define FAMILY_AI      141
#define FAMILY_RV      142
#define FAMILY_NV      143
#define FAMILY_VGH     144
#define FAMILY_NV3     145
#define FAMILY_RMB     146
#define FAMILY_PHX     148
#define FAMILY_RPL     149
#define FAMILY_GFX1150 150
#define FAMILY_MDN     151

static const struct pitot_amdgpu_chip chips[] = {
   { FAMILY_SI, 0x05, 0x13, "tahiti", 60 },
   { FAMILY_SI, 0x15, 0x27, "pitcairn", 60 },
   { FAMILY_SI, 0x29, 0x3b, "verde", 60 },
   { FAMILY_SI, 0x3c, 0x45, "oland", 60 },
   { FAMILY_SI, 0x46, 0xfe, "hainan", 60 },
   { FAMILY_CI, 0x14, 0x27, "bonaire", 70 },
   { FAMILY_CI, 0x28, 0x3b, "hawaii", 70 },
   { FAMILY_KV, 0x01, 0x80, "kaveri", 70 },
   { FAMILY_KV, 0x81, 0xfe, "kabini", 70 },
   { FAMILY_VI, 0x01, 0x13, "iceland", 80 },
   { FAMILY_VI, 0x14, 0x27, "tonga", 80 },
   { FAMILY_VI, 0x3c, 0x4f, "fiji", 80 },
   { FAMILY_VI, 0x50, 0x59, "polaris10", 80 },
   { FAMILY_VI, 0x5a, 0x63, "polaris11", 80 },
   { FAMILY_VI, 0x64, 0x6d, "polaris12", 80 },
   { FAMILY_VI, 0x6e, 0xfe, "vegam", 80 },
   { FAMILY_CZ, 0x01, 0x20, "carrizo", 80 },
   { FAMILY_CZ, 0x61, 0xfe, "stoney", 80 },
   { FAMILY_AI, 0x01, 0x13, "vega10", 90 },
   { FAMILY_AI, 0x14, 0x27, "vega12", 90 },
   { FAMILY_AI, 0x28, 0x31, "vega20", 90 },
   { FAMILY_RV, 0x01, 0x80, "raven", 90 },
   { FAMILY_RV, 0x81, 0x8f, "raven2", 90 },
   { FAMILY_RV, 0x91, 0xfe, "renoir", 90 },
   { FAMILY_NV, 0x01, 0x09, "navi10", 100 },
   { FAMILY_NV, 0x0a, 0x13, "navi12", 100 },
   { FAMILY_NV, 0x14, 0x27, "navi14", 100 },
   { FAMILY_NV, 0x28, 0x31, "navi21", 103 },
   { FAMILY_NV, 0x32, 0x3b, "navi22", 103 },
   { FAMILY_NV, 0x3c, 0x45, "navi23", 103 },
   { FAMILY_NV, 0x46, 0x4f, "navi24", 103 },
   { FAMILY_VGH, 0x01, 0xfe, "vangogh", 103 },
   { FAMILY_RMB, 0x01, 0xfe, "rembrandt", 103 },
   { FAMILY_RPL, 0x01, 0xfe, "raphael", 103 },
   { FAMILY_MDN, 0x01, 0xfe, "mendocino", 103 },
   { FAMILY_NV3, 0x01, 0x0f, "navi31", 110 },
   { FAMILY_NV3, 0x10, 0x1f, "navi33", 110 },
   { FAMILY_NV3, 0x20, 0xfe, "navi32", 110 },
   { FAMILY_PHX, 0x01, 0xfe, "phoenix", 110 },
   { FAMILY_GFX1150, 0x01, 0x3f, "gfx1150", 115 },
   { FAMILY_GFX1150, 0x40, 0x4f, "gfx1152", 115 },
   { FAMILY_GFX1150, 0x50, 0xbf, "gfx1153", 115 },
   { FAMILY_GFX1150, 0xc0, 0xfe, "gfx1151", 115 },
};

#define CHIP_COUNT (sizeof(chips) / sizeof(chips[0]))

const struct pitot_amdgpu_chip *
pitot_amdgpu_chip(unsigned family, unsigned revision)
{
   for (unsigned i = 0; i < CHIP_COUNT; i++) {
      if (family == chips[i].family && revision >= chips[i].first_revision &&
          revision <= chips[i].last_revision)
         return &chips[i];
   }
   return NULL;
}
