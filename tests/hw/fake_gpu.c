/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

#include <string.h>

#include "../test.h"
#include "fake_gpu.h"

#define INTEL(NAME, GENERATION, HZ)                                          \
   {                                                                         \
      .vendor = PITOT_VENDOR_INTEL, .name = NAME, .generation = GENERATION,  \
      .timestamp_bits = 36, .timestamp_hz = HZ                               \
   }

#define AMD(NAME, GENERATION, HZ, RBS, MASK, ...)                            \
   {                                                                         \
      .vendor = PITOT_VENDOR_AMD, .name = NAME, .generation = GENERATION,    \
      .timestamp_bits = 64, .timestamp_hz = HZ, .rb_count = RBS,             \
      .rb_mask = MASK, __VA_ARGS__                                           \
   }

const struct pitot_gpu fake_gpus[FAKE_GPU_COUNT] = {
   INTEL("bdw", 80, 12500000),
   INTEL("skl", 90, 12000000),
   {
      .vendor = PITOT_VENDOR_INTEL,
      .name = "skl gt4",
      .generation = 90,
      .timestamp_bits = 36,
      .timestamp_hz = 12000000,
      .is_gt4 = true,
   },
   INTEL("icl", 110, 12000000),
   INTEL("tgl", 120, 19200000),
   INTEL("dg2", 125, 19200000),
   AMD("pitcairn", 60, 27000000, 8, 0xff, .is_gt4 = false),
   AMD("bonaire", 70, 25000000, 4, 0xf, .is_gt4 = false),
   AMD("polaris10", 80, 25000000, 8, 0xff, .is_gt4 = false),
   AMD("vega10", 90, 27000000, 16, 0xffef, .is_gt4 = false),
   AMD("navi10", 100, 100000000, 16, 0xffff, .is_gt4 = false),
   AMD("navi21", 103, 100000000, 16, 0x0fff, .is_gt4 = false),
   AMD("navi31", 110, 100000000, 24, 0xffffff, .has_event_write_zpass = true),
   AMD("gfx11 old", 115, 100000000, 4, 0xf, .is_gt4 = false),
};

const struct pitot_gpu *
fake_gpu(const char *name)
{
   for (unsigned i = 0; i < FAKE_GPU_COUNT; i++) {
      if (strcmp(fake_gpus[i].name, name) == 0)
         return &fake_gpus[i];
   }
   fail_msg("there is no GPU \"%s\"", name);
   return NULL;
}

static uint64_t
qword(const uint32_t *dw)
{
   return dw[0] | (uint64_t)dw[1] << 32;
}

/*
 * Intel
 */

static uint64_t
intel_post_sync(const struct fake_stream *fake, const uint32_t *dw)
{
   const uint64_t mask = UINT64_MAX >> (64 - fake->gpu.timestamp_bits);
   const uint64_t values[] = { 0, qword(dw + 4), fake->depth_count,
                               fake->ticks & mask };

   return values[dw[1] >> 14 & 3];
}

static unsigned
intel_execute(struct fake_stream *fake, enum pitot_ring ring,
              const uint32_t *dw)
{
   const unsigned length = (dw[0] & 0xff) + 2;
   uint32_t reg;

   switch (dw[0] >> 23) {
   case 0: /* MI_NOOP */
      return 1;
   case 0xf4:              /* PIPE_CONTROL */
      if (dw[1] & 3 << 14) /* a post-sync operation */
         fake_gpu_write(fake, ring, qword(dw + 2), intel_post_sync(fake, dw),
                        8);
      return length;
   case 0x24: /* MI_STORE_REGISTER_MEM */
      reg = dw[1] + (dw[0] & 1 << 19 ? 0x2000 : 0);
      fake_gpu_write(fake, ring, qword(dw + 2),
                     fake->registers[reg / 8] >> (reg & 4 ? 32 : 0), 4);
      return length;
   case 0x20: /* MI_STORE_DATA_IMM */
      fake_gpu_write(fake, ring, qword(dw + 1), qword(dw + 3), 8);
      return length;
   }
   fail_msg("unknown command %08x", dw[0]);
   return 1;
}

/*
 * AMD
 */

