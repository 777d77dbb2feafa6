/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * The interface of the compute shader that adds up samples.
 */

#ifndef RADEONSI_SHADER_H
#define RADEONSI_SHADER_H

#include <stdint.h>

struct nir_shader;
struct nir_shader_compiler_options;

/* Shader buffers. */
enum {
   PITOT_RADEONSI_BEGIN,
   PITOT_RADEONSI_END,
   PITOT_RADEONSI_TARGET,
   PITOT_RADEONSI_BUFFER_COUNT,
};

enum {
   PITOT_RADEONSI_HAS_BEGIN = 1 << 0,
   PITOT_RADEONSI_OVERFLOW = 1 << 1, /* enum pitot_cs_method... */
   PITOT_RADEONSI_ELAPSED = 1 << 2,
   PITOT_RADEONSI_LATEST = 1 << 3, /* ...or if none of them, PITOT_CS_ADD */
   PITOT_RADEONSI_TIME = 1 << 4,
   PITOT_RADEONSI_BOOLEAN = 1 << 5,
   PITOT_RADEONSI_AVAILABLE = 1 << 6, /* stores availability */
   /* stores 0 if samples are missing */
   PITOT_RADEONSI_STORES_ALWAYS = 1 << 7,
   PITOT_RADEONSI_WIDE = 1 << 8,   /* stores 64 bits */
   PITOT_RADEONSI_PART = 1 << 9,   /* stores struct radeonsi_pitot_part */
   PITOT_RADEONSI_WAITS = 1 << 10, /* polls for valid bits */
};

/* Limits the polls of a shader, to hundredths of a second: a write to memory
 * takes microseconds.
 */
#define PITOT_RADEONSI_MAX_LOOKS (1 << 14)

/* Pairs in a job, which is the shader's constant buffer. */
#define PITOT_RADEONSI_MAX_PAIRS 256

struct radeonsi_pitot_job {
   uint32_t flags;
   uint32_t pair_count;
   uint32_t slot_count;
   uint32_t stride_B;
   uint64_t sum;
   uint64_t slots;
   uint64_t valid_mask; /* of each qword */
   uint64_t max;
   uint32_t written_B;
   uint32_t looks; /* polls for qwords that are not valid yet */
   uint32_t unused[2];
   struct {
      uint32_t begin_B, end_B, available_B, unused;
   } pairs[PITOT_RADEONSI_MAX_PAIRS];
};

/* The result of one dispatch of several, and whether no sample is missing. */
struct radeonsi_pitot_part {
   uint64_t sum;
   uint32_t is_there;
   uint32_t unused;
};

struct nir_shader *
pitot_radeonsi_build_shader(const struct nir_shader_compiler_options *options,
                            unsigned frequency_khz);

#endif /* RADEONSI_SHADER_H */
