/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/* AMD shaders for tests, in the encoding of each generation. */

#ifndef PITOT_SIM_SHADERS_H
#define PITOT_SIM_SHADERS_H

#include "packets.h"

/* Each thread copies a dword (if an encoding needs fewer dwords, s_nop comes
 * before the end):
 *
 *    s_lshl_b32 s8, s8, 6
 *    v_or_b32 v0, s8, v0
 *    v_lshlrev_b32 v0, 2, v0
 *    buffer_load_dword v1, v0, s[0:3], 0 offen
 *    s_waitcnt vmcnt(0)
 *    buffer_store_dword v1, v0, s[4:7], 0 offen
 *    s_endpgm
 */
#define COPY_DW 11

/* Dword index of the load, which another instruction follows. */
#define COPY_LOAD_DW 3

/* One thread copies 16 bytes, with descriptors in memory; the load at s3 ends
 * beyond the first buffer:
 *
 *    s_load_dwordx4 s[4:7], s[0:1], 0x20
 *    s_load_dwordx4 s[8:11], s[0:1], s2
 *    s_waitcnt lgkmcnt(0)
 *    s_buffer_load_dwordx2 s[12:13], s[4:7], 0x4
 *    s_buffer_load_dwordx2 s[14:15], s[4:7], s3
 *    s_waitcnt lgkmcnt(0)
 *    v_mov_b32 v0, s12          and v1 to v3, s13 to s15
 *    buffer_store_dwordx4 v[0:3], off, s[8:11], 0
 *    s_endpgm
 */
#define SINGLE_DW 18

struct shader_code {
   unsigned generation; /* the first with this encoding */
   unsigned access;     /* dword index of loads and stores in tests */
   unsigned access_dw;  /* of each of these */
   uint32_t copy[COPY_DW];
   uint32_t unknown;  /* v_exp_f32 */
   uint32_t image[3]; /* image_store */
   uint32_t loop;     /* s_branch to itself */
   uint32_t single[SINGLE_DW];
};

const struct shader_code *
shader_code_of(const struct rig *rig);

/* The start of a packet that sets shader registers. */
#define SET_SH(COUNT, REG) 0xc0007600 | (COUNT) << 16, ((REG)-0xb000) / 4

#endif /* PITOT_SIM_SHADERS_H */