#define VALID_BIT (UINT64_C(1) << 63)

static void
sample_backends(struct fake_stream *fake, enum pitot_ring ring,
                uint64_t address)
{
   for (unsigned rb = 0; rb < fake->gpu.rb_count; rb++) {
      if (fake->gpu.rb_mask >> rb & ~fake->mute_backends >> rb & 1)
         fake_gpu_write(fake, ring, address + 16 * rb,
                        fake->backends[rb] | VALID_BIT, 8);
   }
}

static void
amd_event(struct fake_stream *fake, enum pitot_ring ring, uint32_t type,
          uint64_t address)
{
   const unsigned block_qw = fake->gpu.generation >= 110 ? 14 : 11;

   if (type == 21 || type == 57) { /* ZPASS_DONE, PIXEL_PIPE_STAT_DUMP */
      sample_backends(fake, ring, address);
   } else if (type == 30) { /* SAMPLE_PIPELINESTAT */
      for (unsigned i = 0; i < block_qw; i++)
         fake_gpu_write(fake, ring, address + 8 * i, fake->block[i], 8);
   } else if (type == 32 || (type >= 1 && type <= 3)) {
      const unsigned stream = type % 32; /* SAMPLE_STREAMOUTSTATS* */

      for (unsigned i = 0; i < 2; i++)
         fake_gpu_write(fake, ring, address + 8 * i,
                        fake->streamout[stream][i] | VALID_BIT, 8);
   } else {
      fail_msg("unknown event %u", type);
   }
}

static void
amd_end_of_pipe(struct fake_stream *fake, enum pitot_ring ring,
                uint64_t address, uint32_t selection, uint32_t value)
{
   const bool is_time = selection >> 29 == 3;

   fake_gpu_write(fake, ring, address, is_time ? fake->ticks : value,
                  is_time ? 8 : 4);
}

static unsigned
amd_execute(struct fake_stream *fake, enum pitot_ring ring,
            const uint32_t *dw)
{
   if (dw[0] == 0xffff1000 || dw[0] == 0x80000000) /* NOP */
      return 1;
   switch (dw[0] >> 8 & 0xff) {
   case 0x46: /* EVENT_WRITE */
      amd_event(fake, ring, dw[1] & 0x3f, qword(dw + 2));
      break;
   case 0xb1: /* EVENT_WRITE_ZPASS */
      sample_backends(fake, ring, qword(dw + 1));
      break;
   case 0x47: /* EVENT_WRITE_EOP */
      amd_end_of_pipe(fake, ring, dw[2] | (uint64_t)(dw[3] & 0xffff) << 32,
                      dw[3], dw[4]);
      break;
   case 0x49: /* RELEASE_MEM */
      amd_end_of_pipe(fake, ring, qword(dw + 3), dw[2], dw[5]);
      break;
   default:
      fail_msg("unknown packet %08x", dw[0]);
   }
   return (dw[0] >> 16 & 0x3fff) + 2;
}

uint32_t
fake_gpu_nop(const struct fake_stream *fake)
{
   return fake->gpu.vendor == PITOT_VENDOR_INTEL ? 0 : 0xffff1000;
}

unsigned
fake_gpu_execute(struct fake_stream *fake, enum pitot_ring ring,
                 const uint32_t *dw)
{
   if (dw[0] >> 16 == FAKE_BARRIER(0) >> 16)
      return 1;
   return fake->gpu.vendor == PITOT_VENDOR_INTEL
             ? intel_execute(fake, ring, dw)
             : amd_execute(fake, ring, dw);
}

/*
 * Counting
 */

/* Where both count a kind, and what has to be on for that. */
static const struct {
   unsigned counting;
   unsigned reg;
   unsigned block;
} places[PITOT_KIND_COUNT] = {
   [PITOT_KIND_VERTICES_SUBMITTED] = { 4, 0x2310, 7 },
   [PITOT_KIND_PRIMITIVES_SUBMITTED] = { 4, 0x2318, 6 },
   [PITOT_KIND_VS_INVOCATIONS] = { 4, 0x2320, 3 },
   [PITOT_KIND_TCS_PATCHES] = { 4, 0x2300, 8 },
   [PITOT_KIND_TES_INVOCATIONS] = { 4, 0x2308, 9 },
   [PITOT_KIND_GS_INVOCATIONS] = { 4, 0x2328, 4 },
   [PITOT_KIND_GS_PRIMITIVES] = { 4, 0x2330, 5 },
   [PITOT_KIND_FS_INVOCATIONS] = { 4, 0x2348, 0 },
   [PITOT_KIND_CS_INVOCATIONS] = { 4, 0x2290, 10 },
   [PITOT_KIND_CLIPPING_INPUT] = { 4, 0x2338, 2 },
   [PITOT_KIND_CLIPPING_OUTPUT] = { 4, 0x2340, 1 },
};

static void
count_statistic(struct fake_stream *fake, enum pitot_kind kind,
                uint64_t amount)
{
   const bool is_gen8 = fake->gpu.generation / 10 == 8;
   const bool is_quadruple = kind == PITOT_KIND_FS_INVOCATIONS && is_gen8;

   if (!(fake->counting & places[kind].counting))
      return;
   fake->registers[places[kind].reg / 8] +=
      is_quadruple ? 4 * amount : amount;
   fake->block[places[kind].block] += amount;
}

static void
count_samples(struct fake_stream *fake, uint64_t amount)
{
   const uint64_t mask = fake->gpu.rb_mask;

   if (!(fake->counting & (PITOT_COUNTING_SAMPLES | PITOT_COUNTING_BOOLEAN)))
      return;
   fake->depth_count += amount;
   for (unsigned rb = 0; amount > 0 && mask; rb = (rb + 1) % 64) {
      const uint64_t share = amount < 5 ? amount : amount / 2;

      if (mask >> rb & 1) {
         fake->backends[rb] = (fake->backends[rb] + share) & ~VALID_BIT;
         amount -= share;
      }
   }
}

static void
count_streamout(struct fake_stream *fake, unsigned stream, uint64_t needed,
                uint64_t written)
{
   uint64_t *so = fake->streamout[stream];

   if (!(fake->counting & PITOT_COUNTING_STREAMOUT))
      return;
   so[0] = (so[0] + needed) & ~VALID_BIT;
   so[1] = (so[1] + written) & ~VALID_BIT;
   fake->registers[(0x5240 + 8 * stream) / 8] += needed;
   fake->registers[(0x5200 + 8 * stream) / 8] += written;
   if (stream == 0)
      fake->registers[0x2338 / 8] += needed;
}

void
fake_gpu_count(struct fake_stream *fake, enum pitot_kind kind,
               unsigned stream, uint64_t amount)
{
   switch (kind) {
   case PITOT_KIND_SAMPLES_PASSED:
   case PITOT_KIND_ANY_SAMPLES_PASSED:
   case PITOT_KIND_ANY_SAMPLES_PASSED_CONSERVATIVE:
      count_samples(fake, amount);
      break;
   case PITOT_KIND_PRIMITIVES_GENERATED:
   case PITOT_KIND_STREAM_OVERFLOW:
   case PITOT_KIND_ANY_STREAM_OVERFLOW:
      count_streamout(fake, stream, amount, 0);
      break;
   case PITOT_KIND_PRIMITIVES_WRITTEN:
      count_streamout(fake, stream, 0, amount);
      break;
   case PITOT_KIND_TIME_ELAPSED:
   case PITOT_KIND_TIMESTAMP:
      fake->ticks += amount;
      break;
   default:
      count_statistic(fake, kind, amount);
   }
}

void
fake_gpu_count_others(struct fake_stream *fake)
{
   if (fake->gpu.vendor != PITOT_VENDOR_AMD)
      return;
   for (unsigned i = 0; i < ARRAY_LENGTH(fake->backends); i++)
      fake->backends[i] = (fake->backends[i] + fake->others) & ~VALID_BIT;
   for (unsigned i = 0; i < ARRAY_LENGTH(fake->block); i++)
      fake->block[i] += fake->others;
   for (unsigned s = 0; s < PITOT_MAX_STREAMS; s++) {
      fake->streamout[s][0] += fake->others;
      fake->streamout[s][1] += fake->others / 2;
   }
}
